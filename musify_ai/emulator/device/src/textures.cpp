// Fetches from textures, as CUDA's C++ programming guide describes them (appendix on texture fetching): where a
// coordinate falls, what lies outside, and the weights of linear filtering, whose fraction has 8 bits.
#include <cmath>
#include <cstring>
#include <map>

#include "../include/musify_emu/textures.h"
#include "scheduler.h"

namespace emu {

namespace {
std::map<unsigned long long, Texture>& handles() {
  static auto* all = new std::map<unsigned long long, Texture>;
  return *all;
}
unsigned long long next_handle = 1;

struct Texel {
  bool inside;
  const char* at;
};

size_t extent(const Texture& t, int axis) {
  if (!t.array) return axis == 0 ? t.width : axis == 1 && t.height ? t.height : 1;
  return axis == 0 ? t.array->width : axis == 1 ? t.array->rows() : t.array->slices();
}

// The index that an address mode makes of one outside; false where the border is read.
bool addressed(const Texture& t, int axis, long long& i) {
  const long long n = static_cast<long long>(extent(t, axis));
  if (i >= 0 && i < n) return true;
  Address mode = t.address[axis];
  if (!t.normalized && (mode == Address::wrap || mode == Address::mirror)) mode = Address::clamp;  // the guide: only with normalized ones
  switch (mode) {
    case Address::wrap: i = (i % n + n) % n; return true;
    case Address::mirror: {
      const long long period = (i % (2 * n) + 2 * n) % (2 * n);
      i = period < n ? period : 2 * n - 1 - period;
      return true;
    }
    case Address::clamp: i = i < 0 ? 0 : n - 1; return true;
    default: return false;
  }
}

Texel texel(const Texture& t, int dimensions, long long x, long long y, long long z, unsigned layer) {
  const bool inside = addressed(t, 0, x) && (dimensions < 2 || addressed(t, 1, y)) && (dimensions < 3 || addressed(t, 2, z));
  if (!inside) return {false, nullptr};
  if (!t.array) return {true, t.data + static_cast<size_t>(y) * t.pitch + static_cast<size_t>(x) * t.format.bytes()};
  const Array& a = *t.array;
  size_t slice = dimensions == 3 ? static_cast<size_t>(z) : layer;
  if (slice >= a.slices()) slice = a.slices() - 1;
  // the layers of lines lie one below the other
  const size_t row = static_cast<size_t>(y) + slice * a.rows();
  return {true, a.data + row * a.pitch() + static_cast<size_t>(x) * a.format.bytes()};
}

float half_to_float(unsigned short bits) {
  const int exponent = bits >> 10 & 31;
  const float mantissa = bits & 1023, sign = bits & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 31) return mantissa ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24));
}

float linear_of_srgb(float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); }

// One channel: as a float where the texture reads floats, else as the bits of an integer.
struct Value {
  float real = 0;
  unsigned bits = 0;
};
bool reads_floats(const Texture& t) { return t.format.kind == Channel::floating || t.as_float; }

Value channel(const Texture& t, const char* at, int which) {
  const int bits = t.format.bits[which];
  for (int i = 0; i < which; i++) at += t.format.bits[i] / 8;
  unsigned raw = 0;
  memcpy(&raw, at, static_cast<size_t>(bits / 8));
  Value v;
  if (t.format.kind == Channel::floating) {
    if (bits == 16) v.real = half_to_float(static_cast<unsigned short>(raw));
    else memcpy(&v.real, &raw, 4);
    return v;
  }
  const bool is_signed = t.format.kind == Channel::signed_integer;
  const long long value = is_signed && bits < 32 ? static_cast<int>(raw << (32 - bits)) >> (32 - bits)
                          : is_signed            ? static_cast<long long>(static_cast<int>(raw))
                                                 : static_cast<long long>(raw);
  v.bits = static_cast<unsigned>(value);
  if (t.as_float) {
    const float most = static_cast<float>((1ll << (is_signed ? bits - 1 : bits)) - 1);
    v.real = static_cast<float>(value) / most;
    if (v.real < -1) v.real = -1;
    if (t.srgb && bits == 8 && !is_signed && which < 3) v.real = linear_of_srgb(v.real);
  }
  return v;
}

void read(const Texture& t, const Texel& from, Value out[4]) {
  for (int i = 0; i < 4; i++) {
    out[i] = Value();
    if (!from.inside) {
      out[i].real = t.border[i];
      memcpy(&out[i].bits, &t.border[i], 4);
      if (!reads_floats(t)) out[i].bits = static_cast<unsigned>(static_cast<long long>(t.border[i]));
    } else if (t.format.bits[i]) {
      out[i] = channel(t, from.at, i);
    }
  }
}

void put(const Texture& t, const Value v[4], unsigned out[4]) {
  for (int i = 0; i < 4; i++) {
    if (reads_floats(t)) memcpy(&out[i], &v[i].real, 4);
    else out[i] = v[i].bits;
  }
}

// A coordinate in texels. Wrapped and mirrored ones are normalized, and are brought into the texture first.
float in_texels(const Texture& t, int axis, float c) {
  if (!t.normalized) return c;
  if (t.address[axis] == Address::wrap) c -= std::floor(c);
  if (t.address[axis] == Address::mirror) {
    const float whole = std::floor(c);
    c = std::fmod(whole, 2.0f) == 0 ? c - whole : 1 - (c - whole);
  }
  return c * static_cast<float>(extent(t, axis));
}

