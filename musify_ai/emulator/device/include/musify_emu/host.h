// Host calls, without a CUDA or MUSA name: what the generated runtime header forwards to. Error numbers are those that
// both APIs document; each function returns one.
#pragma once
#include <memory>

#include "launching.h"

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
int device_count();
int current_device();
int set_device(int);
int check_device(int);  // the error of one that there is not
int can_reach(int* can, int device, int peer);
int reach_peer(int peer, bool allowed);
int register_host(void* p, size_t bytes, bool registered);
const char* error_name(int error, const char* prefix);  // "cuda" or "musa", and what follows it

struct Graph;
struct Node;
struct Stream;  // streams.cpp
struct Piece;   // late.cpp: of work that a stream holds back
struct Event {
  long long time;
  bool recorded;
  Graph* graph;  // of the capture that recorded it last
  Node* node;
  std::shared_ptr<Piece> mark;
  bool timing = true;
};
// Ends the program, with a finding that names the library call: what came after it would rest on nothing.
[[noreturn]] void not_emulated(const char* call, Site);

int create_stream(Stream** s, unsigned flags, int priority);
int destroy_stream(Stream* s);
unsigned stream_flags(const Stream* s);
int stream_priority(const Stream* s);
int stream_device(const Stream* s);
int synchronize_stream(Stream* s);
int query_stream(Stream* s);
int synchronize_event(Event* e);
int query_event(Event* e);
int wait_for_event(Stream* s, Event* e, unsigned flags = 0);
int create_event(Event** e, unsigned flags = 0);
int destroy_event(Event* e);
// With the flag 1 a capture notes the event itself, and not what its stream has come to.
int record_event(Event* e, Stream* s, unsigned flags = 0);
int elapsed(float* milliseconds, const Event* from, const Event* to);

// Kinds of work, by the numbers that both APIs have for a graph's nodes.
enum Work : int { kernel_work = 0, copy_work = 1, fill_work = 2, host_work = 3, graph_work = 4, empty_work = 5, wait_work = 6, record_work = 7 };
int capture_work(Stream* s, int kind, Deferred);
int hold_work(Stream* s, int kind, Deferred);
void settle(Stream* s);  // does all that a stream holds back
// Whether a copy in a stream is made at once after all, because one end of it is memory that the device cannot reach by
// itself; what the stream holds back has been done then.
bool copies_at_once(Stream* s, const void* to, const void* from);
int copy_in_stream(void* to, const void* from, size_t bytes, int direction, const char* caller, Site, Stream* s);
// Does the work, or notes it where the stream is being captured. `work` gives an error.
template <class F>
int in_stream(Stream* s, int kind, F work) {
  if (__builtin_expect(captures != 0, 0) && capturing(reinterpret_cast<uintptr_t>(s)))
    return capture_work(s, kind, defer([work]() mutable { work(); }));
  if (__builtin_expect(late, 0) && holds()) return hold_work(s, kind, defer([work]() mutable { work(); }));
  return work();
}
template <class F>
int copy_in_stream(Stream* s, const void* to, const void* from, F work) {
  if (__builtin_expect(late, 0) && copies_at_once(s, to, from)) {
    AtOnce now;
    return work();
  }
  return in_stream(s, copy_work, work);
}
// What may not be done while a stream is captured in the strict mode.
int forbidden_in_capture();

}  // namespace host
}  // namespace emu
