// CUB: a warp's items from memory and back, and in another order. Newer than the version that MUSA has.
#pragma once
#include "block_io.h"

namespace cub {

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
template <class T, int ITEMS, int LOGICAL_WARP_THREADS = 32, int = 0, WarpExchangeAlgorithm = WARP_EXCHANGE_SMEM>
class WarpExchange {
  using Here = emu::Site;
  enum { THREADS = LOGICAL_WARP_THREADS };

 public:
  struct TempStorage {
    emu::Room<T, THREADS * ITEMS> items;
  };
  WarpExchange(TempStorage& s) : storage(s) {}
  template <class Out>
  void BlockedToStriped(const T (&in)[ITEMS], Out (&out)[ITEMS], Here s = Here::here()) { move(in, blocked, out, striped, s); }
  template <class Out>
  void StripedToBlocked(const T (&in)[ITEMS], Out (&out)[ITEMS], Here s = Here::here()) { move(in, striped, out, blocked, s); }
  template <class Rank>
  void ScatterToStriped(T (&items)[ITEMS], Rank (&ranks)[ITEMS], Here s = Here::here()) { ScatterToStriped(items, items, ranks, s); }
  template <class Out, class Rank>
  void ScatterToStriped(const T (&in)[ITEMS], Out (&out)[ITEMS], Rank (&ranks)[ITEMS], Here s = Here::here()) {
    move(in, [&](unsigned, unsigned i) { return static_cast<size_t>(ranks[i]); }, out, striped, s);
  }

 private:
  static size_t blocked(unsigned lane, unsigned i) { return lane * ITEMS + i; }
  static size_t striped(unsigned lane, unsigned i) { return i * THREADS + lane; }
  template <class To, class Out, class From>
  void move(const T (&in)[ITEMS], To to, Out (&out)[ITEMS], From from, Here s) {
    detail::Lanes<THREADS> me;
    for (unsigned i = 0; i < ITEMS; i++) new (&storage.items[to(me.lane, i)]) T(in[i]);
    emu::device::__syncwarp(me.mask, s);
    for (unsigned i = 0; i < ITEMS; i++) out[i] = storage.items[from(me.lane, i)];
  }
  TempStorage& storage;
};

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
template <class T, int ITEMS, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT, int LOGICAL_WARP_THREADS = 32, int = 0>
class WarpLoad {
  using Exchange = WarpExchange<T, ITEMS, LOGICAL_WARP_THREADS>;
  using Here = emu::Site;

 public:
  using TempStorage = typename Exchange::TempStorage;
  WarpLoad(TempStorage& s) : storage(s) {}
  template <class In>
  void Load(In in, T (&items)[ITEMS], Here s = Here::here()) { Load(in, items, LOGICAL_WARP_THREADS * ITEMS, s); }
  template <class In>
  void Load(In in, T (&items)[ITEMS], int valid, Here s = Here::here()) {
    int lane = static_cast<int>(detail::Lanes<LOGICAL_WARP_THREADS>().lane);
    if (ALGORITHM == WARP_LOAD_DIRECT || ALGORITHM == WARP_LOAD_VECTORIZE) return LoadDirectBlocked(lane, in, items, valid);
    LoadDirectStriped<LOGICAL_WARP_THREADS>(lane, in, items, valid);
    if (ALGORITHM == WARP_LOAD_TRANSPOSE) Exchange(storage).StripedToBlocked(items, items, s);
  }
  template <class In, class Default>
  void Load(In in, T (&items)[ITEMS], int valid, Default otherwise, Here s = Here::here()) {
    for (int i = 0; i < ITEMS; i++) items[i] = T(otherwise);
    Load(in, items, valid, s);
  }

 private:
  TempStorage& storage;
};
template <class T, int ITEMS, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT, int LOGICAL_WARP_THREADS = 32, int = 0>
class WarpStore {
  using Exchange = WarpExchange<T, ITEMS, LOGICAL_WARP_THREADS>;
  using Here = emu::Site;

 public:
  using TempStorage = typename Exchange::TempStorage;
  WarpStore(TempStorage& s) : storage(s) {}
  template <class Out>
  void Store(Out out, T (&items)[ITEMS], Here s = Here::here()) { Store(out, items, LOGICAL_WARP_THREADS * ITEMS, s); }
  template <class Out>
  void Store(Out out, T (&items)[ITEMS], int valid, Here s = Here::here()) {
    int lane = static_cast<int>(detail::Lanes<LOGICAL_WARP_THREADS>().lane);
    if (ALGORITHM == WARP_STORE_DIRECT || ALGORITHM == WARP_STORE_VECTORIZE) return StoreDirectBlocked(lane, out, items, valid);
    if (ALGORITHM == WARP_STORE_TRANSPOSE) Exchange(storage).BlockedToStriped(items, items, s);
    StoreDirectStriped<LOGICAL_WARP_THREADS>(lane, out, items, valid);
  }

 private:
  TempStorage& storage;
};

}  // namespace cub
