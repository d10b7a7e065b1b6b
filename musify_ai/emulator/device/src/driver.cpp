#include "../include/musify_emu/driver.h"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "protecting.h"
#include "scheduler.h"

namespace emu {
namespace driver {

struct Context {
  int device;
  unsigned flags;
  int held = 0;  // of a device's primary context: how often it was retained and not released
};
struct Module {
  std::string file;
};

namespace {
constexpr int kNotInitialized = 3, kInvalidContext = 201;
bool initialized = false;
std::set<Context*> contexts;
std::map<int, Context*> primary;
std::vector<Context*> stack;
std::set<Module*> modules;

int made_current(Context* context) { return context ? host::set_device(context->device) : 0; }
}  // namespace

int initialize(unsigned flags) {
  if (flags) return host::invalid_value;
  initialized = true;
  return 0;
}
int ready() { return initialized ? 0 : kNotInitialized; }
int check(int device) {
  if (int error = ready()) return error;
  return device >= 0 && device < host::device_count() ? 0 : int(host::invalid_device);
}
int in_context() {
  if (stack.empty() && device_used()) {  // the run-time API has made the device's primary context current
    initialized = true;
    Context* context = nullptr;
    if (int error = primary_context(&context, host::current_device())) return error;
    stack.push_back(context);
  }
  if (int error = ready()) return error;
  return stack.empty() || !stack.back() ? kInvalidContext : 0;
}
int make_context(Context** out, unsigned flags, int device) {
  if (int error = check(device)) return error;
  if (!out) return host::invalid_value;
  *out = new Context{device, flags, 0};
  contexts.insert(*out);
  return push_context(*out);
}
int free_context(Context* context) {
  if (!contexts.count(context)) return kInvalidContext;
  const bool current = !stack.empty() && stack.back() == context;
  while (!stack.empty() && stack.back() == context) stack.pop_back();
  for (Context*& other : stack)
    if (other == context) other = nullptr;
  contexts.erase(context);
  delete context;
  return current && !stack.empty() ? made_current(stack.back()) : 0;
}
int current_context(Context** out) {
  if (int error = ready()) return error;
  *out = stack.empty() ? nullptr : stack.back();
  return 0;
}
int set_context(Context* context) {
  if (int error = ready()) return error;
  if (context && !contexts.count(context)) return kInvalidContext;
  if (stack.empty()) stack.push_back(context);
  else stack.back() = context;
  return made_current(context);
}
int push_context(Context* context) {
  if (!contexts.count(context)) return kInvalidContext;
  stack.push_back(context);
  return made_current(context);
}
int pop_context(Context** out) {
  if (stack.empty()) return kInvalidContext;
  if (out) *out = stack.back();
  stack.pop_back();
  return stack.empty() ? 0 : made_current(stack.back());
}
int device_of_context(int* device) {
  if (int error = in_context()) return error;
  *device = stack.back()->device;
  return 0;
}
int primary_context(Context** out, int device) {
  if (int error = check(device)) return error;
  Context*& context = primary[device];
  if (!context) {
    context = new Context{device, 0, 0};
    contexts.insert(context);
  }
  context->held++;
  *out = context;
  return 0;
}
int release_primary(int device) {
  if (int error = check(device)) return error;
  auto it = primary.find(device);
  if (it == primary.end()) return kInvalidContext;
  if (--it->second->held > 0) return 0;
  Context* context = it->second;
  primary.erase(it);
  return free_context(context);
}
int primary_state(int device, unsigned* flags, int* active) {
  if (int error = check(device)) return error;
  if (!flags || !active) return host::invalid_value;
  *flags = 0;
  *active = primary.count(device) != 0;
  return 0;
}

int load_module(Module** out, const char* file) {
  if (int error = in_context()) return error;
  if (!out || !file) return host::invalid_value;
  *out = new Module{file};
  modules.insert(*out);
  return 0;
}
int unload_module(Module* module) {
  if (!modules.erase(module)) return host::invalid_handle;
  delete module;
  return 0;
}
int find_function(const void** out, Module* module, const char* name, const char* call, Site site) {
  if (!modules.count(module)) return host::invalid_handle;
  const KernelEntry* entry = kernel_named(name);
  if (!entry) {  // the name may be one that C++ made
    int status = 0;
    char* plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    if (plain) {
      if (char* end = strchr(plain, '(')) *end = 0;
      entry = kernel_named(plain);
      free(plain);
    }
  }
  if (!entry)
    host::not_emulated((std::string(call) + ": " + name + " of the module " + module->file +
                        " is no extern \"C\" kernel of this program").c_str(), site);
  *out = entry->function;
  return 0;
}

int launch(const char* call, const void* function, const Config& config, bool cooperative, void** values, void** extra, Site site) {
  if (int error = in_context()) return error;
  const KernelEntry* entry = kernel_entry(function);
  if (!entry) return host::invalid_handle;
  std::vector<void*> found(static_cast<size_t>(entry->parameters) + 1);
  if (!values && extra) {
    const char* buffer = nullptr;
    size_t size = 0;
    for (; *extra; extra += 2) {
      if (*extra == reinterpret_cast<void*>(1)) buffer = static_cast<const char*>(extra[1]);
      else if (*extra == reinterpret_cast<void*>(2)) size = *static_cast<const size_t*>(extra[1]);
      else return host::invalid_value;
    }
    if (!buffer || !entry->unpack(buffer, size, found.data())) return host::invalid_value;
    values = found.data();
  }
  if (!values && entry->parameters) return host::invalid_value;
  return launch_by_pointer(call, function, config, cooperative, values, site);
}

int fill(void* to, unsigned value, size_t size, size_t count, const char* call, Site site) {
  host::settle(nullptr);
  Inside device;
  if (int error = asynchronous_error()) return error;
  if (reinterpret_cast<uintptr_t>(to) % size) return raise(host::invalid_value);
  if (!check_range(to, size * count, (std::string(call) + " destination").c_str(), site)) return raise(host::invalid_value);
  for (size_t i = 0; i < count; i++) memcpy(static_cast<char*>(to) + i * size, &value, size);
  return 0;
}

const char* error_name(int error, const char* prefix) {
  static const std::map<int, const char*> kNames = {
      {0, "SUCCESS"}, {1, "ERROR_INVALID_VALUE"}, {2, "ERROR_OUT_OF_MEMORY"}, {3, "ERROR_NOT_INITIALIZED"},
      {100, "ERROR_NO_DEVICE"}, {101, "ERROR_INVALID_DEVICE"}, {201, "ERROR_INVALID_CONTEXT"}, {301, "ERROR_FILE_NOT_FOUND"},
      {400, "ERROR_INVALID_HANDLE"}, {500, "ERROR_NOT_FOUND"}, {600, "ERROR_NOT_READY"}, {700, "ERROR_ILLEGAL_ADDRESS"},
      {701, "ERROR_LAUNCH_OUT_OF_RESOURCES"}, {719, "ERROR_LAUNCH_FAILED"}, {801, "ERROR_NOT_SUPPORTED"}, {999, "ERROR_UNKNOWN"},
  };
  static std::map<int, std::string> made;
  auto it = kNames.find(error);
  if (it == kNames.end()) return nullptr;
  return (made[error] = std::string(prefix) + "_" + it->second).c_str();
}

}  // namespace driver
}  // namespace emu
