// ---- arrays, textures, surfaces
#include "musify_emu/textures.h"
enum @rt@ChannelFormatKind {
  @rt@ChannelFormatKindSigned = 0,
  @rt@ChannelFormatKindUnsigned = 1,
  @rt@ChannelFormatKindFloat = 2,
  @rt@ChannelFormatKindNone = 3
};
struct @rt@ChannelFormatDesc {
  int x, y, z, w;
  enum @rt@ChannelFormatKind f;
};
typedef ::emu::Array @rt@Array;
typedef @rt@Array* @rt@Array_t;
typedef const @rt@Array* @rt@Array_const_t;
struct @rt@Extent { size_t width, height, depth; };
struct @rt@Pos { size_t x, y, z; };
struct @rt@PitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
inline @rt@Extent make_@rt@Extent(size_t w, size_t h, size_t d) { return @rt@Extent{w, h, d}; }
inline @rt@Pos make_@rt@Pos(size_t x, size_t y, size_t z) { return @rt@Pos{x, y, z}; }
inline @rt@PitchedPtr make_@rt@PitchedPtr(void* p, size_t pitch, size_t x, size_t y) { return @rt@PitchedPtr{p, pitch, x, y}; }
@names make_@rt@Extent make_@rt@Pos make_@rt@PitchedPtr
struct @rt@Memcpy3DParms {
  @rt@Array_t srcArray;
  struct @rt@Pos srcPos;
  struct @rt@PitchedPtr srcPtr;
  @rt@Array_t dstArray;
  struct @rt@Pos dstPos;
  struct @rt@PitchedPtr dstPtr;
  struct @rt@Extent extent;
  enum @rt@MemcpyKind kind;
};
#define @rt@ArrayDefault 0x00
#define @rt@ArrayLayered 0x01
#define @rt@ArraySurfaceLoadStore 0x02
#define @rt@ArrayTextureGather 0x08
enum @rt@ResourceType {
  @rt@ResourceTypeArray = 0,
  @rt@ResourceTypeMipmappedArray = 1,
  @rt@ResourceTypeLinear = 2,
  @rt@ResourceTypePitch2D = 3
};
enum @rt@TextureAddressMode {
  @rt@AddressModeWrap = 0,
  @rt@AddressModeClamp = 1,
  @rt@AddressModeMirror = 2,
  @rt@AddressModeBorder = 3
};
enum @rt@TextureFilterMode { @rt@FilterModePoint = 0, @rt@FilterModeLinear = 1 };
enum @rt@TextureReadMode { @rt@ReadModeElementType = 0, @rt@ReadModeNormalizedFloat = 1 };
enum @rt@SurfaceBoundaryMode { @rt@BoundaryModeZero = 0, @rt@BoundaryModeClamp = 1, @rt@BoundaryModeTrap = 2 };
struct @rt@ResourceDesc {
  enum @rt@ResourceType resType;
  union {
    struct { @rt@Array_t array; } array;
    struct {
      void* devPtr;
      struct @rt@ChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      struct @rt@ChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct @rt@ResourceViewDesc;
struct @rt@TextureDesc {
  enum @rt@TextureAddressMode addressMode[3];
  enum @rt@TextureFilterMode filterMode;
  enum @rt@TextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  enum @rt@TextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
typedef unsigned long long @rt@TextureObject_t;
typedef unsigned long long @rt@SurfaceObject_t;

inline struct @rt@ChannelFormatDesc @rt@CreateChannelDesc(int x, int y, int z, int w, enum @rt@ChannelFormatKind f) {
  return @rt@ChannelFormatDesc{x, y, z, w, f};
}
template <class T>
inline struct @rt@ChannelFormatDesc @rt@CreateChannelDesc() {
  using C = ::emu::device::Channels<T>;
  constexpr int bits = static_cast<int>(sizeof(typename C::Part)) * 8;
  static_assert(C::count <= 4 && bits <= 32, "a channel has 32 bits at most, and an element four of them");
  return @rt@ChannelFormatDesc{bits, C::count > 1 ? bits : 0, C::count > 2 ? bits : 0, C::count > 3 ? bits : 0,
      ::emu::element_of<typename C::Part>::value == ::emu::Element::signed_integer     ? @rt@ChannelFormatKindSigned
      : ::emu::element_of<typename C::Part>::value == ::emu::Element::unsigned_integer ? @rt@ChannelFormatKindUnsigned
                                                                                        : @rt@ChannelFormatKindFloat};
}
inline ::emu::TexelFormat emu_format(const struct @rt@ChannelFormatDesc& d) {
  return ::emu::TexelFormat{{d.x, d.y, d.z, d.w}, static_cast<::emu::Channel>(d.f)};
}
inline @rt@Error_t @rt@MallocArray(@rt@Array_t* array, const struct @rt@ChannelFormatDesc* d, size_t width, size_t height = 0,
                                   unsigned flags = 0) {
  return EMU_ERROR(::emu::host::make_array(array, emu_format(*d), width, height, 0, flags));
}
inline @rt@Error_t @rt@Malloc3DArray(@rt@Array_t* array, const struct @rt@ChannelFormatDesc* d, struct @rt@Extent e,
                                     unsigned flags = 0) {
  return EMU_ERROR(::emu::host::make_array(array, emu_format(*d), e.width, e.height, e.depth, flags));
}
inline @rt@Error_t @rt@FreeArray(@rt@Array_t array) { return EMU_ERROR(::emu::host::free_array(array)); }
inline @rt@Error_t @rt@ArrayGetInfo(struct @rt@ChannelFormatDesc* d, struct @rt@Extent* e, unsigned* flags, @rt@Array_t a) {
  if (d) *d = @rt@ChannelFormatDesc{a->format.bits[0], a->format.bits[1], a->format.bits[2], a->format.bits[3],
                                    static_cast<enum @rt@ChannelFormatKind>(a->format.kind)};
  if (e) *e = @rt@Extent{a->width, a->height, a->depth};
  if (flags) *flags = a->flags;
  return @rt@Success;
}
inline @rt@Error_t @rt@Malloc3D(struct @rt@PitchedPtr* p, struct @rt@Extent e) {
  p->xsize = e.width;
  p->ysize = e.height;
  return EMU_ERROR(::emu::host::allocate_pitch(&p->ptr, &p->pitch, e.width, e.height * e.depth));
}
inline ::emu::host::Place emu_place(@rt@Array_const_t a, const struct @rt@PitchedPtr& p, const struct @rt@Pos& at) {
  return ::emu::host::Place{const_cast<@rt@Array_t>(a), static_cast<char*>(p.ptr), p.pitch, p.ysize, at.x, at.y, at.z};
}
inline ::emu::host::Place emu_array(@rt@Array_const_t a, size_t byte, size_t row) {
  return ::emu::host::Place{const_cast<@rt@Array_t>(a), nullptr, 0, 0, byte / a->format.bytes(), row, 0};
}
inline ::emu::host::Place emu_memory(const void* p, size_t pitch) {
  return ::emu::host::Place{nullptr, static_cast<char*>(const_cast<void*>(p)), pitch, 0, 0, 0, 0};
}
inline @rt@Error_t @rt@Memcpy3D(const struct @rt@Memcpy3DParms* p, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_3d(emu_place(p->dstArray, p->dstPtr, p->dstPos), emu_place(p->srcArray, p->srcPtr, p->srcPos),
                                        p->extent.width, p->extent.height, p->extent.depth, p->kind, "@rt@Memcpy3D", emu_site));
}
inline @rt@Error_t @rt@Memcpy3DAsync(const struct @rt@Memcpy3DParms* p, @rt@Stream_t s = 0, EMU_SITE) {
  const struct @rt@Memcpy3DParms kept = *p;
  const void *to = p->dstArray ? p->dstArray->data : p->dstPtr.ptr, *from = p->srcArray ? p->srcArray->data : p->srcPtr.ptr;
  return EMU_ERROR(::emu::host::copy_in_stream(s, to, from, [kept, emu_site] { return static_cast<int>(@rt@Memcpy3D(&kept, emu_site)); }));
}
// Widths of the two-dimensional forms are in bytes.
inline @rt@Error_t @rt@Memcpy2DToArray(@rt@Array_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width, size_t height,
                                       enum @rt@MemcpyKind kind, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_3d(emu_array(to, x, y), emu_memory(from, pitch), width / to->format.bytes(), height, 1, kind,
                                        "@rt@Memcpy2DToArray", emu_site));
}
inline @rt@Error_t @rt@Memcpy2DFromArray(void* to, size_t pitch, @rt@Array_const_t from, size_t x, size_t y, size_t width,
                                         size_t height, enum @rt@MemcpyKind kind, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_3d(emu_memory(to, pitch), emu_array(from, x, y), width / from->format.bytes(), height, 1, kind,
                                        "@rt@Memcpy2DFromArray", emu_site));
}
inline @rt@Error_t @rt@Memcpy2DArrayToArray(@rt@Array_t to, size_t x, size_t y, @rt@Array_const_t from, size_t fx, size_t fy, size_t width,
                                            size_t height, enum @rt@MemcpyKind kind = @rt@MemcpyDeviceToDevice, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_3d(emu_array(to, x, y), emu_array(from, fx, fy), width / from->format.bytes(), height, 1, kind,
                                        "@rt@Memcpy2DArrayToArray", emu_site));
}
inline @rt@Error_t @rt@Memcpy2DToArrayAsync(@rt@Array_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                            size_t height, enum @rt@MemcpyKind kind, @rt@Stream_t s = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_in_stream(s, to->data, from, [=] {
    return static_cast<int>(@rt@Memcpy2DToArray(to, x, y, from, pitch, width, height, kind, emu_site));
  }));
}
inline @rt@Error_t @rt@Memcpy2DFromArrayAsync(void* to, size_t pitch, @rt@Array_const_t from, size_t x, size_t y, size_t width,
                                              size_t height, enum @rt@MemcpyKind kind, @rt@Stream_t s = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_in_stream(s, to, from->data, [=] {
    return static_cast<int>(@rt@Memcpy2DFromArray(to, pitch, from, x, y, width, height, kind, emu_site));
  }));
}
// By rows of the array, one after the other.
inline @rt@Error_t @rt@MemcpyToArray(@rt@Array_t to, size_t x, size_t y, const void* from, size_t n, enum @rt@MemcpyKind kind, EMU_SITE) {
  if (x == 0 && n % to->pitch() == 0) return @rt@Memcpy2DToArray(to, 0, y, from, to->pitch(), to->pitch(), n / to->pitch(), kind, emu_site);
  return @rt@Memcpy2DToArray(to, x, y, from, n, n, 1, kind, emu_site);
}
inline @rt@Error_t @rt@MemcpyFromArray(void* to, @rt@Array_const_t from, size_t x, size_t y, size_t n, enum @rt@MemcpyKind kind, EMU_SITE) {
  if (x == 0 && n % from->pitch() == 0)
    return @rt@Memcpy2DFromArray(to, from->pitch(), from, 0, y, from->pitch(), n / from->pitch(), kind, emu_site);
  return @rt@Memcpy2DFromArray(to, n, from, x, y, n, 1, kind, emu_site);
}

