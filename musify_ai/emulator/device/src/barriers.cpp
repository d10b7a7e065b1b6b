// Where all threads of a block, or of the grid, wait for one another.
#include "order.h"
#include "races.h"

namespace emu {

void release_barrier(Block* block) {
  int value = block->value;
  block->waiting = 0;
  progressed();
  races_barrier(block);
  if (block->alive < current.threads)
    finding("barrier-after-exit", nullptr, block->site, "a barrier completed after %u of %u threads had left the kernel",
            current.threads - block->alive, current.threads);
  for (unsigned k = 0; k < current.threads; k++) {
    Thread& thread = block->threads[rank_at(block, k)];
    if (thread.state != State::barrier) continue;
    thread.result = static_cast<unsigned long long>(value);
    make_ready(&thread);
  }
}

void release_grid() {
  current.at_grid_barrier = 0;
  progressed();
  races_grid_barrier();
  for (Block* block : current.resident)
    for (unsigned k = 0; k < current.threads; k++) {
      Thread& thread = block->threads[rank_at(block, k)];
      if (thread.state == State::grid) make_ready(&thread);
    }
}

int barrier(Barrier kind, int predicate, Site site) {
  if (!current.running) {
    finding("host-call", nullptr, site, "a barrier was called outside a kernel");
    return 0;
  }
  Thread* thread = self;
  Block* block = thread->block;
  if (block->waiting == 0) {
    block->kind = kind;
    block->value = kind == Barrier::conjunction;
    block->site = site;
  } else if (kind != block->kind || site.line != block->site.line || site.file != block->site.file) {
    finding("barrier-divergence", nullptr, site,
            "threads of one block wait at different barriers: %s:%d and %s:%d (block %u,%u,%u)", block->site.file,
            block->site.line, site.file, site.line, block->position.x, block->position.y, block->position.z);
  }
  if (kind == Barrier::count) block->value += predicate != 0;
  if (kind == Barrier::conjunction) block->value = block->value && predicate;
  if (kind == Barrier::disjunction) block->value = block->value || predicate;
  thread->state = State::barrier;
  thread->site = site;
  if (++block->waiting == block->alive) release_barrier(block);
  block_self();
  return static_cast<int>(thread->result);
}

bool grid_barrier_allowed() { return current.running && current.kernel.cooperative; }

void grid_barrier(Site site) {
  if (!current.running) {
    finding("host-call", nullptr, site, "a grid barrier was called outside a kernel");
    return;
  }
  if (!current.kernel.cooperative) abandon("unsupported", "a grid barrier in a kernel that was not launched cooperatively");
  self->state = State::grid;
  self->site = site;
  if (++current.at_grid_barrier == current.alive) release_grid();
  block_self();
}

}  // namespace emu
