// CUB: a block's items from memory and back.
#pragma once
#include "block_exchange.h"

namespace cub {

template <class In, class T, int N>
void LoadDirectBlocked(int rank, In in, T (&items)[N]) {
  for (int i = 0; i < N; i++) items[i] = in[rank * N + i];
}
template <class In, class T, int N>
void LoadDirectBlocked(int rank, In in, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (rank * N + i < valid) items[i] = in[rank * N + i];
}
template <class In, class Default, class T, int N>
void LoadDirectBlocked(int rank, In in, T (&items)[N], int valid, Default otherwise) {
  for (int i = 0; i < N; i++) items[i] = T(otherwise);
  LoadDirectBlocked(rank, in, items, valid);
}
template <class In, class T, int N>
void LoadDirectBlockedVectorized(int rank, In* in, T (&items)[N]) { LoadDirectBlocked(rank, in, items); }
template <int THREADS, class In, class T, int N>
void LoadDirectStriped(int rank, In in, T (&items)[N]) {
  for (int i = 0; i < N; i++) items[i] = in[i * THREADS + rank];
}
template <int THREADS, class In, class T, int N>
void LoadDirectStriped(int rank, In in, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (i * THREADS + rank < valid) items[i] = in[i * THREADS + rank];
}
template <int THREADS, class In, class Default, class T, int N>
void LoadDirectStriped(int rank, In in, T (&items)[N], int valid, Default otherwise) {
  for (int i = 0; i < N; i++) items[i] = T(otherwise);
  LoadDirectStriped<THREADS>(rank, in, items, valid);
}
template <class In, class T, int N>
void LoadDirectWarpStriped(int rank, In in, T (&items)[N]) {
  for (int i = 0; i < N; i++) items[i] = in[rank / 32 * 32 * N + i * 32 + rank % 32];
}
template <class In, class T, int N>
void LoadDirectWarpStriped(int rank, In in, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++) {
    int at = rank / 32 * 32 * N + i * 32 + rank % 32;
    if (at < valid) items[i] = in[at];
  }
}
template <class Out, class T, int N>
void StoreDirectBlocked(int rank, Out out, T (&items)[N]) {
  for (int i = 0; i < N; i++) out[rank * N + i] = items[i];
}
template <class Out, class T, int N>
void StoreDirectBlocked(int rank, Out out, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (rank * N + i < valid) out[rank * N + i] = items[i];
}
template <class T, int N>
void StoreDirectBlockedVectorized(int rank, T* out, T (&items)[N]) { StoreDirectBlocked(rank, out, items); }
template <int THREADS, class Out, class T, int N>
void StoreDirectStriped(int rank, Out out, T (&items)[N]) {
  for (int i = 0; i < N; i++) out[i * THREADS + rank] = items[i];
}
template <int THREADS, class Out, class T, int N>
void StoreDirectStriped(int rank, Out out, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (i * THREADS + rank < valid) out[i * THREADS + rank] = items[i];
}
template <class Out, class T, int N>
void StoreDirectWarpStriped(int rank, Out out, T (&items)[N]) {
  for (int i = 0; i < N; i++) out[rank / 32 * 32 * N + i * 32 + rank % 32] = items[i];
}
template <class Out, class T, int N>
void StoreDirectWarpStriped(int rank, Out out, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++) {
    int at = rank / 32 * 32 * N + i * 32 + rank % 32;
    if (at < valid) out[at] = items[i];
  }
}

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int BLOCK_DIM_X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int = 0>
class BlockLoad {
  enum {
    THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z,
    WARPWISE = ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE || ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
    SHARES = WARPWISE || ALGORITHM == BLOCK_LOAD_TRANSPOSE
  };
  using Exchange = BlockExchange<T, BLOCK_DIM_X, ITEMS, false, BLOCK_DIM_Y, BLOCK_DIM_Z>;
  using Here = emu::Site;

 public:
  struct Nothing {};
  using TempStorage = std::conditional_t<SHARES, typename Exchange::TempStorage, Nothing>;
  BlockLoad() : storage(emu::private_storage<TempStorage>()) {}
  BlockLoad(TempStorage& s) : storage(s) {}
  template <class In>
  void Load(In in, T (&items)[ITEMS], Here s = Here::here()) { load(in, items, THREADS * ITEMS, s); }
  template <class In>
  void Load(In in, T (&items)[ITEMS], int valid, Here s = Here::here()) { load(in, items, valid, s); }
  template <class In, class Default>
  void Load(In in, T (&items)[ITEMS], int valid, Default otherwise, Here s = Here::here()) {
    for (int i = 0; i < ITEMS; i++) items[i] = T(otherwise);
    load(in, items, valid, s);
  }

 private:
  template <class In>
  void load(In in, T (&items)[ITEMS], int valid, Here s) {
    int rank = static_cast<int>(emu::thread_rank());
    if constexpr (!SHARES) {
      if (ALGORITHM == BLOCK_LOAD_STRIPED) LoadDirectStriped<THREADS>(rank, in, items, valid);
      else LoadDirectBlocked(rank, in, items, valid);
    } else if constexpr (WARPWISE) {
      LoadDirectWarpStriped(rank, in, items, valid);
      Exchange(storage).WarpStripedToBlocked(items, items, s);
    } else {
      LoadDirectStriped<THREADS>(rank, in, items, valid);
      Exchange(storage).StripedToBlocked(items, items, s);
    }
  }
  TempStorage& storage;
};

template <class T, int BLOCK_DIM_X, int ITEMS, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int = 0>
class BlockStore {
  enum {
    THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z,
    WARPWISE = ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE || ALGORITHM == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
    SHARES = WARPWISE || ALGORITHM == BLOCK_STORE_TRANSPOSE
  };
  using Exchange = BlockExchange<T, BLOCK_DIM_X, ITEMS, false, BLOCK_DIM_Y, BLOCK_DIM_Z>;
  using Here = emu::Site;

 public:
  struct Nothing {};
  using TempStorage = std::conditional_t<SHARES, typename Exchange::TempStorage, Nothing>;
  BlockStore() : storage(emu::private_storage<TempStorage>()) {}
  BlockStore(TempStorage& s) : storage(s) {}
  template <class Out>
  void Store(Out out, T (&items)[ITEMS], Here s = Here::here()) { Store(out, items, THREADS * ITEMS, s); }
  template <class Out>
  void Store(Out out, T (&items)[ITEMS], int valid, Here s = Here::here()) {
    int rank = static_cast<int>(emu::thread_rank());
    if constexpr (!SHARES) {
      if (ALGORITHM == BLOCK_STORE_STRIPED) StoreDirectStriped<THREADS>(rank, out, items, valid);
      else StoreDirectBlocked(rank, out, items, valid);
    } else if constexpr (WARPWISE) {
      Exchange(storage).BlockedToWarpStriped(items, items, s);
      StoreDirectWarpStriped(rank, out, items, valid);
    } else {
      Exchange(storage).BlockedToStriped(items, items, s);
      StoreDirectStriped<THREADS>(rank, out, items, valid);
    }
  }

 private:
  TempStorage& storage;
};

}  // namespace cub
