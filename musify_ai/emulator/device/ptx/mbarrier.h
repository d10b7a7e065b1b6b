// mbarrier of PTX: a barrier in 8 bytes of shared memory ("mbarrier object", ISA 9.7.13.15). Its contents are opaque to
// programs; here, from the lowest bit: pending arrivals (20), expected arrivals (20), bytes still to come (22, signed),
// the phase's parity (1), and one bit that says there is a barrier at all.
#pragma once
#include "memory.h"

namespace emu {
namespace ptx {

constexpr uint32_t kMostArrivals = (1u << 20) - 1;

struct Mbarrier {
  uint32_t pending = 0, expected = 0;
  int32_t bytes = 0;
  bool odd = false;

  static Mbarrier of(uint64_t state) {
    Mbarrier b;
    b.pending = state & kMostArrivals;
    b.expected = state >> 20 & kMostArrivals;
    b.bytes = static_cast<int32_t>(static_cast<uint32_t>(state >> 40 << 10)) >> 10;
    b.odd = state >> 62 & 1;
    return b;
  }
  uint64_t state() const {
    return uint64_t(1) << 63 | uint64_t(odd) << 62 | uint64_t(static_cast<uint32_t>(bytes) & 0x3FFFFFu) << 40 |
           uint64_t(expected) << 20 | pending;
  }
  // A phase ends when nobody and nothing is waited for any more; the next one begins at once.
  void settle() {
    if (pending || bytes) return;
    odd = !odd;
    pending = expected;
  }
};

template <Space S>
inline char* mbarrier_place(uint64_t address) {
  char* at = place<S>(address);
  if (S == Space::generic && !is_shared(address)) trap("fault", "an mbarrier outside of shared memory");
  if (reinterpret_cast<uintptr_t>(at) % 8) trap("fault", "an mbarrier that is not aligned to 8 bytes");
  return at;
}
// Reads, changes and writes the barrier; all of it counts as one atomic access.
template <Space S, class Change>
inline uint64_t mbarrier_change(uint64_t address, bool writes, Change change) {
  char* at = mbarrier_place<S>(address);
  Atomically here(at, 8, writes);
  uint64_t state;
  memcpy(&state, at, 8);
  if (!(state >> 63)) trap("fault", "an mbarrier that was not initialised, or was invalidated");
  if (!writes) return state;
  Mbarrier barrier = Mbarrier::of(state);
  change(barrier);
  const uint64_t now = barrier.state();
  memcpy(at, &now, 8);
  return state;
}

template <Space S>
inline void mbarrier_init(uint64_t address, uint32_t count) {
  if (count == 0 || count > kMostArrivals) trap("fault", "an mbarrier for a count of arrivals that it cannot have");
  Mbarrier barrier;
  barrier.pending = barrier.expected = count;
  char* at = mbarrier_place<S>(address);
  const uint64_t state = barrier.state();
  Atomically here(at, 8, true);
  memcpy(at, &state, 8);
}
template <Space S>
inline void mbarrier_inval(uint64_t address) {
  char* at = mbarrier_place<S>(address);
  Atomically here(at, 8, true);
  memset(at, 0, 8);
}
// An arrival releases what the thread wrote; `bytes` are added to those expected before it counts.
template <Space S, bool Drops>
inline uint64_t mbarrier_arrive(uint64_t address, uint32_t count, uint32_t bytes) {
  note_fence();
  return mbarrier_change<S>(address, true, [&](Mbarrier& barrier) {
    if (count == 0 || count > barrier.pending) trap("fault", "more arrivals at an mbarrier than its phase expects");
    barrier.bytes += static_cast<int32_t>(bytes);
    barrier.pending -= count;
    if (Drops) barrier.expected -= count;
    barrier.settle();
  });
}
template <Space S>
inline void mbarrier_expect_tx(uint64_t address, uint32_t bytes) {
  mbarrier_change<S>(address, true, [&](Mbarrier& barrier) { barrier.bytes += static_cast<int32_t>(bytes); });
}
template <Space S>
inline void mbarrier_complete_tx(uint64_t address, uint32_t bytes) {
  mbarrier_change<S>(address, true, [&](Mbarrier& barrier) {
    barrier.bytes -= static_cast<int32_t>(bytes);
    barrier.settle();
  });
}
// cp.async.mbarrier.arrive: an arrival when all copies that the thread began are made. They are made now, which is one of
// the times that the hardware may take. Without .noinc the arrival was not counted on: it is added to those pending.
template <Space S, bool Counted>
inline void mbarrier_arrive_copies(uint64_t address) {
  end_batch();
  wait_batches(0);
  note_fence();
  mbarrier_change<S>(address, true, [&](Mbarrier& barrier) {
    if (!Counted) return;
    if (barrier.pending == 0) trap("fault", "more arrivals at an mbarrier than its phase expects");
    --barrier.pending;
    barrier.settle();
  });
}
// Whether the phase of a state, or of a parity, is over: the current one is another. Whoever asks may ask in a loop.
template <Space S, bool Parity>
inline bool mbarrier_passed(uint64_t address, uint64_t asked) {
  spin();
  const uint64_t state = mbarrier_change<S>(address, false, [](Mbarrier&) {});
  const bool odd = Parity ? asked & 1 : asked >> 62 & 1;
  return Mbarrier::of(state).odd != odd;
}
inline uint32_t mbarrier_pending(uint64_t state) { return Mbarrier::of(state).pending; }

}  // namespace ptx
}  // namespace emu
