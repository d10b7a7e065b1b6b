// The @rt@ runtime: host calls and what every unit may use without an include. Each pair of names stands here once;
// the words between at signs are replaced for each side.
@cuda
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 93
#define __CUDA_ARCH__ MUSIFY_EMU_ARCH
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
@end
@musa
#define __MUSACC__ 1
#define __MUSA__ 1
#define __MUSACC_VER_MAJOR__ 5
#define __MUSACC_VER_MINOR__ 2
#define __MUSA_ARCH__ MUSIFY_EMU_ARCH
#define MUSART_VERSION 50200
#define MUSA_VERSION 50200
@end
// The .h forms: with them `abs(-2.5f)`, `signbit` and the like stand in the global namespace for every type.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "musify_emu/arithmetic.h"
#include "musify_emu/atomics.h"
#include "musify_emu/host.h"
#include "musify_emu/threads.h"
#include "musify_emu/vectors.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#ifndef __restrict__
#define __restrict__ __restrict__
#endif
@cuda
#define __cluster_dims__(...)
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define __NV_SILENCE_DEPRECATION_BEGIN
@end

// The C library declares these itself.
@rename __expf emu_fast_expf
@rename __exp10f emu_fast_exp10f
@rename __logf emu_fast_logf
@rename __log2f emu_fast_log2f
@rename __log10f emu_fast_log10f
@rename __sinf emu_fast_sinf
@rename __cosf emu_fast_cosf
@rename __tanf emu_fast_tanf
@rename __powf emu_fast_powf
@rename __sincosf emu_fast_sincosf
@musa
@rename __isnanf emu_is_nan
@end

@export __syncthreads __syncthreads_count __syncthreads_and __syncthreads_or __syncwarp
@export __threadfence __threadfence_block __threadfence_system __nanosleep clock64 __trap
@export __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __shfl __shfl_up __shfl_down __shfl_xor
@export __ballot_sync __any_sync __all_sync __ballot __any __all __activemask __match_any_sync __match_all_sync
@export __reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync
@export atomicAdd atomicSub atomicMin atomicMax atomicAnd atomicOr atomicXor atomicInc atomicDec atomicExch atomicCAS
@export atomicAdd_block atomicSub_block atomicMin_block atomicMax_block atomicAnd_block atomicOr_block atomicXor_block
@export atomicInc_block atomicDec_block atomicExch_block atomicCAS_block
@export atomicAdd_system atomicSub_system atomicMin_system atomicMax_system atomicAnd_system atomicOr_system
@export atomicXor_system atomicInc_system atomicDec_system atomicExch_system atomicCAS_system
@export min max __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __mul24 __umul24 __mulhi __umulhi
@export __umul64hi __mul64hi __sad __usad __hadd __rhadd __uhadd __urhadd __byte_perm __dp4a
@export __funnelshift_l __funnelshift_r __funnelshift_lc __funnelshift_rc
@export __float_as_int __float_as_uint __int_as_float __uint_as_float __double_as_longlong __longlong_as_double
@export __double2hiint __double2loint __hiloint2double
@export __fadd_rn __fadd_rz __fadd_ru __fadd_rd __fsub_rn __fsub_rz __fsub_ru __fsub_rd
@export __fmul_rn __fmul_rz __fmul_ru __fmul_rd __fdiv_rn __fdiv_rz __fdiv_ru __fdiv_rd
@export __frcp_rn __frcp_rz __frcp_ru __frcp_rd __fsqrt_rn __fsqrt_rz __fsqrt_ru __fsqrt_rd __frsqrt_rn
@export __fmaf_rn __fmaf_rz __fmaf_ru __fmaf_rd
@export __dadd_rn __dadd_rz __dadd_ru __dadd_rd __dsub_rn __dsub_rz __dsub_ru __dsub_rd
@export __dmul_rn __dmul_rz __dmul_ru __dmul_rd __ddiv_rn __ddiv_rz __ddiv_ru __ddiv_rd
@export __drcp_rn __drcp_rz __drcp_ru __drcp_rd __dsqrt_rn __dsqrt_rz __dsqrt_ru __dsqrt_rd
@export __fma_rn __fma_rz __fma_ru __fma_rd
@export __float2int_rn __float2int_rz __float2int_ru __float2int_rd
@export __float2uint_rn __float2uint_rz __float2uint_ru __float2uint_rd
@export __float2ll_rn __float2ll_rz __float2ll_ru __float2ll_rd __float2ull_rn __float2ull_rz __float2ull_ru __float2ull_rd
@export __double2int_rn __double2int_rz __double2int_ru __double2int_rd
@export __double2uint_rn __double2uint_rz __double2uint_ru __double2uint_rd
@export __double2ll_rn __double2ll_rz __double2ll_ru __double2ll_rd
@export __double2ull_rn __double2ull_rz __double2ull_ru __double2ull_rd
@export __double2float_rn __double2float_rz __double2float_ru __double2float_rd
@export __int2float_rn __int2float_rz __int2float_ru __int2float_rd __uint2float_rn __uint2float_rz __uint2float_ru __uint2float_rd
@export __ll2float_rn __ll2float_rz __ull2float_rn __ull2float_rz __int2double_rn __uint2double_rn
@export __ll2double_rn __ll2double_rz __ull2double_rn __ull2double_rz
@export __fdividef fdividef __saturatef saturate rsqrtf rsqrt rcbrtf rcbrt sinpi cospi sinpif cospif sincospi sincospif
@export normcdf normcdff norm3df norm3d rnorm3df rhypotf rhypot
@export __ldg __ldca __ldcg __ldcs __ldlu __ldcv __stcg __stcs __stwb __stwt
@export __cvta_generic_to_shared
@cuda
@export __brkpt umin umax llmin llmax ullmin ullmax __cvta_generic_to_global __cvta_shared_to_generic
@end
@musa
@export __syncthreads_lm
@end
@names dim3 uint3 threadIdx blockIdx blockDim gridDim warpSize @vectors

