// ---- kernels as values
// Wishes for caches and banks, which change no result; one that there is not is refused.
inline @rt@Error_t emu_wish(int wish, int last) { return wish < 0 || wish > last ? EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue)) : @rt@Success; }
template <class F>
inline @rt@Error_t @rt@FuncSetAttribute(F kernel, enum @rt@FuncAttribute attribute, int value) {
  if (attribute == @rt@FuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || static_cast<size_t>(value) > ::emu::model(MUSIFY_EMU_ARCH).shared_per_block_optin)
      return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
    ::emu::set_shared_limit(::emu::kernel_pointer(kernel), value);
  }
  return @rt@Success;
}
template <class F>
inline @rt@Error_t @rt@FuncSetCacheConfig(F, enum @rt@FuncCache c) {
  return emu_wish(c, @rt@FuncCachePreferEqual);
}
template <class F>
inline @rt@Error_t @rt@FuncSetSharedMemConfig(F, enum @rt@SharedMemConfig c) {
  return emu_wish(c, @rt@SharedMemBankSizeEightByte);
}
inline @rt@Error_t @rt@DeviceSetCacheConfig(enum @rt@FuncCache c) { return emu_wish(c, @rt@FuncCachePreferEqual); }
inline @rt@Error_t @rt@DeviceSetSharedMemConfig(enum @rt@SharedMemConfig c) { return emu_wish(c, @rt@SharedMemBankSizeEightByte); }
template <class F>
inline @rt@Error_t @rt@FuncGetAttributes(struct @rt@FuncAttributes* a, F kernel) {
  memset(static_cast<void*>(a), 0, sizeof *a);
  a->maxThreadsPerBlock = 1024;
  a->numRegs = 32;
  a->ptxVersion = a->binaryVersion = MUSIFY_EMU_ARCH / 10;
  a->maxDynamicSharedSizeBytes = ::emu::shared_limit_of(::emu::kernel_pointer(kernel));
  return @rt@Success;
}
template <class F>
inline @rt@Error_t @rt@OccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F, int threads, size_t shared) {
  *blocks = ::emu::active_blocks(MUSIFY_EMU_ARCH, threads, shared);
  return @rt@Success;
}
template <class F>
inline @rt@Error_t @rt@OccupancyMaxPotentialBlockSize(int* grid, int* block, F, size_t shared = 0, int limit = 0) {
  *block = limit > 0 && limit < 1024 ? limit : 1024;
  *grid = ::emu::active_blocks(MUSIFY_EMU_ARCH, *block, shared) * ::emu::model(MUSIFY_EMU_ARCH).multiprocessors;
  return @rt@Success;
}

// By the kernel itself, whose parameters are known, or by a pointer that it became.
template <class K>
inline @rt@Error_t @rt@LaunchKernel(K* kernel, dim3 grid, dim3 block, void** values, size_t shared = 0,
                                    @rt@Stream_t stream = 0, EMU_SITE) {
  return EMU_ERROR(::emu::launch_by_pointer("@rt@LaunchKernel", ::emu::kernel_pointer(kernel),
                                            ::emu::Config(grid, block, shared, stream), false, values, emu_site));
}
template <class K>
inline @rt@Error_t @rt@LaunchCooperativeKernel(K* kernel, dim3 grid, dim3 block, void** values, size_t shared = 0,
                                               @rt@Stream_t stream = 0, EMU_SITE) {
  return EMU_ERROR(::emu::launch_by_pointer("@rt@LaunchCooperativeKernel", ::emu::kernel_pointer(kernel),
                                            ::emu::Config(grid, block, shared, stream), true, values, emu_site));
}
// A launch by a structure. Attributes that ask for what the device does not do refuse the launch.
enum @{cudaLaunchAttributeID|emu_launch_attribute} {
  @rt@LaunchAttributeIgnore = 0,
  @rt@LaunchAttributeCooperative = 2,
@cuda
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePriority = 8,
@end
};
union @{cudaLaunchAttributeValue|emu_launch_value} {
  char pad[64];
  int cooperative, priority, programmaticStreamSerializationAllowed;
  struct { unsigned x, y, z; } clusterDim;
};
struct @rt@LaunchAttribute {
  @{cudaLaunchAttributeID|emu_launch_attribute} id;
  @{cudaLaunchAttributeValue|emu_launch_value} val;
};
typedef struct @{cudaLaunchConfig_st|emu_launch_config} {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  @rt@Stream_t stream;
  @rt@LaunchAttribute* attrs;
  unsigned numAttrs;
} @rt@LaunchConfig_t;
// The error of an attribute that asks for what there is not.
inline int emu_attribute(const @rt@LaunchAttribute& a, bool* cooperative) {
  if (a.id == @rt@LaunchAttributeCooperative) *cooperative = a.val.cooperative != 0;
@cuda
  auto d = a.val.clusterDim;
  if (a.id == cudaLaunchAttributeClusterDimension && d.x * d.y * d.z > 1) return ::emu::raise(cudaErrorNotSupported);
@end
  return 0;
}
template <class... P, class... A>
inline @rt@Error_t @rt@LaunchKernelEx(const @rt@LaunchConfig_t* c, void (*kernel)(P...), A&&... values) {
  bool cooperative = false;
  for (unsigned i = 0; i < c->numAttrs; i++)
    if (int error = emu_attribute(c->attrs[i], &cooperative)) return EMU_ERROR(error);
  ::emu::Launcher run("@rt@LaunchKernelEx", "", 0, ::emu::Config(c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream),
                      cooperative, ::emu::kernel_pointer(kernel));
  return EMU_ERROR(run([kernel](auto... a) { kernel(a...); }, static_cast<P>(values)...));
}
@cuda
// By an address, as cudaLaunchKernel.
template <class K>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, K* kernel, void** values, EMU_SITE) {
  bool cooperative = false;
  for (unsigned i = 0; i < c->numAttrs; i++)
    if (int error = emu_attribute(c->attrs[i], &cooperative)) return EMU_ERROR(error);
  return EMU_ERROR(::emu::launch_by_pointer("cudaLaunchKernelExC", ::emu::kernel_pointer(kernel),
                                            ::emu::Config(c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream), cooperative, values, emu_site));
}
// A grid begins here when all before it have ended, so there is nothing to wait for and nobody to tell.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
@end
// Deprecated, and still in use.
inline @rt@Error_t @rt@ThreadSynchronize() { return @rt@DeviceSynchronize(); }
inline @rt@Error_t @rt@ThreadExit() { return @rt@DeviceReset(); }
inline @rt@Error_t @rt@ProfilerStart() { return @rt@Success; }
inline @rt@Error_t @rt@ProfilerStop() { return @rt@Success; }
