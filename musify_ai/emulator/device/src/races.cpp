// Race mode. The compiler's thread sanitizer marks every access of a unit with a call; the calls come here, not to its
// own runtime, which knows nothing of lanes and blocks. Two accesses of one byte race when they are of two threads, one
// at least writes, and neither a barrier, nor __syncwarp, nor a fence and a message lies between them.
//
// What is no race here:
//  - two atomics; volatile accesses of global memory count as such, those of shared memory only after a fence
//  - two plain writes that leave the same value
//  - a plain read against an atomic where the same line's reads are followed by the reader's own atomic, as in every
//    compare-and-swap loop
//  - accesses of two threads when the first fenced and then wrote atomically, and the second read atomically later:
//    whether it was the same address is not looked at, so a race behind an unrelated message is missed
//  - different launches
// Shuffles and votes order nothing, as CUDA's manual says; a named barrier counts as one of the whole block.
#include "lines.h"
#include "races.h"
#include "settings.h"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <unordered_set>

namespace emu {

namespace {
struct ThreadClock {
  uint32_t acquired = 0;  // time of its last atomic read: what was released before is known
  uint32_t fenced = 0;    // time of its last fence
};
struct SegmentClock {
  uint32_t floor = 0;           // all lanes know all of what lies before
  std::vector<uint32_t> known;  // [reader * 32 + of]: beyond the floor
};
// Times from which on others may know what a block did.
struct Released {
  std::vector<std::pair<uint32_t, uint32_t>> block;                      // (when, all before this time)
  std::map<uint16_t, std::vector<std::pair<uint32_t, uint32_t>>> own;    // the same of one thread
};
struct Conflict {
  uint32_t pc[2];
  bool writes[2];
  bool operator<(const Conflict& o) const {
    return std::tie(pc[0], pc[1], writes[0], writes[1]) < std::tie(o.pc[0], o.pc[1], o.writes[0], o.writes[1]);
  }
};
// A write whose effect is seen at the next call: two that write the same are no race.
struct Unsettled {
  const unsigned char* at = nullptr;
  size_t bytes = 0;
  unsigned char before[16];
  Race race;
};

constexpr size_t kRaces = 64;  // of a launch, by lines
uint32_t now = 1, first_block = 1, next_block = 1, grid_time = 0;
std::vector<unsigned long long> indices;  // of this launch's blocks by serial number
std::map<uint32_t, Released> released;
std::map<Conflict, Race> races, doubtful;  // doubtful: a plain read against an atomic
std::unordered_set<uint32_t> checked;      // reads that an atomic of the same thread follows
Unsettled unsettled;
const volatile void* atomic_at = nullptr;
bool busy = false;                         // in here: what the device itself copies is no access of a kernel's
struct Busy {
  Busy() { busy = true; }
  ~Busy() { busy = false; }
};
}  // namespace

struct BlockClock {
  uint32_t serial = 0, barrier = 0, acquired = 0, arriving = 0;
  std::vector<ThreadClock> threads;
  std::vector<SegmentClock> segments;
  Cell* cells = nullptr;  // of its arena
  size_t count = 0;
};

namespace {
BlockClock& clock_of(const Block* block) { return *block->clock; }

uint32_t acquired_by(const Access& a, const BlockClock& b) { return std::max(b.threads[a.rank].acquired, b.acquired); }

uint32_t latest(const std::vector<std::pair<uint32_t, uint32_t>>& log, uint32_t until) {
  auto after = std::upper_bound(log.begin(), log.end(), std::make_pair(until, ~0u));
  return after == log.begin() ? 0 : std::prev(after)->second;
}

// Whether `a` happened before what the running thread does now.
bool ordered(const Access& a, const Access& b, const BlockClock& mine) {
  if (a.time < grid_time) return true;
  if (a.block == b.block) {
    if (a.rank == b.rank || a.time < mine.barrier) return true;
    if (a.rank / 32 == b.rank / 32) {
      const SegmentClock& segment = mine.segments[b.rank / 32];
      uint32_t known = segment.floor;
      if (!segment.known.empty()) known = std::max(known, segment.known[b.rank % 32 * 32u + a.rank % 32]);
      if (a.time < known) return true;
    }
  }
  if (released.empty()) return false;
  auto log = released.find(a.block);
  if (log == released.end()) return false;
  uint32_t until = acquired_by(b, mine);
  if (a.time < latest(log->second.block, until)) return true;
  auto own = log->second.own.find(a.rank);
  return own != log->second.own.end() && a.time < latest(own->second, until);
}

Race make(const Access& a, bool a_writes, const Access& b, bool b_writes, bool shared, uintptr_t at) {
  return Race{a, b, a_writes, b_writes, shared, {indices[a.block - first_block], indices[b.block - first_block]}, at};
}

void note(std::map<Conflict, Race>& where, const Race& race) {
  if (where.size() >= kRaces) return;
  Critical section;
  where.emplace(Conflict{{race.first.pc, race.second.pc}, {race.first_writes, race.second_writes}}, race);
}

void settle() {
  const unsigned char* at = unsettled.at;
  unsettled.at = nullptr;
  if (memcmp(at, unsettled.before, unsettled.bytes) != 0) note(races, unsettled.race);
}

void keep(Slots& slots, const Access& a, const BlockClock& mine, uint32_t oldest) {
  for (Access& r : slots.read)
    if (r.block < oldest || (r.block == a.block && r.rank == a.rank && r.atomic <= a.atomic) || ordered(r, a, mine)) {
      r = a;
      return;
    }
  // Both are of others. Whoever writes later must meet one that is not of its own warp or block.
  const Access &r = slots.read[0], &s = slots.read[1];
  if (r.block == s.block ? r.block != a.block || r.rank / 32 == s.rank / 32 : false) slots.read[1] = a;
}

struct Place {
  const unsigned char* at;
  size_t bytes;
  bool shared;
};

void touch(Slots& slots, const Access& a, bool writes, const BlockClock& mine, uint32_t oldest, const Place& place) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(place.at) - (place.shared ? reinterpret_cast<uintptr_t>(block_arena) : 0);
  const Access w = slots.write;
  bool live = w.block >= oldest;
  if (live && !(w.strong && a.strong) && !ordered(w, a, mine)) {
    Race race = make(w, true, a, writes, place.shared, at);
    if (!writes) {
      note(w.atomic ? doubtful : races, race);
    } else if (w.atomic || a.atomic || place.bytes > sizeof unsettled.before) {
      note(races, race);
    } else if (!unsettled.at) {
      unsettled.at = place.at;
      unsettled.bytes = place.bytes;
      memcpy(unsettled.before, place.at, place.bytes);
      unsettled.race = race;
    }
  }
  if (!writes) {
    keep(slots, a, mine, oldest);
    return;
  }
  for (Access& r : slots.read) {
    if (r.block < oldest) continue;
    if (a.atomic && !r.strong && r.block == a.block && r.rank == a.rank) checked.insert(r.pc);
    if (!(r.strong && a.strong) && !ordered(r, a, mine))
      note(a.atomic && !r.atomic ? doubtful : races, make(r, r.atomic, a, true, place.shared, at));
    if (!(r.atomic && a.atomic)) r.block = 0;
  }
  if (live && w.atomic && a.atomic && !ordered(w, a, mine)) keep(slots, w, mine, oldest);
  slots.write = a;
}

// Atomics pass messages on: what a thread did before its last fence is known to whoever reads atomically after this.
void message(BlockClock& mine, unsigned rank, bool reads, bool writes) {
  ThreadClock& thread = mine.threads[rank];
  if (reads) thread.acquired = mine.arriving = now;
  if (!writes || !thread.fenced) return;
  Critical section;
  Released& log = released[mine.serial];
  ++now;
  log.block.emplace_back(now, mine.barrier);
  log.own[static_cast<uint16_t>(rank)].emplace_back(now, thread.fenced);
}

}  // namespace

