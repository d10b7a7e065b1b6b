// Which thread runs next: fibers taken and left, blocks opened and closed, waiting loops woken.
#include <utility>

#include "order.h"
#include "races.h"

#include "settings.h"

// Device code sees these as const, and so may keep them in registers over a switch: each thread has its own.
uint3 threadIdx{0, 0, 0}, blockIdx{0, 0, 0};
dim3 blockDim, gridDim;

namespace emu {

Launch current;
Thread* self = nullptr;

namespace {
constexpr unsigned kSpinsBeforeYield = 64;     // of one kind of call; a lock is seldom held so long
constexpr unsigned kStepsOfOthers = 256;       // before those that wait in loops look again
constexpr unsigned kPatientRounds = 64;        // before whoever waits is let go, or another block is brought in
constexpr unsigned long long kYields = 500'000;  // without anything else happening: nothing ever will
constexpr size_t kSideBySide = 3;              // blocks that an interleaved schedule has open
constexpr size_t kResidentThreads = 16384;     // each may need a stack of its own
unsigned spins = 0;
long long clock_calls = 0;

void resume(Thread* thread) {
  thread->state = State::running;
  self = thread;
  threadIdx = current.positions[thread->rank];
  Block* block = thread->block;
  blockIdx = block->position;
  block_arena = block->arena;
}

Thread* pop_ready() {
  size_t capacity = current.queue.size();
  if (settings().order == Order::random && current.count > 1) {
    size_t other = (current.head + random_number() % current.count) % capacity;
    std::swap(current.queue[current.head], current.queue[other]);
  }
  Thread* thread = current.queue[current.head];
  current.head = current.head + 1 == capacity ? 0 : current.head + 1;
  current.count--;
  return thread;
}

bool admit() {
  if (current.admitted == current.blocks) return false;
  Critical section;
  if (current.idle.empty()) {
    Block* fresh = new Block;
    fresh->threads.resize(current.threads);
    for (unsigned i = 0; i < current.threads; i++) {
      fresh->threads[i].rank = i;
      fresh->threads[i].block = fresh;
    }
    current.idle.push_back(fresh);
    size_t room = (current.resident.size() + current.idle.size()) * current.threads;
    if (current.queue.size() < room) {  // the ring grows: unroll it first
      std::vector<Thread*> larger(room);
      for (size_t i = 0; i < current.count; i++) larger[i] = current.queue[(current.head + i) % current.queue.size()];
      current.queue.swap(larger);
      current.head = 0;
      current.spinners.reserve(room);
    }
  }
  Block* block = current.idle.back();
  current.idle.pop_back();
  block->index = block_index(current.admitted++);
  unsigned long long b = block->index, gx = gridDim.x, gy = gridDim.y;
  block->position = uint3{static_cast<unsigned>(b % gx), static_cast<unsigned>(b / gx % gy),
                          static_cast<unsigned>(b / (gx * gy))};
  block->next = block->waiting = 0;
  block->alive = current.threads;
  block->pending.clear();
  block->teams.clear();
  block->earliest.assign(current.threads / 32 + 1, 0);
  for (NamedBarrier& barrier : block->named) barrier = NamedBarrier();
  block->live.assign((current.threads + 31) / 32, ~0u);
  if (current.threads % 32) block->live.back() = (1u << (current.threads % 32)) - 1;
  order_threads(block);
  admit_arena(block);
  races_block_begins(block);
  current.alive += current.threads;
  current.fresh += current.threads;
  current.resident.push_back(block);
  current.opening = block;
  progressed();
  return true;
}

void retire(Block* block) {
  Critical section;
  std::string what;
  if (!check_arena(block, &what))
    finding("shared-out-of-bounds", nullptr, Site{current.kernel.file, current.kernel.line}, "%s", what.c_str());
  if (current.opening == block) current.opening = nullptr;
  for (size_t i = 0; i < current.resident.size(); i++)
    if (current.resident[i] == block) {
      current.resident.erase(current.resident.begin() + static_cast<long>(i));
      break;
    }
  current.idle.push_back(block);
}

void leave(Thread* thread) {
  Block* block = thread->block;
  if (thread->copies) make_all_copies(thread);
  thread->state = State::done;
  current.returned++;
  current.alive--;
  block->alive--;
  block->live[thread->rank >> 5] &= ~(1u << (thread->rank & 31));
  progressed();
  if (block->waiting && block->waiting == block->alive) release_barrier(block);
  if (!block->pending.empty()) lane_left(thread);
  if (!block->teams.empty()) team_member_left(thread);
  if (current.at_grid_barrier && current.at_grid_barrier == current.alive) release_grid();
  if (block->alive == 0) retire(block);
}

// Blocks that take turns in starting their threads.
void open_another() {
  if (current.resident.size() < kSideBySide && admit()) return;
  size_t at = 0;
  while (at < current.resident.size() && current.resident[at] != current.opening) at++;
  for (size_t i = 1; i <= current.resident.size(); i++) {
    Block* block = current.resident[(at + i) % current.resident.size()];
    if (block->next < current.threads) {
      current.opening = block;
      return;
    }
  }
}

bool startable() {
  if (current.fresh == 0) return current.alive == 0 && admit();
  if (settings().order == Order::interleaved) open_another();
  if (!current.opening || current.opening->next == current.threads)
    for (Block* block : current.resident)
      if (block->next < current.threads) {
        current.opening = block;
        break;
      }
  return true;
}

void wake_spinners() {
  if (settings().order == Order::reverse) {
    for (size_t i = current.spinners.size(); i-- > 0;) make_ready(current.spinners[i]);
  } else {
    for (Thread* thread : current.spinners) make_ready(thread);
  }
  current.spinners.clear();
}

// Nobody is ready and nobody can start. Finds someone who may go on all the same, or ends the launch.
void unstall() {
  if (settings().order == Order::lockstep && release_step()) {
    // whoever waits in a loop waits for those that step
    if (++current.steps % kStepsOfOthers == 0) wake_spinners();
    return;
  }
  if (current.spinners.empty()) {
    if (complete_stalled()) return;
    abandon("deadlock", describe_waiters().c_str());
  }
  if (current.yields > kYields) abandon("time-limit", "every thread waits in a loop for something that nobody does");
  if (++current.rounds > kPatientRounds) {
    current.rounds = 0;
    if (complete_stalled()) return;
    // blocks run one after another; a thread may wait for a block that has not had its turn
    if ((current.resident.size() + 1) * current.threads <= kResidentThreads) {
      auto yields = current.yields;
      if (admit()) {
        current.yields = yields;
        wake_spinners();
        return;
      }
    }
  }
  wake_spinners();
}

// Hands the processor on; returns when this fiber has it again.
void go_on() {
  for (;;) {
    bool can_start = startable();
    if (current.count && (!can_start || prefer_ready())) {
      Thread* thread = pop_ready();
      resume(thread);
      switch_to(thread->fiber);
      return;
    }
    if (can_start) {
      switch_to(take_fiber());
      return;
    }
    if (current.alive == 0) {
      switch_to(&main_fiber);
      return;
    }
    unstall();
  }
}
}  // namespace

void progressed() {
  current.rounds = 0;
  current.yields = 0;
}

void make_ready(Thread* thread) {
  size_t capacity = current.queue.size();
  size_t at = current.head + current.count;
  current.queue[at >= capacity ? at - capacity : at] = thread;
  current.count++;
  thread->state = State::ready;
}

void block_self() { go_on(); }

// A fiber runs thread after thread to its end. Only when a thread waits does another fiber come in, so a kernel that
// never waits is a plain loop.
void fiber_main() {
  for (;;) {
    while (!(current.count && prefer_ready()) && startable()) {
      Block* block = current.opening;
      do {  // the common case: nobody waits, and the block has more threads to start
        Thread* thread = &block->threads[rank_at(block, block->next++)];
        thread->fiber = current_fiber;
        current.started++;
        current.fresh--;
        resume(thread);
        current.body(current.closure);
        leave(self);
      } while (current.count == 0 && current.opening == block && block->next < current.threads &&
               settings().order != Order::interleaved);
    }
    park_fiber(current_fiber);
    go_on();
  }
}

void spin() {
  clock_calls++;
  if (!current.running || ++spins % kSpinsBeforeYield) return;
  current.yields++;
  self->state = State::spinning;
  current.spinners.push_back(self);
  block_self();
}

long long ticks() { return static_cast<long long>(switches) + ++clock_calls; }
bool in_kernel() { return current.running; }
unsigned thread_rank() { return self ? self->rank : 0; }
unsigned lane() { return self ? self->rank % static_cast<unsigned>(lanes()) : 0; }

// Runs what launch() has set up, on fibers, and comes back when it ended or was abandoned.
void run_blocks() {
  current.resident.clear();
  current.opening = nullptr;
  current.alive = current.fresh = current.at_grid_barrier = current.admitted = 0;
  current.head = current.count = 0;
  current.spinners.clear();
  current.started = current.returned = 0;
  spins = 0;
  progressed();
  if (current.kernel.cooperative)
    while (admit()) {
    }
  if (current.kernel.cooperative) current.opening = nullptr;  // start with the first one
  switch_to(take_fiber());
}

}  // namespace emu
