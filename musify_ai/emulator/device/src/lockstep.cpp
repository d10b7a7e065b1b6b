// The lockstep schedule: before each access of memory a lane waits for the others of its warp. When no lane can go on
// otherwise, those whose access comes first in the program make theirs, one after another, and run to their next. So all
// lanes of a warp load before any of them stores, as the warps of old hardware did; lanes that left a loop wait behind
// it for those that are still in it, and those that called a function are waited for until they are back.
#include <cstdio>
#include <cstdlib>

#include "races.h"
#include "settings.h"

namespace emu {

namespace {
bool instrumented = false;
std::vector<Thread*> stepping;
unsigned long long stepping_in = 0;  // the launch they belong to
}  // namespace

void unit_calls_accesses() { instrumented = true; }

void check_lockstep() {
  if (settings().order != Order::lockstep || instrumented) return;
  fprintf(stderr, "musify-emu: the lockstep schedule needs a program built for it (musify-ai run --schedule lockstep)\n");
  _Exit(96);
}

void step(uintptr_t pc) {
  if (stepping_in != launch_epoch) {
    stepping.clear();
    stepping_in = launch_epoch;
  }
  Thread* thread = self;
  thread->state = State::step;
  // The deeper the stack the earlier, then by the place in the program.
  const uintptr_t depth = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - reinterpret_cast<uintptr_t>(current_fiber->base);
  thread->pc = depth << 40 | (pc & ((uintptr_t(1) << 40) - 1));
  {
    Critical section;
    stepping.push_back(thread);
  }
  block_self();
}

bool release_step() {
  if (stepping_in != launch_epoch || stepping.empty()) return false;
  progressed();
  Critical section;
  const unsigned width = static_cast<unsigned>(lanes());
  auto first_of_warp = [width](Thread* thread) -> uintptr_t& { return thread->block->earliest[thread->rank / width]; };
  for (Thread* thread : stepping) {
    uintptr_t& first = first_of_warp(thread);
    if (!first || thread->pc < first) first = thread->pc;
  }
  std::vector<Thread*> chosen, left;
  for (Thread* thread : stepping) (thread->pc == first_of_warp(thread) ? chosen : left).push_back(thread);
  for (Thread* thread : chosen) first_of_warp(thread) = 0;
  stepping.swap(left);
  for (Thread* thread : chosen) make_ready(thread);
  return true;
}

}  // namespace emu