inline ::emu::Texture emu_texture(const struct @rt@ResourceDesc& r) {
  ::emu::Texture t{};
  t.resource = static_cast<::emu::Resource>(r.resType);
  if (r.resType == @rt@ResourceTypeArray) {
    t.array = r.res.array.array;
    if (t.array) t.format = t.array->format;
  } else if (r.resType == @rt@ResourceTypeLinear) {
    t.data = static_cast<const char*>(r.res.linear.devPtr);
    t.format = emu_format(r.res.linear.desc);
    t.bytes = r.res.linear.sizeInBytes;
    t.width = t.format.bytes() ? t.bytes / t.format.bytes() : 0;
  } else if (r.resType == @rt@ResourceTypePitch2D) {
    t.data = static_cast<const char*>(r.res.pitch2D.devPtr);
    t.format = emu_format(r.res.pitch2D.desc);
    t.width = r.res.pitch2D.width;
    t.height = r.res.pitch2D.height;
    t.pitch = r.res.pitch2D.pitchInBytes;
  }
  return t;
}
inline @rt@Error_t @rt@CreateTextureObject(@rt@TextureObject_t* handle, const struct @rt@ResourceDesc* r, const struct @rt@TextureDesc* d,
                                           const struct @rt@ResourceViewDesc* view, EMU_SITE) {
  if (!r || !d) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  if (view) ::emu::host::not_emulated("@rt@CreateTextureObject with a resource view", emu_site);
  if (r->resType == @rt@ResourceTypeMipmappedArray) ::emu::host::not_emulated("@rt@CreateTextureObject of a mipmapped array", emu_site);
  ::emu::Texture t = emu_texture(*r);
  for (int i = 0; i < 3; i++) t.address[i] = static_cast<::emu::Address>(d->addressMode[i]);
  for (int i = 0; i < 4; i++) t.border[i] = d->borderColor[i];
  t.linear = d->filterMode == @rt@FilterModeLinear;
  t.as_float = d->readMode == @rt@ReadModeNormalizedFloat;
  t.srgb = d->sRGB != 0;
  t.normalized = d->normalizedCoords != 0;
  return EMU_ERROR(::emu::host::make_texture(handle, t));
}
inline @rt@Error_t @rt@DestroyTextureObject(@rt@TextureObject_t h) { return EMU_ERROR(::emu::host::free_texture(h)); }
inline @rt@Error_t @rt@CreateSurfaceObject(@rt@SurfaceObject_t* handle, const struct @rt@ResourceDesc* r) {
  if (!r || r->resType != @rt@ResourceTypeArray) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  return EMU_ERROR(::emu::host::make_texture(handle, emu_texture(*r)));
}
inline @rt@Error_t @rt@DestroySurfaceObject(@rt@SurfaceObject_t h) { return EMU_ERROR(::emu::host::free_texture(h)); }

