// Graphs of work, without a CUDA or MUSA name: made node by node or by a stream's capture, and run in an order that
// their edges allow, the one they were made in.
#pragma once
#include "host.h"

namespace emu {
namespace host {

struct Exec;

int make_graph(Graph** out);
int free_graph(Graph*);
int copy_graph(Graph** out, const Graph*);
// Adds a node that comes after others; `kind` is a Work.
int add_work(Node** out, Graph*, Node* const* after, size_t count, int kind, Deferred);
int add_kernel(Node** out, Graph*, Node* const* after, size_t count, const char* call, const void* function, const Config&,
               void** values, Site);
int add_graph(Node** out, Graph*, Node* const* after, size_t count, const Graph* inner);
int add_event(Node** out, Graph*, Node* const* after, size_t count, Event*, bool record);
int connect(Graph*, Node* const* from, Node* const* to, size_t count, bool remove);
int remove_node(Node*);
int kind_of(const Node*, int* kind);
// Lists: how many there are, and as many of them as there is room for where `out` is given.
int nodes_of(const Graph*, Node** out, size_t* count, bool roots);
int edges_of(const Graph*, Node** from, Node** to, size_t* count);
int neighbours_of(const Node*, Node** out, size_t* count, bool after);
// What a kernel's node was given; the values stay the node's.
int kernel_of(const Node*, const void** function, Config*, void*** values);
int set_kernel(Node*, const char* call, const void* function, const Config&, void** values, Site);
int set_work(Node*, int kind, Deferred);

int make_exec(Exec** out, const Graph*);
int free_exec(Exec*);
int run_exec(Exec*, Stream*);
// The node of a running graph that was made from one of its source's.
Node* node_in(Exec*, const Node*);
int enable(Exec*, const Node*, bool on);
int enabled(Exec*, const Node*, bool* on);
// 0: every node took over what the graph's has; 2: other nodes or edges, 3: a node of another kind.
int update_exec(Exec*, const Graph*, int* outcome, Node** at_fault);

int begin_capture(Stream*, int mode);
int exchange_capture_mode(int* mode);  // of the calling thread: what it may do while streams are captured
int end_capture(Stream*, Graph** out);
int capture_status(const Stream*);  // 0 none, 1 active, 2 invalidated
Graph* captured_graph(const Stream*, unsigned long long* id, Node*** tail, size_t* count);
int write_dot(const Graph*, const char* path);

}  // namespace host
}  // namespace emu
