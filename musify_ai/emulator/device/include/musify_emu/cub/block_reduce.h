// CUB: the reduction of a block: its warps by shuffles, then thread 0 over what each warp left in shared memory.
#pragma once
#include "warp.h"

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };

template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int = 0>
class BlockReduce {
  enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, WARPS = (THREADS + 31) / 32 };

 public:
  struct TempStorage {
    emu::Room<T, WARPS> warps;
  };
  BlockReduce() : storage(emu::private_storage<TempStorage>()) {}
  BlockReduce(TempStorage& s) : storage(s) {}
  T Sum(T in, emu::Site s = emu::Site::here()) { return Reduce(in, cub::Sum(), THREADS, s); }
  T Sum(T in, int valid, emu::Site s = emu::Site::here()) { return Reduce(in, cub::Sum(), valid, s); }
  template <int ITEMS>
  T Sum(T (&in)[ITEMS], emu::Site s = emu::Site::here()) { return Reduce(in, cub::Sum(), s); }
  template <int ITEMS, class Op>
  T Reduce(T (&in)[ITEMS], Op op, emu::Site s = emu::Site::here()) {
    return Reduce(ThreadReduce(in, op), op, THREADS, s);
  }
  template <class Op>
  T Reduce(T in, Op op, emu::Site s = emu::Site::here()) { return Reduce(in, op, THREADS, s); }
  // Of the first `valid` threads; thread 0 has the result.
  template <class Op>
  T Reduce(T in, Op op, int valid, emu::Site s = emu::Site::here()) {
    int rank = static_cast<int>(emu::thread_rank()), first = rank / 32 * 32;
    T total = valid > first ? detail::warp_reduce<32>(in, op, static_cast<unsigned>(valid - first - 1), s)
                            : detail::warp_reduce<32>(in, op, 0, s);
    if (rank % 32 == 0) new (&storage.warps[rank / 32]) T(total);
    emu::barrier(emu::Barrier::plain, 0, s);
    if (rank) return emu::undefined(in);
    for (int warp = 1; warp < WARPS && warp * 32 < valid; warp++) total = op(total, storage.warps[warp]);
    return total;
  }

 private:
  TempStorage& storage;
};

}  // namespace cub
