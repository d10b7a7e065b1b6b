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
  // The two halves of a barrier: nobody passes the second before all have come to it, which is later than need be.
  struct arrival_token {};
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&& = {}, Site s = Site::here()) const { barrier(Barrier::plain, 0, s); }
};
inline thread_block this_thread_block() { return {}; }
// Memory that CUDA's larger tiles exchange through.
template <unsigned Threads = 1024>
struct block_tile_memory {
  char unused[Threads / 32 * 8];
};
template <unsigned Threads>
thread_block this_thread_block(block_tile_memory<Threads>&) {
  return {};
}

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
  static dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z * blockDim.z + threadIdx.z);
  }
  static dim3 dim_threads() { return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z); }
  struct arrival_token {};
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&& = {}, Site s = Site::here()) const { grid_barrier(s); }
};
inline grid_group this_grid() { return {}; }

// All grids of a launch on several devices, of which there is one here.
struct multi_grid_group : grid_group {
  static unsigned grid_rank() { return 0; }
  static unsigned num_grids() { return 1; }
};
inline multi_grid_group this_multi_grid() { return {}; }

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
  // Lanes whose ranks are `from` to `from + count - 1`.
  unsigned ranks(unsigned from, unsigned count) const {
    unsigned out = 0, rank = 0;
    for (unsigned left = mask; left; left &= left - 1, rank++)
      if (rank >= from && rank < from + count) out |= left & (0u - left);
    return out;
  }
};

struct coalesced_group : lane_group {
  unsigned parts = 1, part = 0;  // of the group that it was made of; no parts: nothing says
  explicit coalesced_group(unsigned lanes, unsigned of = 1, unsigned which = 0) : lane_group{lanes}, parts(of), part(which) {}
  unsigned meta_group_rank() const { return checked(part); }
  unsigned meta_group_size() const { return checked(parts); }

 private:
  unsigned checked(unsigned value) const {
    if (!parts) trap("unsupported", "the rank of a group among those of a labeled partition");
    return value;
  }
};
inline coalesced_group coalesced_threads(Site s = Site::here()) { return coalesced_group(device::__activemask(s)); }

// A tile within a 32-lane segment.
template <unsigned Size>
struct lane_tile : lane_group {
  lane_tile() : lane_group{Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << (segment_lane() & ~(Size - 1))} {}
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return ::emu::thread_rank() & (Size - 1); }
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

// A tile of more than 32 threads: they meet at a barrier of theirs and read what the others lay down. CUDA wants
// block_tile_memory for that; here nothing is needed.
template <unsigned Size>
struct team_tile {
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return ::emu::thread_rank() % Size; }
  static unsigned first() { return ::emu::thread_rank() / Size * Size; }
  void sync(Site s = Site::here()) const { team_barrier(first(), Size, s); }
  // What `read` makes of everybody's value: it is called with a function from rank to pointer (null: has left).
  template <class T, class F>
  auto exchanged(const T& v, F read, Site s) const {
    lay_down(&v);
    sync(s);
    const unsigned base = first();
    auto out = read([base](unsigned rank) { return static_cast<const T*>(laid_down(base + rank)); });
    sync(s);
    lay_down(nullptr);
    return out;
  }
  template <class T>
  T shfl(T v, int rank, Site s = Site::here()) const {
    return exchanged(v, [&](auto at) { const T* p = at(static_cast<unsigned>(rank) % Size); return p ? *p : v; }, s);
  }
  int any(int p, Site s = Site::here()) const { return count(p, s) != 0; }
  int all(int p, Site s = Site::here()) const { return count(!p, s) == 0; }

 private:
  int count(int p, Site s) const {
    int mine = p != 0;
    return exchanged(mine, [](auto at) {
      int n = 0;
      for (unsigned i = 0; i < Size; i++) n += at(i) ? *at(i) : 0;
      return n;
    }, s);
  }
};

template <unsigned Size, class Parent = void>
struct thread_block_tile : std::conditional_t<(Size <= 32), lane_tile<(Size <= 32 ? Size : 32)>, team_tile<Size>> {
  static_assert(Size && Size <= 1024 && !(Size & (Size - 1)), "a tile has a power of two of threads, 1024 at most");
  thread_block_tile() = default;
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}
  static unsigned meta_group_rank() { return ::emu::thread_rank() / Size; }
  static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
};
template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  static_assert(!std::is_same<Parent, coalesced_group>::value, "a coalesced group is partitioned at run time");
  return {};
}
// Ranks of the outer tile, which a block's own tiles count from the block's start.
template <unsigned Size, unsigned Outer, class Parent>
struct inner_tile : thread_block_tile<Size, thread_block_tile<Outer, Parent>> {
  static unsigned meta_group_rank() { return ::emu::thread_rank() % Outer / Size; }
  static constexpr unsigned meta_group_size() { return Outer / Size; }
};
template <unsigned Size, unsigned Outer, class Parent>
inner_tile<Size, Outer, Parent> tiled_partition(const thread_block_tile<Outer, Parent>&) {
  static_assert(Size <= Outer, "a tile is partitioned into smaller ones");
  return {};
}
inline coalesced_group tiled_partition(const coalesced_group& g, unsigned size) {
  if (!size || size > 32 || (size & (size - 1))) trap("unsupported", "a tile whose size is no power of two up to 32");
  unsigned part = g.thread_rank() / size;
  return coalesced_group(g.ranks(part * size, size), (g.size() + size - 1) / size, part);
}

// Those lanes of a group that bring the same label, or the same truth.
template <class Group, class Label>
coalesced_group labeled_partition(const Group& g, Label label, Site s = Site::here()) {
  static_assert(std::is_integral<Label>::value, "a label is an integer");
  return coalesced_group(device::__match_any_sync(g.mask, static_cast<long long>(label), s) & g.mask, 0, 0);
}
template <class Group>
coalesced_group binary_partition(const Group& g, bool truth, Site s = Site::here()) {
  unsigned those = device::__ballot_sync(g.mask, truth, s) & g.mask;
  return coalesced_group(truth ? those : g.mask & ~those, 2, truth);
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

template <class Group, class F, class... A>
void invoke_one(const Group& g, F&& f, A&&... a) {
  if (g.thread_rank() == 0) f(static_cast<A&&>(a)...);
}
template <class Group, class F, class... A>
auto invoke_one_broadcast(const Group& g, F&& f, A&&... a) {
  decltype(f(a...)) out{};
  if (g.thread_rank() == 0) out = f(static_cast<A&&>(a)...);
  return g.shfl(out, 0);
}

}  // namespace groups
}  // namespace emu
