// Copies that hardware makes while the thread goes on. They are made when the thread waits for them, or ends; until then
// the destination holds poison, so that a kernel which forgets to wait is seen to.
#include <cstring>
#include <deque>

#include "races.h"
#include "settings.h"

namespace emu {

struct Copy {
  char* to;
  const char* from;
  size_t bytes, total;
  void* caller;  // for race mode
};
struct Copies {
  std::vector<Copy> open;               // of the batch that has not ended
  std::deque<std::vector<Copy>> ended;  // oldest first
};

namespace {
void make(const std::vector<Copy>& batch) {
  for (const Copy& copy : batch) {
    if (watching_races()) access(copy.to, copy.total, true, plain, copy.caller);
    Critical section;  // race mode has been told
    memcpy(copy.to, copy.from, copy.bytes);
    memset(copy.to + copy.bytes, 0, copy.total - copy.bytes);
  }
}
}  // namespace

void begin_copy(void* to, const void* from, size_t bytes, size_t total) {
  if (!current.running) {
    memcpy(to, from, bytes);
    memset(static_cast<char*>(to) + bytes, 0, total - bytes);
    return;
  }
  // The source is read now as well, so that one out of bounds is a fault of this line.
  for (size_t i = 0; i < bytes; i += 64) (void)*(static_cast<const volatile char*>(from) + i);
  if (watching_races()) {
    access(from, bytes, false, plain, __builtin_return_address(0));
    access(to, total, true, plain, __builtin_return_address(0));
  }
  Critical section;
  memset(to, settings().poison, total);
  if (!self->copies) self->copies = new Copies;
  self->copies->open.push_back({static_cast<char*>(to), static_cast<const char*>(from), bytes, total,
                                __builtin_return_address(0)});
}

void end_batch() {
  if (!current.running) return;
  Critical section;
  if (!self->copies) self->copies = new Copies;
  self->copies->ended.emplace_back();
  self->copies->ended.back().swap(self->copies->open);
}

void wait_batches(unsigned but_the_last) {
  if (!current.running || !self->copies) return;
  auto& ended = self->copies->ended;
  while (ended.size() > but_the_last) {
    make(ended.front());
    Critical section;
    ended.pop_front();
  }
}

void make_all_copies(Thread* thread) {
  for (const auto& batch : thread->copies->ended) make(batch);
  make(thread->copies->open);
  drop_copies(thread);
}

void drop_copies(Thread* thread) {
  delete thread->copies;
  thread->copies = nullptr;
}

}  // namespace emu
