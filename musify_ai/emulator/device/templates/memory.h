// ---- memory
#include "musify_emu/memories.h"
template <class T>
inline @rt@Error_t @rt@Malloc(T** p, size_t n) {
  return EMU_ERROR(::emu::host::allocate((void**)p, n, ::emu::Memory::device));
}
template <class T>
inline @rt@Error_t @rt@MallocAsync(T** p, size_t n, @rt@Stream_t s) {
  return EMU_ERROR(::emu::host::pool_allocate((void**)p, n, nullptr, s));
}
template <class T>
inline @rt@Error_t @rt@MallocManaged(T** p, size_t n, unsigned = @rt@MemAttachGlobal) {
  if (!n) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  return EMU_ERROR(::emu::host::allocate((void**)p, n, ::emu::Memory::managed));
}
template <class T>
inline @rt@Error_t @rt@MallocHost(T** p, size_t n, unsigned = 0) {
  return EMU_ERROR(::emu::host::allocate((void**)p, n, ::emu::Memory::host));
}
template <class T>
inline @rt@Error_t @rt@HostAlloc(T** p, size_t n, unsigned) {
  return EMU_ERROR(::emu::host::allocate((void**)p, n, ::emu::Memory::host));
}
// The C functions, beside their templates: for an address that is no T**, as NULL is.
inline @rt@Error_t @rt@Malloc(void** p, size_t n) { return @rt@Malloc<void>(p, n); }
inline @rt@Error_t @rt@MallocAsync(void** p, size_t n, @rt@Stream_t s) { return @rt@MallocAsync<void>(p, n, s); }
inline @rt@Error_t @rt@MallocManaged(void** p, size_t n, unsigned f = @rt@MemAttachGlobal) { return @rt@MallocManaged<void>(p, n, f); }
inline @rt@Error_t @rt@MallocHost(void** p, size_t n, unsigned f = 0) { return @rt@MallocHost<void>(p, n, f); }
inline @rt@Error_t @rt@HostAlloc(void** p, size_t n, unsigned f) { return @rt@HostAlloc<void>(p, n, f); }
template <class T>
inline @rt@Error_t @rt@MallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
  return EMU_ERROR(::emu::host::allocate_pitch((void**)p, pitch, width, height));
}
inline @rt@Error_t @rt@MallocPitch(void** p, size_t* pitch, size_t width, size_t height) {
  return @rt@MallocPitch<void>(p, pitch, width, height);
}
inline @rt@Error_t @rt@Free(void* p, EMU_SITE) { return EMU_ERROR(::emu::host::release(p, "@rt@Free", emu_site)); }
inline @rt@Error_t @rt@FreeAsync(void* p, @rt@Stream_t s, EMU_SITE) {
  return EMU_ERROR(::emu::host::pool_free(p, s, "@rt@FreeAsync", emu_site));
}
inline @rt@Error_t @rt@FreeHost(void* p, EMU_SITE) { return EMU_ERROR(::emu::host::release(p, "@rt@FreeHost", emu_site)); }
inline @rt@Error_t @rt@HostRegister(void* p, size_t n, unsigned) { return EMU_ERROR(::emu::host::register_host(p, n, true)); }
inline @rt@Error_t @rt@HostUnregister(void* p) { return EMU_ERROR(::emu::host::register_host(p, 0, false)); }
template <class T>
inline @rt@Error_t @rt@HostGetDevicePointer(T** p, void* host, unsigned) {
  ::emu::Owner owner;
  if (!p || !::emu::owner_of(host, &owner) || owner.memory == ::emu::Memory::device) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  *p = (T*)host;
  return @rt@Success;
}
inline @rt@Error_t @rt@HostGetDevicePointer(void** p, void* host, unsigned flags) {
  return @rt@HostGetDevicePointer<void>(p, host, flags);
}
inline @rt@Error_t @rt@Memcpy(void* to, const void* from, size_t n, enum @rt@MemcpyKind kind, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy(to, from, n, kind, "@rt@Memcpy", emu_site));
}
inline @rt@Error_t @rt@MemcpyAsync(void* to, const void* from, size_t n, enum @rt@MemcpyKind kind, @rt@Stream_t s = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_in_stream(to, from, n, kind, "@rt@MemcpyAsync", emu_site, s));
}
inline @rt@Error_t @rt@MemcpyPeer(void* to, int, const void* from, int, size_t n, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy(to, from, n, 3, "@rt@MemcpyPeer", emu_site));
}
inline @rt@Error_t @rt@MemcpyPeerAsync(void* to, int, const void* from, int, size_t n, @rt@Stream_t s = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::in_stream(s, 1, [=] { return ::emu::host::copy(to, from, n, 3, "@rt@MemcpyPeerAsync", emu_site); }));
}
inline @rt@Error_t @rt@Memcpy2D(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h, enum @rt@MemcpyKind kind,
                                EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_2d(to, tp, from, fp, w, h, kind, "@rt@Memcpy2D", emu_site));
}
inline @rt@Error_t @rt@Memcpy2DAsync(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h,
                                     enum @rt@MemcpyKind kind, @rt@Stream_t s = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_in_stream(s, to, from, [=] { return ::emu::host::copy_2d(to, tp, from, fp, w, h, kind, "@rt@Memcpy2DAsync", emu_site); }));
}
inline @rt@Error_t @rt@Memset(void* to, int value, size_t n, EMU_SITE) {
  return EMU_ERROR(::emu::host::fill(to, value, n, "@rt@Memset", emu_site));
}
inline @rt@Error_t @rt@MemsetAsync(void* to, int value, size_t n, @rt@Stream_t s = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::in_stream(s, 2, [=] { return ::emu::host::fill(to, value, n, "@rt@MemsetAsync", emu_site); }));
}
inline @rt@Error_t @rt@Memset2D(void* to, size_t pitch, int value, size_t w, size_t h, EMU_SITE) {
  return EMU_ERROR(::emu::host::fill_2d(to, pitch, value, w, h, "@rt@Memset2D", emu_site));
}
inline @rt@Error_t @rt@Memset2DAsync(void* to, size_t pitch, int value, size_t w, size_t h, @rt@Stream_t s = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::in_stream(s, 2, [=] { return ::emu::host::fill_2d(to, pitch, value, w, h, "@rt@Memset2DAsync", emu_site); }));
}
// A volume is a pile of rows; its pitch covers what the zones between would.
inline @rt@Error_t @rt@Memset3D(struct @rt@PitchedPtr p, int value, struct @rt@Extent e, EMU_SITE) {
  for (size_t z = 0; z < e.depth; z++)
    if (int error = ::emu::host::fill_2d(static_cast<char*>(p.ptr) + z * p.pitch * p.ysize, p.pitch, value, e.width, e.height, "@rt@Memset3D", emu_site))
      return EMU_ERROR(error);
  return @rt@Success;
}
inline @rt@Error_t @rt@Memset3DAsync(struct @rt@PitchedPtr p, int value, struct @rt@Extent e, @rt@Stream_t s = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::in_stream(s, 2, [=] { return static_cast<int>(@rt@Memset3D(p, value, e, emu_site)); }));
}
// Kept for who asks again; nothing here runs out because of them.
inline size_t* emu_limit(int limit) {
  static size_t all[] = {1024, 1 << 20, 8 << 20};
  return limit >= 0 && limit < 3 ? &all[limit] : nullptr;
}
inline @rt@Error_t @rt@DeviceGetLimit(size_t* value, enum @rt@Limit limit) {
  if (!value || !emu_limit(limit)) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  *value = *emu_limit(limit);
  return @rt@Success;
}
template <class T>
inline @rt@Error_t @rt@MemcpyToSymbol(const T& symbol, const void* from, size_t n, size_t offset = 0,
                                      enum @rt@MemcpyKind kind = @rt@MemcpyHostToDevice, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_to_symbol((void*)&symbol, sizeof(T), from, n, offset, kind, "@rt@MemcpyToSymbol", emu_site));
}
template <class T>
inline @rt@Error_t @rt@MemcpyToSymbolAsync(const T& symbol, const void* from, size_t n, size_t offset = 0,
                                           enum @rt@MemcpyKind kind = @rt@MemcpyHostToDevice, @rt@Stream_t s = 0, EMU_SITE) {
  void* address = (void*)&symbol;
  return EMU_ERROR(::emu::host::copy_in_stream(s, from, from, [=] {
    return ::emu::host::copy_to_symbol(address, sizeof(T), from, n, offset, kind, "@rt@MemcpyToSymbolAsync", emu_site);
  }));
}
template <class T>
inline @rt@Error_t @rt@MemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0,
                                        enum @rt@MemcpyKind kind = @rt@MemcpyDeviceToHost, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_from_symbol(to, &symbol, sizeof(T), n, offset, kind, "@rt@MemcpyFromSymbol", emu_site));
}
template <class T>
inline @rt@Error_t @rt@MemcpyFromSymbolAsync(void* to, const T& symbol, size_t n, size_t offset = 0,
                                             enum @rt@MemcpyKind kind = @rt@MemcpyDeviceToHost, @rt@Stream_t s = 0, EMU_SITE) {
  const void* address = &symbol;
  return EMU_ERROR(::emu::host::copy_in_stream(s, to, to, [=] {
    return ::emu::host::copy_from_symbol(to, address, sizeof(T), n, offset, kind, "@rt@MemcpyFromSymbolAsync", emu_site);
  }));
}
template <class T>
inline @rt@Error_t @rt@GetSymbolAddress(void** p, const T& symbol) {
  return EMU_ERROR(::emu::host::symbol_address(p, &symbol, sizeof(T)));
}
template <class T>
inline @rt@Error_t @rt@GetSymbolSize(size_t* n, const T&) {
  *n = sizeof(T);
  return @rt@Success;
}
inline @rt@Error_t @rt@MemGetInfo(size_t* available, size_t* total) {
  ::emu::free_bytes(available, total);
  return @rt@Success;
}
// Advice about managed memory moves nothing here; memory of another kind is an error.
inline @rt@Error_t emu_managed(const void* p, size_t n, const char* call, ::emu::Site site) {
  ::emu::Owner owner;
  if (!::emu::check_range(p, n, call, site)) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  if (::emu::owner_of(p, &owner) && owner.memory != ::emu::Memory::managed) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  return @rt@Success;
}
inline @rt@Error_t @rt@MemPrefetchAsync(const void* p, size_t n, int device, @rt@Stream_t = 0, EMU_SITE) {
  if (device != -1)  // the host
    if (int error = ::emu::host::check_device(device)) return EMU_ERROR(error);
  return emu_managed(p, n, "@rt@MemPrefetchAsync", emu_site);
}
inline @rt@Error_t @rt@MemAdvise(const void* p, size_t n, enum @rt@MemoryAdvise, int, EMU_SITE) {
  return emu_managed(p, n, "@rt@MemAdvise", emu_site);
}
enum @rt@MemLocationType {
  @rt@MemLocationTypeInvalid = 0,
  @rt@MemLocationTypeDevice = 1,
@cuda
  cudaMemLocationTypeHost = 2,
  cudaMemLocationTypeHostNuma = 3,
  cudaMemLocationTypeHostNumaCurrent = 4
@end
};
struct @rt@MemLocation {
  enum @rt@MemLocationType type;
  int id;
};
@cuda
// CUDA 13 has these forms under the plain names, 12 under others.
inline cudaError_t cudaMemPrefetchAsync(const void* p, size_t n, struct cudaMemLocation, unsigned, cudaStream_t = 0, EMU_SITE) {
  return emu_managed(p, n, "cudaMemPrefetchAsync", emu_site);
}
inline cudaError_t cudaMemAdvise(const void* p, size_t n, enum cudaMemoryAdvise, struct cudaMemLocation, EMU_SITE) {
  return emu_managed(p, n, "cudaMemAdvise", emu_site);
}
inline cudaError_t cudaMemPrefetchAsync_v2(const void* p, size_t n, struct cudaMemLocation, unsigned, cudaStream_t = 0, EMU_SITE) {
  return emu_managed(p, n, "cudaMemPrefetchAsync_v2", emu_site);
}
inline cudaError_t cudaMemAdvise_v2(const void* p, size_t n, enum cudaMemoryAdvise, struct cudaMemLocation, EMU_SITE) {
  return emu_managed(p, n, "cudaMemAdvise_v2", emu_site);
}
@end
#define @rt@MemAttachSingle 0x04
template <class T>
inline @rt@Error_t @rt@StreamAttachMemAsync(@rt@Stream_t, T*, size_t = 0, unsigned = @rt@MemAttachSingle) {
  return @rt@Success;
}
inline @rt@Error_t @rt@PointerGetAttributes(struct @rt@PointerAttributes* a, const void* p) {
  ::emu::Owner owner;
  if (!::emu::owner_of(p, &owner)) {
    *a = @rt@PointerAttributes{@rt@MemoryTypeUnregistered, -1, nullptr, const_cast<void*>(p)};
    return @rt@Success;
  }
  a->device = owner.device;
  a->type = owner.memory == ::emu::Memory::host      ? @rt@MemoryTypeHost
            : owner.memory == ::emu::Memory::managed ? @rt@MemoryTypeManaged
                                                     : @rt@MemoryTypeDevice;
  a->devicePointer = const_cast<void*>(p);
  a->hostPointer = owner.memory == ::emu::Memory::device ? nullptr : const_cast<void*>(p);
  return @rt@Success;
}

