// CUB: collectives of a logical warp, by shuffles. A logical warp lies within 32 lanes, on devices of 128 lanes too.
#pragma once
#include "types.h"

namespace cub {

namespace detail {
// Where the calling thread stands in a logical warp of that many lanes.
template <int Threads>
struct Lanes {
  static_assert(Threads >= 1 && Threads <= 32, "a logical warp has 32 threads at most");
  unsigned of_warp, first, lane, mask, last;
  Lanes() {
    unsigned rank = emu::thread_rank();
    of_warp = rank & 31;
    first = of_warp / Threads * Threads;
    lane = of_warp - first;
    mask = Threads == 32 ? 0xffffffffu : ((1u << Threads) - 1) << first;
    unsigned left = emu::block_threads() - (rank - of_warp) - first;  // a block's last warp may be short
    last = (left < Threads ? left : Threads) - 1;
  }
  template <class T>
  T read(const T& own, unsigned from, emu::Site s) const {
    return emu::shuffled_whole(mask, own, static_cast<int>(first + (from <= last ? from : lane)), s);
  }
  unsigned flags(bool flag, emu::Site s) const {
    return emu::device::__ballot_sync(mask, flag, s) >> first;
  }
};

// The tree of the lanes up to `last`; lane 0 has the result.
template <int Threads, class T, class Op>
T warp_reduce(T own, Op op, unsigned last, emu::Site s) {
  Lanes<Threads> me;
  if (last > me.last) last = me.last;
  for (unsigned offset = 1; offset < Threads; offset *= 2) {
    T other = me.read(own, me.lane + offset, s);
    if (me.lane + offset <= last) own = op(own, other);
  }
  return own;
}
template <int Threads, class T, class Op>
T warp_inclusive(T own, Op op, emu::Site s) {
  Lanes<Threads> me;
  for (unsigned offset = 1; offset < Threads; offset *= 2) {
    T other = me.read(own, me.lane >= offset ? me.lane - offset : me.lane, s);
    if (me.lane >= offset) own = op(other, own);
  }
  return own;
}
}  // namespace detail

template <class T, int LOGICAL_WARP_THREADS = 32, int = 0>
class WarpReduce {
 public:
  struct TempStorage {};
  WarpReduce(TempStorage&) {}
  T Sum(T in, emu::Site s = emu::Site::here()) { return Reduce(in, cub::Sum(), s); }
  T Sum(T in, int valid, emu::Site s = emu::Site::here()) { return Reduce(in, cub::Sum(), valid, s); }
  template <class Op>
  T Reduce(T in, Op op, emu::Site s = emu::Site::here()) {
    return first(detail::warp_reduce<LOGICAL_WARP_THREADS>(in, op, 31, s));
  }
  template <class Op>
  T Reduce(T in, Op op, int valid, emu::Site s = emu::Site::here()) {
    return first(detail::warp_reduce<LOGICAL_WARP_THREADS>(in, op, static_cast<unsigned>(valid - 1), s));
  }
  template <class Flag>
  T HeadSegmentedSum(T in, Flag head, emu::Site s = emu::Site::here()) { return segmented<true>(in, head, cub::Sum(), s); }
  template <class Flag>
  T TailSegmentedSum(T in, Flag tail, emu::Site s = emu::Site::here()) { return segmented<false>(in, tail, cub::Sum(), s); }
  template <class Flag, class Op>
  T HeadSegmentedReduce(T in, Flag head, Op op, emu::Site s = emu::Site::here()) { return segmented<true>(in, head, op, s); }
  template <class Flag, class Op>
  T TailSegmentedReduce(T in, Flag tail, Op op, emu::Site s = emu::Site::here()) { return segmented<false>(in, tail, op, s); }

 private:
  static T first(const T& result) {
    return detail::Lanes<LOGICAL_WARP_THREADS>().lane == 0 ? result : emu::undefined(result);
  }
  // The first lane of each segment gets the segment's result.
  template <bool Heads, class Flag, class Op>
  static T segmented(T in, Flag flag, Op op, emu::Site s) {
    detail::Lanes<LOGICAL_WARP_THREADS> me;
    unsigned flags = me.flags(flag != 0, s);
    unsigned heads = (Heads ? flags : flags << 1) | 1;
    unsigned ends = Heads ? flags >> 1 : flags;
    unsigned behind = ends >> me.lane;
    unsigned last = behind ? me.lane + static_cast<unsigned>(__builtin_ctz(behind)) : LOGICAL_WARP_THREADS - 1;
    T result = detail::warp_reduce<LOGICAL_WARP_THREADS>(in, op, last, s);
    return heads >> me.lane & 1 ? result : emu::undefined(result);
  }
};

template <class T, int LOGICAL_WARP_THREADS = 32, int = 0>
class WarpScan {
  using Lanes = detail::Lanes<LOGICAL_WARP_THREADS>;

