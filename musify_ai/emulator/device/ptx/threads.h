// Warps, barriers and special registers of PTX, on the device's own warp and barrier operations.
#pragma once
#include "memory.h"

namespace emu {
namespace ptx {

// ---- shuffles. c holds a clamp (bits 4..0) and a mask that cuts the warp into segments (bits 12..8). A lane whose
// source is out of its segment reads itself and has a false predicate.
enum class Shuffle { idx, up, down, bfly };
template <Shuffle Mode, bool Sync>
inline uint32_t shfl(uint32_t a, uint32_t b, uint32_t c, uint32_t members, bool& inside, Site site = Site::here()) {
  const int lane_id = int(lane() & 31), by = int(b & 31), clamp = int(c & 31), segment = int(c >> 8 & 31);
  const int highest = (lane_id & segment) | (clamp & ~segment & 31), lowest = lane_id & segment;
  int source;
  switch (Mode) {
    case Shuffle::up: source = lane_id - by; inside = source >= highest; break;
    case Shuffle::down: source = lane_id + by; inside = source <= highest; break;
    case Shuffle::bfly: source = lane_id ^ by; inside = source <= highest; break;
    default: source = lowest | (by & ~segment & 31); inside = source <= highest;
  }
  if (!inside) source = lane_id;
  uint32_t out = a;
  warp(Op::shuffle_index, Sync, Sync ? members : 0, &a, sizeof(a), source, 32, site, &out);
  return out;
}
template <Shuffle Mode, bool Sync>
inline uint32_t shfl(uint32_t a, uint32_t b, uint32_t c, uint32_t members, Sink, Site site = Site::here()) {
  bool nowhere;
  return shfl<Mode, Sync>(a, b, c, members, nowhere, site);
}

// ---- votes
inline unsigned long long vote(Op op, bool masked, uint32_t members, bool source, Site site) {
  const int in = source;
  return warp(op, masked, masked ? members : 0, &in, sizeof(in), 0, 0, site, nullptr);
}
template <bool Sync>
inline uint32_t vote_ballot(bool source, uint32_t members, Site site = Site::here()) {
  return static_cast<uint32_t>(vote(Op::ballot, Sync, members, source, site));
}
template <bool Sync>
inline bool vote_all(bool source, uint32_t members, Site site = Site::here()) {
  return vote(Op::all, Sync, members, source, site) != 0;
}
template <bool Sync>
inline bool vote_any(bool source, uint32_t members, Site site = Site::here()) {
  return vote(Op::any, Sync, members, source, site) != 0;
}
// uni: all lanes have the same source.
template <bool Sync>
inline bool vote_uni(bool source, uint32_t members, Site site = Site::here()) {
  const bool all = vote(Op::all, Sync, members, source, site) != 0;
  return vote(Op::any, Sync, members, source, site) != 0 ? all : true;
}
inline uint32_t activemask(Site site = Site::here()) {
  return static_cast<uint32_t>(vote(Op::active, false, 0, true, site));
}
template <class T>
inline uint32_t match_any(bits_of<T> a, uint32_t members, Site site = Site::here()) {
  return static_cast<uint32_t>(warp(Op::match_any, true, members, &a, sizeof(a), 0, 0, site, nullptr));
}
// match.all: the members where all have the same value, else 0; the predicate says which.
template <class T, class P>
inline uint32_t match_all(bits_of<T> a, uint32_t members, P&& same, Site site = Site::here()) {
  const uint32_t mask = static_cast<uint32_t>(warp(Op::match_all, true, members, &a, sizeof(a), 0, 0, site, nullptr));
  same = mask != 0;
  return mask;
}
template <Op Which, bool Signed>
inline uint32_t redux(uint32_t a, uint32_t members, Site site = Site::here()) {
  return static_cast<uint32_t>(warp(Which, true, members, &a, sizeof(a), 0, 0, site, nullptr, Signed));
}
inline void warp_sync(uint32_t members, Site site = Site::here()) {
  warp(Op::sync, true, members, nullptr, 0, 0, 0, site, nullptr);
}
// elect: the lowest member is the leader; which one it is, the hardware leaves open.
template <class P>
inline uint32_t elect(uint32_t members, P&& leader, Site site = Site::here()) {
  warp_sync(members, site);
  const uint32_t lowest = members ? __builtin_ctz(members) : 0;
  leader = (lane() & 31) == lowest;
  return lowest;
}

// ---- barriers, of the whole block or by number for some of its threads (0: all of them)
inline bool whole_block(uint32_t id, uint32_t threads) {
  return id == 0 && (threads == 0 || threads == blockDim.x * blockDim.y * blockDim.z);
}
inline void barrier_sync(uint32_t id, uint32_t threads, Site site = Site::here()) {
  if (!whole_block(id, threads)) {
    named_barrier(id, threads ? threads : blockDim.x * blockDim.y * blockDim.z, true, site);
    return;
  }
  barrier(Barrier::plain, 0, site);
}
inline void barrier_arrive(uint32_t id, uint32_t threads, Site site = Site::here()) {
  named_barrier(id, threads, false, site);
}
template <Barrier Kind>
inline uint32_t barrier_reduce(uint32_t id, uint32_t threads, bool source, Site site = Site::here()) {
  if (!whole_block(id, threads))
    return static_cast<uint32_t>(
        named_barrier(id, threads ? threads : blockDim.x * blockDim.y * blockDim.z, true, site, Kind, source));
  return static_cast<uint32_t>(barrier(Kind, source, site));
}

// ---- special registers
inline uint32_t lane_id() { return lane(); }
inline uint32_t warp_id() { return thread_rank() / unsigned(lanes()); }
inline uint32_t warps_of_block() {
  return (blockDim.x * blockDim.y * blockDim.z + unsigned(lanes()) - 1) / unsigned(lanes());
}
inline uint32_t lanemask_eq() { return 1u << (lane() & 31); }
inline uint32_t lanemask_lt() { return lanemask_eq() - 1; }
inline uint32_t lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline uint32_t lanemask_gt() { return ~lanemask_le(); }
inline uint32_t lanemask_ge() { return ~lanemask_lt(); }
inline uint64_t clock_ticks() { return static_cast<uint64_t>(ticks()); }
inline uint32_t multiprocessors() { return uint32_t(model(MUSIFY_EMU_ARCH).multiprocessors); }

}  // namespace ptx
}  // namespace emu
