#include "fibers.h"

#include "sanitizing.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace emu {

Fiber main_fiber;
Fiber* current_fiber = &main_fiber;
unsigned long long switches = 0;

namespace {
std::vector<Fiber*> every, parked;
size_t page() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}
}  // namespace

#if defined(EMU_UCONTEXT)
static void prime(Fiber* fiber) {
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->base;
  fiber->context.uc_stack.ss_size = kStackBytes;
  fiber->context.uc_link = nullptr;
  makecontext(&fiber->context, &fiber_main, 0);
}
#elif defined(__x86_64__)
// Saves what the ABI calls callee-saved on the old stack, and takes it from the new one.
extern "C" void emu_switch(void** save, void* load);
asm(R"(
.text
.globl emu_switch
.type emu_switch,@function
emu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size emu_switch,.-emu_switch
)");
static void prime(Fiber* fiber) {
  void** top = reinterpret_cast<void**>(fiber->base + kStackBytes);
  *--top = nullptr;  // keeps the stack aligned as after a call
  *--top = reinterpret_cast<void*>(&fiber_main);
  for (int i = 0; i < 6; i++) *--top = nullptr;
  fiber->stack_pointer = top;
}
#elif defined(__aarch64__)
extern "C" void emu_switch(void** save, void* load);
asm(R"(
.text
.globl emu_switch
.type emu_switch,%function
emu_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size emu_switch,.-emu_switch
)");
static void prime(Fiber* fiber) {
  void** top = reinterpret_cast<void**>(fiber->base + kStackBytes) - 20;
  for (int i = 0; i < 20; i++) top[i] = nullptr;
  top[11] = reinterpret_cast<void*>(&fiber_main);  // x30, the return address
  fiber->stack_pointer = top;
}
#endif

void switch_to(Fiber* next) {
  Fiber* old = current_fiber;
  if (old == next) return;
  current_fiber = next;
  switches++;
#ifdef EMU_UCONTEXT
  swapcontext(&old->context, &next->context);
#else
  emu_switch(&old->stack_pointer, next->stack_pointer);
#endif
}

Fiber* take_fiber() {
  if (!parked.empty()) {
    Fiber* fiber = parked.back();
    parked.pop_back();
    return fiber;
  }
  void* memory =
      mmap(nullptr, kStackBytes + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "musify-emu: no memory for another thread stack (%zu are in use)\n", every.size());
    _exit(97);
  }
  mprotect(memory, page(), PROT_NONE);
  Fiber* fiber = new Fiber;
  fiber->base = static_cast<char*>(memory) + page();
  prime(fiber);
  every.push_back(fiber);
  return fiber;
}

void park_fiber(Fiber* fiber) { parked.push_back(fiber); }

void reset_fibers() {
  parked = every;
  for (Fiber* fiber : every) {
    permit(fiber->base, kStackBytes);  // frames that were left behind
    prime(fiber);
  }
}

bool below_stack(const void* address) {
  const char* p = static_cast<const char*>(address);
  return current_fiber->base && p >= current_fiber->base - page() && p < current_fiber->base;
}

}  // namespace emu