 public:
  struct TempStorage {};
  WarpScan(TempStorage&) {}
  void InclusiveSum(T in, T& out, emu::Site s = emu::Site::here()) { InclusiveScan(in, out, cub::Sum(), s); }
  void InclusiveSum(T in, T& out, T& total, emu::Site s = emu::Site::here()) { InclusiveScan(in, out, cub::Sum(), total, s); }
  void ExclusiveSum(T in, T& out, emu::Site s = emu::Site::here()) { ExclusiveScan(in, out, T(0), cub::Sum(), s); }
  void ExclusiveSum(T in, T& out, T& total, emu::Site s = emu::Site::here()) {
    ExclusiveScan(in, out, T(0), cub::Sum(), total, s);
  }
  template <class Op>
  void InclusiveScan(T in, T& out, Op op, emu::Site s = emu::Site::here()) {
    out = detail::warp_inclusive<LOGICAL_WARP_THREADS>(in, op, s);
  }
  template <class Op>
  void InclusiveScan(T in, T& out, Op op, T& total, emu::Site s = emu::Site::here()) {
    InclusiveScan(in, out, op, s);
    Lanes me;
    total = me.read(out, me.last, s);
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, Op op, emu::Site s = emu::Site::here()) {
    T inclusive;
    Scan(in, inclusive, out, op, s);
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, Op op, T& total, emu::Site s = emu::Site::here()) {
    T inclusive;
    Scan(in, inclusive, out, op, s);
    Lanes me;
    total = me.read(inclusive, me.last, s);
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, T initial, Op op, emu::Site s = emu::Site::here()) {
    T inclusive;
    Scan(in, inclusive, out, initial, op, s);
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, T initial, Op op, T& total, emu::Site s = emu::Site::here()) {
    T inclusive = detail::warp_inclusive<LOGICAL_WARP_THREADS>(in, op, s);
    Lanes me;
    T before = me.read(inclusive, me.lane ? me.lane - 1 : 0, s);
    total = me.read(inclusive, me.last, s);
    out = me.lane ? T(op(initial, before)) : initial;
  }
  template <class Op>
  void Scan(T in, T& inclusive, T& exclusive, Op op, emu::Site s = emu::Site::here()) {
    T own = detail::warp_inclusive<LOGICAL_WARP_THREADS>(in, op, s);
    Lanes me;
    T before = me.read(own, me.lane ? me.lane - 1 : 0, s);
    inclusive = own;
    exclusive = me.lane ? before : emu::undefined(before);
  }
  template <class Op>
  void Scan(T in, T& inclusive, T& exclusive, T initial, Op op, emu::Site s = emu::Site::here()) {
    T own = detail::warp_inclusive<LOGICAL_WARP_THREADS>(in, op, s);
    Lanes me;
    T before = me.read(own, me.lane ? me.lane - 1 : 0, s);
    inclusive = op(initial, own);
    exclusive = me.lane ? T(op(initial, before)) : initial;
  }
  void Sum(T in, T& inclusive, T& exclusive, emu::Site s = emu::Site::here()) {
    Scan(in, inclusive, exclusive, T(0), cub::Sum(), s);
  }
  T Broadcast(T in, unsigned from, emu::Site s = emu::Site::here()) { return Lanes().read(in, from, s); }
};

template <int LOGICAL_WARP_THREADS, class T>
T ShuffleIndex(T in, int from, unsigned, emu::Site s = emu::Site::here()) {
  return detail::Lanes<LOGICAL_WARP_THREADS>().read(in, static_cast<unsigned>(from), s);
}
template <int LOGICAL_WARP_THREADS, class T>
T ShuffleUp(T in, int offset, int first, unsigned, emu::Site s = emu::Site::here()) {
  detail::Lanes<LOGICAL_WARP_THREADS> me;
  int from = static_cast<int>(me.lane) - offset;
  return me.read(in, from >= first ? static_cast<unsigned>(from) : me.lane, s);
}
template <int LOGICAL_WARP_THREADS, class T>
T ShuffleDown(T in, int offset, int last, unsigned, emu::Site s = emu::Site::here()) {
  detail::Lanes<LOGICAL_WARP_THREADS> me;
  int from = static_cast<int>(me.lane) + offset;
  return me.read(in, from <= last ? static_cast<unsigned>(from) : me.lane, s);
}

}  // namespace cub
