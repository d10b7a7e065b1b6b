// Errors, enumerations and structures of the runtime.
enum @rt@Error {
  @rt@Success = 0,
  @rt@ErrorInvalidValue = 1,
  @rt@ErrorMemoryAllocation = 2,
  @rt@ErrorInitializationError = 3,
@cuda
  cudaErrorCudartUnloading = 4,
@end
  @rt@ErrorSymbolNotFound = 500,
  @rt@ErrorIllegalAddress = 700,
  @rt@ErrorCooperativeLaunchTooLarge = 720,
  @rt@ErrorInvalidConfiguration = 9,
  @rt@ErrorInvalidPitchValue = 12,
  @rt@ErrorInvalidSymbol = 13,
  @rt@ErrorInvalidDevicePointer = 17,
  @rt@ErrorInvalidMemcpyDirection = 21,
  @rt@ErrorInsufficientDriver = 35,
  @rt@ErrorInvalidDeviceFunction = 98,
  @rt@ErrorNoDevice = 100,
  @rt@ErrorInvalidDevice = 101,
  @rt@ErrorInvalidResourceHandle = 400,
  @rt@ErrorNotReady = 600,
  @rt@ErrorLaunchOutOfResources = 701,
  @rt@ErrorLaunchTimeout = 702,
  @rt@ErrorPeerAccessAlreadyEnabled = 704,
  @rt@ErrorPeerAccessNotEnabled = 705,
  @rt@ErrorAssert = 710,
  @rt@ErrorHostMemoryAlreadyRegistered = 712,
  @rt@ErrorHostMemoryNotRegistered = 713,
  @rt@ErrorLaunchFailure = 719,
  @rt@ErrorNotPermitted = 800,
  @rt@ErrorNotSupported = 801,
  @rt@ErrorStreamCaptureUnsupported = 900,
  @rt@ErrorStreamCaptureInvalidated = 901,
  @rt@ErrorStreamCaptureMerge = 902,
  @rt@ErrorStreamCaptureUnmatched = 903,
  @rt@ErrorStreamCaptureUnjoined = 904,
  @rt@ErrorStreamCaptureIsolation = 905,
  @rt@ErrorStreamCaptureImplicit = 906,
  @rt@ErrorGraphExecUpdateFailure = 910,
  @rt@ErrorUnknown = 999
};
typedef enum @rt@Error @rt@Error_t;
enum @rt@MemcpyKind {
  @rt@MemcpyHostToHost = 0,
  @rt@MemcpyHostToDevice = 1,
  @rt@MemcpyDeviceToHost = 2,
  @rt@MemcpyDeviceToDevice = 3,
  @rt@MemcpyDefault = 4
};
enum @rt@MemoryType {
  @rt@MemoryTypeUnregistered = 0,
  @rt@MemoryTypeHost = 1,
  @rt@MemoryTypeDevice = 2,
  @rt@MemoryTypeManaged = 3
};
enum @rt@FuncCache { @rt@FuncCachePreferNone, @rt@FuncCachePreferShared, @rt@FuncCachePreferL1, @rt@FuncCachePreferEqual };
enum @rt@SharedMemConfig { @rt@SharedMemBankSizeDefault, @rt@SharedMemBankSizeFourByte, @rt@SharedMemBankSizeEightByte };
enum @rt@FuncAttribute {
  @rt@FuncAttributeMaxDynamicSharedMemorySize = 8,
  @rt@FuncAttributePreferredSharedMemoryCarveout = 9
};
enum @rt@DeviceAttr {
  @rt@DevAttrMaxThreadsPerBlock = 1,
  @rt@DevAttrMaxBlockDimX = 2,
  @rt@DevAttrMaxBlockDimY = 3,
  @rt@DevAttrMaxBlockDimZ = 4,
  @rt@DevAttrMaxGridDimX = 5,
  @rt@DevAttrMaxGridDimY = 6,
  @rt@DevAttrMaxGridDimZ = 7,
  @rt@DevAttrMaxSharedMemoryPerBlock = 8,
  @rt@DevAttrTotalConstantMemory = 9,
  @rt@DevAttrWarpSize = 10,
  @rt@DevAttrMaxRegistersPerBlock = 12,
  @rt@DevAttrClockRate = 13,
  @rt@DevAttrMultiProcessorCount = 16,
  @rt@DevAttrComputeMode = 20,
  @rt@DevAttrAsyncEngineCount = 40,
  @rt@DevAttrCanMapHostMemory = 19,
  @rt@DevAttrIntegrated = 18,
  @rt@DevAttrConcurrentKernels = 31,
  @rt@DevAttrMaxBlocksPerMultiprocessor = 106,
  @rt@DevAttrMemoryClockRate = 36,
  @rt@DevAttrGlobalMemoryBusWidth = 37,
  @rt@DevAttrL2CacheSize = 38,
  @rt@DevAttrMaxThreadsPerMultiProcessor = 39,
  @rt@DevAttrUnifiedAddressing = 41,
  @rt@DevAttrComputeCapabilityMajor = 75,
  @rt@DevAttrComputeCapabilityMinor = 76,
  @rt@DevAttrMaxSharedMemoryPerMultiprocessor = 81,
  @rt@DevAttrManagedMemory = 83,
  @rt@DevAttrConcurrentManagedAccess = 89,
  @rt@DevAttrCooperativeLaunch = 95,
  @rt@DevAttrMaxSharedMemoryPerBlockOptin = 97,
  @rt@DevAttrHostRegisterSupported = 99,
  @rt@DevAttrMemoryPoolsSupported = 115
};
enum @rt@MemoryAdvise {
  @rt@MemAdviseSetReadMostly = 1,
  @rt@MemAdviseUnsetReadMostly = 2,
  @rt@MemAdviseSetPreferredLocation = 3,
  @rt@MemAdviseUnsetPreferredLocation = 4,
  @rt@MemAdviseSetAccessedBy = 5,
  @rt@MemAdviseUnsetAccessedBy = 6
};
enum @rt@ComputeMode {
  @rt@ComputeModeDefault = 0,
  @rt@ComputeModeExclusive = 1,
  @rt@ComputeModeProhibited = 2,
  @rt@ComputeModeExclusiveProcess = 3
};
// The element types of the libraries.
typedef enum @rt@DataType {
  @RT@_R_32F = 0, @RT@_R_64F = 1, @RT@_R_16F = 2, @RT@_R_8I = 3, @RT@_C_32F = 4, @RT@_C_64F = 5, @RT@_C_16F = 6,
  @RT@_R_8U = 8, @RT@_R_32I = 10, @RT@_R_32U = 12, @RT@_R_16BF = 14, @RT@_R_8F_E4M3 = 28
@cuda
  , CUDA_R_8F_E5M2 = 29
@end
} @rt@DataType_t;
enum @rt@Limit {
  @rt@LimitStackSize = 0,
  @rt@LimitPrintfFifoSize = 1,
  @rt@LimitMallocHeapSize = 2
};
#define @rt@EventDefault 0x00
#define @rt@EventBlockingSync 0x01
#define @rt@EventDisableTiming 0x02
#define @rt@StreamDefault 0x00
#define @rt@StreamNonBlocking 0x01
#define @rt@HostAllocDefault 0x00
#define @rt@HostAllocPortable 0x01
#define @rt@HostAllocMapped 0x02
#define @rt@HostAllocWriteCombined 0x04
#define @rt@HostRegisterDefault 0x00
#define @rt@HostRegisterPortable 0x01
#define @rt@HostRegisterMapped 0x02
#define @rt@MemAttachGlobal 0x01
#define @rt@MemAttachHost 0x02
#define @rt@DeviceScheduleAuto 0x00
#define @rt@DeviceScheduleSpin 0x01
#define @rt@DeviceScheduleYield 0x02
#define @rt@DeviceScheduleBlockingSync 0x04
#define @rt@DeviceMapHost 0x08
#define @rt@CpuDeviceId (-1)

struct @rt@DeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
  int memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, concurrentManagedAccess, pageableMemoryAccess;
  int cooperativeLaunch, maxBlocksPerMultiProcessor;
  size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;
};
struct @rt@FuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
};
struct @rt@PointerAttributes {
  enum @rt@MemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
typedef ::emu::host::Stream* @rt@Stream_t;
typedef ::emu::host::Event* @rt@Event_t;
typedef void (*@rt@HostFn_t)(void*);
typedef void (*@rt@StreamCallback_t)(@rt@Stream_t, @rt@Error_t, void*);
#define @rt@StreamLegacy ((@rt@Stream_t)1)
#define @rt@StreamPerThread ((@rt@Stream_t)2)
@cuda
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
@end