@export tex1Dfetch
@export tex1D tex2D tex3D tex1DLayered tex2DLayered tex1DLod tex2DLod tex3DLod tex2Dgather
@names surf1Dread surf1Dwrite surf2Dread surf2Dwrite surf3Dread surf3Dwrite surf1DLayeredread surf1DLayeredwrite
@names surf2DLayeredread surf2DLayeredwrite
#define EMU_SURFACE(NAME, PARAMETERS, DIMENSIONS, X, Y, Z)                                                                      \
  template <class T>                                                                                                           \
  inline T NAME##read(@rt@SurfaceObject_t h, PARAMETERS enum @rt@SurfaceBoundaryMode m = @rt@BoundaryModeTrap, EMU_SITE) {      \
    return ::emu::device::surface_read<T>(h, DIMENSIONS, X, Y, Z, m, emu_site);                                                \
  }                                                                                                                            \
  template <class T>                                                                                                           \
  inline void NAME##read(T* out, @rt@SurfaceObject_t h, PARAMETERS enum @rt@SurfaceBoundaryMode m = @rt@BoundaryModeTrap, EMU_SITE) { \
    *out = ::emu::device::surface_read<T>(h, DIMENSIONS, X, Y, Z, m, emu_site);                                                \
  }                                                                                                                            \
  template <class T>                                                                                                           \
  inline void NAME##write(T v, @rt@SurfaceObject_t h, PARAMETERS enum @rt@SurfaceBoundaryMode m = @rt@BoundaryModeTrap, EMU_SITE) { \
    ::emu::device::surface_write(v, h, DIMENSIONS, X, Y, Z, m, emu_site);                                                      \
  }
