// Streams and events. Everything is done when its call returns, in the order of the calls, which is one of those that
// streams allow, or is held back (late.cpp); while a stream is captured, its work is noted in a graph instead.
#include "streams.h"

#include <algorithm>

#include "late.h"
#include "scheduler.h"

namespace emu {

int captures = 0;

bool capturing(uintptr_t handle) {
  using namespace host;
  const Stream* s = stream_of(handle);
  return s ? s->graph != nullptr : captures > 0;  // the legacy stream waits for all that are captured, which none may
}

namespace host {

void pools_synchronized();  // pools.cpp

namespace {
constexpr uintptr_t kNamedStreams = 3;  // null, legacy, per-thread
constexpr int kUnsupported = 900, kInvalidated = 901, kUnmatched = 903, kUnjoined = 904, kIsolation = 905, kImplicit = 906;
std::vector<Stream*>& captured() {
  static auto* all = new std::vector<Stream*>;
  return *all;
}
unsigned long long next_capture = 1;
thread_local int thread_mode = 0;  // 0 global, 1 of the thread, 2 relaxed

void invalidate(const Graph* graph) {
  for (Stream* s : captured())
    if (!graph || s->graph == graph) s->invalid = true;
}

void leave_capture(Stream* s) {
  auto& all = captured();
  all.erase(std::remove(all.begin(), all.end(), s), all.end());
  s->graph = nullptr;
  s->tail.clear();
  s->origin = s->invalid = false;
  captures = static_cast<int>(all.size());
}

void join(Stream* s, Graph* graph, const Stream* origin) {
  s->graph = graph;
  s->invalid = origin->invalid;
  s->mode = origin->mode;
  s->id = origin->id;
  captured().push_back(s);
  captures = static_cast<int>(captured().size());
}

// An event of its own in a graph that is captured.
int note_event(Stream* s, Event* e, bool record) {
  Node* node = nullptr;
  if (int error = add_event(&node, s->graph, s->tail.data(), s->tail.size(), e, record)) return error;
  s->tail.assign(1, node);
  return ok;
}

Stream* member(const Graph* graph) {
  for (Stream* s : captured())
    if (s->graph == graph) return s;
  return nullptr;
}

// The legacy stream is used while blocking streams are captured: that would wait for them.
int implicit() {
  for (Stream* s : captured())
    if (!(s->flags & 1)) {
      invalidate(s->graph);
      return raise(kImplicit);
    }
  return ok;
}
}  // namespace

Stream* stream_of(uintptr_t handle) {
  static Stream per_thread;
  if (handle == 2) return &per_thread;
  return handle < kNamedStreams ? nullptr : reinterpret_cast<Stream*>(handle);
}

int capture_work(Stream* handle, int kind, Deferred work) {
  Stream* s = stream_of(reinterpret_cast<uintptr_t>(handle));
  if (!s) {
    int error = implicit();
    if (error) {
      work.drop(work.closure);
      return error;
    }
    work.body(work.closure);
    work.drop(work.closure);
    return ok;
  }
  if (s->invalid) return raise(kInvalidated);
  Node* node = nullptr;
  if (int error = add_work(&node, s->graph, s->tail.data(), s->tail.size(), kind, work)) return error;
  s->tail.assign(1, node);
  return ok;
}

int forbidden_in_capture() {
  if (thread_mode == 2) return ok;
  for (Stream* s : captured())
    if (s->mode != 2) {
      invalidate(s->graph);
      return raise(kUnsupported);
    }
  return ok;
}

int create_stream(Stream** s, unsigned flags, int priority) {
  if (!s) return raise(invalid_value);
  *s = new Stream;
  (*s)->flags = flags;
  (*s)->priority = priority;
  (*s)->device = current_device();
  return ok;
}

int destroy_stream(Stream* s) {
  if (reinterpret_cast<uintptr_t>(s) < kNamedStreams) return raise(invalid_handle);
  if (s->graph) leave_capture(s);
  settle(s);
  forget_queue(s);
  delete s;
  return ok;
}

unsigned stream_flags(const Stream* s) { return reinterpret_cast<uintptr_t>(s) < kNamedStreams ? 0 : s->flags; }
int stream_device(const Stream* s) { return reinterpret_cast<uintptr_t>(s) < kNamedStreams ? current_device() : s->device; }
int stream_priority(const Stream* s) { return reinterpret_cast<uintptr_t>(s) < kNamedStreams ? 0 : s->priority; }

int synchronize_stream(Stream* handle) {
  no_wait_for_children();
  if (captures) {
    Stream* s = stream_of(reinterpret_cast<uintptr_t>(handle));
    if (s && s->graph) {
      invalidate(s->graph);
      return raise(kUnsupported);
    }
  }
  if (late) {
    settle(handle);
    pools_synchronized();
    return asynchronous_error();
  }
  return synchronize();
}

int synchronize() {
  no_wait_for_children();
  if (captures)
    if (int error = forbidden_in_capture()) return error;
  settle_all();
  pools_synchronized();
  return asynchronous_error();
}

int create_event(Event** e, unsigned flags) {
  if (!e || flags > 7) return raise(invalid_value);
  *e = new Event{0, false, nullptr, nullptr, nullptr, (flags & 2) == 0};
  return ok;
}

int destroy_event(Event* e) {
  if (!e) return raise(invalid_handle);
  delete e;
  return ok;
}

int record_event(Event* e, Stream* handle, unsigned flags) {
  if (!e) return raise(invalid_handle);
  Stream* s = captures ? stream_of(reinterpret_cast<uintptr_t>(handle)) : nullptr;
  if (flags && (flags != 1 || !s || !s->graph)) return raise(invalid_value);
  if (s && s->graph) {
    if (s->invalid) return raise(kInvalidated);
    if (flags) return note_event(s, e, true);
    Node* node = nullptr;  // stands for all that the stream has come to
    if (s->tail.size() == 1) node = s->tail[0];
    else if (int error = add_work(&node, s->graph, s->tail.data(), s->tail.size(), empty_work, Deferred())) return error;
    s->tail.assign(1, node);
    e->graph = s->graph;
    e->node = node;
    return ok;
  }
  e->graph = nullptr;
  e->mark = late && holds() ? hold_event(handle) : nullptr;
  e->time = ticks();
  e->recorded = true;
  return ok;
}

int synchronize_event(Event* e) {
  if (!e) return raise(invalid_handle);
  if (!late) return synchronize();
  no_wait_for_children();
  settle_event(e->mark);
  return asynchronous_error();
}

int query_event(Event* e) {
  if (!e) return raise(invalid_handle);
  if (!late) return synchronize();
  return query_event(e->mark) ? asynchronous_error() : raise(not_ready);
}

int wait_for_event(Stream* handle, Event* e, unsigned flags) {
  if (!e) return raise(invalid_handle);
  Stream* s = stream_of(reinterpret_cast<uintptr_t>(handle));
  if (flags) {
    if (flags != 1 || !s || !s->graph) return raise(invalid_value);
    return s->invalid ? raise(kInvalidated) : note_event(s, e, false);
  }
  if (!captures || (!e->graph && (!s || !s->graph))) {
    if (late) await_event(handle, e->mark);
    return ok;
  }
  if (!s) return raise(kIsolation);
  Stream* other = e->graph ? member(e->graph) : nullptr;
  if (!other) {  // what was recorded outside is none of a capture's
    if (!s->graph) return ok;
    invalidate(s->graph);
    return raise(kIsolation);
  }
  if (!s->graph) join(s, e->graph, other);
  else if (s->graph != e->graph) return raise(902);  // two captures may not become one
  if (std::find(s->tail.begin(), s->tail.end(), e->node) == s->tail.end()) s->tail.push_back(e->node);
  return ok;
}

// Deterministic: a tick counts for a microsecond.
int elapsed(float* milliseconds, const Event* from, const Event* to) {
  if (!milliseconds) return raise(invalid_value);
  if (!from || !to || !from->recorded || !to->recorded || !from->timing || !to->timing) return raise(invalid_handle);
  if (!is_done(from->mark) || !is_done(to->mark)) return raise(not_ready);
  auto time = [](const Event* e) { return e->mark ? time_of(e->mark) : e->time; };
  *milliseconds = static_cast<float>(static_cast<double>(time(to) - time(from)) * 1e-3);
  return ok;
}

int begin_capture(Stream* handle, int mode) {
  Stream* s = stream_of(reinterpret_cast<uintptr_t>(handle));
  if (!s) return raise(kUnsupported);  // the legacy stream has no capture
  if (s->graph || mode < 0 || mode > 2) return raise(invalid_value);
  settle(handle);
  Graph* graph;
  make_graph(&graph);
  Stream first;
  first.mode = mode;
  first.id = next_capture++;
  join(s, graph, &first);
  s->origin = true;
  return ok;
}

int exchange_capture_mode(int* mode) {
  if (!mode || *mode < 0 || *mode > 2) return raise(invalid_value);
  std::swap(*mode, thread_mode);
  return ok;
}

int end_capture(Stream* handle, Graph** out) {
  Stream* s = stream_of(reinterpret_cast<uintptr_t>(handle));
  if (out) *out = nullptr;
  if (!s || !s->graph || !out) return raise(invalid_value);
  if (!s->origin) {
    invalidate(s->graph);
    return raise(kUnmatched);
  }
  Graph* graph = s->graph;
  bool invalid = s->invalid, joined = true;
  // Whatever another stream came to must lie before what this one came to.
  std::vector<const Node*> before(s->tail.begin(), s->tail.end());
  for (size_t i = 0; i < before.size(); i++) {
    size_t count = 0;
    neighbours_of(before[i], nullptr, &count, false);
    std::vector<Node*> more(count);
    neighbours_of(before[i], more.data(), &count, false);
    for (Node* node : more)
      if (std::find(before.begin(), before.end(), node) == before.end()) before.push_back(node);
  }
  std::vector<Stream*> members;
  for (Stream* each : captured())
    if (each->graph == graph) members.push_back(each);
  for (Stream* each : members) {
    for (Node* node : each->tail) joined = joined && std::find(before.begin(), before.end(), node) != before.end();
    leave_capture(each);
  }
  if (invalid || !joined) {
    free_graph(graph);
    return raise(invalid ? kInvalidated : kUnjoined);
  }
  *out = graph;
  return ok;
}

int capture_status(const Stream* handle) {
  const Stream* s = stream_of(reinterpret_cast<uintptr_t>(handle));
  return !s || !s->graph ? 0 : s->invalid ? 2 : 1;
}

Graph* captured_graph(const Stream* handle, unsigned long long* id, Node*** tail, size_t* count) {
  Stream* s = stream_of(reinterpret_cast<uintptr_t>(handle));
  if (!s || !s->graph) return nullptr;
  if (id) *id = s->id;
  if (tail) *tail = s->tail.data();
  if (count) *count = s->tail.size();
  return s->graph;
}

}  // namespace host
}  // namespace emu
