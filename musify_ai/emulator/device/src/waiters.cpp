// What the threads of a launch that cannot go on wait for, in words.
#include "scheduler.h"

namespace emu {

std::string describe_waiters() {
  static const char* const kNames[] = {"", "", "", "at a barrier", "at a warp operation", "in a loop", "at a grid barrier",
                                       "at a named barrier", "at a group's barrier", "at an access", ""};
  std::string out;
  for (State state : {State::barrier, State::warp, State::grid, State::named, State::team, State::spinning}) {
    unsigned long long count = 0;
    Site site{nullptr, 0};
    for (const Block* block : current.resident)
      for (const Thread& thread : block->threads)
        if (thread.state == state && (block->live[thread.rank >> 5] >> (thread.rank & 31) & 1)) {
          if (!count++) site = thread.site;
        }
    if (!count) continue;
    if (!out.empty()) out += ", ";
    out += std::to_string(count) + (count == 1 ? " thread waits " : " threads wait ") + kNames[static_cast<int>(state)];
    if (site.file) out += " (" + std::string(site.file) + ":" + std::to_string(site.line) + ")";
  }
  return out;
}

}  // namespace emu
