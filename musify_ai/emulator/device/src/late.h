// Work that streams hold back, for the device's own files.
#pragma once
#include "../include/musify_emu/host.h"

namespace emu {

// launch.cpp: the error of a launch that cannot be, which is reported; 0 for any other.
int refused(const Kernel&, const Config&, const Argument*, int count);
// launch.cpp: ends a kernel that would wait for launches of its own, which begin when its grid has ended.
void no_wait_for_children();

namespace host {

void settle_all();
void forget_queue(const Stream*);
int query_stream(Stream*);
// Marks in a stream, for events: what they come after has been done when they are.
std::shared_ptr<Piece> hold_event(Stream*);
std::shared_ptr<Piece> hold_graph(Stream*, Deferred);
bool is_done(const std::shared_ptr<Piece>&);  // also where there is none
long long time_of(const std::shared_ptr<Piece>&);
void settle_event(const std::shared_ptr<Piece>&);
bool query_event(const std::shared_ptr<Piece>&);  // lets a piece of work be done where it is not
void await_event(Stream*, const std::shared_ptr<Piece>&);
// The error of a copy that cannot be, which is reported; 0 for any other.
int check_copy(void* to, const void* from, size_t bytes, int direction, const char* caller, Site);

}  // namespace host
}  // namespace emu
