#include "protecting.h"

#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "findings.h"
#include "lines.h"
#include "scheduler.h"
#include "settings.h"

namespace emu {

void watch_faults();  // signals.cpp

namespace {
struct Range {
  char *begin, *end;
  bool holds(const char* p) const { return p >= begin && p < end; }
};
struct Guarded {
  Range range;
  bool writes;  // the copy writes there: nobody may look; else nobody may change it
  const char* caller;
  Site site;
};
struct Pages {
  std::map<char*, char*> closed, open;  // device memory, by its first byte; whole pages
  std::multimap<int, Guarded> guards;
  int next = 1;
};
thread_local int inside = 0;
Pages& pages() {
  static Pages* all = new Pages;
  return *all;
}
uintptr_t page() {
  static const uintptr_t size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return size;
}
Range whole(const Range& r) {
  const uintptr_t first = reinterpret_cast<uintptr_t>(r.begin) / page() * page();
  const uintptr_t last = (reinterpret_cast<uintptr_t>(r.end) + page() - 1) / page() * page();
  return {reinterpret_cast<char*>(first), reinterpret_cast<char*>(last)};
}
void set(const Range& r, int protection) {
  const Range all = whole(r);
  mprotect(all.begin, static_cast<size_t>(all.end - all.begin), protection);
}

// Where the user's code is that an interrupted instruction belongs to.
Site interrupted(void* context) {
  void* frames[24];
  const int count = backtrace(frames, 24);
  std::vector<uintptr_t> pcs;
#if defined(__x86_64__)
  const uintptr_t at = static_cast<uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  const uintptr_t at = static_cast<uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.pc);
#endif
  pcs.push_back(at + 1);
  bool below = false;
  for (int i = 0; i < count; i++) {
    const uintptr_t pc = reinterpret_cast<uintptr_t>(frames[i]);
    if (below) pcs.push_back(pc);
    else below = pc == at;
  }
  return first_line_of_user(pcs);
}

bool wrote(void* context) {
#if defined(__x86_64__)
  return (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
  return false;
#endif
}
}  // namespace

bool maps_pages() { return settings().protect || settings().late != Late::never; }

void close_memory(char* start, size_t bytes) {
  if (!settings().protect) return;
  watch_faults();
  pages().closed[start] = start + bytes;
  set({start, start + bytes}, PROT_NONE);
}

void forget_memory(char* start, size_t bytes) {
  if (!maps_pages()) return;
  pages().closed.erase(start);
  pages().open.erase(start);
  auto& guards = pages().guards;
  for (auto it = guards.begin(); it != guards.end();) it = it->second.range.begin >= start && it->second.range.begin < start + bytes ? guards.erase(it) : std::next(it);
  set({start, start + bytes}, PROT_READ | PROT_WRITE);
}

Inside::Inside() { inside++; }
Inside::~Inside() {
  if (--inside || current.running || !maps_pages()) return;
  for (const auto& each : pages().open) {
    set({each.first, each.second}, PROT_NONE);
    pages().closed.insert(each);
  }
  pages().open.clear();
}

int guard_copy(void* to, const void* from, size_t bytes, const char* caller, Site site) {
  Owner target, source;
  int number = 0;
  auto guard = [&](const void* p, bool writes) {
    if (!number) number = pages().next++;
    char* begin = static_cast<char*>(const_cast<void*>(p));
    pages().guards.insert({number, Guarded{{begin, begin + bytes}, writes, caller, site}});
  };
  // Memory that was only registered has no pages of its own.
  auto pinned = [](const void* p, Owner* o) { return owner_of(p, o) && o->memory == Memory::host && own_pages(o->base); };
  if (bytes && pinned(to, &target)) {
    memset(to, settings().poison, bytes);  // nobody may rely on what stands there till then
    guard(to, true);
  }
  if (bytes && pinned(from, &source)) guard(from, false);
  if (number) {
    watch_faults();
    rearm_guards();
  }
  return number;
}

void rearm_guards() {
  for (int pass = 0; pass < 2; pass++)  // what may not be looked at last, since both may lie on one page
    for (const auto& each : pages().guards)
      if (each.second.writes == (pass == 1)) set(each.second.range, pass ? PROT_NONE : PROT_READ);
}

void drop_guard(int number) {
  if (!number) return;
  auto range = pages().guards.equal_range(number);
  for (auto it = range.first; it != range.second; ++it) set(it->second.range, PROT_READ | PROT_WRITE);
  pages().guards.erase(range.first, range.second);
  rearm_guards();
}

bool host_touched(void* address, void* context) {
  if (!maps_pages()) return false;
  char* at = static_cast<char*>(address);
  Pages& p = pages();
  auto memory = p.closed.upper_bound(at);
  if (memory != p.closed.begin()) {
    --memory;
    const Range all = whole({memory->first, memory->second});
    if (all.holds(at)) {
      const bool allowed = inside || critical || current.running;
      set({memory->first, memory->second}, PROT_READ | PROT_WRITE);
      const auto found = *memory;
      p.closed.erase(memory);
      p.open.insert(found);
      if (!allowed) {
        Critical section;
        finding("host-access", nullptr, interrupted(context), "the host %s device memory (byte %zu of a buffer of %zu bytes)",
                wrote(context) ? "writes to" : "reads", static_cast<size_t>(at - found.first),
                static_cast<size_t>(found.second - found.first));
      }
      return true;
    }
  }
  // The page opens for now: what else lies there is nobody's business.
  bool ours = false;
  const bool writes = wrote(context);
  for (const auto& each : p.guards) {
    if (!whole(each.second.range).holds(at)) continue;
    ours = true;
    if (!each.second.range.holds(at) || inside || critical || current.running) continue;
    if (!each.second.writes && !writes) continue;
    Critical section;
    std::string where = std::string(each.second.site.file ? each.second.site.file : "") + ":" + std::to_string(each.second.site.line);
    finding("unsynchronised", nullptr, interrupted(context), "the host %s memory that %s at %s has still to %s: nothing waited for its stream",
            writes ? "writes to" : "reads", each.second.caller, where.c_str(), each.second.writes ? "fill" : "read");
  }
  if (ours) {
    char* first = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(at) / page() * page());
    mprotect(first, page(), PROT_READ | PROT_WRITE);
  }
  return ours;
}

}  // namespace emu
