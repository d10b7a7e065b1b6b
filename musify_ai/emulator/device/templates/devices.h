// ---- errors, devices
inline @rt@Error_t @rt@GetLastError() { return EMU_ERROR(::emu::host::get_last_error(true)); }
inline @rt@Error_t @rt@PeekAtLastError() { return EMU_ERROR(::emu::host::get_last_error(false)); }
inline const char* @rt@GetErrorString(@rt@Error_t e) { return ::emu::error_text(e); }
inline const char* @rt@GetErrorName(@rt@Error_t e) { return ::emu::host::error_name(e, "@rt@"); }
inline @rt@Error_t @rt@DeviceSynchronize() { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@DeviceReset() { return EMU_ERROR(::emu::host::reset()); }
inline @rt@Error_t @rt@SetDevice(int device) { return EMU_ERROR(::emu::host::set_device(device)); }
inline @rt@Error_t @rt@GetDevice(int* device) {
  *device = ::emu::host::current_device();
  return @rt@Success;
}
inline @rt@Error_t @rt@GetDeviceCount(int* count) {
  *count = ::emu::host::device_count();
  return @rt@Success;
}
inline @rt@Error_t @rt@SetDeviceFlags(unsigned) { return @rt@Success; }
inline @rt@Error_t @rt@DeviceCanAccessPeer(int* can, int device, int peer) {
  return EMU_ERROR(::emu::host::can_reach(can, device, peer));
}
inline @rt@Error_t @rt@DeviceEnablePeerAccess(int peer, unsigned) { return EMU_ERROR(::emu::host::reach_peer(peer, true)); }
inline @rt@Error_t @rt@DeviceDisablePeerAccess(int peer) { return EMU_ERROR(::emu::host::reach_peer(peer, false)); }
inline @rt@Error_t @rt@DeviceGetPCIBusId(char* id, int length, int device) {
  if (int error = ::emu::host::check_device(device)) return EMU_ERROR(error);
  if (!id || length < 13) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  snprintf(id, static_cast<size_t>(length), "0000:%02x:00.0", device);
  return @rt@Success;
}
inline @rt@Error_t @rt@DriverGetVersion(int* version) {
  *version = @RT@RT_VERSION;
  return @rt@Success;
}
inline @rt@Error_t @rt@RuntimeGetVersion(int* version) {
  *version = @RT@RT_VERSION;
  return @rt@Success;
}
inline @rt@Error_t @rt@GetDeviceProperties(struct @rt@DeviceProp* p, int device) {
  if (int error = ::emu::host::check_device(device)) return EMU_ERROR(error);
  const ::emu::Model& m = ::emu::model(MUSIFY_EMU_ARCH);
  memset(static_cast<void*>(p), 0, sizeof *p);
  strcpy(p->name, m.name);
  p->totalGlobalMem = m.memory;
  p->sharedMemPerBlock = m.shared_per_block;
  p->regsPerBlock = m.registers_per_block;
  p->warpSize = ::emu::reported_lanes();
  p->memPitch = 0x7fffffff;
  p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = m.clock_khz;
  p->totalConstMem = 65536;
  p->major = m.major;
  p->minor = m.minor;
  p->textureAlignment = 512;
  p->texturePitchAlignment = 32;
  p->deviceOverlap = p->canMapHostMemory = p->concurrentKernels = p->asyncEngineCount = p->unifiedAddressing = 1;
  p->multiProcessorCount = m.multiprocessors;
  p->memoryClockRate = m.memory_clock_khz;
  p->memoryBusWidth = m.bus_bits;
  p->l2CacheSize = m.l2_bytes;
  p->maxThreadsPerMultiProcessor = m.threads_per_multiprocessor;
  p->streamPrioritiesSupported = 1;
  p->sharedMemPerMultiprocessor = m.shared_per_multiprocessor;
  p->regsPerMultiprocessor = m.registers_per_multiprocessor;
  p->managedMemory = p->concurrentManagedAccess = p->cooperativeLaunch = 1;
  p->maxBlocksPerMultiProcessor = m.blocks_per_multiprocessor;
  p->sharedMemPerBlockOptin = m.shared_per_block_optin;
  p->reservedSharedMemPerBlock = 1024;
  return @rt@Success;
}
inline @rt@Error_t @rt@DeviceGetAttribute(int* value, enum @rt@DeviceAttr attribute, int device) {
  struct @rt@DeviceProp p;
  if (@rt@Error_t error = @rt@GetDeviceProperties(&p, device)) return error;
  switch (attribute) {
    case @rt@DevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case @rt@DevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case @rt@DevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case @rt@DevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case @rt@DevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case @rt@DevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case @rt@DevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case @rt@DevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(p.sharedMemPerBlock); break;
    case @rt@DevAttrTotalConstantMemory: *value = static_cast<int>(p.totalConstMem); break;
    case @rt@DevAttrWarpSize: *value = p.warpSize; break;
    case @rt@DevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case @rt@DevAttrClockRate: *value = p.clockRate; break;
    case @rt@DevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case @rt@DevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case @rt@DevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case @rt@DevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case @rt@DevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case @rt@DevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
    case @rt@DevAttrComputeCapabilityMajor: *value = p.major; break;
    case @rt@DevAttrComputeCapabilityMinor: *value = p.minor; break;
    case @rt@DevAttrMaxSharedMemoryPerMultiprocessor: *value = static_cast<int>(p.sharedMemPerMultiprocessor); break;
    case @rt@DevAttrManagedMemory: *value = p.managedMemory; break;
    case @rt@DevAttrConcurrentManagedAccess: *value = p.concurrentManagedAccess; break;
    case @rt@DevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
    case @rt@DevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(p.sharedMemPerBlockOptin); break;
    case @rt@DevAttrComputeMode: *value = p.computeMode; break;
    case @rt@DevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
    case @rt@DevAttrCanMapHostMemory: *value = p.canMapHostMemory; break;
    case @rt@DevAttrIntegrated: *value = p.integrated; break;
    case @rt@DevAttrConcurrentKernels: *value = p.concurrentKernels; break;
    case @rt@DevAttrMemoryPoolsSupported: *value = 1; break;
    case @rt@DevAttrHostRegisterSupported: *value = 1; break;
    case @rt@DevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    default: return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  }
  return @rt@Success;
}
inline @rt@Error_t @rt@DeviceSetLimit(enum @rt@Limit limit, size_t value) {
  if (!emu_limit(limit)) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  *emu_limit(limit) = value;
  return @rt@Success;
}
inline @rt@Error_t @rt@DeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return @rt@Success;
}