long long whole(float c) {
  if (!(c > -1e9f)) return -1000000000ll;
  return c > 1e9f ? 1000000000ll : static_cast<long long>(std::floor(c));
}

struct Between {
  long long low;
  float weight;  // of the higher one
};
Between between(float c) {
  const float at = c - 0.5f, low = std::floor(at);
  return {whole(at), std::floor((at - low) * 256 + 0.5f) / 256};
}
}  // namespace

namespace host {
int make_texture(unsigned long long* handle, const Texture& t) {
  if (!handle) return raise(invalid_value);
  const bool integers = t.format.kind != Channel::floating;
  if (integers && !t.as_float && t.linear) return raise(invalid_value);
  if (integers && t.as_float && t.format.bits[0] == 32) return raise(invalid_value);
  if (t.resource == Resource::array && !t.array) return raise(invalid_value);
  if (t.resource != Resource::array && !t.data) return raise(invalid_value);
  if (t.resource == Resource::pitched && t.pitch < t.width * t.format.bytes()) return raise(invalid_value);
  *handle = next_handle++;
  handles()[*handle] = t;
  return ok;
}
int free_texture(unsigned long long handle) { return handles().erase(handle) ? int(ok) : raise(invalid_value); }
}  // namespace host

const Texture* texture_of(unsigned long long handle, bool surface) {
  auto it = handles().find(handle);
  if (it == handles().end()) trap("trap", surface ? "a surface object that there is not" : "a texture object that there is not");
  return &it->second;
}

void fetch_linear(const Texture& t, long long element, unsigned out[4], Site) {  // what lies outside is 0
  const size_t count = t.array ? t.array->width : t.bytes / t.format.bytes();
  Value v[4];
  const bool inside = element >= 0 && static_cast<size_t>(element) < count;
  const char* data = t.array ? t.array->data : t.data;
  read(t, {inside, inside ? data + static_cast<size_t>(element) * t.format.bytes() : nullptr}, v);
  put(t, v, out);
}

void fetch(const Texture& t, int dimensions, float x, float y, float z, unsigned layer, unsigned out[4], Site site) {
  Value v[4];
  if (t.resource == Resource::linear) {  // no filtering and no modes: as by an index
    fetch_linear(t, whole(x), out, site);
    return;
  }
  const float at[3] = {in_texels(t, 0, x), dimensions > 1 ? in_texels(t, 1, y) : 0, dimensions > 2 ? in_texels(t, 2, z) : 0};
  if (!t.linear) {
    read(t, texel(t, dimensions, whole(at[0]), whole(at[1]), whole(at[2]), layer), v);
    put(t, v, out);
    return;
  }
  assume("texture-weights", "the weights of linear filtering have 8 bits of fraction, rounded to the nearest", site);
  Between b[3] = {between(at[0]), {0, 0}, {0, 0}};
  for (int axis = 1; axis < dimensions; axis++) b[axis] = between(at[axis]);
  Value sum[4];
  for (int corner = 0; corner < 1 << dimensions; corner++) {
    float weight = 1;
    long long index[3];
    for (int axis = 0; axis < 3; axis++) {
      const bool high = corner >> axis & 1;
      index[axis] = b[axis].low + high;
      if (axis < dimensions) weight *= high ? b[axis].weight : 1 - b[axis].weight;
    }
    read(t, texel(t, dimensions, index[0], index[1], index[2], layer), v);
    for (int i = 0; i < 4; i++) sum[i].real += weight == 0 ? 0 : weight * v[i].real;
  }
  put(t, sum, out);
}

void gather(const Texture& t, float x, float y, int which, unsigned out[4], Site) {
  const long long i = whole(in_texels(t, 0, x) - 0.5f), j = whole(in_texels(t, 1, y) - 0.5f);
  const long long dx[4] = {0, 1, 1, 0}, dy[4] = {1, 1, 0, 0};
  Value all[4], v[4];
  for (int k = 0; k < 4; k++) {
    read(t, texel(t, 2, i + dx[k], j + dy[k], 0, 0), v);
    all[k] = v[which & 3];
  }
  put(t, all, out);
}

char* surface_place(const Texture& t, int dimensions, long long x, long long y, long long z, size_t bytes, int mode, Site site) {
  if (!t.array) trap("trap", "a surface that is no array");
  const Array& a = *t.array;
  const long long limit[3] = {static_cast<long long>(a.pitch() / bytes) * static_cast<long long>(bytes),
                              static_cast<long long>(a.rows()), static_cast<long long>(a.slices())};
  long long at[3] = {x, dimensions > 1 ? y : 0, z};
  if (x % static_cast<long long>(bytes)) trap("trap", "a surface's x is in bytes and no multiple of the element");
  for (int axis = 0; axis < 3; axis++) {
    const long long last = axis ? limit[axis] - 1 : limit[0] - static_cast<long long>(bytes);
    if (at[axis] >= 0 && at[axis] <= last) continue;
    if (mode == 0) return nullptr;
    if (mode == 2) {
      finding("surface-out-of-bounds", nullptr, site, "coordinate %lld of a surface that ends at %lld", at[axis], last);
      trap("fault", "a surface access out of bounds");
    }
    at[axis] = at[axis] < 0 ? 0 : last;
  }
  return a.data + (static_cast<size_t>(at[2]) * a.rows() + static_cast<size_t>(at[1])) * a.pitch() + at[0];
}

}  // namespace emu
