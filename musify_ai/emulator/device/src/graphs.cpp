// Graphs: nodes of work with what each comes after.
#include "../include/musify_emu/graphs.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "late.h"
#include "scheduler.h"
#include "streams.h"

namespace emu {
namespace host {

namespace {
std::shared_ptr<Deferred> owned(Deferred work) {
  return std::shared_ptr<Deferred>(new Deferred(work), [](Deferred* d) {
    if (d->drop) d->drop(d->closure);
    delete d;
  });
}
}  // namespace

struct Node {
  Graph* graph = nullptr;
  int kind = empty_work;
  std::shared_ptr<Deferred> work;
  std::vector<Node*> after;
  bool on = true;
  Kernel kernel{nullptr, nullptr, 0, false};
  Config config{dim3(), dim3(), 0};
  std::vector<Argument> described;
  std::vector<std::vector<unsigned char>> values;  // of a kernel that was given by address
  std::vector<void*> pointers;
  std::shared_ptr<Graph> inner;
  Event* event = nullptr;
};
struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
};
struct Exec {
  std::unique_ptr<Graph> graph;
  std::map<const Node*, Node*> made;
};

namespace {
void copy_content(Node& to, const Node& from) {
  to.kind = from.kind;
  to.work = from.work;
  to.kernel = from.kernel;
  to.config = from.config;
  to.described = from.described;
  to.values = from.values;
  to.pointers.clear();
  for (auto& value : to.values) to.pointers.push_back(value.data());
  to.inner = from.inner;
  to.event = from.event;
}

std::unique_ptr<Graph> clone(const Graph& from, std::map<const Node*, Node*>* made) {
  std::unique_ptr<Graph> graph(new Graph);
  for (const auto& node : from.nodes) {
    graph->nodes.emplace_back(new Node);
    Node& fresh = *graph->nodes.back();
    copy_content(fresh, *node);
    fresh.graph = graph.get();
    (*made)[node.get()] = &fresh;
  }
  for (const auto& node : from.nodes)
    for (const Node* before : node->after) (*made)[node.get()]->after.push_back((*made)[before]);
  return graph;
}

bool owns(const Graph* graph, const Node* node) {
  for (const auto& each : graph->nodes)
    if (each.get() == node) return true;
  return false;
}

// In the order they were made, but for those whose edges came later.
bool in_order(const Graph& graph, std::vector<Node*>* out) {
  std::map<const Node*, bool> done;
  for (size_t before = 1; out->size() < graph.nodes.size() && before;) {
    before = 0;
    for (const auto& node : graph.nodes) {
      if (done[node.get()]) continue;
      if (!std::all_of(node->after.begin(), node->after.end(), [&](const Node* n) { return done[n]; })) continue;
      done[node.get()] = true;
      out->push_back(node.get());
      before++;
    }
  }
  return out->size() == graph.nodes.size();
}

// `held`: events that it records have been marked when it was launched, and those that it waits for have been awaited.
int run(const Graph& graph, bool held) {
  std::vector<Node*> order;
  if (!in_order(graph, &order)) return raise(invalid_value);
  for (Node* node : order) {
    if (!node->on) continue;
    int error = ok;
    if (node->kind == kernel_work)
      error = launch(node->kernel, node->config, node->work->body, node->work->closure, node->described.data(),
                     static_cast<int>(node->described.size()));
    else if (node->kind == graph_work) error = run(*node->inner, held);
    else if (node->kind == record_work) error = held ? int(ok) : record_event(node->event, nullptr);
    else if (node->work && node->work->body) node->work->body(node->work->closure);
    if (error) return error;
  }
  return asynchronous_error();
}

// The error of a launch in it that cannot be.
int refusal(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    int error = ok;
    if (node->kind == kernel_work && node->on)
      error = refused(node->kernel, node->config, node->described.data(), static_cast<int>(node->described.size()));
    else if (node->kind == graph_work) error = refusal(*node->inner);
    if (error) return error;
  }
  return ok;
}

// Has the stream wait for the events that the graph waits for; lists those that it records.
void events(const Graph& graph, Stream* stream, std::vector<Event*>* recorded) {
  for (const auto& node : graph.nodes) {
    if (node->kind == wait_work) await_event(stream, node->event->mark);
    else if (node->kind == record_work) recorded->push_back(node->event);
    else if (node->kind == graph_work) events(*node->inner, stream, recorded);
  }
}

int add(Node** out, Graph* graph, Node* const* after, size_t count, Node&& content) {
  if (!out || !graph || (count && !after)) return raise(invalid_value);
  for (size_t i = 0; i < count; i++)
    if (!owns(graph, after[i])) return raise(invalid_value);
  graph->nodes.emplace_back(new Node(std::move(content)));
  Node* node = graph->nodes.back().get();
  node->graph = graph;
  node->after.assign(after, after + count);
  *out = node;
  return ok;
}

int list(const std::vector<Node*>& found, Node** out, size_t* count) {
  if (!count) return raise(invalid_value);
  if (out)
    for (size_t i = 0; i < *count; i++) out[i] = i < found.size() ? found[i] : nullptr;
  if (!out || *count > found.size()) *count = found.size();
  return ok;
}

int put_kernel(Node* node, const char* call, const void* function, const Config& config, void** values, Site site) {
  const KernelEntry* entry = kernel_entry(function);
  if (!entry) not_emulated((std::string(call) + " with a kernel whose parameters nothing tells").c_str(), site);
  node->kind = kernel_work;
  node->described.assign(static_cast<size_t>(entry->parameters), Argument());
  node->work = owned(entry->with(function, values, node->described.data()));
  node->kernel = Kernel{entry->name ? entry->name : call, site.file, site.line, false, function};
  node->config = config;
  node->values.clear();
  node->pointers.clear();
  for (int i = 0; i < entry->parameters; i++) {
    const unsigned char* value = static_cast<const unsigned char*>(values[i]);
    node->values.emplace_back(value, value + entry->size_of(i));
  }
  for (auto& value : node->values) node->pointers.push_back(value.data());
  return ok;
}
}  // namespace

