// What the environment or a harness asks for.
#pragma once
#include <cstdint>

namespace emu {

enum class Order : int { forward, reverse, random };

struct Settings {
  int lanes = 0;  // 0: as the arch of the first unit has it
  Order order = Order::forward;
  uint64_t seed = 1;
  unsigned char poison = 0xFF;
  double seconds = 20;
};

Settings& settings();  // read from the environment on first use
bool set_schedule(const char* text);  // "forward", "reverse", "random", "random:N"

}  // namespace emu
