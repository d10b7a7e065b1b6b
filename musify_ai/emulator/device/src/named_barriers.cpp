// Barriers by number, for some of a block's threads: PTX's barrier.sync and barrier.arrive with a count of threads.
// Hardware counts whole warps; here each thread counts itself, which is the same where a program is right.
#include "races.h"

namespace emu {

namespace {
void release(Block* block, unsigned number) {
  const int value = block->named[number].value;
  block->named[number] = NamedBarrier();
  progressed();
  races_barrier(block);
  for (unsigned rank = 0; rank < current.threads; rank++) {
    Thread& thread = block->threads[rank];
    if (thread.state != State::named || thread.argument != static_cast<int>(number)) continue;
    thread.result = static_cast<unsigned long long>(value);
    make_ready(&thread);
  }
}
}  // namespace

int named_barrier(unsigned number, unsigned threads, bool wait, Site site, Barrier kind, int predicate) {
  if (!current.running) {
    finding("host-call", nullptr, site, "a barrier was called outside a kernel");
    return 0;
  }
  if (number >= kNamedBarriers || threads == 0 || threads > current.threads) {
    finding("named-barrier", nullptr, site, "barrier %u for %u of %u threads: there are barriers 0 to %u", number, threads,
            current.threads, kNamedBarriers - 1);
    trap("trap", "a named barrier that no block can complete");
  }
  Thread* thread = self;
  Block* block = thread->block;
  NamedBarrier& here = block->named[number];
  if (here.arrived == 0) {
    here.expected = threads;
    here.value = kind == Barrier::conjunction;
  } else if (here.expected != threads) {
    finding("barrier-divergence", nullptr, site, "barrier %u is waited for by %u threads and by %u", number, here.expected,
            threads);
  }
  if (kind == Barrier::count) here.value += predicate != 0;
  if (kind == Barrier::conjunction) here.value = here.value && predicate;
  if (kind == Barrier::disjunction) here.value = here.value || predicate;
  bool complete = ++here.arrived == here.expected;
  if (!wait) {
    if (complete) release(block, number);
    return 0;
  }
  thread->state = State::named;
  thread->argument = static_cast<int>(number);
  thread->site = site;
  if (complete) release(block, number);
  block_self();
  return static_cast<int>(thread->result);
}

}  // namespace emu
