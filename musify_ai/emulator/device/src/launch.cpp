// launch(): checks what was asked for, runs it, and says how it ended.
#include <cstdio>
#include <deque>
#include <mutex>
#include <vector>

#include "findings.h"
#include "late.h"
#include "protecting.h"
#include "order.h"
#include "races.h"
#include "settings.h"

extern dim3 blockDim, gridDim;
extern int warpSize;

namespace emu {

void run_blocks();
int arch_of_process();

unsigned long long launch_epoch = 0;

namespace {
std::recursive_mutex mutex;  // host threads may launch; kernels run one at a time
constexpr int kLeastOfCuda = 500;  // MUSA's archs have lower numbers
int unit_arch = 0;
int last = 0, asynchronous = 0;
Outcome ended{0, "", "", "", 0, 0, 0};

// The error numbers that CUDA documents (and MUSA shares) for a kernel that ended early.
int error_of(const std::string& reason) {
  if (reason == "fault") return 700;       // illegal address
  if (reason == "time-limit" || reason == "deadlock") return 702;
  if (reason == "assert") return 710;
  if (reason == "cooperative-too-large") return 720;
  if (reason == "config") return 1;        // invalid value
  if (reason == "unsupported") return 801;
  return 719;                              // launch failure
}

int refuse(const Kernel& kernel, const Config& c, const Argument* arguments, int count, int error, const char* why) {
  Inside device;  // the log looks into buffers
  finding("launch-config", nullptr, Site{kernel.file, kernel.line},
          "launch of %s refused: %s (grid %u,%u,%u block %u,%u,%u shared %zu)", kernel.name, why, c.grid.x, c.grid.y,
          c.grid.z, c.block.x, c.block.y, c.block.z, c.shared);
  ended = Outcome{error, "config", why, kernel.name, 0, 0, ended.launches + 1};
  if (logging()) log_launch(kernel, c, arguments, count, error, "config");
  return raise(error);
}

// A launch that a kernel made. CUDA lets it begin at any time from then on, and counts it to the grid that made it: after
// that grid is one of the orders there are.
struct Child {
  Kernel kernel;
  Config config;
  Deferred work;
  std::vector<Argument> arguments;
};
std::deque<Child> children;
bool by_kernel = false;  // whether those are being run

// The launches that a grid made, and those that they make, in their order; those behind one that fails are let go.
// Returns that one's error, and leaves its outcome; else the grid's own stands.
int run_children(int failed) {
  const Outcome own = ended;
  int error = 0;
  by_kernel = true;
  while (!children.empty()) {
    Child each = std::move(children.front());
    children.pop_front();
    if (!failed && !error)
      error = launch(each.kernel, each.config, each.work.body, each.work.closure, each.arguments.data(),
                     static_cast<int>(each.arguments.size()));
    each.work.drop(each.work.closure);
  }
  by_kernel = false;
  if (!error) ended = own;
  ended.launches = own.launches;
  return error;
}
}  // namespace

int launch_by_kernel(const Kernel& kernel, const Config& c, Deferred (*make)(void*), void* maker,
                     const Argument* arguments, int count) {
  if (arch_of_process() < kLeastOfCuda) abandon("unsupported", "a kernel launched by a kernel");
  Critical section;
  children.push_back(Child{kernel, c, make(maker), std::vector<Argument>(arguments, arguments + count)});
  return 0;
}

void no_wait_for_children() {
  if (in_device_code() && !children.empty()) abandon("unsupported", "a kernel waits for kernels that it launched");
}

const char* kernel_of_launch() { return current.running ? current.kernel.name : ""; }

int register_unit(int arch) {
  if (!unit_arch) {
    unit_arch = arch;
    if (!settings().lanes) configure(model(arch).lanes, nullptr, settings().seed, settings().poison);
  }
  return arch;
}

int arch_of_process() { return unit_arch ? unit_arch : 800; }

int raise(int error) {
  if (error) last = error;
  return error;
}
int last_error(bool clear) {
  int error = last;
  if (clear) last = 0;
  return error;
}
int asynchronous_error() {
  if (asynchronous) last = asynchronous;
  return asynchronous;
}
void reset_errors() { last = asynchronous = 0; }

int refused(const Kernel& kernel, const Config& c, const Argument* arguments, int count) {
  const Model& m = model(arch_of_process());
  unsigned long long threads = static_cast<unsigned long long>(c.block.x) * c.block.y * c.block.z;
  if (threads == 0 || c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0)
    return refuse(kernel, c, arguments, count, 9, "a dimension is zero");
  if (threads > 1024 || c.block.x > 1024 || c.block.y > 1024 || c.block.z > 64)
    return refuse(kernel, c, arguments, count, 9, "the block is too large");
  if (c.grid.x > 0x7fffffffu || c.grid.y > 65535 || c.grid.z > 65535)
    return refuse(kernel, c, arguments, count, 9, "the grid is too large");
  if (c.shared > static_cast<size_t>(shared_limit_of(kernel.function)))
    return refuse(kernel, c, arguments, count, 1, "more dynamic shared memory than the kernel may ask for");
  unsigned long long blocks = static_cast<unsigned long long>(c.grid.x) * c.grid.y * c.grid.z;
  if (kernel.cooperative) {
    unsigned long long most = static_cast<unsigned long long>(
        active_blocks(m.arch, static_cast<int>(threads), c.shared) * m.multiprocessors);
    if (blocks > most) return refuse(kernel, c, arguments, count, 720, "a cooperative launch of more blocks than fit");
  }
  return 0;
}

int launch(const Kernel& kernel, const Config& c, void (*body)(void*), void* closure, const Argument* arguments,
           int count) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (current.running) abandon("unsupported", "a kernel launched by a kernel");
  if (int error = refused(kernel, c, arguments, count)) return error;
  Inside device;
  const unsigned long long threads = static_cast<unsigned long long>(c.block.x) * c.block.y * c.block.z;
  const unsigned long long blocks = static_cast<unsigned long long>(c.grid.x) * c.grid.y * c.grid.z;
  if (threads != current.threads) {
    for (Block* block : current.idle) delete block;
    current.idle.clear();
  }
  current.kernel = kernel;
  current.config = c;
  current.body = body;
  current.closure = closure;
  current.blocks = blocks;
  if (threads != current.threads || blockDim.x != c.block.x || blockDim.y != c.block.y ||
      current.positions.size() != threads) {
    current.positions.resize(threads);
    for (unsigned i = 0; i < threads; i++)
      current.positions[i] = uint3{i % c.block.x, i / c.block.x % c.block.y, i / (c.block.x * c.block.y)};
  }
  current.threads = static_cast<unsigned>(threads);
  current.reason.clear();
  current.detail.clear();
  blockDim = c.block;
  gridDim = c.grid;
  launch_epoch++;
  open_arena(c.shared);
  races_launch_begins();
  check_lockstep();
  begin_random(blocks);
  watch(settings().seconds);
  current.running = true;
  run_blocks();
  bool abandoned = !current.reason.empty();
  unwatch();
  int error = 0;
  if (abandoned) {
    error = error_of(current.reason);
    // A block that does not fit is refused before it runs; nothing else of the device suffers.
    if (current.reason == "config") raise(error);
    else asynchronous = error;
    finding(current.reason == "config" ? "launch-config" : current.reason.c_str(), nullptr, Site{kernel.file, kernel.line}, "%s", current.detail.c_str());
    reset_fibers();
    current.idle.insert(current.idle.end(), current.resident.begin(), current.resident.end());
    current.resident.clear();
  }
  races_launch_ends(arguments, count);
  check_guards();
  current.running = false;
  close_arenas();
  if (abandoned) {  // the states of its threads mean nothing any more
    for (Block* block : current.idle) delete block;
    current.idle.clear();
  }
  ended = Outcome{error, current.reason, current.detail, kernel.name, current.started, current.returned,
                  ended.launches + 1};
  if (by_kernel) return error;  // part of the launch that made it
  if (int other = run_children(error)) error = other;
  if (logging()) log_launch(kernel, c, arguments, count, error, ended.reason);
  return error;
}

