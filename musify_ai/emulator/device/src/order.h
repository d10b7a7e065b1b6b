// In which order blocks and threads start, under each schedule.
#pragma once
#include "scheduler.h"
#include "settings.h"

namespace emu {

// Whether whoever can go on does so before another thread starts.
inline bool prefer_ready() {
  switch (settings().order) {
    case Order::forward: return true;
    case Order::random: return (random_number() & 1) != 0;
    default: return false;
  }
}

// The thread that starts k-th in a block.
inline unsigned rank_at(const Block* block, unsigned k) {
  if (!block->order.empty()) return block->order[k];
  return settings().order == Order::reverse ? current.threads - 1 - k : k;
}

// The block that starts k-th.
unsigned long long block_index(unsigned long long k);
void order_threads(Block*);
void begin_random(unsigned long long blocks);  // of a launch

}  // namespace emu
