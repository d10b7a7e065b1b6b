// ---- pools of stream-ordered allocations
typedef ::emu::host::Pool* @rt@MemPool_t;
enum @rt@MemAllocationType { @rt@MemAllocationTypeInvalid = 0, @rt@MemAllocationTypePinned = 1, @rt@MemAllocationTypeMax = 0x7fffffff };
enum @rt@MemAllocationHandleType {
  @rt@MemHandleTypeNone = 0,
  @rt@MemHandleTypePosixFileDescriptor = 1,
  @rt@MemHandleTypeWin32 = 2,
  @rt@MemHandleTypeWin32Kmt = 4
};
enum @rt@MemAccessFlags { @rt@MemAccessFlagsProtNone = 0, @rt@MemAccessFlagsProtRead = 1, @rt@MemAccessFlagsProtReadWrite = 3 };
enum @rt@MemPoolAttr {
  @rt@MemPoolReuseFollowEventDependencies = 1,
  @rt@MemPoolReuseAllowOpportunistic = 2,
  @rt@MemPoolReuseAllowInternalDependencies = 3,
  @rt@MemPoolAttrReleaseThreshold = 4,
  @rt@MemPoolAttrReservedMemCurrent = 5,
  @rt@MemPoolAttrReservedMemHigh = 6,
  @rt@MemPoolAttrUsedMemCurrent = 7,
  @rt@MemPoolAttrUsedMemHigh = 8
};
struct @rt@MemPoolProps {
  enum @rt@MemAllocationType allocType;
  enum @rt@MemAllocationHandleType handleTypes;
  struct @rt@MemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
struct @rt@MemAccessDesc {
  struct @rt@MemLocation location;
  enum @rt@MemAccessFlags flags;
};
inline @rt@Error_t @rt@DeviceGetDefaultMemPool(@rt@MemPool_t* pool, int device) {
  if (int error = ::emu::host::check_device(device)) return EMU_ERROR(error);
  *pool = ::emu::host::usual_pool(device);
  return @rt@Success;
}
inline @rt@Error_t @rt@DeviceGetMemPool(@rt@MemPool_t* pool, int device) {
  if (int error = ::emu::host::check_device(device)) return EMU_ERROR(error);
  *pool = ::emu::host::pool_of_device(device);
  return @rt@Success;
}
inline @rt@Error_t @rt@DeviceSetMemPool(int device, @rt@MemPool_t pool) { return EMU_ERROR(::emu::host::choose_pool(device, pool)); }
inline @rt@Error_t @rt@MemPoolCreate(@rt@MemPool_t* pool, const struct @rt@MemPoolProps* p, EMU_SITE) {
  if (!p || p->allocType != @rt@MemAllocationTypePinned || p->location.type != @rt@MemLocationTypeDevice)
    return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  if (p->handleTypes != @rt@MemHandleTypeNone) ::emu::host::not_emulated("@rt@MemPoolCreate for several processes", emu_site);
  return EMU_ERROR(::emu::host::make_pool(pool, p->location.id));
}
inline @rt@Error_t @rt@MemPoolDestroy(@rt@MemPool_t pool) { return EMU_ERROR(::emu::host::free_pool(pool)); }
inline @rt@Error_t @rt@MemPoolTrimTo(@rt@MemPool_t pool, size_t n) { return EMU_ERROR(::emu::host::trim_pool(pool, n)); }
inline @rt@Error_t @rt@MemPoolSetAttribute(@rt@MemPool_t pool, enum @rt@MemPoolAttr a, void* value) {
  return EMU_ERROR(::emu::host::pool_attribute(pool, a, value, true));
}
inline @rt@Error_t @rt@MemPoolGetAttribute(@rt@MemPool_t pool, enum @rt@MemPoolAttr a, void* value) {
  return EMU_ERROR(::emu::host::pool_attribute(pool, a, value, false));
}
inline @rt@Error_t @rt@MemPoolSetAccess(@rt@MemPool_t pool, const struct @rt@MemAccessDesc* d, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int flags = d[i].flags;
    if (int error = ::emu::host::pool_access(pool, d[i].location.id, &flags, true)) return EMU_ERROR(error);
  }
  return @rt@Success;
}
inline @rt@Error_t @rt@MemPoolGetAccess(enum @rt@MemAccessFlags* out, @rt@MemPool_t pool, struct @rt@MemLocation* where) {
  int flags = 0;
  int error = ::emu::host::pool_access(pool, where->id, &flags, false);
  *out = static_cast<enum @rt@MemAccessFlags>(flags);
  return EMU_ERROR(error);
}
template <class T>
inline @rt@Error_t @rt@MallocFromPoolAsync(T** p, size_t n, @rt@MemPool_t pool, @rt@Stream_t s) {
  return EMU_ERROR(::emu::host::pool_allocate((void**)p, n, pool, s));
}
template <class T>
inline @rt@Error_t @rt@MallocAsync(T** p, size_t n, @rt@MemPool_t pool, @rt@Stream_t s) {
  return EMU_ERROR(::emu::host::pool_allocate((void**)p, n, pool, s));
}

// ---- memory and events of other processes: there are none
struct @rt@IpcMemHandle_t { char reserved[64]; };
struct @rt@IpcEventHandle_t { char reserved[64]; };
#define @rt@IpcMemLazyEnablePeerAccess 0x01
inline @rt@Error_t @rt@IpcGetMemHandle(@rt@IpcMemHandle_t*, void*, EMU_SITE) { ::emu::host::not_emulated("@rt@IpcGetMemHandle", emu_site); }
inline @rt@Error_t @rt@IpcOpenMemHandle(void**, @rt@IpcMemHandle_t, unsigned, EMU_SITE) {
  ::emu::host::not_emulated("@rt@IpcOpenMemHandle", emu_site);
}
inline @rt@Error_t @rt@IpcCloseMemHandle(void*, EMU_SITE) { ::emu::host::not_emulated("@rt@IpcCloseMemHandle", emu_site); }
inline @rt@Error_t @rt@IpcGetEventHandle(@rt@IpcEventHandle_t*, @rt@Event_t, EMU_SITE) {
  ::emu::host::not_emulated("@rt@IpcGetEventHandle", emu_site);
}
inline @rt@Error_t @rt@IpcOpenEventHandle(@rt@Event_t*, @rt@IpcEventHandle_t, EMU_SITE) {
  ::emu::host::not_emulated("@rt@IpcOpenEventHandle", emu_site);
}
