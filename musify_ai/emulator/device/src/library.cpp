// What the libraries' headers call, compiled once.
#include "../include/musify_emu/library_core.h"

#include <algorithm>

#include "settings.h"

namespace emu {

unsigned char poison_byte() { return settings().poison; }

void order_by_bits(const unsigned __int128* keys, size_t count, bool descending, size_t* order) {
  for (size_t i = 0; i < count; i++) order[i] = i;
  std::stable_sort(order, order + count, [&](size_t a, size_t b) {
    return descending ? keys[b] < keys[a] : keys[a] < keys[b];
  });
}

}  // namespace emu
