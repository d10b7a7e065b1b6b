// Race mode: what the scheduler tells it, and what it keeps of a block.
#pragma once
#include "scheduler.h"

namespace emu {

// All of these do nothing unless MUSIFY_EMU_RACES is set; the accesses come from a unit built for race mode.
bool watching_races();
void races_launch_begins();
void races_block_begins(Block*);
void races_barrier(Block*);                                  // all that the block did is ordered before what it will do
void races_grid_barrier();
void races_warp_sync(Block*, unsigned segment, unsigned lanes);
void races_launch_ends(const Argument*, int count);          // reports

// What a unit built for race mode does to memory, as the compiler's calls say (races_hooks.cpp).
enum Kind { plain, is_volatile, is_atomic };
void access(const volatile void* p, size_t bytes, bool writes, Kind kind, void* caller, bool reads_too = false);
bool races_busy();  // what the device itself copies is no access of a kernel's

// lockstep.cpp
void unit_calls_accesses();  // a unit is built that way
void check_lockstep();       // ends the program where the schedule asked for needs that and none is
void step(uintptr_t pc);     // waits for the other lanes of the warp

// races_shadow.cpp
// One access: who, when, where in the program. `time` counts barriers, fences and the like.
struct Access {
  uint32_t block = 0;  // serial number of the block in the process; 0: nothing
  uint32_t time = 0;
  uint32_t pc = 0;     // offset in the program
  uint16_t rank = 0;
  bool atomic = false;
  bool strong = false;  // atomic or volatile: tears nothing, may pass a message on
};

// What is kept of a byte, or of a word whose bytes were always accessed together.
struct Slots {
  Access write, read[2];
};
struct Cell {
  Slots whole;
  uint32_t split = 0;  // 1 + the index of the slots of its four bytes
};
using ByteSlots = Slots[4];

constexpr unsigned kCellsOfPage = 1024;  // of four bytes
Cell* shadow_page(uintptr_t page);       // of 4096 bytes of global memory; null: not watched
Cell* new_cells(size_t count);           // null when the memory set aside for this is used up
ByteSlots& split_bytes(Cell&);
void shadow_launch_begins();
bool watched(const void* p, size_t bytes);  // whether it is device memory or a variable of the program
bool shadow_full();
bool global_buffer(const void* p, uintptr_t* begin, size_t* bytes);  // the allocation that holds p

// races_report.cpp
struct Race {
  Access first, second;
  bool first_writes, second_writes, shared;
  unsigned long long blocks[2];
  uintptr_t address;  // of shared memory: the offset in the arena
};
const char* name_in_arena(size_t offset, size_t* start);  // arena.cpp
void report_races(const std::vector<Race>&, const Argument*, int count);

}  // namespace emu
