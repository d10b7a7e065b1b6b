// CUB: the order of radix sorts: by the bits [begin, end) of a key, made so that they compare as unsigned numbers.
#pragma once
#include <algorithm>
#include <vector>

#include "types.h"

namespace cub {
namespace detail {

template <class K>
unsigned __int128 radix_bits(const K& key) {
  static_assert(sizeof(K) <= 16, "a radix sort's key has 128 bits at most");
  unsigned __int128 bits = 0;
  memcpy(&bits, &key, sizeof(K));
  const unsigned __int128 sign = static_cast<unsigned __int128>(1) << (8 * sizeof(K) - 1);
  constexpr emu::Element element = emu::element_of<K>::value;
  if (element == emu::Element::floating || element == emu::Element::half || element == emu::Element::bfloat16) {
    if (bits == sign) bits = 0;  // the two zeros are equal
    const unsigned __int128 all = (sign - 1) | sign;
    return bits & sign ? bits ^ all : bits ^ sign;
  }
  return std::is_integral<K>::value && std::is_signed<K>::value ? bits ^ sign : bits;
}

// The order of `count` items, stable, by bits [begin, end) of their keys; `key(i)` gives the key.
template <class Key, class Read>
std::vector<size_t> radix_order(size_t count, const Read& key, int begin, int end, bool descending) {
  unsigned __int128 mask = 0;
  for (int bit = begin; bit < end && bit < static_cast<int>(8 * sizeof(Key)); bit++)
    mask |= static_cast<unsigned __int128>(1) << bit;
  std::vector<unsigned __int128> bits(count);
  for (size_t i = 0; i < count; i++) bits[i] = radix_bits<Key>(key(i)) & mask;
  std::vector<size_t> order(count);
  emu::order_by_bits(bits.data(), count, descending, order.data());
  return order;
}

}  // namespace detail
}  // namespace cub
