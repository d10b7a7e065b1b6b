// Device memory: who owns which bytes, guard zones on both sides, poison, and the bounds of copies.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "../include/musify_emu/host.h"
#include "findings.h"
#include "protecting.h"
#include "sanitizing.h"
#include "scheduler.h"
#include "settings.h"

namespace emu {

int arch_of_process();
namespace host {
void pool_forget(void* p);  // pools.cpp
}

namespace {
constexpr size_t kZone = 256;
constexpr size_t kUnmapped = 16 << 20;  // on each side of a harness's zones: address space only
constexpr size_t kApart = 1 << 16;      // the same where pages are guarded, which many an allocation may have

struct Allocation {
  size_t bytes = 0, zone = kZone;
  Memory memory = Memory::device;
  char* mapping = nullptr;  // where it was mapped, with its unmapped pages; null: from the C heap
  size_t mapped = 0, behind = 0;  // guard bytes behind the buffer: the zone and what alignment leaves
  bool reported = false;
  bool symbol = false;  // memory that is not the heap's own: no zones, and nothing to free
  bool registered = false;
  int device = 0;
};

struct Heap {
  std::map<char*, Allocation> live;
  size_t used = 0;
  bool ever = false;
};
// Never destroyed: static objects of the program may still free memory after main.
Heap& heap() {
  static Heap* all = new Heap;
  return *all;
}

size_t round_up(size_t value, size_t to) { return (value + to - 1) / to * to; }

char* obtain(size_t bytes, size_t zone, size_t unmapped, Allocation* a) {
  a->bytes = bytes;
  a->zone = zone;
  char* start;
  size_t body = round_up(bytes, 256);
  if (unmapped) {
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t inner = round_up(zone, page) + round_up(body + zone, page);
    a->mapped = inner + 2 * unmapped;
    void* memory = mmap(nullptr, a->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    a->mapping = static_cast<char*>(memory);
    mprotect(a->mapping + unmapped, inner, PROT_READ | PROT_WRITE);
    a->zone = round_up(zone, page);
    start = a->mapping + unmapped + a->zone;
    a->behind = inner - a->zone - bytes;
  } else {
    char* memory = static_cast<char*>(aligned_alloc(256, body + 2 * zone));
    if (!memory) return nullptr;
    start = memory + zone;
    a->behind = body + zone - bytes;
  }
  memset(start - a->zone, settings().guard, a->zone);
  memset(start + bytes, settings().guard, a->behind);
  memset(start, settings().poison, bytes);
  forbid(start - a->zone, a->zone);
  forbid(start + bytes, a->behind);
  return start;
}

void give_back(char* start, const Allocation& a) {
  forget_memory(start, a.bytes);
  permit(start - a.zone, a.zone + a.bytes + a.behind);
  if (a.mapping) munmap(a.mapping, a.mapped);
  else free(start - a.zone);
}

bool clean(const unsigned char* p, size_t n) {
  if (!n) return true;
  return p[0] == settings().guard && (n == 1 || memcmp(p, p + 1, n - 1) == 0);
}

Guard look(const char* start, const Allocation& a) {
  Guard guard{false, 0, 0};
  if (a.symbol || kSanitized) return guard;  // the sanitizer looks itself
  const unsigned char* p = reinterpret_cast<const unsigned char*>(start);
  if (!clean(p - a.zone, a.zone)) {
    size_t i = a.zone;
    while (i && p[-static_cast<long>(i)] == settings().guard) i--;
    guard.before = i;
  }
  if (!clean(p + a.bytes, a.behind)) {
    size_t i = a.behind;
    while (i && p[a.bytes + i - 1] == settings().guard) i--;
    guard.after = i;
  }
  guard.touched = guard.before || guard.after;
  return guard;
}

void check(char* start, Allocation& a) {
  if (a.reported || a.symbol) return;
  Guard guard = look(start, a);
  if (!guard.touched) return;
  a.reported = true;
  Site site = current.kernel.name ? Site{current.kernel.file, current.kernel.line} : Site{"", 0};
  if (guard.after)
    finding("out-of-bounds", nullptr, site, "a write up to %zu bytes past a buffer of %zu bytes", guard.after, a.bytes);
  if (guard.before)
    finding("out-of-bounds", nullptr, site, "a write up to %zu bytes before a buffer of %zu bytes", guard.before, a.bytes);
}

std::map<char*, Allocation>::iterator owner(const void* p) {
  auto& live = heap().live;
  auto it = live.upper_bound(const_cast<char*>(static_cast<const char*>(p)));
  if (it == live.begin()) return live.end();
  --it;
  size_t extent = it->second.bytes ? it->second.bytes : 1;
  return static_cast<const char*>(p) < it->first + extent ? it : live.end();
}
}  // namespace

void* allocate_memory(size_t bytes, Memory memory) {
  Critical section;
  if (bytes > model(arch_of_process()).memory - heap().used) return nullptr;
  Allocation a;
  a.memory = memory;
  char* start = obtain(bytes, kZone, maps_pages() ? kApart : 0, &a);
  if (!start) return nullptr;
  if (memory == Memory::device) close_memory(start, bytes);
  a.device = host::current_device();
  heap().ever = true;
  heap().used += bytes;
  heap().live[start] = a;
  return start;
}

bool own_pages(const void* start) {
  auto it = heap().live.find(const_cast<char*>(static_cast<const char*>(start)));
  return it != heap().live.end() && it->second.mapping;
}

bool device_used() { return heap().ever || outcome().launches; }

bool free_memory(void* p, const char* caller, Site site) {
  Critical section;
  auto it = heap().live.find(static_cast<char*>(p));
  if (it == heap().live.end() || it->second.symbol) {
    finding("bad-free", nullptr, site, "%s of a pointer that no allocation returned, or that was freed before", caller);
    return false;
  }
  check(it->first, it->second);
  host::pool_forget(p);
  heap().used -= it->second.bytes;
  give_back(it->first, it->second);
  heap().live.erase(it);
  return true;
}

bool check_range(const void* p, size_t bytes, const char* what, Site site) {
  Critical section;
  if (!bytes) return true;
  auto it = owner(p);
  if (it == heap().live.end()) {
    finding("copy-unknown-pointer", nullptr, site, "%s is no device memory", what);
    return false;
  }
  size_t offset = static_cast<size_t>(static_cast<const char*>(p) - it->first);
  if (bytes > it->second.bytes - offset) {
    finding("copy-overflow", nullptr, site, "%s: %zu bytes at offset %zu of a buffer of %zu", what, bytes, offset,
            it->second.bytes);
    return false;
  }
  check(it->first, it->second);
  return true;
}

bool check_symbol(size_t symbol, size_t bytes, size_t offset, const char* caller, Site site) {
  if (offset <= symbol && bytes <= symbol - offset) return true;
  finding("symbol-overflow", nullptr, site, "%s: %zu bytes at offset %zu of a symbol of %zu", caller, bytes, offset, symbol);
  return false;
}

void register_symbol(const void* p, size_t bytes) {
  Critical section;
  Allocation a;
  a.bytes = bytes;
  a.zone = 0;
  a.symbol = true;
  heap().live[const_cast<char*>(static_cast<const char*>(p))] = a;
}

void adopt(void* start, size_t bytes, Memory memory) {
  register_symbol(start, bytes);
  heap().live[static_cast<char*>(start)].memory = memory;
}
void disown(void* start) {
  Critical section;
  heap().live.erase(static_cast<char*>(start));
}

namespace host {
int register_host(void* p, size_t bytes, bool registered) {
  auto it = owner(p);
  const bool there = it != heap().live.end();
  if (!registered) {
    if (!there || !it->second.registered || it->first != p) return raise(713);
    disown(p);
    return ok;
  }
  if (!p || !bytes) return raise(invalid_value);
  if (there) return raise(712);
  adopt(p, bytes, Memory::host);
  heap().live[static_cast<char*>(p)].registered = true;
  return ok;
}
}  // namespace host

bool owner_of(const void* p, Owner* out) {
  auto it = owner(p);
  if (it == heap().live.end()) return false;
  *out = Owner{it->first, it->second.bytes, it->second.memory, it->second.device};
  return true;
}

// Whether a part of [begin, end) is somebody's.
bool any_allocation(const char* begin, const char* end) {
  auto& live = heap().live;
  auto it = live.lower_bound(const_cast<char*>(end));
  return it != live.begin() && (--it)->first + it->second.bytes > begin;
}

void free_bytes(size_t* available, size_t* total) {
  *total = model(arch_of_process()).memory;
  *available = *total - heap().used;
}

void check_guards() {
  Critical section;
  for (auto& entry : heap().live) check(entry.first, entry.second);
}

// Addresses change from run to run, so the text says where they lie instead.
std::string describe_address(const void* p) {
  uintptr_t address = reinterpret_cast<uintptr_t>(p);
  if (address < 65536) return "an access through a null pointer";
  for (auto& entry : heap().live) {
    if (!entry.second.mapping) continue;
    const char* at = static_cast<const char*>(p);
    const char* start = entry.first;
    if (at >= entry.second.mapping && at < entry.second.mapping + entry.second.mapped)
      return std::string("an access far ") + (at < start ? "before" : "past") + " a buffer of " +
             std::to_string(entry.second.bytes) + " bytes";
  }
  return "an access to memory that nothing owns";
}

// ---- harness.h
void* allocate(size_t bytes, size_t zone) {
  Critical section;
  Allocation a;
  char* start = obtain(bytes, zone, kUnmapped, &a);
  if (!start) return nullptr;
  heap().used += bytes;
  heap().live[start] = a;
  return start;
}

void release(void* p) {
  Critical section;
  auto it = heap().live.find(static_cast<char*>(p));
  if (it == heap().live.end()) return;
  heap().used -= it->second.bytes;
  give_back(it->first, it->second);
  heap().live.erase(it);
}

Guard guard(const void* p) {
  auto it = owner(p);
  return it == heap().live.end() ? Guard{false, 0, 0} : look(it->first, it->second);
}

bool any_guard_touched() {
  for (auto& entry : heap().live)
    if (look(entry.first, entry.second).touched) return true;
  return false;
}

namespace {
struct AtExit {
  ~AtExit() { check_guards(); }
} at_exit;
}  // namespace

}  // namespace emu
