// Arrays, and copies between them and memory.
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "../include/musify_emu/textures.h"
#include "protecting.h"
#include "scheduler.h"
#include "settings.h"

namespace emu {
namespace host {

namespace {
std::set<Array*>& arrays() {
  static auto* all = new std::set<Array*>;
  return *all;
}
}  // namespace

int make_array(Array** out, const TexelFormat& format, size_t width, size_t height, size_t depth, unsigned flags) {
  if (!out || !width || format.kind == Channel::none) return raise(invalid_value);
  for (int bits : format.bits)
    if (bits != 0 && bits != 8 && bits != 16 && bits != 32) return raise(invalid_value);
  const size_t channels = (format.bits[0] > 0) + (format.bits[1] > 0) + (format.bits[2] > 0) + (format.bits[3] > 0);
  if (channels == 0 || channels == 3 || format.bytes() != channels * static_cast<size_t>(format.bits[0]) / 8)
    return raise(invalid_value);
  Array array{format, width, height, depth, flags, nullptr};
  size_t bytes = array.pitch() * array.rows() * array.slices();
  array.data = static_cast<char*>(allocate_memory(bytes, Memory::device));
  if (!array.data) return raise(out_of_memory);
  *out = new Array(array);
  arrays().insert(*out);
  return ok;
}

int free_array(Array* array) {
  if (!array) return ok;
  if (!arrays().erase(array)) return raise(invalid_value);
  free_memory(array->data, "FreeArray", Site{"", 0});
  delete array;
  return ok;
}

namespace {
struct Side {
  char* first;
  size_t pitch, slice;
  bool fits;
};

Side side(const Place& place, size_t bytes, size_t height, size_t depth) {
  if (const Array* a = place.array) {
    const size_t at = place.x * a->format.bytes();
    const bool fits = at + bytes <= a->pitch() && place.y + height <= a->rows() && place.z + depth <= a->slices();
    return {a->data + (place.z * a->rows() + place.y) * a->pitch() + at, a->pitch(), a->pitch() * a->rows(), fits};
  }
  const size_t pitch = place.pitch ? place.pitch : bytes, rows = place.height ? place.height : height;
  return {place.memory + (place.z * rows + place.y) * pitch + place.x, pitch, pitch * rows, height < 2 || place.x + bytes <= pitch};
}
}  // namespace

int copy_3d(const Place& to, const Place& from, size_t width, size_t height, size_t depth, int direction, const char* caller,
            Site site) {
  settle(nullptr);
  Inside device;
  if (int error = asynchronous_error()) return error;
  if (direction < 0 || direction > by_pointer) return raise(invalid_direction);
  if ((!to.array && !to.memory) || (!from.array && !from.memory)) return raise(invalid_value);
  size_t bytes = width;
  if (to.array || from.array) bytes *= (to.array ? to.array : from.array)->format.bytes();
  if (to.array && from.array && to.array->format.bytes() != from.array->format.bytes()) return raise(invalid_value);
  if (!bytes || !height || !depth) return ok;
  const Side target = side(to, bytes, height, depth), source = side(from, bytes, height, depth);
  if (!target.fits || !source.fits) {
    finding("copy-overflow", nullptr, site, "%s: %zu bytes by %zu by %zu do not fit into an array or a pitch", caller, bytes, height,
            depth);
    return raise(invalid_value);
  }
  const bool device_to = direction == host_to_device || direction == device_to_device;
  const bool device_from = direction == device_to_host || direction == device_to_device;
  auto owned = [&](const Place& place, const Side& s, bool device, const char* which) {
    Owner owner;
    if (place.array || (!device && !owner_of(s.first, &owner))) return true;
    const size_t extent = s.slice * (depth - 1) + s.pitch * (height - 1) + bytes;
    return check_range(s.first, extent, (std::string(caller) + " " + which).c_str(), site);
  };
  if (!owned(to, target, device_to, "destination") || !owned(from, source, device_from, "source")) return raise(invalid_value);
  for (size_t z = 0; z < depth; z++)
    for (size_t y = 0; y < height; y++)
      memmove(target.first + z * target.slice + y * target.pitch, source.first + z * source.slice + y * source.pitch, bytes);
  return ok;
}

}  // namespace host
}  // namespace emu
