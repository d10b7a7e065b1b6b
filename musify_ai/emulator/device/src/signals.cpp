// Faults in a kernel, and the watchdog: both end the launch from a signal handler, by a switch to the main stack.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "protecting.h"
#include "scheduler.h"

namespace emu {

std::string describe_address(const void*);  // heap.cpp

volatile sig_atomic_t critical = 0;
volatile sig_atomic_t overdue = 0;

namespace {
constexpr size_t kStack = 64 * 1024;
pthread_t runner;
thread_local bool has_stack = false;
const void* faulting = nullptr;
const char kLate[] = "the launch took longer than its time limit";

void fault(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSEGV && host_touched(info->si_addr, context)) return;
  if (signal == SIGSEGV && current.running && pthread_equal(pthread_self(), runner) && beyond_arena(info->si_addr)) return;
  if (!current.running || critical || !pthread_equal(pthread_self(), runner) || current_fiber == &main_fiber) {
    ::signal(signal, SIG_DFL);  // not ours: happens again, and ends the process
    return;
  }
  // The handler's own stack is left for good; the next signal starts at its top again.
  if (signal == SIGFPE) abandon("fault", "an integer division by zero, or an overflow of one");
  if (signal == SIGILL) abandon("trap", "an instruction that ends the thread");
  if (below_stack(info->si_addr)) abandon("fault", "the stack of a thread overflowed (128 KiB)");
  faulting = info->si_addr;
  static std::string text;
  text = describe_address(info->si_addr);
  abandon("fault", text.c_str());
}

void tick(int, siginfo_t*, void*) {
  if (!current.running) return;
  if (!pthread_equal(pthread_self(), runner)) {
    pthread_kill(runner, SIGVTALRM);
    return;
  }
  if (critical || current_fiber == &main_fiber) {
    overdue = 1;
    return;
  }
  abandon("time-limit", kLate);
}

void install() {
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = fault;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
  action.sa_sigaction = tick;
  action.sa_flags |= SA_RESTART;
  sigaction(SIGVTALRM, &action, nullptr);
}
}  // namespace

void Critical::late() {
  if (!current.running || current_fiber == &main_fiber) return;
  abandon("time-limit", kLate);
}

const void* fault_address() { return faulting; }

bool in_device_code() {
  return current.running && pthread_equal(pthread_self(), runner) && current_fiber != &main_fiber;
}

void watch_faults() {
  if (has_stack) return;
  static const bool once = (install(), true);
  (void)once;
  stack_t stack = {};
  stack.ss_size = kStack;
  stack.ss_sp = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, nullptr);
  has_stack = true;
}

void watch(double seconds) {
  runner = pthread_self();
  watch_faults();
  overdue = 0;
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

void unwatch() {
  itimerval off = {};
  setitimer(ITIMER_VIRTUAL, &off, nullptr);
  overdue = 0;
}

}  // namespace emu