#define @RT@RT_INF_F ::emu::device::__int_as_float(0x7f800000)
#define @RT@RT_NAN_F ::emu::device::__int_as_float(0x7fffffff)
#define @RT@RT_MAX_NORMAL_F ::emu::device::__int_as_float(0x7f7fffff)
#define @RT@RT_INF ::emu::device::__longlong_as_double(0x7ff0000000000000ll)
#define @RT@RT_NAN ::emu::device::__longlong_as_double(static_cast<long long>(0xfff8000000000000ull))
@include constants.h

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
  @rt@DevAttrMaxSharedMemoryPerBlockOptin = 97
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
  @RT@_R_8U = 8, @RT@_R_32I = 10, @RT@_R_32U = 12, @RT@_R_16BF = 14
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

#define EMU_SITE ::emu::Site emu_site = ::emu::Site::here()
#define EMU_ERROR(E) static_cast<@rt@Error_t>(E)

// ---- memory
template <class T>
inline @rt@Error_t @rt@Malloc(T** p, size_t n) {
  return EMU_ERROR(::emu::host::allocate((void**)p, n, ::emu::Memory::device));
}
template <class T>
inline @rt@Error_t @rt@MallocAsync(T** p, size_t n, @rt@Stream_t) {
  return EMU_ERROR(::emu::host::allocate((void**)p, n, ::emu::Memory::device));
}
template <class T>
inline @rt@Error_t @rt@MallocManaged(T** p, size_t n, unsigned = @rt@MemAttachGlobal) {
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
template <class T>
inline @rt@Error_t @rt@MallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
  return EMU_ERROR(::emu::host::allocate_pitch((void**)p, pitch, width, height));
}
inline @rt@Error_t @rt@Free(void* p, EMU_SITE) { return EMU_ERROR(::emu::host::release(p, "@rt@Free", emu_site)); }
inline @rt@Error_t @rt@FreeAsync(void* p, @rt@Stream_t, EMU_SITE) {
  return EMU_ERROR(::emu::host::release(p, "@rt@FreeAsync", emu_site));
}
inline @rt@Error_t @rt@FreeHost(void* p, EMU_SITE) { return EMU_ERROR(::emu::host::release(p, "@rt@FreeHost", emu_site)); }
inline @rt@Error_t @rt@HostRegister(void*, size_t, unsigned) { return @rt@Success; }
inline @rt@Error_t @rt@HostUnregister(void*) { return @rt@Success; }
template <class T>
inline @rt@Error_t @rt@HostGetDevicePointer(T** p, void* host, unsigned) {
  *p = (T*)host;
  return @rt@Success;
}
inline @rt@Error_t @rt@Memcpy(void* to, const void* from, size_t n, enum @rt@MemcpyKind kind, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy(to, from, n, kind, "@rt@Memcpy", emu_site));
}
inline @rt@Error_t @rt@MemcpyAsync(void* to, const void* from, size_t n, enum @rt@MemcpyKind kind, @rt@Stream_t = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy(to, from, n, kind, "@rt@MemcpyAsync", emu_site));
}
inline @rt@Error_t @rt@MemcpyPeer(void* to, int, const void* from, int, size_t n, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy(to, from, n, 3, "@rt@MemcpyPeer", emu_site));
}
inline @rt@Error_t @rt@Memcpy2D(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h, enum @rt@MemcpyKind kind,
                                EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_2d(to, tp, from, fp, w, h, kind, "@rt@Memcpy2D", emu_site));
}
inline @rt@Error_t @rt@Memcpy2DAsync(void* to, size_t tp, const void* from, size_t fp, size_t w, size_t h,
                                     enum @rt@MemcpyKind kind, @rt@Stream_t = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_2d(to, tp, from, fp, w, h, kind, "@rt@Memcpy2DAsync", emu_site));
}
inline @rt@Error_t @rt@Memset(void* to, int value, size_t n, EMU_SITE) {
  return EMU_ERROR(::emu::host::fill(to, value, n, "@rt@Memset", emu_site));
}
inline @rt@Error_t @rt@MemsetAsync(void* to, int value, size_t n, @rt@Stream_t = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::fill(to, value, n, "@rt@MemsetAsync", emu_site));
}
inline @rt@Error_t @rt@Memset2D(void* to, size_t pitch, int value, size_t w, size_t h, EMU_SITE) {
  return EMU_ERROR(::emu::host::fill_2d(to, pitch, value, w, h, "@rt@Memset2D", emu_site));
}
inline @rt@Error_t @rt@Memset2DAsync(void* to, size_t pitch, int value, size_t w, size_t h, @rt@Stream_t = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::fill_2d(to, pitch, value, w, h, "@rt@Memset2DAsync", emu_site));
}
inline @rt@Error_t @rt@StreamGetFlags(@rt@Stream_t s, unsigned* flags) {
  *flags = (size_t)s > 2 ? s->flags : 0;
  return @rt@Success;
}
inline @rt@Error_t @rt@DeviceGetLimit(size_t* value, enum @rt@Limit limit) {
  *value = limit == @rt@LimitStackSize ? 1024 : limit == @rt@LimitPrintfFifoSize ? 1 << 20 : 8 << 20;
  return @rt@Success;
}
template <class T>
inline @rt@Error_t @rt@MemcpyToSymbol(const T& symbol, const void* from, size_t n, size_t offset = 0,
                                      enum @rt@MemcpyKind kind = @rt@MemcpyHostToDevice, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_to_symbol((void*)&symbol, sizeof(T), from, n, offset, kind, "@rt@MemcpyToSymbol", emu_site));
}
template <class T>
inline @rt@Error_t @rt@MemcpyToSymbolAsync(const T& symbol, const void* from, size_t n, size_t offset = 0,
                                           enum @rt@MemcpyKind kind = @rt@MemcpyHostToDevice, @rt@Stream_t = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_to_symbol((void*)&symbol, sizeof(T), from, n, offset, kind, "@rt@MemcpyToSymbolAsync", emu_site));
}
template <class T>
inline @rt@Error_t @rt@MemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0,
                                        enum @rt@MemcpyKind kind = @rt@MemcpyDeviceToHost, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_from_symbol(to, &symbol, sizeof(T), n, offset, kind, "@rt@MemcpyFromSymbol", emu_site));
}
template <class T>
inline @rt@Error_t @rt@MemcpyFromSymbolAsync(void* to, const T& symbol, size_t n, size_t offset = 0,
                                             enum @rt@MemcpyKind kind = @rt@MemcpyDeviceToHost, @rt@Stream_t = 0, EMU_SITE) {
  return EMU_ERROR(::emu::host::copy_from_symbol(to, &symbol, sizeof(T), n, offset, kind, "@rt@MemcpyFromSymbolAsync", emu_site));
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
inline @rt@Error_t @rt@MemPrefetchAsync(const void*, size_t, int, @rt@Stream_t = 0) { return @rt@Success; }
inline @rt@Error_t @rt@MemAdvise(const void*, size_t, enum @rt@MemoryAdvise, int) { return @rt@Success; }
inline @rt@Error_t @rt@PointerGetAttributes(struct @rt@PointerAttributes* a, const void* p) {
  ::emu::Owner owner;
  if (!::emu::owner_of(p, &owner)) {
    *a = @rt@PointerAttributes{@rt@MemoryTypeUnregistered, -1, nullptr, const_cast<void*>(p)};
    return @rt@Success;
  }
  a->device = 0;
  a->type = owner.memory == ::emu::Memory::host      ? @rt@MemoryTypeHost
            : owner.memory == ::emu::Memory::managed ? @rt@MemoryTypeManaged
                                                     : @rt@MemoryTypeDevice;
  a->devicePointer = const_cast<void*>(p);
  a->hostPointer = owner.memory == ::emu::Memory::device ? nullptr : const_cast<void*>(p);
  return @rt@Success;
}

// ---- errors, devices
inline @rt@Error_t @rt@GetLastError() { return EMU_ERROR(::emu::host::get_last_error(true)); }
inline @rt@Error_t @rt@PeekAtLastError() { return EMU_ERROR(::emu::host::get_last_error(false)); }
inline const char* @rt@GetErrorString(@rt@Error_t e) { return ::emu::error_text(e); }
inline const char* @rt@GetErrorName(@rt@Error_t e) { return ::emu::host::error_name(e, "@rt@"); }
inline @rt@Error_t @rt@DeviceSynchronize() { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@DeviceReset() { return EMU_ERROR(::emu::host::reset()); }
inline @rt@Error_t @rt@SetDevice(int device) { return EMU_ERROR(::emu::host::set_device(device)); }
inline @rt@Error_t @rt@GetDevice(int* device) {
  *device = 0;
  return @rt@Success;
}
inline @rt@Error_t @rt@GetDeviceCount(int* count) {
  *count = 1;
  return @rt@Success;
}
inline @rt@Error_t @rt@SetDeviceFlags(unsigned) { return @rt@Success; }
inline @rt@Error_t @rt@DeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return @rt@Success;
}
// There is one device, so a peer is a device that there is not.
inline @rt@Error_t @rt@DeviceEnablePeerAccess(int, unsigned) { return EMU_ERROR(::emu::raise(@rt@ErrorInvalidDevice)); }
inline @rt@Error_t @rt@DeviceDisablePeerAccess(int) { return EMU_ERROR(::emu::raise(@rt@ErrorInvalidDevice)); }
inline @rt@Error_t @rt@DeviceGetPCIBusId(char* id, int length, int device) {
  if (device != 0) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidDevice));
  snprintf(id, static_cast<size_t>(length), "0000:00:00.0");
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
  if (device != 0) return EMU_ERROR(::emu::raise(@rt@ErrorInvalidDevice));
  const ::emu::Model& m = ::emu::model(MUSIFY_EMU_ARCH);
  memset(static_cast<void*>(p), 0, sizeof *p);
  strcpy(p->name, m.name);
  p->totalGlobalMem = m.memory;
  p->sharedMemPerBlock = m.shared_per_block;
  p->regsPerBlock = m.registers_per_block;
  p->warpSize = ::emu::lanes();
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
    case @rt@DevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    default: return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
  }
  return @rt@Success;
}
inline @rt@Error_t @rt@DeviceSetLimit(enum @rt@Limit, size_t) { return @rt@Success; }
inline @rt@Error_t @rt@DeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return @rt@Success;
}

