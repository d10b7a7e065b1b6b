// The driver API: contexts are names for devices, memory is the runtime's, and a module's functions are the kernels of
// this program that have plain names (extern "C"); a module's file itself is never read.
#include "musify_emu/driver.h"
@include tensor_maps.h
typedef int @{CUdevice|MUdevice};
typedef unsigned long long @{CUdeviceptr|MUdeviceptr};
typedef ::emu::host::Stream* @{CUstream|MUstream};
typedef ::emu::host::Event* @{CUevent|MUevent};
typedef ::emu::driver::Context* @{CUcontext|MUcontext};
typedef ::emu::driver::Module* @{CUmodule|MUmodule};
typedef const void* @{CUfunction|MUfunction};
typedef enum @{cudaError_enum|musaError_enum} {
  @{CUDA_SUCCESS|MUSA_SUCCESS} = 0,
  @{CUDA_ERROR_INVALID_VALUE|MUSA_ERROR_INVALID_VALUE} = 1,
  @{CUDA_ERROR_OUT_OF_MEMORY|MUSA_ERROR_OUT_OF_MEMORY} = 2,
  @{CUDA_ERROR_NOT_INITIALIZED|MUSA_ERROR_NOT_INITIALIZED} = 3,
  @{CUDA_ERROR_NO_DEVICE|MUSA_ERROR_NO_DEVICE} = 100,
  @{CUDA_ERROR_INVALID_DEVICE|MUSA_ERROR_INVALID_DEVICE} = 101,
  @{CUDA_ERROR_INVALID_CONTEXT|MUSA_ERROR_INVALID_CONTEXT} = 201,
  @{CUDA_ERROR_FILE_NOT_FOUND|MUSA_ERROR_FILE_NOT_FOUND} = 301,
  @{CUDA_ERROR_INVALID_HANDLE|MUSA_ERROR_INVALID_HANDLE} = 400,
  @{CUDA_ERROR_NOT_FOUND|MUSA_ERROR_NOT_FOUND} = 500,
  @{CUDA_ERROR_NOT_READY|MUSA_ERROR_NOT_READY} = 600,
  @{CUDA_ERROR_ILLEGAL_ADDRESS|MUSA_ERROR_ILLEGAL_ADDRESS} = 700,
  @{CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES|MUSA_ERROR_LAUNCH_OUT_OF_RESOURCES} = 701,
  @{CUDA_ERROR_LAUNCH_FAILED|MUSA_ERROR_LAUNCH_FAILED} = 719,
  @{CUDA_ERROR_NOT_SUPPORTED|MUSA_ERROR_NOT_SUPPORTED} = 801,
  @{CUDA_ERROR_UNKNOWN|MUSA_ERROR_UNKNOWN} = 999
} @{CUresult|MUresult};
typedef enum @{CUdevice_attribute_enum|MUdevice_attribute_enum} {
  @{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK|MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK} = 1,
  @{CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X|MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X} = 2,
  @{CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y|MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y} = 3,
  @{CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z|MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z} = 4,
  @{CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X|MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X} = 5,
  @{CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y|MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y} = 6,
  @{CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z|MU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z} = 7,
  @{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK|MU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK} = 8,
  @{CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY|MU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY} = 9,
  @{CU_DEVICE_ATTRIBUTE_WARP_SIZE|MU_DEVICE_ATTRIBUTE_WARP_SIZE} = 10,
  @{CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK|MU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK} = 12,
  @{CU_DEVICE_ATTRIBUTE_CLOCK_RATE|MU_DEVICE_ATTRIBUTE_CLOCK_RATE} = 13,
  @{CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT|MU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT} = 16,
  @{CU_DEVICE_ATTRIBUTE_INTEGRATED|MU_DEVICE_ATTRIBUTE_INTEGRATED} = 18,
  @{CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY|MU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY} = 19,
  @{CU_DEVICE_ATTRIBUTE_COMPUTE_MODE|MU_DEVICE_ATTRIBUTE_COMPUTE_MODE} = 20,
  @{CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS|MU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS} = 31,
  @{CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE|MU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE} = 36,
  @{CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH|MU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH} = 37,
  @{CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE|MU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE} = 38,
  @{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR|MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR} = 39,
  @{CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT|MU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT} = 40,
  @{CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING|MU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING} = 41,
  @{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR|MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR} = 75,
  @{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR|MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR} = 76,
  @{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR|MU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR} = 81,
  @{CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY|MU_DEVICE_ATTRIBUTE_MANAGED_MEMORY} = 83,
  @{CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS|MU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS} = 89,
  @{CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH|MU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH} = 95,
  @{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN|MU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN} = 97,
  @{CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED|MU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED} = 102
} @{CUdevice_attribute|MUdevice_attribute};
typedef enum @{CUfunction_attribute_enum|MUfunction_attribute_enum} {
  @{CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK|MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK} = 0,
  @{CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES|MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES} = 1,
  @{CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES|MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES} = 3,
  @{CU_FUNC_ATTRIBUTE_NUM_REGS|MU_FUNC_ATTRIBUTE_NUM_REGS} = 4,
  @{CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES|MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES} = 8,
  @{CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT|MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT} = 9
} @{CUfunction_attribute|MUfunction_attribute};
#define @{CU_LAUNCH_PARAM_END|MU_LAUNCH_PARAM_END} ((void*)0x00)
#define @{CU_LAUNCH_PARAM_BUFFER_POINTER|MU_LAUNCH_PARAM_BUFFER_POINTER} ((void*)0x01)
#define @{CU_LAUNCH_PARAM_BUFFER_SIZE|MU_LAUNCH_PARAM_BUFFER_SIZE} ((void*)0x02)
#define EMU_RESULT(E) static_cast<@{CUresult|MUresult}>(E)