#define EMU_COMMA ,
EMU_SURFACE(surf1D, int x EMU_COMMA, 1, x, 0, 0)
EMU_SURFACE(surf2D, int x EMU_COMMA int y EMU_COMMA, 2, x, y, 0)
EMU_SURFACE(surf3D, int x EMU_COMMA int y EMU_COMMA int z EMU_COMMA, 3, x, y, z)
EMU_SURFACE(surf1DLayered, int x EMU_COMMA int layer EMU_COMMA, 1, x, 0, layer)
EMU_SURFACE(surf2DLayered, int x EMU_COMMA int y EMU_COMMA int layer EMU_COMMA, 2, x, y, layer)
#undef EMU_SURFACE
#undef EMU_COMMA

// ---- references, which CUDA 12 has no more and old programs use
@names texture textureReference
#define @rt@TextureType1D 0x01
#define @rt@TextureType2D 0x02
#define @rt@TextureType3D 0x03
struct textureReference {
  int normalized;
  enum @rt@TextureFilterMode filterMode;
  enum @rt@TextureAddressMode addressMode[3];
  struct @rt@ChannelFormatDesc channelDesc;
  int sRGB;
  unsigned long long emu_handle;
  bool emu_as_float;
};
template <class T, int Dimensions = 1, enum @rt@TextureReadMode Mode = @rt@ReadModeElementType>
struct texture : textureReference {
  texture(int norm = 0, enum @rt@TextureFilterMode f = @rt@FilterModePoint, enum @rt@TextureAddressMode a = @rt@AddressModeClamp)
      : textureReference{norm, f, {a, a, a}, @rt@CreateChannelDesc<T>(), 0, 0, Mode == @rt@ReadModeNormalizedFloat} {}
};
inline @rt@Error_t emu_bind(const textureReference& r, ::emu::Texture t) {
  textureReference& reference = const_cast<textureReference&>(r);
  for (int i = 0; i < 3; i++) t.address[i] = static_cast<::emu::Address>(r.addressMode[i]);
  t.linear = r.filterMode == @rt@FilterModeLinear;
  t.normalized = r.normalized != 0;
  t.as_float = r.emu_as_float;
  if (reference.emu_handle) ::emu::host::free_texture(reference.emu_handle);
  reference.emu_handle = 0;
  return EMU_ERROR(::emu::host::make_texture(&reference.emu_handle, t));
}
inline @rt@Error_t @rt@BindTexture(size_t* offset, const textureReference& r, const void* p, const struct @rt@ChannelFormatDesc& d,
                                   size_t n = UINT_MAX) {
  struct @rt@ResourceDesc resource = {};
  resource.resType = @rt@ResourceTypeLinear;
  resource.res.linear = {const_cast<void*>(p), d, n};
  ::emu::Owner owner;
  if (n == UINT_MAX && ::emu::owner_of(p, &owner))
    resource.res.linear.sizeInBytes = owner.bytes - (static_cast<const char*>(p) - static_cast<const char*>(owner.base));
  if (offset) *offset = 0;
  return emu_bind(r, emu_texture(resource));
}
inline @rt@Error_t @rt@BindTexture(size_t* offset, const textureReference& r, const void* p, size_t n = UINT_MAX) {
  return @rt@BindTexture(offset, r, p, r.channelDesc, n);
}
inline @rt@Error_t @rt@BindTexture2D(size_t* offset, const textureReference& r, const void* p, const struct @rt@ChannelFormatDesc& d,
                                     size_t width, size_t height, size_t pitch) {
  struct @rt@ResourceDesc resource = {};
  resource.resType = @rt@ResourceTypePitch2D;
  resource.res.pitch2D = {const_cast<void*>(p), d, width, height, pitch};
  if (offset) *offset = 0;
  return emu_bind(r, emu_texture(resource));
}
inline @rt@Error_t @rt@BindTexture2D(size_t* offset, const textureReference& r, const void* p, size_t width, size_t height, size_t pitch) {
  return @rt@BindTexture2D(offset, r, p, r.channelDesc, width, height, pitch);
}
inline @rt@Error_t @rt@BindTextureToArray(const textureReference& r, @rt@Array_const_t a, const struct @rt@ChannelFormatDesc&) {
  struct @rt@ResourceDesc resource = {};
  resource.resType = @rt@ResourceTypeArray;
  resource.res.array.array = const_cast<@rt@Array_t>(a);
  return emu_bind(r, emu_texture(resource));
}
inline @rt@Error_t @rt@BindTextureToArray(const textureReference& r, @rt@Array_const_t a) {
  return @rt@BindTextureToArray(r, a, r.channelDesc);
}
inline @rt@Error_t @rt@UnbindTexture(const textureReference& r) {
  if (r.emu_handle) ::emu::host::free_texture(r.emu_handle);
  const_cast<textureReference&>(r).emu_handle = 0;
  return @rt@Success;
}
// A reference's fetch gives floats, as many as the element has channels, where it reads normalized ones.
template <class T, enum @rt@TextureReadMode Mode>
struct emu_fetched {
  using type = T;
};
template <> struct emu_fetched<unsigned char, @rt@ReadModeNormalizedFloat> { using type = float; };
template <> struct emu_fetched<signed char, @rt@ReadModeNormalizedFloat> { using type = float; };
template <> struct emu_fetched<unsigned short, @rt@ReadModeNormalizedFloat> { using type = float; };
template <> struct emu_fetched<short, @rt@ReadModeNormalizedFloat> { using type = float; };
template <> struct emu_fetched<uchar2, @rt@ReadModeNormalizedFloat> { using type = float2; };
template <> struct emu_fetched<uchar4, @rt@ReadModeNormalizedFloat> { using type = float4; };
template <> struct emu_fetched<ushort2, @rt@ReadModeNormalizedFloat> { using type = float2; };
template <> struct emu_fetched<ushort4, @rt@ReadModeNormalizedFloat> { using type = float4; };
#define EMU_REFERENCE(NAME, DIMENSIONS, PARAMETERS, VALUES)                                                                     \
  template <class T, enum @rt@TextureReadMode M>                                                                               \
  inline typename emu_fetched<T, M>::type NAME(const texture<T, DIMENSIONS, M>& r, PARAMETERS, EMU_SITE) {                      \
    return ::emu::device::NAME<typename emu_fetched<T, M>::type>(r.emu_handle, VALUES, emu_site);                              \
  }
#define EMU_COMMA ,
EMU_REFERENCE(tex1Dfetch, 1, int i, i)
EMU_REFERENCE(tex1D, 1, float x, x)
EMU_REFERENCE(tex2D, 2, float x EMU_COMMA float y, x EMU_COMMA y)
EMU_REFERENCE(tex3D, 3, float x EMU_COMMA float y EMU_COMMA float z, x EMU_COMMA y EMU_COMMA z)
#undef EMU_REFERENCE
#undef EMU_COMMA
