// CUB: the prefix sums of a block: within warps by shuffles, then over what each warp left in shared memory.
#pragma once
#include "warp.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int = 0>
class BlockScan {
  enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, WARPS = (THREADS + 31) / 32 };
  using Here = emu::Site;

 public:
  struct TempStorage {
    emu::Room<T, WARPS> warps;
    emu::Room<T, 1> prefix;
  };
  BlockScan() : storage(emu::private_storage<TempStorage>()) {}
  BlockScan(TempStorage& s) : storage(s) {}

  // ---- exclusive
  void ExclusiveSum(T in, T& out, Here s = Here::here()) { T all; ExclusiveScan(in, out, T(0), cub::Sum(), all, s); }
  void ExclusiveSum(T in, T& out, T& all, Here s = Here::here()) { ExclusiveScan(in, out, T(0), cub::Sum(), all, s); }
  template <class Prefix>
  void ExclusiveSum(T in, T& out, Prefix& prefix, Here s = Here::here()) { ExclusiveScan(in, out, cub::Sum(), prefix, s); }
  template <int N>
  void ExclusiveSum(T (&in)[N], T (&out)[N], Here s = Here::here()) { T all; ExclusiveScan(in, out, T(0), cub::Sum(), all, s); }
  template <int N>
  void ExclusiveSum(T (&in)[N], T (&out)[N], T& all, Here s = Here::here()) { ExclusiveScan(in, out, T(0), cub::Sum(), all, s); }
  template <int N, class Prefix>
  void ExclusiveSum(T (&in)[N], T (&out)[N], Prefix& prefix, Here s = Here::here()) {
    ExclusiveScan(in, out, cub::Sum(), prefix, s);
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, T initial, Op op, Here s = Here::here()) { T all; ExclusiveScan(in, out, initial, op, all, s); }
  template <class Op>
  void ExclusiveScan(T in, T& out, T initial, Op op, T& all, Here s = Here::here()) {
    Place p = place(in, op, s);
    all = p.total;
    out = p.has_before ? T(op(initial, p.before)) : initial;
  }
  template <class Op, class Prefix>
  void ExclusiveScan(T in, T& out, Op op, Prefix& prefix, Here s = Here::here()) {
    Place p = place(in, op, s);
    T first = prefixed(p, prefix, s);
    out = p.has_before ? T(op(first, p.before)) : first;
  }
  // Without an initial value thread 0 has none.
  template <class Op>
  void ExclusiveScan(T in, T& out, Op op, Here s = Here::here()) {
    Place p = place(in, op, s);
    out = p.has_before ? p.before : emu::undefined(in);
  }
  template <class Op>
  void ExclusiveScan(T in, T& out, Op op, T& all, Here s = Here::here()) {
    Place p = place(in, op, s);
    all = p.total;
    out = p.has_before ? p.before : emu::undefined(in);
  }
  template <int N, class Op>
  void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, Here s = Here::here()) {
    T all;
    ExclusiveScan(in, out, initial, op, all, s);
  }
  template <int N, class Op>
  void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, T& all, Here s = Here::here()) {
    Place p = place(ThreadReduce(in, op), op, s);
    all = p.total;
    exclusive(in, out, op, p.has_before ? T(op(initial, p.before)) : initial);
  }
  template <int N, class Op, class Prefix>
  void ExclusiveScan(T (&in)[N], T (&out)[N], Op op, Prefix& prefix, Here s = Here::here()) {
    Place p = place(ThreadReduce(in, op), op, s);
    T first = prefixed(p, prefix, s);
    exclusive(in, out, op, p.has_before ? T(op(first, p.before)) : first);
  }

  // ---- inclusive
  void InclusiveSum(T in, T& out, Here s = Here::here()) { T all; InclusiveScan(in, out, cub::Sum(), all, s); }
  void InclusiveSum(T in, T& out, T& all, Here s = Here::here()) { InclusiveScan(in, out, cub::Sum(), all, s); }
  template <class Prefix>
  void InclusiveSum(T in, T& out, Prefix& prefix, Here s = Here::here()) { InclusiveScan(in, out, cub::Sum(), prefix, s); }
  template <int N>
  void InclusiveSum(T (&in)[N], T (&out)[N], Here s = Here::here()) { T all; InclusiveScan(in, out, cub::Sum(), all, s); }
  template <int N>
  void InclusiveSum(T (&in)[N], T (&out)[N], T& all, Here s = Here::here()) { InclusiveScan(in, out, cub::Sum(), all, s); }
  template <int N, class Prefix>
  void InclusiveSum(T (&in)[N], T (&out)[N], Prefix& prefix, Here s = Here::here()) {
    InclusiveScan(in, out, cub::Sum(), prefix, s);
  }
  template <class Op>
  void InclusiveScan(T in, T& out, Op op, Here s = Here::here()) { T all; InclusiveScan(in, out, op, all, s); }
  template <class Op>
  void InclusiveScan(T in, T& out, Op op, T& all, Here s = Here::here()) {
    Place p = place(in, op, s);
    all = p.total;
    out = p.has_before ? T(op(p.before, in)) : in;
  }
  template <class Op, class Prefix>
  void InclusiveScan(T in, T& out, Op op, Prefix& prefix, Here s = Here::here()) {
    Place p = place(in, op, s);
    T first = prefixed(p, prefix, s);
    out = op(p.has_before ? T(op(first, p.before)) : first, in);
  }
  template <int N, class Op>
  void InclusiveScan(T (&in)[N], T (&out)[N], Op op, Here s = Here::here()) { T all; InclusiveScan(in, out, op, all, s); }
  template <int N, class Op>
  void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T& all, Here s = Here::here()) {
    Place p = place(ThreadReduce(in, op), op, s);
    all = p.total;
    inclusive(in, out, op, p.has_before ? T(op(p.before, in[0])) : in[0]);
  }
  template <int N, class Op, class Prefix>
  void InclusiveScan(T (&in)[N], T (&out)[N], Op op, Prefix& prefix, Here s = Here::here()) {
    Place p = place(ThreadReduce(in, op), op, s);
    T first = prefixed(p, prefix, s);
    inclusive(in, out, op, op(p.has_before ? T(op(first, p.before)) : first, in[0]));
  }

 private:
  // What comes before the calling thread, if anything does, and the whole block's total.
  struct Place {
    T before, total;
    bool has_before;
  };
  template <class Op>
  Place place(T own, Op op, Here s) {
    detail::Lanes<32> me;
    unsigned warp = emu::thread_rank() / 32;
    T inclusive = detail::warp_inclusive<32>(own, op, s);
    T before = me.read(inclusive, me.lane ? me.lane - 1 : 0, s);
    if (me.lane == me.last) new (&storage.warps[warp]) T(inclusive);
    emu::barrier(emu::Barrier::plain, 0, s);
    T total = storage.warps[0];
    T warps_before = total;
    for (unsigned i = 1; i < WARPS; i++) {
      if (i == warp) warps_before = total;
      total = op(total, storage.warps[i]);
    }
    if (!warp) return Place{before, total, me.lane != 0};
    return Place{me.lane ? T(op(warps_before, before)) : warps_before, total, true};
  }
  // The first warp calls for the prefix of the block; lane 0's answer counts.
  template <class Prefix>
  T prefixed(const Place& p, Prefix& prefix, Here s) {
    if (emu::thread_rank() < 32) {
      T answer = prefix(p.total);
      if (emu::thread_rank() == 0) new (&storage.prefix[0]) T(answer);
    }
    emu::barrier(emu::Barrier::plain, 0, s);
    return storage.prefix[0];
  }
  template <int N, class Op>
  static void exclusive(T (&in)[N], T (&out)[N], Op op, T running) {
    for (int i = 0; i < N; i++) {
      T item = in[i];
      out[i] = running;
      running = op(running, item);
    }
  }
  template <int N, class Op>
  static void inclusive(T (&in)[N], T (&out)[N], Op op, T running) {
    out[0] = running;
    for (int i = 1; i < N; i++) out[i] = running = op(running, in[i]);
  }
  TempStorage& storage;
};

}  // namespace cub