int make_graph(Graph** out) {
  if (!out) return raise(invalid_value);
  *out = new Graph;
  return ok;
}
int free_graph(Graph* graph) {
  if (!graph) return raise(invalid_value);
  delete graph;
  return ok;
}
int copy_graph(Graph** out, const Graph* graph) {
  if (!out || !graph) return raise(invalid_value);
  std::map<const Node*, Node*> made;
  *out = clone(*graph, &made).release();
  return ok;
}

int add_work(Node** out, Graph* graph, Node* const* after, size_t count, int kind, Deferred work) {
  Node content;
  content.kind = kind;
  content.work = owned(work);
  return add(out, graph, after, count, std::move(content));
}
int add_kernel(Node** out, Graph* graph, Node* const* after, size_t count, const char* call, const void* function,
               const Config& config, void** values, Site site) {
  Node content;
  put_kernel(&content, call, function, config, values, site);
  return add(out, graph, after, count, std::move(content));
}
int add_graph(Node** out, Graph* graph, Node* const* after, size_t count, const Graph* inner) {
  if (!inner) return raise(invalid_value);
  std::map<const Node*, Node*> made;
  Node content;
  content.kind = graph_work;
  content.inner = clone(*inner, &made);
  return add(out, graph, after, count, std::move(content));
}
int add_event(Node** out, Graph* graph, Node* const* after, size_t count, Event* event, bool record) {
  if (!event) return raise(invalid_value);
  Node content;
  content.kind = record ? record_work : wait_work;
  content.event = event;
  return add(out, graph, after, count, std::move(content));
}