void abandon(const char* reason, const char* detail) {
  {
    Critical section;
    current.reason = reason;
    current.detail = detail;
    overdue = 0;
  }
  switch_to(&main_fiber);
  __builtin_unreachable();
}

void trap(const char* reason, const char* detail) {
  if (!current.running) {
    fprintf(stderr, "musify-emu: %s outside a kernel: %s\n", reason, detail);
    finding(reason, nullptr, Site{nullptr, 0}, "%s", detail);
    __builtin_trap();
  }
  abandon(reason, detail);
}

void stub(const char* code) { trap("stub", code); }
void unsupported_asm(const char* statement) { trap("unsupported", statement); }

// ---- harness.h
void configure(int lanes, const char* schedule, unsigned long long seed, int poison) {
  settings().lanes = lanes;
  warpSize = lanes;
  settings().seed = seed;
  settings().poison = static_cast<unsigned char>(poison);
  if (schedule) {
    set_schedule(schedule);
    settings().seed = seed;
  }
}
void set_seconds(double seconds) { settings().seconds = seconds; }
Outcome outcome() { return ended; }
void clear() {
  reset_errors();
  take_findings();
  unsigned long long launches = ended.launches;
  ended = Outcome{0, "", "", "", 0, 0, launches};
}

}  // namespace emu
