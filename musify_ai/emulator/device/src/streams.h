// Streams as the device keeps them.
#pragma once
#include <vector>

#include "../include/musify_emu/graphs.h"

namespace emu {
namespace host {

struct Stream {
  unsigned flags = 0;
  int priority = 0, device = 0;
  // While it is captured:
  Graph* graph = nullptr;
  std::vector<Node*> tail;  // what the next node comes after
  bool origin = false, invalid = false;
  int mode = 0;             // 0 global, 1 of the thread, 2 relaxed
  unsigned long long id = 0;
};
// The stream of a handle, the two that have no object among them; null for the legacy one.
Stream* stream_of(uintptr_t handle);

}  // namespace host
}  // namespace emu
