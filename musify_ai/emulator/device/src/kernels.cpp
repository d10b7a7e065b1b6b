// What is known of kernels beside their code: how much shared memory they may ask for, and the way to call one of which
// only the address or the name is known.
#include <algorithm>
#include <map>
#include <string>

#include "findings.h"
#include "../include/musify_emu/host.h"
#include "../include/musify_emu/launching.h"
#include "scheduler.h"

namespace emu {

int arch_of_process();

namespace {
struct Known {
  std::map<const void*, int> limits;
  int most = 0;  // that any was allowed
  std::map<const void*, KernelEntry> entries;
  std::map<std::string, const void*> names;
};
// Never destroyed, and there before any unit's own static objects.
Known& known() {
  static Known* all = new Known;
  return *all;
}
}  // namespace

void set_shared_limit(const void* function, int bytes) {
  Known& k = known();
  if (bytes > k.most) k.most = bytes;
  k.limits[function] = bytes;
}

int shared_limit_of(const void* function) {
  const Known& k = known();
  int plain = static_cast<int>(model(arch_of_process()).shared_per_block);
  int allowed = k.most;
  if (function) {
    auto it = k.limits.find(function);
    // A limit set without a function is a harness's, and is for all,
    auto all = k.limits.find(nullptr);
    // but never more than the device has.
    const int most = static_cast<int>(model(arch_of_process()).shared_per_block_optin);
    allowed = it != k.limits.end() ? it->second : all != k.limits.end() ? std::min(all->second, most) : plain;
  }
  return allowed > plain ? allowed : plain;
}

int enter_kernel(const KernelEntry& entry) {
  KernelEntry& place = known().entries[entry.function];
  const char* name = entry.name ? entry.name : place.name;
  place = entry;
  place.name = name;
  if (name) known().names[name] = entry.function;
  return 0;
}

const KernelEntry* kernel_entry(const void* function) {
  auto it = known().entries.find(function);
  return it == known().entries.end() ? nullptr : &it->second;
}

const KernelEntry* kernel_named(const char* name) {
  auto it = known().names.find(name);
  return it == known().names.end() ? nullptr : kernel_entry(it->second);
}

int launch_by_pointer(const char* call, const void* function, const Config& config, bool cooperative, void** values,
                      Site site) {
  const KernelEntry* entry = kernel_entry(function);
  if (!entry) host::not_emulated((std::string(call) + " of a kernel whose parameters nothing tells").c_str(), site);
  std::vector<Argument> described(static_cast<size_t>(entry->parameters) + 1);
  Deferred work = entry->with(function, values, described.data());
  Kernel kernel{entry->name ? entry->name : call, site.file, site.line, cooperative, function};
  if (captures && capturing(config.stream)) return capture_launch(kernel, config, work, described.data(), entry->parameters);
  if (late && holds()) return hold_launch(kernel, config, work, described.data(), entry->parameters);
  int error = launch(kernel, config, work.body, work.closure, described.data(), entry->parameters);
  work.drop(work.closure);
  return error;
}

}  // namespace emu
