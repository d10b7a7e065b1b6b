// CUB: another order of a block's items, through shared memory; flags between neighbours; shifts.
#pragma once
#include "warp.h"

namespace cub {

template <class T, int BLOCK_DIM_X, int ITEMS, bool = false, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int = 0>
class BlockExchange {
  enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
  using Here = emu::Site;
  static int rank() { return static_cast<int>(emu::thread_rank()); }
  static int blocked(int i) { return rank() * ITEMS + i; }
  static int striped(int i) { return i * THREADS + rank(); }
  static int warp_striped(int i) { return rank() / 32 * 32 * ITEMS + i * 32 + rank() % 32; }

 public:
  struct TempStorage {
    emu::Room<T, THREADS * ITEMS> items;
  };
  BlockExchange() : storage(emu::private_storage<TempStorage>()) {}
  BlockExchange(TempStorage& s) : storage(s) {}

  template <class Out>
  void StripedToBlocked(const T (&in)[ITEMS], Out (&out)[ITEMS], Here s = Here::here()) { move(in, striped, out, blocked, s); }
  template <class Out>
  void BlockedToStriped(const T (&in)[ITEMS], Out (&out)[ITEMS], Here s = Here::here()) { move(in, blocked, out, striped, s); }
  template <class Out>
  void WarpStripedToBlocked(const T (&in)[ITEMS], Out (&out)[ITEMS], Here s = Here::here()) { move_in_warp(in, warp_striped, out, blocked, s); }
  template <class Out>
  void BlockedToWarpStriped(const T (&in)[ITEMS], Out (&out)[ITEMS], Here s = Here::here()) { move_in_warp(in, blocked, out, warp_striped, s); }
  void StripedToBlocked(T (&items)[ITEMS], Here s = Here::here()) { StripedToBlocked(items, items, s); }
  void BlockedToStriped(T (&items)[ITEMS], Here s = Here::here()) { BlockedToStriped(items, items, s); }
  void WarpStripedToBlocked(T (&items)[ITEMS], Here s = Here::here()) { WarpStripedToBlocked(items, items, s); }
  void BlockedToWarpStriped(T (&items)[ITEMS], Here s = Here::here()) { BlockedToWarpStriped(items, items, s); }

  template <class Out, class Rank>
  void ScatterToBlocked(const T (&in)[ITEMS], Out (&out)[ITEMS], Rank (&ranks)[ITEMS], Here s = Here::here()) {
    move(in, [&](int i) { return static_cast<int>(ranks[i]); }, out, blocked, s);
  }
  template <class Out, class Rank>
  void ScatterToStriped(const T (&in)[ITEMS], Out (&out)[ITEMS], Rank (&ranks)[ITEMS], Here s = Here::here()) {
    move(in, [&](int i) { return static_cast<int>(ranks[i]); }, out, striped, s);
  }
  template <class Rank>
  void ScatterToBlocked(T (&items)[ITEMS], Rank (&ranks)[ITEMS], Here s = Here::here()) { ScatterToBlocked(items, items, ranks, s); }
  template <class Rank>
  void ScatterToStriped(T (&items)[ITEMS], Rank (&ranks)[ITEMS], Here s = Here::here()) { ScatterToStriped(items, items, ranks, s); }
  // Items with a negative rank stay away.
  template <class Out, class Rank>
  void ScatterToStripedGuarded(const T (&in)[ITEMS], Out (&out)[ITEMS], Rank (&ranks)[ITEMS], Here s = Here::here()) {
    move(in, [&](int i) { return static_cast<int>(ranks[i]); }, out, striped, s);
  }
  template <class Out, class Rank, class Flag>
  void ScatterToStripedFlagged(const T (&in)[ITEMS], Out (&out)[ITEMS], Rank (&ranks)[ITEMS], Flag (&valid)[ITEMS],
                               Here s = Here::here()) {
    move(in, [&](int i) { return valid[i] ? static_cast<int>(ranks[i]) : -1; }, out, striped, s);
  }

 private:
  template <class To, class Out, class From>
  void put_and_get(const T (&in)[ITEMS], To to, Out (&out)[ITEMS], From from, void (*meet)(Here), Here s) {
    for (int i = 0; i < ITEMS; i++)
      if (to(i) >= 0) new (&storage.items[static_cast<size_t>(to(i))]) T(in[i]);
    meet(s);
    for (int i = 0; i < ITEMS; i++) out[i] = storage.items[static_cast<size_t>(from(i))];
  }
  template <class To, class Out, class From>
  void move(const T (&in)[ITEMS], To to, Out (&out)[ITEMS], From from, Here s) {
    put_and_get(in, to, out, from, [](Here at) { emu::barrier(emu::Barrier::plain, 0, at); }, s);
  }
  template <class To, class Out, class From>
  void move_in_warp(const T (&in)[ITEMS], To to, Out (&out)[ITEMS], From from, Here s) {
    put_and_get(in, to, out, from, [](Here at) { emu::device::__syncwarp(0xffffffffu, at); }, s);
  }
  TempStorage& storage;
};

// Flags the items that differ from the one before or behind.
template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int = 0>
class BlockDiscontinuity {
  enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
  using Here = emu::Site;

