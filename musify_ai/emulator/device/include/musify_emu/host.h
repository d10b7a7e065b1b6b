// Host calls, without a CUDA or MUSA name: what the generated runtime header forwards to. Error numbers are those that
// both APIs document; each function returns one.
#pragma once
#include "core.h"

namespace emu {
namespace host {

enum : int {
  ok = 0, invalid_value = 1, out_of_memory = 2, invalid_configuration = 9, invalid_symbol = 13, invalid_direction = 21,
  no_device = 100, invalid_device = 101, invalid_handle = 400, not_ready = 600, not_supported = 801
};
enum Direction : int { host_to_host = 0, host_to_device = 1, device_to_host = 2, device_to_device = 3, by_pointer = 4 };

int allocate(void** p, size_t bytes, Memory);
int allocate_pitch(void** p, size_t* pitch, size_t width, size_t height);
int release(void* p, const char* caller, Site);
int copy(void* to, const void* from, size_t bytes, int direction, const char* caller, Site);
int copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, int direction,
            const char* caller, Site);
int fill(void* to, int value, size_t bytes, const char* caller, Site);
int fill_2d(void* to, size_t pitch, int value, size_t width, size_t height, const char* caller, Site);
int copy_to_symbol(void* symbol, size_t size, const void* from, size_t bytes, size_t offset, int direction,
                   const char* caller, Site);
int copy_from_symbol(void* to, const void* symbol, size_t size, size_t bytes, size_t offset, int direction,
                     const char* caller, Site);
int symbol_address(void** p, const void* symbol, size_t size);
int synchronize();            // the error of a kernel that was ended, which stays until a reset
int get_last_error(bool clear);
int reset();
int set_device(int);
const char* error_name(int error, const char* prefix);  // "cuda" or "musa", and what follows it

struct Stream {
  unsigned flags;
  int priority;
};
struct Event {
  long long time;
  bool recorded;
};
// Ends the program, with a finding that names the library call: what came after it would rest on nothing.
[[noreturn]] void not_emulated(const char* call, Site);

int create_stream(Stream** s, unsigned flags, int priority);
int destroy_stream(Stream* s);
int create_event(Event** e);
int destroy_event(Event* e);
int record_event(Event* e);
int elapsed(float* milliseconds, const Event* from, const Event* to);

}  // namespace host
}  // namespace emu