inline @{CUresult|MUresult} @{cuInit|muInit}(unsigned flags) { return EMU_RESULT(::emu::driver::initialize(flags)); }
inline @{CUresult|MUresult} @{cuDriverGetVersion|muDriverGetVersion}(int* version) {
  *version = @RT@RT_VERSION;
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
inline @{CUresult|MUresult} @{cuGetErrorName|muGetErrorName}(@{CUresult|MUresult} e, const char** text) {
  *text = ::emu::driver::error_name(e, "@RT@");
  return *text ? @{CUDA_SUCCESS|MUSA_SUCCESS} : @{CUDA_ERROR_INVALID_VALUE|MUSA_ERROR_INVALID_VALUE};
}
inline @{CUresult|MUresult} @{cuGetErrorString|muGetErrorString}(@{CUresult|MUresult} e, const char** text) {
  const bool known = ::emu::driver::error_name(e, "@RT@") != nullptr;
  *text = known ? ::emu::error_text(e) : nullptr;
  return known ? @{CUDA_SUCCESS|MUSA_SUCCESS} : @{CUDA_ERROR_INVALID_VALUE|MUSA_ERROR_INVALID_VALUE};
}
inline @{CUresult|MUresult} @{cuDeviceGetCount|muDeviceGetCount}(int* count) {
  *count = ::emu::host::device_count();
  return EMU_RESULT(::emu::driver::ready());
}
inline @{CUresult|MUresult} @{cuDeviceGet|muDeviceGet}(@{CUdevice|MUdevice}* device, int ordinal) {
  *device = ordinal;
  return EMU_RESULT(::emu::driver::check(ordinal));
}
inline @{CUresult|MUresult} @{cuDeviceGetName|muDeviceGetName}(char* name, int length, @{CUdevice|MUdevice} device) {
  snprintf(name, static_cast<size_t>(length), "%s", ::emu::model(MUSIFY_EMU_ARCH).name);
  return EMU_RESULT(::emu::driver::check(device));
}
inline @{CUresult|MUresult} @{cuDeviceTotalMem|muDeviceTotalMem}(size_t* bytes, @{CUdevice|MUdevice} device) {
  *bytes = ::emu::model(MUSIFY_EMU_ARCH).memory;
  return EMU_RESULT(::emu::driver::check(device));
}
inline @{CUresult|MUresult} @{cuDeviceComputeCapability|muDeviceComputeCapability}(int* major, int* minor, @{CUdevice|MUdevice} device) {
  *major = ::emu::model(MUSIFY_EMU_ARCH).major;
  *minor = ::emu::model(MUSIFY_EMU_ARCH).minor;
  return EMU_RESULT(::emu::driver::check(device));
}
inline @{CUresult|MUresult} @{cuDeviceGetAttribute|muDeviceGetAttribute}(int* value, @{CUdevice_attribute|MUdevice_attribute} a, @{CUdevice|MUdevice} device) {
  if (int error = ::emu::driver::check(device)) return EMU_RESULT(error);
  if (a == @{CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED|MU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED}) {
    *value = 1;
    return @{CUDA_SUCCESS|MUSA_SUCCESS};
  }
  return EMU_RESULT(@rt@DeviceGetAttribute(value, static_cast<enum @rt@DeviceAttr>(a), device));
}

// ---- contexts
inline @{CUresult|MUresult} @{cuCtxCreate|muCtxCreate}(@{CUcontext|MUcontext}* c, unsigned flags, @{CUdevice|MUdevice} device) { return EMU_RESULT(::emu::driver::make_context(c, flags, device)); }
@cuda
// CUDA 13's form; what a context may be given besides is not there.
struct CUctxCreateParams_st {
  void* execAffinityParams;
  int numExecAffinityParams;
  void* cigParams;
};
typedef struct CUctxCreateParams_st CUctxCreateParams;
inline CUresult cuCtxCreate(CUcontext* c, CUctxCreateParams* p, unsigned flags, CUdevice device) {
  if (p && (p->execAffinityParams || p->numExecAffinityParams || p->cigParams)) return EMU_RESULT(801);
  return cuCtxCreate(c, flags, device);
}
inline CUresult cuCtxCreate_v4(CUcontext* c, CUctxCreateParams* p, unsigned flags, CUdevice device) { return cuCtxCreate(c, p, flags, device); }
@end
inline @{CUresult|MUresult} @{cuCtxDestroy|muCtxDestroy}(@{CUcontext|MUcontext} c) { return EMU_RESULT(::emu::driver::free_context(c)); }
inline @{CUresult|MUresult} @{cuCtxGetCurrent|muCtxGetCurrent}(@{CUcontext|MUcontext}* c) { return EMU_RESULT(::emu::driver::current_context(c)); }
inline @{CUresult|MUresult} @{cuCtxSetCurrent|muCtxSetCurrent}(@{CUcontext|MUcontext} c) { return EMU_RESULT(::emu::driver::set_context(c)); }
inline @{CUresult|MUresult} @{cuCtxPushCurrent|muCtxPushCurrent}(@{CUcontext|MUcontext} c) { return EMU_RESULT(::emu::driver::push_context(c)); }
inline @{CUresult|MUresult} @{cuCtxPopCurrent|muCtxPopCurrent}(@{CUcontext|MUcontext}* c) { return EMU_RESULT(::emu::driver::pop_context(c)); }
inline @{CUresult|MUresult} @{cuCtxGetDevice|muCtxGetDevice}(@{CUdevice|MUdevice}* device) { return EMU_RESULT(::emu::driver::device_of_context(device)); }
inline @{CUresult|MUresult} @{cuCtxSynchronize|muCtxSynchronize}() {
  if (int error = ::emu::driver::in_context()) return EMU_RESULT(error);
  return EMU_RESULT(::emu::host::synchronize());
}
inline @{CUresult|MUresult} @{cuDevicePrimaryCtxRetain|muDevicePrimaryCtxRetain}(@{CUcontext|MUcontext}* c, @{CUdevice|MUdevice} device) { return EMU_RESULT(::emu::driver::primary_context(c, device)); }
inline @{CUresult|MUresult} @{cuDevicePrimaryCtxRelease|muDevicePrimaryCtxRelease}(@{CUdevice|MUdevice} device) { return EMU_RESULT(::emu::driver::release_primary(device)); }
inline @{CUresult|MUresult} @{cuDevicePrimaryCtxGetState|muDevicePrimaryCtxGetState}(@{CUdevice|MUdevice} device, unsigned* flags, int* active) {
  return EMU_RESULT(::emu::driver::primary_state(device, flags, active));
}

// ---- modules and functions
inline @{CUresult|MUresult} @{cuModuleLoad|muModuleLoad}(@{CUmodule|MUmodule}* m, const char* file) { return EMU_RESULT(::emu::driver::load_module(m, file)); }
inline @{CUresult|MUresult} @{cuModuleLoadData|muModuleLoadData}(@{CUmodule|MUmodule}* m, const void* image) { return EMU_RESULT(::emu::driver::load_module(m, image ? "of data" : nullptr)); }
inline @{CUresult|MUresult} @{cuModuleUnload|muModuleUnload}(@{CUmodule|MUmodule} m) { return EMU_RESULT(::emu::driver::unload_module(m)); }
inline @{CUresult|MUresult} @{cuModuleGetFunction|muModuleGetFunction}(@{CUfunction|MUfunction}* f, @{CUmodule|MUmodule} m, const char* name, EMU_SITE) {
  return EMU_RESULT(::emu::driver::find_function(f, m, name, "@{cuModuleGetFunction|muModuleGetFunction}", emu_site));
}
inline @{CUresult|MUresult} @{cuModuleGetGlobal|muModuleGetGlobal}(@{CUdeviceptr|MUdeviceptr}*, size_t*, @{CUmodule|MUmodule}, const char*, EMU_SITE) {
  ::emu::host::not_emulated("@{cuModuleGetGlobal|muModuleGetGlobal}: variables are not known by name", emu_site);
}
inline @{CUresult|MUresult} @{cuFuncSetAttribute|muFuncSetAttribute}(@{CUfunction|MUfunction} f, @{CUfunction_attribute|MUfunction_attribute} a, int value) {
  return EMU_RESULT(@rt@FuncSetAttribute(f, static_cast<enum @rt@FuncAttribute>(a), value));
}
inline @{CUresult|MUresult} @{cuFuncGetAttribute|muFuncGetAttribute}(int* value, @{CUfunction_attribute|MUfunction_attribute} a, @{CUfunction|MUfunction} f) {
  if (!::emu::kernel_entry(f)) return @{CUDA_ERROR_INVALID_HANDLE|MUSA_ERROR_INVALID_HANDLE};
  switch (a) {
    case @{CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK|MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK}: *value = 1024; break;
    case @{CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES|MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES}: *value = ::emu::shared_limit_of(f); break;
    case @{CU_FUNC_ATTRIBUTE_NUM_REGS|MU_FUNC_ATTRIBUTE_NUM_REGS}: *value = 32; break;
    case @{CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES|MU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES}:
    case @{CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES|MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES}: *value = 0; break;
    default: return @{CUDA_ERROR_INVALID_VALUE|MUSA_ERROR_INVALID_VALUE};
  }
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
inline @{CUresult|MUresult} @{cuOccupancyMaxActiveBlocksPerMultiprocessor|muOccupancyMaxActiveBlocksPerMultiprocessor}(int* blocks, @{CUfunction|MUfunction} f, int threads, size_t shared) {
  if (!::emu::kernel_entry(f)) return @{CUDA_ERROR_INVALID_HANDLE|MUSA_ERROR_INVALID_HANDLE};
  if (threads <= 0) return @{CUDA_ERROR_INVALID_VALUE|MUSA_ERROR_INVALID_VALUE};
  *blocks = ::emu::active_blocks(MUSIFY_EMU_ARCH, threads, shared);
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
// Values by pointers, or packed into one buffer that `extra` leads to.
inline @{CUresult|MUresult} @{cuLaunchKernel|muLaunchKernel}(@{CUfunction|MUfunction} f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                 unsigned shared, @{CUstream|MUstream} s, void** values, void** extra, EMU_SITE) {
  return EMU_RESULT(::emu::driver::launch("@{cuLaunchKernel|muLaunchKernel}", f, ::emu::Config(dim3(gx, gy, gz), dim3(bx, by, bz), shared, s), false,
                                          values, extra, emu_site));
}
@cuda
inline CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                          unsigned shared, CUstream s, void** values, EMU_SITE) {
  return EMU_RESULT(::emu::driver::launch("cuLaunchCooperativeKernel", f, ::emu::Config(dim3(gx, gy, gz), dim3(bx, by, bz), shared, s), true, values,
                                          nullptr, emu_site));
}
@end
template <class K>
inline @rt@Error_t @rt@GetFuncBySymbol(@{CUfunction|MUfunction}* f, K* kernel) {
  *f = ::emu::kernel_pointer(kernel);
  return @rt@Success;
}

// ---- memory
inline void* emu_pointer(@{CUdeviceptr|MUdeviceptr} p) { return reinterpret_cast<void*>(p); }
inline @{CUresult|MUresult} @{cuMemAlloc|muMemAlloc}(@{CUdeviceptr|MUdeviceptr}* p, size_t n) {
  if (int error = ::emu::driver::in_context()) return EMU_RESULT(error);
  if (!n) return @{CUDA_ERROR_INVALID_VALUE|MUSA_ERROR_INVALID_VALUE};
  return EMU_RESULT(::emu::host::allocate(reinterpret_cast<void**>(p), n, ::emu::Memory::device));
}
inline @{CUresult|MUresult} @{cuMemAllocManaged|muMemAllocManaged}(@{CUdeviceptr|MUdeviceptr}* p, size_t n, unsigned) {
  if (int error = ::emu::driver::in_context()) return EMU_RESULT(error);
  if (!n) return @{CUDA_ERROR_INVALID_VALUE|MUSA_ERROR_INVALID_VALUE};
  return EMU_RESULT(::emu::host::allocate(reinterpret_cast<void**>(p), n, ::emu::Memory::managed));
}
inline @{CUresult|MUresult} @{cuMemAllocPitch|muMemAllocPitch}(@{CUdeviceptr|MUdeviceptr}* p, size_t* pitch, size_t width, size_t height, unsigned element) {
  if (int error = ::emu::driver::in_context()) return EMU_RESULT(error);
  if (!width || !height || (element != 4 && element != 8 && element != 16)) return @{CUDA_ERROR_INVALID_VALUE|MUSA_ERROR_INVALID_VALUE};
  return EMU_RESULT(::emu::host::allocate_pitch(reinterpret_cast<void**>(p), pitch, width, height));
}
inline @{CUresult|MUresult} @{cuMemAllocHost|muMemAllocHost}(void** p, size_t n) {
  if (int error = ::emu::driver::in_context()) return EMU_RESULT(error);
  return EMU_RESULT(::emu::host::allocate(p, n, ::emu::Memory::host));
}
inline @{CUresult|MUresult} @{cuMemFreeHost|muMemFreeHost}(void* p, EMU_SITE) { return EMU_RESULT(::emu::host::release(p, "@{cuMemFreeHost|muMemFreeHost}", emu_site)); }
inline @{CUresult|MUresult} @{cuMemFree|muMemFree}(@{CUdeviceptr|MUdeviceptr} p, EMU_SITE) {
  return EMU_RESULT(::emu::host::release(emu_pointer(p), "@{cuMemFree|muMemFree}", emu_site));
}
inline @{CUresult|MUresult} @{cuMemGetInfo|muMemGetInfo}(size_t* available, size_t* total) {
  if (int error = ::emu::driver::in_context()) return EMU_RESULT(error);
  ::emu::free_bytes(available, total);
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
inline @{CUresult|MUresult} @{cuMemcpyHtoD|muMemcpyHtoD}(@{CUdeviceptr|MUdeviceptr} to, const void* from, size_t n, EMU_SITE) {
  return EMU_RESULT(::emu::host::copy(emu_pointer(to), from, n, 1, "@{cuMemcpyHtoD|muMemcpyHtoD}", emu_site));
}
inline @{CUresult|MUresult} @{cuMemcpyDtoH|muMemcpyDtoH}(void* to, @{CUdeviceptr|MUdeviceptr} from, size_t n, EMU_SITE) {
  return EMU_RESULT(::emu::host::copy(to, emu_pointer(from), n, 2, "@{cuMemcpyDtoH|muMemcpyDtoH}", emu_site));
}
inline @{CUresult|MUresult} @{cuMemcpyDtoD|muMemcpyDtoD}(@{CUdeviceptr|MUdeviceptr} to, @{CUdeviceptr|MUdeviceptr} from, size_t n, EMU_SITE) {
  return EMU_RESULT(::emu::host::copy(emu_pointer(to), emu_pointer(from), n, 3, "@{cuMemcpyDtoD|muMemcpyDtoD}", emu_site));
}
inline @{CUresult|MUresult} @{cuMemcpyHtoDAsync|muMemcpyHtoDAsync}(@{CUdeviceptr|MUdeviceptr} to, const void* from, size_t n, @{CUstream|MUstream} s, EMU_SITE) {
  return EMU_RESULT(@rt@MemcpyAsync(emu_pointer(to), from, n, @rt@MemcpyHostToDevice, s, emu_site));
}
inline @{CUresult|MUresult} @{cuMemcpyDtoHAsync|muMemcpyDtoHAsync}(void* to, @{CUdeviceptr|MUdeviceptr} from, size_t n, @{CUstream|MUstream} s, EMU_SITE) {
  return EMU_RESULT(@rt@MemcpyAsync(to, emu_pointer(from), n, @rt@MemcpyDeviceToHost, s, emu_site));
}
inline @{CUresult|MUresult} @{cuMemcpyDtoDAsync|muMemcpyDtoDAsync}(@{CUdeviceptr|MUdeviceptr} to, @{CUdeviceptr|MUdeviceptr} from, size_t n, @{CUstream|MUstream} s, EMU_SITE) {
  return EMU_RESULT(@rt@MemcpyAsync(emu_pointer(to), emu_pointer(from), n, @rt@MemcpyDeviceToDevice, s, emu_site));
}
inline @{CUresult|MUresult} @{cuMemsetD8|muMemsetD8}(@{CUdeviceptr|MUdeviceptr} to, unsigned char v, size_t n, EMU_SITE) {
  return EMU_RESULT(::emu::driver::fill(emu_pointer(to), v, 1, n, "@{cuMemsetD8|muMemsetD8}", emu_site));
}
inline @{CUresult|MUresult} @{cuMemsetD16|muMemsetD16}(@{CUdeviceptr|MUdeviceptr} to, unsigned short v, size_t n, EMU_SITE) {
  return EMU_RESULT(::emu::driver::fill(emu_pointer(to), v, 2, n, "@{cuMemsetD16|muMemsetD16}", emu_site));
}
inline @{CUresult|MUresult} @{cuMemsetD32|muMemsetD32}(@{CUdeviceptr|MUdeviceptr} to, unsigned v, size_t n, EMU_SITE) {
  return EMU_RESULT(::emu::driver::fill(emu_pointer(to), v, 4, n, "@{cuMemsetD32|muMemsetD32}", emu_site));
}
#define EMU_FILL_ASYNC(NAME, T, SIZE)                                                                                       \
  inline @{CUresult|MUresult} NAME(@{CUdeviceptr|MUdeviceptr} to, T v, size_t n, @{CUstream|MUstream} s, EMU_SITE) {                                            \
    return EMU_RESULT(::emu::host::in_stream(s, 2, [=] { return ::emu::driver::fill(emu_pointer(to), v, SIZE, n, #NAME, emu_site); })); \
  }
EMU_FILL_ASYNC(@{cuMemsetD8Async|muMemsetD8Async}, unsigned char, 1)
EMU_FILL_ASYNC(@{cuMemsetD16Async|muMemsetD16Async}, unsigned short, 2)
EMU_FILL_ASYNC(@{cuMemsetD32Async|muMemsetD32Async}, unsigned, 4)
#undef EMU_FILL_ASYNC

// ---- streams and events
inline @{CUresult|MUresult} @{cuStreamCreate|muStreamCreate}(@{CUstream|MUstream}* s, unsigned flags) { return EMU_RESULT(::emu::host::create_stream(s, flags, 0)); }
inline @{CUresult|MUresult} @{cuStreamDestroy|muStreamDestroy}(@{CUstream|MUstream} s) { return EMU_RESULT(::emu::host::destroy_stream(s)); }
inline @{CUresult|MUresult} @{cuStreamSynchronize|muStreamSynchronize}(@{CUstream|MUstream} s) { return EMU_RESULT(::emu::host::synchronize_stream(s)); }
inline @{CUresult|MUresult} @{cuStreamQuery|muStreamQuery}(@{CUstream|MUstream} s) { return EMU_RESULT(::emu::host::query_stream(s)); }
inline @{CUresult|MUresult} @{cuStreamWaitEvent|muStreamWaitEvent}(@{CUstream|MUstream} s, @{CUevent|MUevent} e, unsigned flags) { return EMU_RESULT(::emu::host::wait_for_event(s, e, flags)); }
inline @{CUresult|MUresult} @{cuEventCreate|muEventCreate}(@{CUevent|MUevent}* e, unsigned flags) { return EMU_RESULT(::emu::host::create_event(e, flags)); }
inline @{CUresult|MUresult} @{cuEventDestroy|muEventDestroy}(@{CUevent|MUevent} e) { return EMU_RESULT(::emu::host::destroy_event(e)); }
inline @{CUresult|MUresult} @{cuEventRecord|muEventRecord}(@{CUevent|MUevent} e, @{CUstream|MUstream} s) { return EMU_RESULT(::emu::host::record_event(e, s)); }
inline @{CUresult|MUresult} @{cuEventSynchronize|muEventSynchronize}(@{CUevent|MUevent} e) { return EMU_RESULT(::emu::host::synchronize_event(e)); }
inline @{CUresult|MUresult} @{cuEventElapsedTime|muEventElapsedTime}(float* ms, @{CUevent|MUevent} from, @{CUevent|MUevent} to) { return EMU_RESULT(::emu::host::elapsed(ms, from, to)); }

// ---- virtual memory
typedef unsigned long long @{CUmemGenericAllocationHandle|MUmemGenericAllocationHandle};
typedef enum { @{CU_MEM_ALLOCATION_TYPE_PINNED|MU_MEM_ALLOCATION_TYPE_PINNED} = 1 } @{CUmemAllocationType|MUmemAllocationType};
typedef enum { @{CU_MEM_LOCATION_TYPE_DEVICE|MU_MEM_LOCATION_TYPE_DEVICE} = 1 } @{CUmemLocationType|MUmemLocationType};
typedef enum { @{CU_MEM_ACCESS_FLAGS_PROT_NONE|MU_MEM_ACCESS_FLAGS_PROT_NONE} = 0, @{CU_MEM_ACCESS_FLAGS_PROT_READ|MU_MEM_ACCESS_FLAGS_PROT_READ} = 1, @{CU_MEM_ACCESS_FLAGS_PROT_READWRITE|MU_MEM_ACCESS_FLAGS_PROT_READWRITE} = 3 } @{CUmemAccess_flags|MUmemAccess_flags};
typedef enum { @{CU_MEM_ALLOC_GRANULARITY_MINIMUM|MU_MEM_ALLOC_GRANULARITY_MINIMUM} = 0, @{CU_MEM_ALLOC_GRANULARITY_RECOMMENDED|MU_MEM_ALLOC_GRANULARITY_RECOMMENDED} = 1 } @{CUmemAllocationGranularity_flags|MUmemAllocationGranularity_flags};
typedef enum { @{CU_MEM_HANDLE_TYPE_NONE|MU_MEM_HANDLE_TYPE_NONE} = 0, @{CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR|MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR} = 1 } @{CUmemAllocationHandleType|MUmemAllocationHandleType};
typedef struct {
  @{CUmemLocationType|MUmemLocationType} type;
  int id;
} @{CUmemLocation|MUmemLocation};
typedef struct {
  @{CUmemAllocationType|MUmemAllocationType} type;
  @{CUmemAllocationHandleType|MUmemAllocationHandleType} requestedHandleTypes;
  @{CUmemLocation|MUmemLocation} location;
  void* win32HandleMetaData;
  struct { unsigned char compressionType, gpuDirectRDMACapable; unsigned short usage; unsigned char reserved[4]; } allocFlags;
} @{CUmemAllocationProp|MUmemAllocationProp};
typedef struct {
  @{CUmemLocation|MUmemLocation} location;
  @{CUmemAccess_flags|MUmemAccess_flags} flags;
} @{CUmemAccessDesc|MUmemAccessDesc};
inline @{CUresult|MUresult} @{cuMemGetAllocationGranularity|muMemGetAllocationGranularity}(size_t* n, const @{CUmemAllocationProp|MUmemAllocationProp}*, @{CUmemAllocationGranularity_flags|MUmemAllocationGranularity_flags}) {
  *n = ::emu::host::kGranularity;
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
inline @{CUresult|MUresult} @{cuMemAddressReserve|muMemAddressReserve}(@{CUdeviceptr|MUdeviceptr}* p, size_t n, size_t alignment, @{CUdeviceptr|MUdeviceptr}, unsigned long long) {
  return EMU_RESULT(::emu::host::reserve_addresses(reinterpret_cast<void**>(p), n, alignment));
}
inline @{CUresult|MUresult} @{cuMemAddressFree|muMemAddressFree}(@{CUdeviceptr|MUdeviceptr} p, size_t n) { return EMU_RESULT(::emu::host::free_addresses(emu_pointer(p), n)); }
inline @{CUresult|MUresult} @{cuMemCreate|muMemCreate}(@{CUmemGenericAllocationHandle|MUmemGenericAllocationHandle}* h, size_t n, const @{CUmemAllocationProp|MUmemAllocationProp}* p, unsigned long long, EMU_SITE) {
  if (p->requestedHandleTypes != @{CU_MEM_HANDLE_TYPE_NONE|MU_MEM_HANDLE_TYPE_NONE})
    ::emu::host::not_emulated("@{cuMemCreate|muMemCreate} for several processes", emu_site);
  return EMU_RESULT(::emu::host::make_piece(h, n));
}
inline @{CUresult|MUresult} @{cuMemRelease|muMemRelease}(@{CUmemGenericAllocationHandle|MUmemGenericAllocationHandle} h) { return EMU_RESULT(::emu::host::release_piece(h)); }
inline @{CUresult|MUresult} @{cuMemMap|muMemMap}(@{CUdeviceptr|MUdeviceptr} p, size_t n, size_t offset, @{CUmemGenericAllocationHandle|MUmemGenericAllocationHandle} h, unsigned long long) {
  return EMU_RESULT(::emu::host::map_piece(emu_pointer(p), n, offset, h));
}
inline @{CUresult|MUresult} @{cuMemUnmap|muMemUnmap}(@{CUdeviceptr|MUdeviceptr} p, size_t n) { return EMU_RESULT(::emu::host::unmap_piece(emu_pointer(p), n)); }
inline @{CUresult|MUresult} @{cuMemSetAccess|muMemSetAccess}(@{CUdeviceptr|MUdeviceptr} p, size_t n, const @{CUmemAccessDesc|MUmemAccessDesc}* d, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (int error = ::emu::host::allow_access(emu_pointer(p), n, d[i].flags)) return EMU_RESULT(error);
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
inline @{CUresult|MUresult} @{cuMemExportToShareableHandle|muMemExportToShareableHandle}(void*, @{CUmemGenericAllocationHandle|MUmemGenericAllocationHandle}, @{CUmemAllocationHandleType|MUmemAllocationHandleType}, unsigned long long, EMU_SITE) {
  ::emu::host::not_emulated("@{cuMemExportToShareableHandle|muMemExportToShareableHandle}", emu_site);
}
inline @{CUresult|MUresult} @{cuMemImportFromShareableHandle|muMemImportFromShareableHandle}(@{CUmemGenericAllocationHandle|MUmemGenericAllocationHandle}*, void*, @{CUmemAllocationHandleType|MUmemAllocationHandleType}, EMU_SITE) {
  ::emu::host::not_emulated("@{cuMemImportFromShareableHandle|muMemImportFromShareableHandle}", emu_site);
}