int connect(Graph* graph, Node* const* from, Node* const* to, size_t count, bool remove) {
  for (size_t i = 0; i < count; i++) {
    if (!owns(graph, from[i]) || !owns(graph, to[i]) || from[i] == to[i]) return raise(invalid_value);
    auto& after = to[i]->after;
    auto it = std::find(after.begin(), after.end(), from[i]);
    if ((it != after.end()) != remove) return raise(invalid_value);
    if (remove) after.erase(it);
    else after.push_back(from[i]);
  }
  return ok;
}
int remove_node(Node* node) {
  if (!node) return raise(invalid_value);
  auto& nodes = node->graph->nodes;
  for (auto& other : nodes) other->after.erase(std::remove(other->after.begin(), other->after.end(), node), other->after.end());
  nodes.erase(std::find_if(nodes.begin(), nodes.end(), [&](const auto& each) { return each.get() == node; }));
  return ok;
}
int kind_of(const Node* node, int* kind) {
  if (!node || !kind) return raise(invalid_value);
  *kind = node->kind;
  return ok;
}
int nodes_of(const Graph* graph, Node** out, size_t* count, bool roots) {
  if (!graph) return raise(invalid_value);
  std::vector<Node*> found;
  for (const auto& node : graph->nodes)
    if (!roots || node->after.empty()) found.push_back(node.get());
  return list(found, out, count);
}
int edges_of(const Graph* graph, Node** from, Node** to, size_t* count) {
  if (!graph || !count || !from != !to) return raise(invalid_value);
  std::vector<Node*> first, second;
  for (const auto& node : graph->nodes)
    for (Node* before : node->after) {
      first.push_back(before);
      second.push_back(node.get());
    }
  size_t room = *count;
  list(first, from, count);
  return list(second, to, &room);
}
int neighbours_of(const Node* node, Node** out, size_t* count, bool after) {
  if (!node) return raise(invalid_value);
  std::vector<Node*> found;
  if (!after) found = node->after;
  else
    for (const auto& other : node->graph->nodes)
      if (std::find(other->after.begin(), other->after.end(), node) != other->after.end()) found.push_back(other.get());
  return list(found, out, count);
}
int kernel_of(const Node* node, const void** function, Config* config, void*** values) {
  if (!node || node->kind != kernel_work) return raise(invalid_value);
  *function = node->kernel.function;
  *config = node->config;
  *values = node->pointers.empty() ? nullptr : const_cast<void**>(node->pointers.data());
  return ok;
}
int set_kernel(Node* node, const char* call, const void* function, const Config& config, void** values, Site site) {
  if (!node || node->kind != kernel_work) return raise(invalid_value);
  return put_kernel(node, call, function, config, values, site);
}
int set_work(Node* node, int kind, Deferred work) {
  auto fresh = owned(work);
  if (!node || node->kind != kind) return raise(invalid_value);
  node->work = fresh;
  return ok;
}

