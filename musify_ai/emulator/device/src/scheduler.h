// The running launch: its blocks, threads and warps, and who runs next.
#pragma once
#include <csignal>
#include <string>
#include <vector>

#include "../include/musify_emu/core.h"
#include "fibers.h"

namespace emu {

enum class State : uint8_t { fresh, running, ready, barrier, warp, spinning, grid, named, team, step, done };

struct Block;
struct Thread;
void drop_copies(Thread*);  // copies.cpp: of a launch that was ended
struct BlockClock;  // races.cpp
struct Copies;      // copies.cpp

struct Thread {
  Fiber* fiber = nullptr;
  Block* block = nullptr;
  unsigned rank = 0;
  State state = State::fresh;
  bool masked = false, is_signed = false;
  Op op = Op::sync;
  unsigned mask = 0;
  int size = 0, argument = 0, width = 0;
  Site site{nullptr, 0};
  unsigned long long result = 0;
  alignas(16) unsigned char in[32], out[32];
  const void* laid = nullptr;  // for its team to read
  uintptr_t pc = 0;            // of the access it waits to make, under a lockstep schedule
  Copies* copies = nullptr;    // begun and not made yet
};

// Lanes that wait for each other: one warp operation under way.
struct Rendezvous {
  Op op;
  bool masked;
  unsigned mask;
  int size;
  unsigned segment, span;  // first 32-lane segment of the block, and how many
  Site site;               // tells legacy operations apart; they name no lanes
  unsigned arrived[4];
};

constexpr unsigned kNamedBarriers = 16;

// A barrier by number: how many threads have come, of how many.
struct NamedBarrier {
  unsigned arrived = 0, expected = 0;
  int value = 0;  // of a barrier that also reduces
};

// Threads in a row of which some have come to a barrier of theirs.
struct Team {
  unsigned first, size, arrived;
};

struct Block {
  unsigned long long index = 0;
  uint3 position{0, 0, 0};
  std::vector<Thread> threads;
  std::vector<unsigned> live;  // by 32-lane segment: threads that have not left the kernel
  unsigned next = 0;           // threads started so far
  unsigned alive = 0;
  unsigned waiting = 0;        // at the barrier
  Barrier kind = Barrier::plain;
  int value = 0;
  Site site{nullptr, 0};
  NamedBarrier named[kNamedBarriers];
  std::vector<Rendezvous> pending;
  std::vector<Team> teams;
  std::vector<uintptr_t> earliest;  // by warp: the first of the accesses that its lanes wait to make
  std::vector<unsigned> order;  // thread ranks in starting order; empty: ascending
  char* arena = nullptr;
  BlockClock* clock = nullptr;
  Block() = default;
  Block(const Block&) = delete;
  ~Block() {
    for (Thread& thread : threads)
      if (thread.copies) drop_copies(&thread);
  }
};

struct Launch {
  Kernel kernel{nullptr, nullptr, 0, false};
  Config config{dim3(), dim3(), 0};
  void (*body)(void*) = nullptr;
  void* closure = nullptr;
  unsigned threads = 0;                       // of a block
  unsigned long long blocks = 0, admitted = 0;
  std::vector<Block*> resident, idle;
  Block* opening = nullptr;                   // the block whose threads are being started
  std::vector<uint3> positions;               // threadIdx by rank
  std::vector<Thread*> queue;                 // ready, a ring
  size_t head = 0, count = 0;
  std::vector<Thread*> spinners;
  unsigned long long alive = 0;               // threads of all resident blocks that have not left the kernel
  unsigned long long fresh = 0;               // of these: not started
  unsigned long long at_grid_barrier = 0;
  Site grid_site{nullptr, 0};
  unsigned rounds = 0;                        // of spinning, since anything else happened
  unsigned long long yields = 0;
  unsigned steps = 0;                         // made together, under a lockstep schedule
  unsigned long long started = 0, returned = 0;
  bool running = false;
  std::string reason, detail;                 // of an early end
};

extern Launch current;
extern Thread* self;

uint64_t random_number();
void make_ready(Thread*);
void block_self();                 // gives the processor away until someone makes this thread ready
void make_all_copies(Thread*);     // copies.cpp
void team_member_left(Thread*);    // teams.cpp
bool release_step();               // lockstep.cpp: lets those lanes go that are to make their access together
void progressed();                 // something but spinning happened
void release_barrier(Block*);       // barriers.cpp: all that live have come
void release_grid();
bool complete_stalled();           // warps.cpp: lets lanes go that can wait for nobody else
void lane_left(Thread*);           // warps.cpp: whoever waited for it need not any more
[[noreturn]] void abandon(const char* reason, const char* detail);
std::string describe_waiters();

// arena.cpp
void open_arena(size_t dynamic_bytes);
void admit_arena(Block*);
bool check_arena(const Block*, std::string* what);
void close_arenas();
size_t arena_bytes();
bool beyond_arena(const void* at);  // whether that is behind the running block's: said, and allowed from here on

// signals.cpp: faults and the watchdog may not interrupt these
extern volatile sig_atomic_t critical;
extern volatile sig_atomic_t overdue;
struct Critical {
  Critical() { critical = critical + 1; }
  ~Critical() {
    critical = critical - 1;
    if (critical == 0 && overdue) late();
  }
  static void late();
};
void watch(double seconds);
void unwatch();

// log.cpp
bool logging();
void log_launch(const Kernel&, const Config&, const Argument*, int count, int error, const std::string& reason);

// heap.cpp
void check_guards();
bool device_used();  // whether memory was allocated or a kernel launched
bool any_allocation(const char* begin, const char* end);

}  // namespace emu
