// What a generated harness asks of the device, besides the API it tests. For use between launches, on the host.
//
//   emu::configure(128, "random", 7, 0x00);   lanes of a warp, schedule, its seed, the byte fresh memory is filled with
//   emu::set_seconds(5);                      watchdog: CPU seconds a launch may take
//   void* p = emu::allocate(bytes, zone);     device memory with `zone` guarded bytes before and behind it; beyond the
//                                             zones lie unmapped pages, so that a wild access ends the launch
//   emu::Guard g = emu::guard(p);             how far (bytes) the nearest and the farthest touched byte lies outside
//   emu::release(p);                          frees it; reports nothing
//   K<<<...>>>(...)                           a trap, assert, stub, fault or time limit ends the launch, not the process
//   emu::Outcome o = emu::outcome();          of the last launch
//   emu::clear();                             forgets errors and findings, so that the next launch starts clean
//   for (auto& f : emu::take_findings()) ...  what was noticed since the last call, in order
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace emu {

struct Finding {
  std::string kind;        // "out-of-bounds", "barrier-divergence", "shuffle-inactive" ...
  std::string kernel;      // empty on the host
  std::string message;
  std::string assumption;  // an id of musify_ai.emulator.assumptions, or empty
  std::string file;
  int line;
  std::string other_file{};  // of a race: the place of the earlier access
  int other_line = 0;
  std::string variable{};    // its name, where it has one
  int argument = 0;          // else which argument of the kernel leads there, from 1
};

struct Outcome {
  int error;            // 0, or the API's error number
  std::string reason;   // "" (ran to its end) | "config" | "trap" | "assert" | "stub" | "unsupported" | "fault" |
                        // "time-limit" | "deadlock" | "shared-limit"
  std::string detail;   // the code of a stub, the text of an assert, the address of a fault ...
  std::string kernel;
  unsigned long long started, returned;  // threads of the launch that began, and that came to their end
  unsigned long long launches;           // of the process so far
};

struct Guard {
  bool touched;
  size_t before, after;          // farthest touched byte outside the buffer, in bytes from its edge (0: none)
};

// schedule: "forward", "reverse" or "random" (`seed` counts only there). poison: 0..255. lanes: 32 or 128.
void configure(int lanes, const char* schedule, unsigned long long seed, int poison);
void set_seconds(double seconds);
void* allocate(size_t bytes, size_t zone);
void release(void* p);
// Memory of the harness's own that a kernel gets as global memory: race mode watches it too.
void lend_memory(const void* p, size_t bytes);
void take_memory_back(const void* p);
Guard guard(const void* p);
bool any_guard_touched();
Outcome outcome();
// Where the last fault was, for whoever knows what lies there; null where none was.
const void* fault_address();
void clear();
std::vector<Finding> take_findings();

}  // namespace emu