int make_exec(Exec** out, const Graph* graph) {
  if (!out || !graph) return raise(invalid_value);
  std::vector<Node*> order;
  if (!in_order(*graph, &order)) return raise(invalid_value);  // it goes round in a circle
  Exec* exec = new Exec;
  exec->graph = clone(*graph, &exec->made);
  *out = exec;
  return ok;
}
int free_exec(Exec* exec) {
  if (!exec) return raise(invalid_value);
  delete exec;
  return ok;
}
int run_exec(Exec* exec, Stream* stream) {
  if (!exec) return raise(invalid_value);
  const uintptr_t handle = reinterpret_cast<uintptr_t>(stream);
  if (captures && capturing(handle) && stream_of(handle)) {  // becomes a part of the graph that is captured
    Stream* s = stream_of(handle);
    Node* node;
    if (int error = add_graph(&node, s->graph, s->tail.data(), s->tail.size(), exec->graph.get())) return error;
    s->tail.assign(1, node);
    return ok;
  }
  if (late && holds()) {
    if (int error = refusal(*exec->graph)) return error;
    std::vector<Event*> recorded;
    events(*exec->graph, stream, &recorded);
    // What it is now: later changes are for later launches.
    std::map<const Node*, Node*> made;
    std::shared_ptr<Graph> kept(clone(*exec->graph, &made).release());
    for (const auto& node : exec->graph->nodes) made[node.get()]->on = node->on;
    std::shared_ptr<Piece> mark = hold_graph(stream, defer([kept]() mutable { run(*kept, true); }));
    for (Event* event : recorded) {
      event->graph = nullptr;
      event->mark = mark;
      event->recorded = true;
    }
    return ok;
  }
  AtOnce now;
  return run(*exec->graph, false);
}
Node* node_in(Exec* exec, const Node* node) {
  auto it = exec->made.find(node);
  return it == exec->made.end() ? nullptr : it->second;
}
int enable(Exec* exec, const Node* node, bool on) {
  Node* made = exec ? node_in(exec, node) : nullptr;
  if (!made || made->kind > fill_work) return raise(invalid_value);
  made->on = on;
  return ok;
}
int enabled(Exec* exec, const Node* node, bool* on) {
  Node* made = exec ? node_in(exec, node) : nullptr;
  if (!made || !on) return raise(invalid_value);
  *on = made->on;
  return ok;
}
int update_exec(Exec* exec, const Graph* graph, int* outcome, Node** at_fault) {
  if (!exec || !graph || !outcome) return raise(invalid_value);
  const auto& mine = exec->graph->nodes;
  const auto& other = graph->nodes;
  auto position = [](const Graph& g, const Node* n) {
    for (size_t i = 0; i < g.nodes.size(); i++)
      if (g.nodes[i].get() == n) return i;
    return g.nodes.size();
  };
  *outcome = mine.size() == other.size() ? 0 : 2;
  if (at_fault) *at_fault = nullptr;
  for (size_t i = 0; !*outcome && i < mine.size(); i++) {
    if (mine[i]->kind != other[i]->kind) *outcome = 3;
    else if (mine[i]->after.size() != other[i]->after.size()) *outcome = 2;
    for (size_t k = 0; !*outcome && k < mine[i]->after.size(); k++)
      if (position(*exec->graph, mine[i]->after[k]) != position(*graph, other[i]->after[k])) *outcome = 2;
    if (*outcome && at_fault) *at_fault = other[i].get();
  }
  if (*outcome) return raise(910);
  for (size_t i = 0; i < mine.size(); i++) copy_content(*mine[i], *other[i]);
  return ok;
}

int write_dot(const Graph* graph, const char* path) {
  if (!graph || !path) return raise(invalid_value);
  FILE* out = fopen(path, "w");
  if (!out) return raise(304);
  static const char* const kKinds[] = {"kernel", "copy", "fill", "host", "graph", "empty", "wait", "record"};
  fprintf(out, "digraph graph_1 {\n");
  std::map<const Node*, size_t> number;
  for (size_t i = 0; i < graph->nodes.size(); i++) {
    const Node& node = *graph->nodes[i];
    number[&node] = i;
    fprintf(out, "  n%zu [label=\"%zu %s %s\"];\n", i, i, kKinds[node.kind], node.kind == kernel_work ? node.kernel.name : "");
  }
  for (const auto& node : graph->nodes)
    for (const Node* before : node->after) fprintf(out, "  n%zu -> n%zu;\n", number[before], number[node.get()]);
  fprintf(out, "}\n");
  fclose(out);
  return ok;
}

}  // namespace host

int capture_launch(const Kernel& kernel, const Config& config, Deferred work, const Argument* arguments, int count) {
  using namespace host;
  Stream* s = stream_of(config.stream);
  if (!s || capture_status(reinterpret_cast<Stream*>(config.stream)) == 2) {
    // The legacy stream: an error where it would wait for a stream that is captured, else a launch like any other.
    Deferred none{nullptr, [](void*) {}, [](void*) {}};
    int error = s ? raise(901) : capture_work(nullptr, kernel_work, none);
    if (!error) error = launch(kernel, config, work.body, work.closure, arguments, count);
    work.drop(work.closure);
    return error;
  }
  Node* node;
  if (int error = add_work(&node, s->graph, s->tail.data(), s->tail.size(), kernel_work, work)) return error;
  node->kernel = kernel;
  node->config = config;
  node->described.assign(arguments, arguments + count);
  s->tail.assign(1, node);
  return ok;
}

}  // namespace emu
