// Reductions and scans over groups of cooperative threads, in the order that hardware takes them in.
#pragma once
#include "groups.h"

namespace emu {
namespace groups {

#define EMU_OPERATOR(N, E)                          \
  template <class T = void>                         \
  struct N {                                        \
    T operator()(T a, T b) const { return E; }      \
  };                                                \
  template <>                                       \
  struct N<void> {                                  \
    template <class T>                              \
    T operator()(T a, T b) const {                  \
      return E;                                     \
    }                                               \
  };
EMU_OPERATOR(plus, a + b)
EMU_OPERATOR(less, b < a ? b : a)
EMU_OPERATOR(greater, a < b ? b : a)
EMU_OPERATOR(bit_and, a & b)
EMU_OPERATOR(bit_or, a | b)
EMU_OPERATOR(bit_xor, a ^ b)
#undef EMU_OPERATOR

// What a tree over lanes gives lane 0: at each distance, from the largest down, a lane joins its partner's value.
template <class T, class F, class At>
T tree(unsigned lane, unsigned distance, unsigned lanes, F& f, const At& at) {
  if (distance == lanes) return at(lane);
  return f(tree<T>(lane, distance * 2, lanes, f, at), tree<T>(lane ^ distance, distance * 2, lanes, f, at));
}
// A larger tile's warps reduce first, then one warp reduces what they got.
template <unsigned Size, class P, class T, class F>
std::enable_if_t<(Size > 32), T> reduce(const thread_block_tile<Size, P>& g, T v, F f, Site s = Site::here()) {
  return g.exchanged(v, [&](auto at) {
    return tree<T>(0, 1, Size / 32, f, [&](unsigned warp) {
      return tree<T>(0, 1, 32, f, [&](unsigned lane) { return *at(warp * 32 + lane); });
    });
  }, s);
}
template <unsigned Size, class P, class T, class F>
std::enable_if_t<(Size > 32), T> inclusive_scan(const thread_block_tile<Size, P>& g, T v, F f, Site s = Site::here()) {
  return g.exchanged(v, [&](auto at) {
    T sum = *at(0);
    for (unsigned i = 1; i <= g.thread_rank(); i++) sum = f(sum, *at(i));
    return sum;
  }, s);
}
template <unsigned Size, class P, class T, class F>
std::enable_if_t<(Size > 32), T> exclusive_scan(const thread_block_tile<Size, P>& g, T v, F f, Site s = Site::here()) {
  return g.exchanged(v, [&](auto at) {
    if (g.thread_rank() == 0) return T();
    T sum = *at(0);
    for (unsigned i = 1; i < g.thread_rank(); i++) sum = f(sum, *at(i));
    return sum;
  }, s);
}

// In the order of the ranks of a tree, as hardware does it for a tile; for other groups in the order of the lanes.
template <class Group, class T, class F, class = decltype(std::declval<const Group&>().mask)>
T reduce(const Group& g, T v, F f, Site s = Site::here()) {
  unsigned n = g.size();
  if ((n & (n - 1)) == 0) {
    for (unsigned d = n / 2; d; d /= 2) v = f(v, g.shfl_xor(v, d, s));
    return v;
  }
  T sum = g.shfl(v, 0, s);
  for (unsigned i = 1; i < n; i++) sum = f(sum, g.shfl(v, static_cast<int>(i), s));
  return sum;
}

// Rank 0 of an exclusive scan gets a value-initialised one, as for addition.
template <class Group, class T, class F, class = decltype(std::declval<const Group&>().mask)>
T inclusive_scan(const Group& g, T v, F f, Site s = Site::here()) {
  for (unsigned d = 1; d < g.size(); d *= 2) {
    T below = g.shfl_up(v, d, s);
    if (g.thread_rank() >= d) v = f(below, v);
  }
  return v;
}
template <class Group, class T>
T inclusive_scan(const Group& g, T v, Site s = Site::here()) {
  return inclusive_scan(g, v, plus<T>(), s);
}
template <class Group, class T, class F, class = decltype(std::declval<const Group&>().mask)>
T exclusive_scan(const Group& g, T v, F f, Site s = Site::here()) {
  T below = g.shfl_up(inclusive_scan(g, v, f, s), 1, s);
  return g.thread_rank() == 0 ? T() : below;
}
template <class Group, class T>
T exclusive_scan(const Group& g, T v, Site s = Site::here()) {
  return exclusive_scan(g, v, plus<T>(), s);
}

}  // namespace groups
}  // namespace emu
