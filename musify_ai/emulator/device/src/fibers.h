// Stacks and the switch between them.
#pragma once
#include <cstddef>
#if !defined(EMU_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define EMU_UCONTEXT 1  // other processors; a test asks for it on these as well
#endif
#ifdef EMU_UCONTEXT
#include <ucontext.h>
#endif

namespace emu {

struct Fiber {
  void* stack_pointer = nullptr;
  char* base = nullptr;  // lowest usable byte; the page below is the guard
#ifdef EMU_UCONTEXT
  ucontext_t context;
#endif
};

constexpr size_t kStackBytes = 128 * 1024;

extern Fiber main_fiber;      // whoever called launch()
extern Fiber* current_fiber;
extern unsigned long long switches;

void switch_to(Fiber*);
Fiber* take_fiber();          // a parked one, or a new one that starts in fiber_main
void park_fiber(Fiber*);      // may be taken again; its frame stays as it is
void reset_fibers();          // after a launch was abandoned: every fiber starts anew
bool below_stack(const void* address);  // of the running fiber
void fiber_main();            // the scheduler's loop; never returns

}  // namespace emu