 public:
  struct TempStorage {
    emu::Room<T, THREADS> firsts, lasts;
  };
  BlockDiscontinuity() : storage(emu::private_storage<TempStorage>()) {}
  BlockDiscontinuity(TempStorage& s) : storage(s) {}
  template <int N, class Flag, class Op>
  void FlagHeads(Flag (&heads)[N], T (&in)[N], Op op, Here s = Here::here()) { share(in, s); set_heads(heads, in, op, nullptr); }
  template <int N, class Flag, class Op>
  void FlagHeads(Flag (&heads)[N], T (&in)[N], Op op, T before, Here s = Here::here()) {
    share(in, s);
    set_heads(heads, in, op, &before);
  }
  template <int N, class Flag, class Op>
  void FlagTails(Flag (&tails)[N], T (&in)[N], Op op, Here s = Here::here()) { share(in, s); set_tails(tails, in, op, nullptr); }
  template <int N, class Flag, class Op>
  void FlagTails(Flag (&tails)[N], T (&in)[N], Op op, T behind, Here s = Here::here()) {
    share(in, s);
    set_tails(tails, in, op, &behind);
  }
  template <int N, class Flag, class Op>
  void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T (&in)[N], Op op, Here s = Here::here()) {
    share(in, s);
    set_heads(heads, in, op, nullptr);
    set_tails(tails, in, op, nullptr);
  }

 private:
  template <int N>
  void share(T (&in)[N], Here s) {
    new (&storage.firsts[emu::thread_rank()]) T(in[0]);
    new (&storage.lasts[emu::thread_rank()]) T(in[N - 1]);
    emu::barrier(emu::Barrier::plain, 0, s);
  }
  template <int N, class Flag, class Op>
  void set_heads(Flag (&heads)[N], T (&in)[N], Op op, const T* before) {
    unsigned rank = emu::thread_rank();
    heads[0] = rank ? Flag(op(storage.lasts[rank - 1], in[0])) : before ? Flag(op(*before, in[0])) : Flag(1);
    for (int i = 1; i < N; i++) heads[i] = Flag(op(in[i - 1], in[i]));
  }
  template <int N, class Flag, class Op>
  void set_tails(Flag (&tails)[N], T (&in)[N], Op op, const T* behind) {
    unsigned rank = emu::thread_rank();
    for (int i = 0; i + 1 < N; i++) tails[i] = Flag(op(in[i], in[i + 1]));
    tails[N - 1] = rank + 1 < THREADS ? Flag(op(in[N - 1], storage.firsts[rank + 1]))
                   : behind           ? Flag(op(in[N - 1], *behind))
                                      : Flag(1);
  }
  TempStorage& storage;
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int = 0>
class BlockShuffle {
  enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
  using Here = emu::Site;

 public:
  struct TempStorage {
    emu::Room<T, THREADS> items;
  };
  BlockShuffle() : storage(emu::private_storage<TempStorage>()) {}
  BlockShuffle(TempStorage& s) : storage(s) {}
  // From the thread `distance` further on; outside the block `out` stays as it is.
  void Offset(T in, T& out, int distance = 1, Here s = Here::here()) {
    share(in, s);
    int from = static_cast<int>(emu::thread_rank()) + distance;
    if (from >= 0 && from < THREADS) out = storage.items[static_cast<size_t>(from)];
  }
  void Rotate(T in, T& out, unsigned distance = 1, Here s = Here::here()) {
    share(in, s);
    out = storage.items[(emu::thread_rank() + distance) % THREADS];
  }
  template <int N>
  void Up(T (&in)[N], T (&out)[N], Here s = Here::here()) {
    share(in[N - 1], s);
    for (int i = N - 1; i > 0; i--) out[i] = in[i - 1];
    if (emu::thread_rank()) out[0] = storage.items[emu::thread_rank() - 1];
  }
  template <int N>
  void Down(T (&in)[N], T (&out)[N], Here s = Here::here()) {
    share(in[0], s);
    for (int i = 0; i + 1 < N; i++) out[i] = in[i + 1];
    if (emu::thread_rank() + 1 < THREADS) out[N - 1] = storage.items[emu::thread_rank() + 1];
  }

 private:
  void share(const T& in, Here s) {
    new (&storage.items[emu::thread_rank()]) T(in);
    emu::barrier(emu::Barrier::plain, 0, s);
  }
  TempStorage& storage;
};

}  // namespace cub
