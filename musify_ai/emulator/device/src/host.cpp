#include "../include/musify_emu/host.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "late.h"
#include "protecting.h"
#include "scheduler.h"

namespace emu {
namespace host {

namespace {
bool on_device_to(int direction) { return direction == host_to_device || direction == device_to_device; }
bool on_device_from(int direction) { return direction == device_to_host || direction == device_to_device; }

bool range(const void* p, size_t bytes, const char* caller, const char* side, Site site) {
  std::string what = std::string(caller) + " " + side;
  return check_range(p, bytes, what.c_str(), site);
}

// With `by_pointer` the side is a matter of who owns the pointer; then its bounds count as well.
bool bounds(const void* p, size_t bytes, bool device, int direction, const char* caller, const char* side, Site site) {
  Owner owner;
  if (!bytes || (!device && direction != by_pointer && !owner_of(p, &owner))) return true;
  if (!device && !owner_of(p, &owner)) return true;
  return range(p, bytes, caller, side, site);
}
}  // namespace

int allocate(void** p, size_t bytes, Memory memory) {
  if (!p) return raise(invalid_value);
  if (int error = asynchronous_error()) return error;
  if (captures)
    if (int error = forbidden_in_capture()) return error;
  if (!bytes) {
    *p = nullptr;
    return ok;
  }
  *p = allocate_memory(bytes, memory);
  return *p ? int(ok) : raise(out_of_memory);
}

int allocate_pitch(void** p, size_t* pitch, size_t width, size_t height) {
  if (!p || !pitch) return raise(invalid_value);
  *pitch = (width + 511) / 512 * 512;
  return allocate(p, *pitch * height, Memory::device);
}

int release(void* p, const char* caller, Site site) {
  if (!p) return ok;
  settle_all();
  return free_memory(p, caller, site) ? int(ok) : raise(invalid_value);
}

int check_copy(void* to, const void* from, size_t bytes, int direction, const char* caller, Site site) {
  if (int error = asynchronous_error()) return error;
  if (direction < 0 || direction > by_pointer) return raise(invalid_direction);
  if (!bytes) return ok;
  if (!to || !from) return raise(invalid_value);
  if (!bounds(to, bytes, on_device_to(direction), direction, caller, "destination", site) ||
      !bounds(from, bytes, on_device_from(direction), direction, caller, "source", site))
    return raise(invalid_value);
  return ok;
}

int copy(void* to, const void* from, size_t bytes, int direction, const char* caller, Site site) {
  settle(nullptr);
  Inside device;
  if (int error = check_copy(to, from, bytes, direction, caller, site)) return error;
  memmove(to, from, bytes);
  return ok;
}

int copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, int direction,
            const char* caller, Site site) {
  settle(nullptr);
  Inside device;
  if (int error = asynchronous_error()) return error;
  if (direction < 0 || direction > by_pointer) return raise(invalid_direction);
  if (!width || !height) return ok;
  if (width > to_pitch || width > from_pitch) return raise(12);  // invalid pitch value
  size_t to_bytes = to_pitch * (height - 1) + width, from_bytes = from_pitch * (height - 1) + width;
  if (!bounds(to, to_bytes, on_device_to(direction), direction, caller, "destination", site) ||
      !bounds(from, from_bytes, on_device_from(direction), direction, caller, "source", site))
    return raise(invalid_value);
  for (size_t i = 0; i < height; i++)
    memmove(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch, width);
  return ok;
}

int fill(void* to, int value, size_t bytes, const char* caller, Site site) {
  settle(nullptr);
  Inside device;
  if (int error = asynchronous_error()) return error;
  if (!bytes) return ok;
  if (!range(to, bytes, caller, "destination", site)) return raise(invalid_value);
  memset(to, value, bytes);
  return ok;
}

int fill_2d(void* to, size_t pitch, int value, size_t width, size_t height, const char* caller, Site site) {
  settle(nullptr);
  Inside device;
  if (int error = asynchronous_error()) return error;
  if (!width || !height) return ok;
  if (width > pitch) return raise(12);
  if (!range(to, pitch * (height - 1) + width, caller, "destination", site)) return raise(invalid_value);
  for (size_t i = 0; i < height; i++) memset(static_cast<char*>(to) + i * pitch, value, width);
  return ok;
}

int copy_to_symbol(void* symbol, size_t size, const void* from, size_t bytes, size_t offset, int direction,
                   const char* caller, Site site) {
  settle(nullptr);
  Inside device;
  if (int error = asynchronous_error()) return error;
  if (direction != host_to_device && direction != device_to_device && direction != by_pointer)
    return raise(invalid_direction);
  if (!check_symbol(size, bytes, offset, caller, site)) return raise(invalid_value);
  if (!bounds(from, bytes, direction == device_to_device, direction, caller, "source", site)) return raise(invalid_value);
  memcpy(static_cast<char*>(symbol) + offset, from, bytes);
  return ok;
}

int copy_from_symbol(void* to, const void* symbol, size_t size, size_t bytes, size_t offset, int direction,
                     const char* caller, Site site) {
  settle(nullptr);
  Inside device;
  if (int error = asynchronous_error()) return error;
  if (direction != device_to_host && direction != device_to_device && direction != by_pointer)
    return raise(invalid_direction);
  if (!check_symbol(size, bytes, offset, caller, site)) return raise(invalid_value);
  if (!bounds(to, bytes, direction == device_to_device, direction, caller, "destination", site)) return raise(invalid_value);
  memcpy(to, static_cast<const char*>(symbol) + offset, bytes);
  return ok;
}

int symbol_address(void** p, const void* symbol, size_t size) {
  register_symbol(symbol, size);
  *p = const_cast<void*>(symbol);
  return ok;
}

int get_last_error(bool clear) { return last_error(clear); }

int reset() {
  settle_all();
  reset_errors();
  return ok;
}

void not_emulated(const char* call, Site site) {
  finding("unsupported", nullptr, site, "%s: not emulated", call);
  fflush(nullptr);
  _Exit(70);
}

namespace {
struct Text {
  int error;
  const char* name;
  const char* text;
};
constexpr Text kTexts[] = {
    {0, "Success", "no error"},
    {1, "ErrorInvalidValue", "invalid argument"},
    {2, "ErrorMemoryAllocation", "out of memory"},
    {3, "ErrorInitializationError", "initialization error"},
    {4, "ErrorUnloading", "driver shutting down"},
    {9, "ErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "ErrorInvalidPitchValue", "invalid pitch argument"},
    {13, "ErrorInvalidSymbol", "invalid device symbol"},
    {17, "ErrorInvalidDevicePointer", "invalid device pointer"},
    {21, "ErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {98, "ErrorInvalidDeviceFunction", "invalid device function"},
    {100, "ErrorNoDevice", "no device is detected"},
    {101, "ErrorInvalidDevice", "invalid device ordinal"},
    {304, "ErrorOperatingSystem", "OS call failed or operation not supported on this OS"},
    {400, "ErrorInvalidResourceHandle", "invalid resource handle"},
    {500, "ErrorSymbolNotFound", "named symbol not found"},
    {600, "ErrorNotReady", "device not ready"},
    {700, "ErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "ErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "ErrorLaunchTimeout", "the launch timed out and was terminated"},
    {704, "ErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {705, "ErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {710, "ErrorAssert", "device-side assert triggered"},
    {719, "ErrorLaunchFailure", "unspecified launch failure"},
    {720, "ErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {801, "ErrorNotSupported", "operation not supported"},
    {712, "ErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped"},
    {713, "ErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    {900, "ErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {901, "ErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
    {902, "ErrorStreamCaptureMerge", "operation would result in a merge of separate capture sequences"},
    {903, "ErrorStreamCaptureUnmatched", "capture was not ended in the same stream as it began"},
    {904, "ErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {905, "ErrorStreamCaptureIsolation", "dependency created on uncaptured work in another stream"},
    {906, "ErrorStreamCaptureImplicit", "operation would make the legacy stream depend on a capturing blocking stream"},
    {910, "ErrorGraphExecUpdateFailure", "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update"},
    {999, "ErrorUnknown", "unknown error"},
};
}  // namespace

const char* error_name(int error, const char* prefix) {
  static std::string names[sizeof kTexts / sizeof kTexts[0]];
  for (size_t i = 0; i < sizeof kTexts / sizeof kTexts[0]; i++)
    if (kTexts[i].error == error) {
      names[i] = std::string(prefix) + kTexts[i].name;
      return names[i].c_str();
    }
  return "unrecognized error code";
}

}  // namespace host

const char* error_text(int error) {
  for (const auto& text : host::kTexts)
    if (text.error == error) return text.text;
  return "unrecognized error code";
}

}  // namespace emu