// ---- streams and events: everything is done when the call returns
inline @rt@Error_t @rt@StreamCreate(@rt@Stream_t* s) { return EMU_ERROR(::emu::host::create_stream(s, 0, 0)); }
inline @rt@Error_t @rt@StreamCreateWithFlags(@rt@Stream_t* s, unsigned flags) {
  return EMU_ERROR(::emu::host::create_stream(s, flags, 0));
}
inline @rt@Error_t @rt@StreamCreateWithPriority(@rt@Stream_t* s, unsigned flags, int priority) {
  return EMU_ERROR(::emu::host::create_stream(s, flags, priority));
}
inline @rt@Error_t @rt@StreamDestroy(@rt@Stream_t s) { return EMU_ERROR(::emu::host::destroy_stream(s)); }
inline @rt@Error_t @rt@StreamSynchronize(@rt@Stream_t) { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@StreamQuery(@rt@Stream_t) { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@StreamWaitEvent(@rt@Stream_t, @rt@Event_t, unsigned = 0) { return @rt@Success; }
@cuda
inline cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) {
  *device = 0;
  return cudaSuccess;
}
@end
inline @rt@Error_t @rt@StreamGetPriority(@rt@Stream_t s, int* priority) {
  *priority = (size_t)s > 2 ? s->priority : 0;
  return @rt@Success;
}
inline @rt@Error_t @rt@LaunchHostFunc(@rt@Stream_t, @rt@HostFn_t function, void* data) {
  function(data);
  return @rt@Success;
}
inline @rt@Error_t @rt@StreamAddCallback(@rt@Stream_t s, @rt@StreamCallback_t function, void* data, unsigned) {
  function(s, EMU_ERROR(::emu::host::synchronize()), data);
  return @rt@Success;
}
inline @rt@Error_t @rt@EventCreate(@rt@Event_t* e) { return EMU_ERROR(::emu::host::create_event(e)); }
inline @rt@Error_t @rt@EventCreate(@rt@Event_t* e, unsigned) { return EMU_ERROR(::emu::host::create_event(e)); }
inline @rt@Error_t @rt@EventCreateWithFlags(@rt@Event_t* e, unsigned) { return EMU_ERROR(::emu::host::create_event(e)); }
inline @rt@Error_t @rt@EventDestroy(@rt@Event_t e) { return EMU_ERROR(::emu::host::destroy_event(e)); }
inline @rt@Error_t @rt@EventRecord(@rt@Event_t e, @rt@Stream_t = 0) { return EMU_ERROR(::emu::host::record_event(e)); }
inline @rt@Error_t @rt@EventSynchronize(@rt@Event_t) { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@EventQuery(@rt@Event_t) { return EMU_ERROR(::emu::host::synchronize()); }
inline @rt@Error_t @rt@EventElapsedTime(float* ms, @rt@Event_t from, @rt@Event_t to) {
  return EMU_ERROR(::emu::host::elapsed(ms, from, to));
}

// ---- kernels as values
template <class F>
inline @rt@Error_t @rt@FuncSetAttribute(F, enum @rt@FuncAttribute attribute, int value) {
  if (attribute == @rt@FuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || static_cast<size_t>(value) > ::emu::model(MUSIFY_EMU_ARCH).shared_per_block_optin)
      return EMU_ERROR(::emu::raise(@rt@ErrorInvalidValue));
    ::emu::set_shared_limit(nullptr, value);
  }
  return @rt@Success;
}
template <class F>
inline @rt@Error_t @rt@FuncSetCacheConfig(F, enum @rt@FuncCache) {
  return @rt@Success;
}
template <class F>
inline @rt@Error_t @rt@FuncSetSharedMemConfig(F, enum @rt@SharedMemConfig) {
  return @rt@Success;
}
inline @rt@Error_t @rt@DeviceSetCacheConfig(enum @rt@FuncCache) { return @rt@Success; }
inline @rt@Error_t @rt@DeviceSetSharedMemConfig(enum @rt@SharedMemConfig) { return @rt@Success; }
template <class F>
inline @rt@Error_t @rt@FuncGetAttributes(struct @rt@FuncAttributes* a, F) {
  memset(static_cast<void*>(a), 0, sizeof *a);
  a->maxThreadsPerBlock = 1024;
  a->numRegs = 32;
  a->ptxVersion = a->binaryVersion = MUSIFY_EMU_ARCH / 10;
  a->maxDynamicSharedSizeBytes = ::emu::shared_limit_of(nullptr);
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

namespace emu {
template <class F, class... P, size_t... I>
inline int launch_values(const char* name, const Config& c, bool cooperative, F f, void (*)(P...), void** values,
                         std::index_sequence<I...>) {
  return Launcher(name, "", 0, c, cooperative)([f](auto... a) { f(a...); },
                                               *static_cast<std::remove_cv_t<std::remove_reference_t<P>>*>(values[I])...);
}
}  // namespace emu
template <class... P>
inline @rt@Error_t @rt@LaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** values, size_t shared = 0,
                                    @rt@Stream_t stream = 0) {
  return EMU_ERROR(::emu::launch_values("@rt@LaunchKernel", ::emu::Config(grid, block, shared, stream), false, kernel,
                                        kernel, values, std::index_sequence_for<P...>()));
}
template <class... P>
inline @rt@Error_t @rt@LaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** values,
                                               size_t shared = 0, @rt@Stream_t stream = 0) {
  return EMU_ERROR(::emu::launch_values("@rt@LaunchCooperativeKernel", ::emu::Config(grid, block, shared, stream), true,
                                        kernel, kernel, values, std::index_sequence_for<P...>()));
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
template <class... P, class... A>
inline @rt@Error_t @rt@LaunchKernelEx(const @rt@LaunchConfig_t* c, void (*kernel)(P...), A&&... values) {
  bool cooperative = false;
  for (unsigned i = 0; i < c->numAttrs; i++) {
    if (c->attrs[i].id == @rt@LaunchAttributeCooperative) cooperative = c->attrs[i].val.cooperative != 0;
@cuda
    if (c->attrs[i].id == cudaLaunchAttributeClusterDimension) {
      auto d = c->attrs[i].val.clusterDim;
      if (d.x * d.y * d.z > 1) return EMU_ERROR(::emu::raise(cudaErrorNotSupported));
    }
@end
  }
  ::emu::Launcher run("@rt@LaunchKernelEx", "", 0, ::emu::Config(c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream), cooperative);
  return EMU_ERROR(run([kernel](auto... a) { kernel(a...); }, static_cast<P>(values)...));
}
// Deprecated, and still in use.
inline @rt@Error_t @rt@ThreadSynchronize() { return @rt@DeviceSynchronize(); }
inline @rt@Error_t @rt@ThreadExit() { return @rt@DeviceReset(); }
inline @rt@Error_t @rt@ProfilerStart() { return @rt@Success; }
inline @rt@Error_t @rt@ProfilerStop() { return @rt@Success; }