void access(const volatile void* p, size_t bytes, bool writes, Kind kind, void* caller, bool reads_too) {
  if (!current.running || critical || current_fiber == &main_fiber) return;
  const uintptr_t at = reinterpret_cast<uintptr_t>(p);
  const bool own = at - reinterpret_cast<uintptr_t>(current_fiber->base) < kStackBytes, within = atomic_at && kind != is_atomic;
  if (settings().order == Order::lockstep && !own && !within) step(reinterpret_cast<uintptr_t>(caller));
  if (!watching_races()) return;
  Busy here;
  if (unsettled.at) settle();
  if (own || within) return;
  BlockClock& mine = clock_of(self->block);
  uintptr_t offset = at - reinterpret_cast<uintptr_t>(block_arena);
  bool shared = offset < mine.count * 4;
  Access a;
  a.block = mine.serial;
  a.rank = static_cast<uint16_t>(self->rank);
  a.pc = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(caller) - program_base());
  a.atomic = kind == is_atomic;
  a.strong = a.atomic || (kind == is_volatile && (!shared || mine.threads[a.rank].fenced > mine.barrier));
  if (a.strong) message(mine, a.rank, !writes || reads_too, false);
  a.time = now;
  uint32_t oldest = shared ? mine.serial : first_block;
  const Place place{reinterpret_cast<const unsigned char*>(at), bytes, shared};
  for (uintptr_t word = at & ~uintptr_t(3); word < at + bytes; word += 4) {
    Cell* cell;
    if (shared) {
      size_t index = (word - reinterpret_cast<uintptr_t>(block_arena)) / 4;
      if (index >= mine.count) break;
      cell = mine.cells + index;
    } else {
      Cell* page = shadow_page(word >> 12);
      if (!page) {
        word = (word | 4095) - 3;
        continue;
      }
      cell = page + (word >> 2) % kCellsOfPage;
    }
    bool whole = word >= at && word + 4 <= at + bytes;
    if (whole && !cell->split) {
      touch(cell->whole, a, writes, mine, oldest, place);
      continue;
    }
    ByteSlots& slots = split_bytes(*cell);
    for (unsigned i = 0; i < 4; i++)
      if (word + i >= at && word + i < at + bytes) touch(slots[i], a, writes, mine, oldest, place);
  }
  if (a.strong && writes) message(mine, a.rank, false, true);
}

