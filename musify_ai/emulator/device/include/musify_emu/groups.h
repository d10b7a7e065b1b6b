// Cooperative groups: blocks, tiles of a warp, coalesced threads, grids.
#pragma once
#include "threads.h"

namespace emu {
namespace groups {

inline unsigned segment_lane() { return thread_rank() & 31; }

struct thread_block {
  void sync(Site s = Site::here()) const { barrier(Barrier::plain, 0, s); }
  static unsigned thread_rank() { return ::emu::thread_rank(); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

struct grid_group {
  void sync(Site s = Site::here()) const { grid_barrier(s); }
  static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static unsigned long long num_blocks() { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
  static unsigned long long thread_rank() { return block_rank() * thread_block::size() + ::emu::thread_rank(); }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
  static unsigned long long num_threads() { return size(); }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
  static bool is_valid() { return grid_barrier_allowed(); }
};
inline grid_group this_grid() { return {}; }

// Unlike the warp's own shuffles, those of groups take any type that may be copied as bytes, up to 32 of them.
template <class T>
T shuffled(Op op, unsigned mask, const T& v, int argument, int width, Site s) {
  static_assert(__is_trivially_copyable(T) && sizeof(T) <= 32, "a group's shuffle takes 32 bytes that may be copied");
  alignas(T) unsigned char bytes[sizeof(T)];
  warp(op, true, mask, &v, sizeof(T), argument, width, s, bytes);
  return *reinterpret_cast<T*>(bytes);
}

// Lanes of one 32-lane segment, named by a mask; ranks count its set bits.
struct lane_group {
  unsigned mask;
  unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return static_cast<unsigned>(__builtin_popcount(mask & ((1u << segment_lane()) - 1)));
  }
  int lane_of(unsigned rank) const {
    unsigned left = mask;
    for (unsigned i = 0; i < rank && left; i++) left &= left - 1;
    return left ? __builtin_ctz(left) : static_cast<int>(segment_lane());
  }
  unsigned packed(unsigned lanes) const {
    unsigned out = 0, rank = 0;
    for (unsigned left = mask; left; left &= left - 1, rank++)
      if (lanes & left & (0u - left)) out |= 1u << rank;
    return out;
  }
  void sync(Site s = Site::here()) const { device::__syncwarp(mask, s); }
  template <class T>
  T shfl(T v, unsigned rank, Site s = Site::here()) const {
    return shuffled(Op::shuffle_index, mask, v, lane_of(rank % size()), 32, s);
  }
  template <class T>
  T shfl_up(T v, unsigned d, Site s = Site::here()) const {
    unsigned rank = thread_rank();
    return shuffled(Op::shuffle_index, mask, v, lane_of(rank >= d ? rank - d : rank), 32, s);
  }
  template <class T>
  T shfl_down(T v, unsigned d, Site s = Site::here()) const {
    unsigned rank = thread_rank();
    return shuffled(Op::shuffle_index, mask, v, lane_of(rank + d < size() ? rank + d : rank), 32, s);
  }
  template <class T>
  T shfl_xor(T v, unsigned l, Site s = Site::here()) const {
    unsigned to = thread_rank() ^ l;
    return shuffled(Op::shuffle_index, mask, v, lane_of(to < size() ? to : thread_rank()), 32, s);
  }
  unsigned ballot(int p, Site s = Site::here()) const { return packed(device::__ballot_sync(mask, p, s)); }
  int any(int p, Site s = Site::here()) const { return device::__any_sync(mask, p, s); }
  int all(int p, Site s = Site::here()) const { return device::__all_sync(mask, p, s); }
  template <class T>
  unsigned match_any(T v, Site s = Site::here()) const {
    return packed(device::__match_any_sync(mask, v, s));
  }
  template <class T>
  unsigned match_all(T v, int& p, Site s = Site::here()) const {
    return packed(device::__match_all_sync(mask, v, &p, s));
  }
  unsigned meta_group_rank() const { return 0; }
  unsigned meta_group_size() const { return 1; }
};

struct coalesced_group : lane_group {};
inline coalesced_group coalesced_threads(Site s = Site::here()) { return {{device::__activemask(s)}}; }

template <unsigned Size, class Parent = void>
struct thread_block_tile : lane_group {
  static_assert(Size && Size <= 32 && !(Size & (Size - 1)), "a tile has a power of two of threads, 32 at most");
  thread_block_tile() : lane_group{Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (segment_lane() & ~(Size - 1))} {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return ::emu::thread_rank() & (Size - 1); }
  static unsigned meta_group_rank() { return ::emu::thread_rank() / Size; }
  static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  template <class T>
  T shfl(T v, int rank, Site s = Site::here()) const {
    return shuffled(Op::shuffle_index, mask, v, rank, Size, s);
  }
  template <class T>
  T shfl_up(T v, unsigned d, Site s = Site::here()) const {
    return shuffled(Op::shuffle_up, mask, v, static_cast<int>(d), Size, s);
  }
  template <class T>
  T shfl_down(T v, unsigned d, Site s = Site::here()) const {
    return shuffled(Op::shuffle_down, mask, v, static_cast<int>(d), Size, s);
  }
  template <class T>
  T shfl_xor(T v, unsigned l, Site s = Site::here()) const {
    return shuffled(Op::shuffle_xor, mask, v, static_cast<int>(l), Size, s);
  }
};
template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}

// Any of the groups of a block, chosen at run time.
struct thread_group : lane_group {
  bool whole_block;
  thread_group(const thread_block&) : lane_group{0}, whole_block(true) {}
  thread_group(const lane_group& lanes) : lane_group(lanes), whole_block(false) {}
  unsigned size() const { return whole_block ? thread_block::size() : lane_group::size(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return whole_block ? thread_block::thread_rank() : lane_group::thread_rank(); }
  void sync(Site s = Site::here()) const {
    if (whole_block) barrier(Barrier::plain, 0, s);
    else lane_group::sync(s);
  }
};
// `size` is a power of two of threads, 32 at most.
inline thread_group tiled_partition(const thread_group&, unsigned size) {
  if (!size || size > 32 || (size & (size - 1))) trap("unsupported", "a tile whose size is no power of two up to 32");
  return lane_group{size == 32 ? 0xffffffffu : ((1u << size) - 1) << (segment_lane() & ~(size - 1))};
}

template <class Group>
void sync(const Group& g, Site s = Site::here()) {
  g.sync(s);
}

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

// In the order of the ranks of a tree, as hardware does it for a tile; for other groups in the order of the lanes.
template <class Group, class T, class F>
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
template <class Group, class T, class F>
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
template <class Group, class T, class F>
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
