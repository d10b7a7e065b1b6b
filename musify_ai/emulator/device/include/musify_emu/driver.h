// The driver API's own part, without a CUDA or MUSA name: contexts, modules, functions by name.
#pragma once
#include "memories.h"

namespace emu {
namespace driver {

struct Context;
struct Module;
int initialize(unsigned flags);
int ready();            // 3 before the driver was initialized
int check(int device);  // that, or 101 for a device that there is not
int in_context();       // that, or 201 where no context is current
int make_context(Context**, unsigned flags, int device);
int free_context(Context*);
int current_context(Context**);
int set_context(Context*);
int push_context(Context*);
int pop_context(Context**);
int device_of_context(int* device);
int primary_context(Context**, int device);
int release_primary(int device);  // as often as it was asked for, then it is gone
int primary_state(int device, unsigned* flags, int* active);
int load_module(Module**, const char* file);
int unload_module(Module*);
// A kernel of this program by its plain name, or by one that C++ made of it. Where there is none the program ends: what
// a file holds that nobody built for this device cannot be run.
int find_function(const void** out, Module*, const char* name, const char* call, Site);
int launch(const char* call, const void* function, const Config&, bool cooperative, void** values, void** extra, Site);
int fill(void* to, unsigned value, size_t size, size_t count, const char* call, Site);
const char* error_name(int error, const char* prefix);  // "CUDA" or "MUSA"; null for what is no error's number

}  // namespace driver
}  // namespace emu
