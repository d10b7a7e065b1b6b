// Pools that stream-ordered allocations come from. A pool keeps what was freed until the device is waited for, and then
// as much of it as its threshold says; nobody has published how much more hardware takes at a time, so it takes no more.
#include <map>
#include <vector>

#include "../include/musify_emu/memories.h"
#include "scheduler.h"
#include "settings.h"

namespace emu {
namespace host {

struct Pool {
  int device = 0;
  int reuse[3] = {1, 1, 1};
  unsigned long long threshold = 0, reserved = 0, reserved_high = 0, used = 0, used_high = 0;
  bool usual = false;
  std::map<int, int> access;
};

namespace {
std::vector<Pool*>& all() {
  static auto* pools = new std::vector<Pool*>;
  return *pools;
}
std::map<void*, std::pair<Pool*, size_t>>& owners() {
  static auto* map = new std::map<void*, std::pair<Pool*, size_t>>;
  return *map;
}
std::map<int, Pool*>& chosen() {
  static auto* map = new std::map<int, Pool*>;
  return *map;
}
void keep(Pool* pool, unsigned long long at_most) {
  if (pool->reserved > at_most) pool->reserved = at_most > pool->used ? at_most : pool->used;
}
Pool* fresh(int device) {
  Pool* pool = new Pool;
  pool->device = device;
  all().push_back(pool);
  return pool;
}
}  // namespace

Pool* usual_pool(int device) {
  for (Pool* pool : all())
    if (pool->usual && pool->device == device) return pool;
  Pool* pool = fresh(device);
  pool->usual = true;
  return pool;
}
Pool* pool_of_device(int device) { return chosen().count(device) ? chosen()[device] : usual_pool(device); }
int choose_pool(int device, Pool* pool) {
  if (check_device(device) || !pool) return raise(invalid_value);
  chosen()[device] = pool;
  return ok;
}
int make_pool(Pool** out, int device) {
  if (!out) return raise(invalid_value);
  if (int error = check_device(device)) return error;
  *out = fresh(device);
  return ok;
}
int free_pool(Pool* pool) {
  if (!pool || pool->usual) return raise(invalid_value);
  for (auto it = chosen().begin(); it != chosen().end();) it = it->second == pool ? chosen().erase(it) : std::next(it);
  for (auto& owner : owners())
    if (owner.second.first == pool) owner.second.first = usual_pool(pool->device);
  for (size_t i = 0; i < all().size(); i++)
    if (all()[i] == pool) {
      all().erase(all().begin() + static_cast<long>(i));
      break;
    }
  delete pool;
  return ok;
}
int pool_allocate(void** p, size_t bytes, Pool* pool, Stream* stream) {
  if (!pool) pool = pool_of_device(current_device());
  if (captures && capturing(reinterpret_cast<uintptr_t>(stream)) && stream)
    not_emulated("an allocation in a stream that is captured", Site{"", 0});
  if (int error = allocate(p, bytes, Memory::device)) return error;
  if (!*p) return ok;
  owners()[*p] = {pool, bytes};
  pool->used += bytes;
  if (pool->used > pool->used_high) pool->used_high = pool->used;
  if (pool->used > pool->reserved) pool->reserved = pool->used;
  if (pool->reserved > pool->reserved_high) pool->reserved_high = pool->reserved;
  return ok;
}
int pool_free(void* p, Stream* stream, const char* caller, Site site) {
  if (captures && capturing(reinterpret_cast<uintptr_t>(stream)) && stream)
    not_emulated("a release in a stream that is captured", site);
  settle(stream);
  auto it = owners().find(p);
  if (it != owners().end()) {
    it->second.first->used -= it->second.second;
    owners().erase(it);
  }
  return release(p, caller, site);
}
void pool_forget(void* p) {
  auto it = owners().find(p);
  if (it == owners().end()) return;
  it->second.first->used -= it->second.second;
  owners().erase(it);
}
int trim_pool(Pool* pool, size_t at_least) {
  if (!pool) return raise(invalid_value);
  keep(pool, at_least);
  return ok;
}
void pools_synchronized() {
  for (Pool* pool : all()) keep(pool, pool->threshold);
}
// Attributes by the numbers that both APIs have for them.
int pool_attribute(Pool* pool, int attribute, void* value, bool set) {
  if (!pool || !value || attribute < 1 || attribute > 8) return raise(invalid_value);
  if (attribute <= 3) {
    int* flag = static_cast<int*>(value);
    if (set) pool->reuse[attribute - 1] = *flag != 0;
    else *flag = pool->reuse[attribute - 1];
    return ok;
  }
  unsigned long long& number = *static_cast<unsigned long long*>(value);
  unsigned long long* const fields[] = {&pool->threshold, &pool->reserved, &pool->reserved_high, &pool->used, &pool->used_high};
  if (!set) {
    number = *fields[attribute - 4];
  } else if (attribute == 4) {
    pool->threshold = number;
  } else {  // the high marks may be set back, and to 0 only
    if (number || (attribute != 6 && attribute != 8)) return raise(invalid_value);
    *fields[attribute - 4] = *fields[attribute - 5];
  }
  return ok;
}
int pool_access(Pool* pool, int device, int* flags, bool set) {
  if (!pool || check_device(device)) return raise(invalid_value);
  if (set) pool->access[device] = *flags;
  else *flags = pool->access.count(device) ? pool->access[device] : device == pool->device ? 3 : 0;
  return ok;
}

}  // namespace host
}  // namespace emu
