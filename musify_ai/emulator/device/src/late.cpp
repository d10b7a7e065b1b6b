// Streams that do their work as late as they may: not before somebody waits for it. What a program forgets to wait for is
// then not there yet, and a kernel may wait for what the host does after launching it.
#include "late.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "findings.h"
#include "protecting.h"
#include "scheduler.h"
#include "settings.h"
#include "streams.h"

namespace emu {

bool late = settings().late != Late::never;
thread_local int at_once = 0;

bool holds() { return late && !at_once && !current.running; }

namespace host {

struct Piece {
  Deferred work;
  const void* queue = nullptr;
  std::vector<std::shared_ptr<Piece>> after;
  const char* what = "";
  Site site{"", 0};
  bool done = false;
  long long time = 0;
  int guard = 0;  // of the host memory that it is still to read or write
};

namespace {
constexpr size_t kMost = 1024;  // pieces of work that wait, as a device's own queues are not endless either

struct Queue {
  int priority = 0;
  bool blocking = true;
  std::deque<std::shared_ptr<Piece>> pieces;
  std::vector<std::shared_ptr<Piece>> awaited;  // events that the next piece comes after
};
struct Held {
  std::recursive_mutex mutex;
  std::map<const void*, Queue> queues;
  std::vector<const void*> order;  // queues in the order of their first piece
  size_t count = 0, turn = 0;
};
Held& held() {
  static Held* all = new Held;
  return *all;
}

Queue& queue_of(const Stream* handle, const void** key) {
  Stream* s = stream_of(reinterpret_cast<uintptr_t>(handle));  // null: the legacy stream
  *key = s;
  Held& h = held();
  if (!h.queues.count(s)) {
    h.order.push_back(s);
    Queue& made = h.queues[s];
    made.priority = s ? s->priority : 0;
    made.blocking = !s || !(s->flags & 1);
  }
  return h.queues[s];
}

void run(const std::shared_ptr<Piece>& piece) {
  Held& h = held();
  h.queues[piece->queue].pieces.pop_front();
  h.count--;
  drop_guard(piece->guard);
  at_once++;
  if (piece->work.body) piece->work.body(piece->work.closure);
  at_once--;
  if (piece->work.drop) piece->work.drop(piece->work.closure);
  piece->work = Deferred();
  piece->after.clear();
  piece->time = ticks();
  piece->done = true;
}

// A piece, and before it all that it comes after; without recursion, since chains may be long.
void reach(std::shared_ptr<Piece> piece) {
  std::vector<std::shared_ptr<Piece>> wanted{std::move(piece)};
  while (!wanted.empty()) {
    std::shared_ptr<Piece> top = wanted.back();
    if (top->done) {
      wanted.pop_back();
      continue;
    }
    const std::shared_ptr<Piece>& first = held().queues[top->queue].pieces.front();
    if (first != top) {
      wanted.push_back(first);
      continue;
    }
    auto open = std::find_if(top->after.begin(), top->after.end(), [](const auto& each) { return !each->done; });
    if (open != top->after.end()) {
      wanted.push_back(*open);
      continue;
    }
    run(top);
    wanted.pop_back();
  }
}

// The queue whose turn it is: of the highest priority, then one after the other, or the latest first.
Queue* next_queue() {
  Held& h = held();
  Queue* best = nullptr;
  size_t chosen = 0;
  const size_t n = h.order.size();
  for (size_t i = 0; i < n; i++) {
    const size_t at = settings().late == Late::reverse ? n - 1 - i : (h.turn + i) % n;
    Queue& queue = h.queues[h.order[at]];
    if (queue.pieces.empty() || (best && queue.priority >= best->priority)) continue;
    best = &queue;
    chosen = at;
  }
  if (n) h.turn = (chosen + 1) % n;
  return best;
}

std::shared_ptr<Piece> hold(Stream* stream, const char* what, Site site, Deferred work) {
  Held& h = held();
  std::lock_guard<std::recursive_mutex> lock(h.mutex);
  while (h.count >= kMost) reach(next_queue()->pieces.front());
  auto piece = std::make_shared<Piece>();
  const void* key;
  Queue& queue = queue_of(stream, &key);
  piece->work = work;
  piece->queue = key;
  piece->what = what;
  piece->site = site;
  piece->after.swap(queue.awaited);
  // The legacy stream and each blocking one wait for each other.
  for (auto& other : h.queues)
    if (other.first != key && !other.second.pieces.empty() && (key ? queue.blocking && !other.first : other.second.blocking))
      piece->after.push_back(other.second.pieces.back());
  queue.pieces.push_back(piece);
  h.count++;
  rearm_guards();
  return piece;
}

bool pageable(const void* p) {
  Owner owner;
  return !owner_of(p, &owner);
}
}  // namespace

int hold_work(Stream* stream, int kind, Deferred work) {
  static const char* const kNames[] = {"a kernel", "a copy", "a fill", "a host function", "a graph", "nothing", "a wait", "an event"};
  hold(stream, kNames[kind], Site{"", 0}, work);
  return ok;
}

void settle(Stream* stream) {
  if (!holds()) return;
  std::lock_guard<std::recursive_mutex> lock(held().mutex);
  const void* key;
  Queue& queue = queue_of(stream, &key);
  std::vector<std::shared_ptr<Piece>> awaited;
  awaited.swap(queue.awaited);
  for (auto& each : awaited) reach(each);
  if (!queue.pieces.empty()) reach(queue.pieces.back());
  if (key) return;
  for (auto& other : held().queues)  // the legacy stream waits for the blocking ones
    if (other.second.blocking && !other.second.pieces.empty()) reach(other.second.pieces.back());
}

void settle_all() {
  if (!holds()) return;
  std::lock_guard<std::recursive_mutex> lock(held().mutex);
  while (held().count) reach(next_queue()->pieces.front());
  for (auto& each : held().queues) each.second.awaited.clear();
}

void forget_queue(const Stream* stream) {
  Held& h = held();
  std::lock_guard<std::recursive_mutex> lock(h.mutex);
  const void* key = stream;
  if (!h.queues.erase(key)) return;
  h.order.erase(std::find(h.order.begin(), h.order.end(), key));
  h.turn = 0;
}

int query_stream(Stream* stream) {
  if (!holds()) return synchronize_stream(stream);
  std::lock_guard<std::recursive_mutex> lock(held().mutex);
  const void* key;
  Queue& queue = queue_of(stream, &key);
  std::shared_ptr<Piece> next = queue.pieces.empty() ? nullptr : queue.pieces.front();
  for (auto other = held().queues.begin(); !key && !next && other != held().queues.end(); ++other)
    if (other->second.blocking && !other->second.pieces.empty()) next = other->second.pieces.front();
  if (!next) return asynchronous_error();
  reach(next);
  return raise(not_ready);
}

std::shared_ptr<Piece> hold_graph(Stream* stream, Deferred work) { return hold(stream, "a graph", Site{"", 0}, work); }
std::shared_ptr<Piece> hold_event(Stream* stream) { return hold(stream, "an event", Site{"", 0}, Deferred()); }
bool is_done(const std::shared_ptr<Piece>& mark) { return !mark || mark->done; }
long long time_of(const std::shared_ptr<Piece>& mark) { return mark->time; }
void settle_event(const std::shared_ptr<Piece>& mark) {
  if (!mark || !holds()) return;
  std::lock_guard<std::recursive_mutex> lock(held().mutex);
  reach(mark);
}
bool query_event(const std::shared_ptr<Piece>& mark) {
  if (is_done(mark)) return true;
  std::lock_guard<std::recursive_mutex> lock(held().mutex);
  reach(held().queues[mark->queue].pieces.front());
  return false;
}
void await_event(Stream* stream, const std::shared_ptr<Piece>& mark) {
  if (is_done(mark)) return;
  std::lock_guard<std::recursive_mutex> lock(held().mutex);
  const void* key;
  queue_of(stream, &key).awaited.push_back(mark);
}

bool copies_at_once(Stream* stream, const void* to, const void* from) {
  if (!holds() || (!pageable(to) && !pageable(from))) return false;
  settle(stream);
  return true;
}

int copy_in_stream(void* to, const void* from, size_t bytes, int direction, const char* caller, Site site, Stream* stream) {
  auto work = [=] { return copy(to, from, bytes, direction, caller, site); };
  if (!holds() || (captures && capturing(reinterpret_cast<uintptr_t>(stream)))) return in_stream(stream, copy_work, work);
  if (copies_at_once(stream, to, from)) {
    AtOnce now;
    return work();
  }
  if (int error = check_copy(to, from, bytes, direction, caller, site)) return error;
  std::shared_ptr<Piece> piece = hold(stream, caller, site, defer([work]() mutable { work(); }));
  piece->guard = guard_copy(to, from, bytes, caller, site);
  return ok;
}

}  // namespace host

int hold_launch(const Kernel& kernel, const Config& config, Deferred work, const Argument* arguments, int count) {
  if (int error = refused(kernel, config, arguments, count)) {
    work.drop(work.closure);
    return error;
  }
  std::vector<Argument> described(arguments, arguments + count);
  described.emplace_back();
  host::hold(reinterpret_cast<host::Stream*>(config.stream), kernel.name, Site{kernel.file, kernel.line}, defer([=] {
    launch(kernel, config, work.body, work.closure, described.data(), count);
    work.drop(work.closure);
  }));
  return 0;
}

namespace {
struct AtExit {
  ~AtExit() {
    if (!late) return;
    size_t left = 0;
    const host::Piece* first = nullptr;
    for (const void* key : host::held().order)
      for (const auto& piece : host::held().queues[key].pieces) {
        left += piece->work.body != nullptr;
        if (!first && piece->work.body) first = piece.get();
      }
    if (first)
      finding("never-waited-for", nullptr, first->site, "the program ended before anything waited for %zu pieces of work, the first of them %s",
              left, first->what);
  }
} at_exit;
}  // namespace

}  // namespace emu
