// Pages that the host may not touch: device memory while no call of the API runs (`--protect`), and host memory that a
// copy in a stream has still to read or to write (streams that work late). Who does is told of; then it may.
#pragma once
#include "../include/musify_emu/host.h"

namespace emu {

bool own_pages(const void* start);  // heap.cpp: whether an allocation has
bool maps_pages();  // whether allocations need pages of their own
void close_memory(char* start, size_t bytes);   // of device memory that is new
void forget_memory(char* start, size_t bytes);  // of memory that is about to go
// While one lives, the host acts for the device.
struct Inside {
  Inside();
  ~Inside();
};
// The ends of a copy that is held back; the number is to be given back when it is made. 0: there is nothing to guard.
int guard_copy(void* to, const void* from, size_t bytes, const char* caller, Site);
void drop_guard(int number);
void rearm_guards();
// From the signal handler: whether that address was guarded, and is open now.
bool host_touched(void* address, void* context);

}  // namespace emu
