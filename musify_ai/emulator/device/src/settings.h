// What the environment or a harness asks for.
#pragma once
#include <cstdint>

namespace emu {

// interleaved: threads start by lane, so that warps take turns, and blocks side by side. lockstep: as forward, but the
// lanes of a warp make each access of memory together (needs units whose accesses call the device).
enum class Order : int { forward, reverse, random, interleaved, lockstep };

// When streams do their work: at the call, or not before somebody waits for it, with the streams in turn or the one that
// came last before the others.
enum class Late : int { never, turns, reverse };

struct Settings {
  int lanes = 0;  // 0: as the arch of the first unit has it
  Order order = Order::forward;
  uint64_t seed = 1;
  unsigned char poison = 0xFF;
  unsigned char guard = 0xFB;  // what lies around buffers
  double seconds = 20;
  int devices = 1;
  Late late = Late::never;
  bool protect = false;  // device memory is the host's only while it calls the API
};

Settings& settings();  // read from the environment on first use
bool set_schedule(const char* text);  // "forward", "reverse", "random", "random:N", "interleaved", "lockstep"

}  // namespace emu
