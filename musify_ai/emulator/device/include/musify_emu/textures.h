// Arrays, textures and surfaces, without a CUDA or MUSA name. Elements have one, two or four channels of 8, 16 or 32
// bits; a fetch gives four words, each the bits of a float or of a 32-bit integer.
#pragma once
#include "host.h"

namespace emu {

enum class Channel : int { signed_integer = 0, unsigned_integer = 1, floating = 2, none = 3 };
struct TexelFormat {
  int bits[4];
  Channel kind;
  size_t bytes() const { return static_cast<size_t>(bits[0] + bits[1] + bits[2] + bits[3]) / 8; }
};
struct Array {
  TexelFormat format;
  size_t width, height, depth;  // 0 for the extents that it has not; layers count as depth
  unsigned flags;
  char* data;
  size_t rows() const { return height ? height : 1; }
  size_t slices() const { return depth ? depth : 1; }
  size_t pitch() const { return width * format.bytes(); }
};
enum class Resource : int { array = 0, mipmapped = 1, linear = 2, pitched = 3 };
enum class Address : int { wrap = 0, clamp = 1, mirror = 2, border = 3 };
struct Texture {
  Resource resource;
  const Array* array;
  const char* data;
  size_t bytes, width, height, pitch;
  TexelFormat format;
  Address address[3];
  bool linear, as_float, srgb, normalized;
  float border[4];
};

namespace host {
int make_array(Array** out, const TexelFormat&, size_t width, size_t height, size_t depth, unsigned flags);
int free_array(Array*);
// One side of a copy: an array, or pitched memory. `x` counts elements in arrays and bytes in memory.
struct Place {
  Array* array;
  char* memory;
  size_t pitch, height, x, y, z;
};
// `width` counts elements where a side is an array, else bytes.
int copy_3d(const Place& to, const Place& from, size_t width, size_t height, size_t depth, int direction, const char* caller,
            Site);
int make_texture(unsigned long long* handle, const Texture&);
int free_texture(unsigned long long handle);
}  // namespace host
const Texture* texture_of(unsigned long long handle, bool surface);

// Of a texture: `dimensions` coordinates, the layer after them (0 where there is none).
void fetch(const Texture&, int dimensions, float x, float y, float z, unsigned layer, unsigned out[4], Site);
void fetch_linear(const Texture&, long long element, unsigned out[4], Site);
// The four texels that linear filtering would take, one channel of each, from below left against the clock.
void gather(const Texture&, float x, float y, int channel, unsigned out[4], Site);
// Where the element of a surface lies; null where nothing is to be read or written. `x` is in bytes. mode: 0 zero, 1
// clamp, 2 trap.
char* surface_place(const Texture&, int dimensions, long long x, long long y, long long z, size_t bytes, int mode, Site);

namespace device {

template <class T, class = void>
struct Channels {
  using Part = T;
  static constexpr int count = 1;
};
template <class T>
struct Channels<T, decltype(static_cast<void>(T::x))> {
  using Part = decltype(T::x);
  static constexpr int count = static_cast<int>(sizeof(T) / sizeof(Part));
};
// What a fetch gives, as the type asked for.
template <class T>
EMU_INLINE T fetched(const unsigned (&words)[4]) {
  using Part = typename Channels<T>::Part;
  Part parts[Channels<T>::count];
  for (int i = 0; i < Channels<T>::count; i++) {
    if constexpr (std::is_floating_point<Part>::value) {
      float f;
      memcpy(&f, &words[i], 4);
      parts[i] = f;
    } else {
      parts[i] = static_cast<Part>(words[i]);
    }
  }
  T out;
  memcpy(static_cast<void*>(&out), parts, sizeof out);
  return out;
}

using Handle = unsigned long long;
#define EMU_FETCH(NAME, PARAMETERS, DIMENSIONS, X, Y, Z, LAYER)                                                     \
  template <class T>                                                                                                \
  EMU_INLINE T NAME(Handle h, PARAMETERS Site s = Site::here()) {                                                   \
    unsigned words[4];                                                                                              \
    fetch(*texture_of(h, false), DIMENSIONS, X, Y, Z, LAYER, words, s);                                             \
    return fetched<T>(words);                                                                                       \
  }                                                                                                                 \
  template <class T>                                                                                                \
  EMU_INLINE void NAME(T* out, Handle h, PARAMETERS Site s = Site::here()) {                                        \
    unsigned words[4];                                                                                              \
    fetch(*texture_of(h, false), DIMENSIONS, X, Y, Z, LAYER, words, s);                                             \
    *out = fetched<T>(words);                                                                                       \
  }
#define EMU_COMMA ,
EMU_FETCH(tex1D, float x EMU_COMMA, 1, x, 0, 0, 0)
EMU_FETCH(tex2D, float x EMU_COMMA float y EMU_COMMA, 2, x, y, 0, 0)
EMU_FETCH(tex3D, float x EMU_COMMA float y EMU_COMMA float z EMU_COMMA, 3, x, y, z, 0)
EMU_FETCH(tex1DLayered, float x EMU_COMMA int layer EMU_COMMA, 1, x, 0, 0, static_cast<unsigned>(layer))
EMU_FETCH(tex2DLayered, float x EMU_COMMA float y EMU_COMMA int layer EMU_COMMA, 2, x, y, 0, static_cast<unsigned>(layer))
// There are no mipmaps, so the level is the only one.
EMU_FETCH(tex1DLod, float x EMU_COMMA float EMU_COMMA, 1, x, 0, 0, 0)
EMU_FETCH(tex2DLod, float x EMU_COMMA float y EMU_COMMA float EMU_COMMA, 2, x, y, 0, 0)
EMU_FETCH(tex3DLod, float x EMU_COMMA float y EMU_COMMA float z EMU_COMMA float EMU_COMMA, 3, x, y, z, 0)
#undef EMU_FETCH
#undef EMU_COMMA
template <class T>
EMU_INLINE T tex1Dfetch(Handle h, int i, Site s = Site::here()) {
  unsigned words[4];
  fetch_linear(*texture_of(h, false), i, words, s);
  return fetched<T>(words);
}
template <class T>
EMU_INLINE T tex2Dgather(Handle h, float x, float y, int channel = 0, Site s = Site::here()) {
  unsigned words[4];
  gather(*texture_of(h, false), x, y, channel, words, s);
  return fetched<T>(words);
}

template <class T>
EMU_INLINE T surface_read(Handle h, int dimensions, long long x, long long y, long long z, int mode, Site s) {
  T out;
  const char* p = surface_place(*texture_of(h, true), dimensions, x, y, z, sizeof(T), mode, s);
  if (p) memcpy(static_cast<void*>(&out), p, sizeof out);
  else memset(static_cast<void*>(&out), 0, sizeof out);
  return out;
}
template <class T>
EMU_INLINE void surface_write(const T& v, Handle h, int dimensions, long long x, long long y, long long z, int mode, Site s) {
  if (char* p = surface_place(*texture_of(h, true), dimensions, x, y, z, sizeof(T), mode, s)) memcpy(p, &v, sizeof v);
}

}  // namespace device
}  // namespace emu
