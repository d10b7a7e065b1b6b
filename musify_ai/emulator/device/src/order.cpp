#include "order.h"

#include <utility>

namespace emu {

namespace {
uint64_t random_state = 1;
uint64_t stride = 1, offset = 0;  // random block order: k -> (stride * k + offset) mod blocks

uint64_t greatest_common(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}
}  // namespace

uint64_t random_number() {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state >> 11;
}

void begin_random(unsigned long long blocks) {
  random_state = settings().seed * 0x9E3779B97F4A7C15ull + 0x2545F4914F6CDD1Dull;
  for (int i = 0; i < 8; i++) random_number();
  if (settings().order != Order::random || blocks < 2) return;
  do stride = random_number() % blocks;
  while (greatest_common(stride, blocks) != 1);
  offset = random_number() % blocks;
}

unsigned long long block_index(unsigned long long k) {
  unsigned long long n = current.blocks;
  switch (settings().order) {
    case Order::reverse: return n - 1 - k;
    case Order::random: break;
    default: return k;
  }
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(stride) * k + offset) % n);
}

void order_threads(Block* block) {
  if (settings().order == Order::random) {
    block->order.resize(current.threads);
    for (unsigned i = 0; i < current.threads; i++) block->order[i] = i;
    for (unsigned i = current.threads; i > 1; i--) std::swap(block->order[i - 1], block->order[random_number() % i]);
  } else if (settings().order == Order::interleaved) {
    const unsigned width = static_cast<unsigned>(lanes());
    block->order.clear();
    for (unsigned lane = 0; lane < width; lane++)
      for (unsigned rank = lane; rank < current.threads; rank += width) block->order.push_back(rank);
  } else {
    block->order.clear();
  }
}

}  // namespace emu