bool races_busy() { return busy; }

bool watching_races() {
  static const bool on = [] {
    const char* text = getenv("MUSIFY_EMU_RACES");
    return text && *text && strcmp(text, "0") != 0;
  }();
  return on;
}

void races_launch_begins() {
  if (!watching_races()) return;
  first_block = next_block;
  now = 1;
  grid_time = 0;
  indices.clear();
  released.clear();
  races.clear();
  doubtful.clear();
  unsettled.at = nullptr;
  atomic_at = nullptr;
  busy = false;
  shadow_launch_begins();
}

void races_block_begins(Block* block) {
  if (!watching_races()) return;
  if (!block->clock) block->clock = new BlockClock;
  BlockClock& clock = *block->clock;
  clock.serial = next_block++;
  indices.push_back(block->index);
  clock.barrier = clock.acquired = clock.arriving = 0;
  clock.threads.assign(current.threads, ThreadClock());
  clock.segments.assign((current.threads + 31) / 32, SegmentClock());
  if (clock.count * 4 < arena_bytes()) {
    // the old ones are left: they are few, and a larger arena seldom comes
    clock.cells = new_cells(arena_bytes() / 4);
    clock.count = clock.cells ? arena_bytes() / 4 : 0;
  }
}

void races_barrier(Block* block) {
  if (!watching_races()) return;
  BlockClock& clock = clock_of(block);
  clock.barrier = ++now;
  clock.acquired = clock.arriving;
}

void races_grid_barrier() {
  if (watching_races()) grid_time = ++now;
}

void races_warp_sync(Block* block, unsigned segment, unsigned lanes) {
  if (!watching_races()) return;
  BlockClock& clock = clock_of(block);
  SegmentClock& here = clock.segments[segment];
  ++now;
  uint32_t acquired = 0;
  for (unsigned bits = lanes; bits; bits &= bits - 1)
    acquired = std::max(acquired, clock.threads[segment * 32 + static_cast<unsigned>(__builtin_ctz(bits))].acquired);
  for (unsigned bits = lanes; bits; bits &= bits - 1)
    clock.threads[segment * 32 + static_cast<unsigned>(__builtin_ctz(bits))].acquired = acquired;
  if ((lanes & block->live[segment]) == block->live[segment]) {
    here.floor = now;
    return;
  }
  if (here.known.empty()) here.known.assign(32 * 32, 0);
  uint32_t joined[32] = {};
  for (unsigned bits = lanes; bits; bits &= bits - 1) {
    const uint32_t* row = &here.known[static_cast<unsigned>(__builtin_ctz(bits)) * 32];
    for (unsigned i = 0; i < 32; i++) joined[i] = std::max(joined[i], row[i]);
  }
  for (unsigned i = 0; i < 32; i++)
    if (lanes >> i & 1) joined[i] = now;
  for (unsigned bits = lanes; bits; bits &= bits - 1)
    memcpy(&here.known[static_cast<unsigned>(__builtin_ctz(bits)) * 32], joined, sizeof joined);
}

void races_launch_ends(const Argument* arguments, int count) {
  if (!watching_races()) return;
  if (unsettled.at) settle();
  std::vector<Race> found;
  for (auto& entry : races) found.push_back(entry.second);
  for (auto& entry : doubtful) {
    const Race& race = entry.second;
    if (!checked.count(race.first_writes ? race.second.pc : race.first.pc)) found.push_back(race);
  }
  if (!found.empty()) report_races(found, arguments, count);
  if (shadow_full())
    finding("races-incomplete", nullptr, Site{current.kernel.file, current.kernel.line},
            "the memory set aside for watching races is used up (MUSIFY_EMU_RACE_MEMORY, in MiB): some were not looked for");
}

// ---- what a unit's atomics and fences call (core.h)
void atomic_begins(const volatile void* p, size_t bytes, bool writes) {
  access(p, bytes, writes, is_atomic, __builtin_return_address(0), true);
  atomic_at = p;
}
void atomic_ends() { atomic_at = nullptr; }
void fenced() {
  if (!current.running || critical || !watching_races()) return;
  clock_of(self->block).threads[self->rank].fenced = ++now;
}

}  // namespace emu
