// Calls of the run-time API that the other programs do not make: a line a check, "ok NAME" or "WRONG NAME". It wants two
// devices. A word names a call that must end the program by name.
#include <cstring>
#include <string>
#include <vector>

#include "api.h"
#include "libraries/check.h"

#ifdef __MUSACC__
#define MAKE(name) make_musa##name
#else
#define MAKE(name) make_cuda##name
#endif
enum { INVALID_VALUE = 1, INVALID_DEVICE = 101, TRAP = 719, TOO_LARGE = 720, NOT_SUPPORTED = 801 };
#define GIVES(error, call, ...) check(#call, (int)API(call)(__VA_ARGS__) == error)

static float at(int x, int y) { return float(10 * y + x); }
static std::vector<float> rows(int width, int height) { return made(size_t(width * height), [&](int i) { return at(i % width, i / width); }); }
static API(ResourceDesc) of_array(API(Array_t) a) {
  API(ResourceDesc) r = {};
  r.resType = API(ResourceTypeArray);
  r.res.array.array = a;
  return r;
}

static void arrays(API(Stream_t) s) {
  API(Array_t) a, b, nowhere = nullptr;
  const auto format = API(CreateChannelDesc)<float>();
  API(MallocArray)(&a, &format, 8, 4), API(MallocArray)(&b, &format, 8, 4);
  const auto from = rows(8, 4);
  std::vector<float> out(32, -1.0f);
  GIVES(0, Memcpy2DToArrayAsync, a, 0, 0, from.data(), 32, 32, 4, API(MemcpyHostToDevice), s);
  GIVES(0, Memcpy2DToArrayAsync, b, 0, 0, out.data(), 32, 32, 4, API(MemcpyHostToDevice), s);
  API(StreamSynchronize)(s);
  // two rows of three from (2, 1) to (4, 0)
  check("Memcpy2DArrayToArray", API(Memcpy2DArrayToArray)(b, 16, 0, a, 8, 1, 12, 2) == 0 && API(Memcpy2DArrayToArray)(b, 24, 0, a, 0, 0, 12, 2) == INVALID_VALUE);
  GIVES(0, Memcpy2DFromArrayAsync, out.data(), 32, b, 0, 0, 32, 4, API(MemcpyDeviceToHost), s);
  API(StreamSynchronize)(s);
  check_all("... brought the six and no more", out, made(32, [](int i) { return i / 8 < 2 && i % 8 > 3 && i % 8 < 7 ? at(i % 8 - 2, i / 8 + 1) : -1.0f; }));
  API(Memcpy3DParms) p = {};
  p.srcArray = a, p.srcPos = MAKE(Pos)(1, 2, 0), p.dstPtr = MAKE(PitchedPtr)(out.data(), 8, 8, 2), p.extent = MAKE(Extent)(2, 2, 1), p.kind = API(MemcpyDeviceToHost);
  GIVES(0, Memcpy3DAsync, &p, s);
  API(StreamSynchronize)(s);
  check_all("Memcpy3DAsync from an array", std::vector<float>(out.begin(), out.begin() + 4), std::vector<float>{21, 22, 31, 32});
  check("FreeArray", API(FreeArray)(b) == 0 && API(FreeArray)(b) == INVALID_VALUE && API(FreeArray)(nowhere) == 0);
  API(SurfaceObject_t) surface;
  const auto r = of_array(a);
  API(CreateSurfaceObject)(&surface, &r);
  check("DestroySurfaceObject", API(DestroySurfaceObject)(surface) == 0 && API(DestroySurfaceObject)(surface) == INVALID_VALUE);
}

__global__ void layers(API(TextureObject_t) t, float* out) { out[threadIdx.x] = tex1DLayered<float>(t, threadIdx.x % 4 + 1.0f, threadIdx.x / 4); }
__global__ void levels(API(TextureObject_t) line, API(TextureObject_t) plane, API(TextureObject_t) box, float* out) {
  out[0] = tex1DLod<float>(line, 3.5f, 0), out[1] = tex1DLod<float>(line, 3.5f, 2);
  out[2] = tex2DLod<float>(plane, 1.5f, 2.5f, 0), out[3] = tex2DLod<float>(plane, 1.5f, 2.5f, 7);
  out[4] = tex3DLod<float>(box, 1.5f, 0.5f, 1.5f, 0), out[5] = tex3DLod<float>(box, 1.5f, 0.5f, 1.5f, 1);
}
texture<float, 2> reference;
__global__ void refers(float* out) { *out = tex2D(reference, 2.5f, 1.5f); }

static void textures() {
  const auto format = API(CreateChannelDesc)<float>();
  const auto host = rows(8, 4);
  float* out;
  API(MallocManaged)(&out, 64);
  auto array = [&](size_t width, size_t height, size_t depth, unsigned flags) {
    API(Array_t) a;
    API(Malloc3DArray)(&a, &format, MAKE(Extent)(width, height, depth), flags);
    API(Memcpy3DParms) p = {};
    p.srcPtr = MAKE(PitchedPtr)((void*)host.data(), width * 4, width * 4, height ? height : 1), p.dstArray = a;
    p.extent = MAKE(Extent)(width, height ? height : 1, depth ? depth : 1), p.kind = API(MemcpyHostToDevice);
    API(Memcpy3D)(&p);
    return a;
  };
  auto object = [&](API(Array_t) a, bool linear) {
    API(TextureObject_t) t;
    API(TextureDesc) d = {};
    const auto r = of_array(a);
    for (auto& mode : d.addressMode) mode = API(AddressModeClamp);
    d.filterMode = linear ? API(FilterModeLinear) : API(FilterModePoint);
    API(CreateTextureObject)(&t, &r, &d, nullptr);
    return t;
  };
  // host holds 0 to 7, 10 to 17, 20 to 27, 30 to 37: three layers of four
  LAUNCH(layers, 1, 12, 0, object(array(4, 0, 3, API(ArrayLayered)), true), out);
  API(DeviceSynchronize)();
  check_all("tex1DLayered, between two texels and at the end of a layer", std::vector<float>(out, out + 12), std::vector<float>{0.5f, 1.5f, 2.5f, 3, 4.5f, 5.5f, 6.5f, 7, 10.5f, 11.5f, 12.5f, 13});
  LAUNCH(levels, 1, 1, 0, object(array(8, 0, 0, 0), false), object(array(4, 4, 0, 0), false), object(array(2, 2, 2, 0), false), out);
  API(DeviceSynchronize)();
  check_all("tex1DLod tex2DLod tex3DLod: the one level there is", std::vector<float>(out, out + 6), std::vector<float>{3, 3, 11, 11, 5, 5});
  check("BindTextureToArray", API(BindTextureToArray)(reference, array(8, 4, 0, 0)) == 0);
  LAUNCH(refers, 1, 1, 0, out);
  check("... is read", API(DeviceSynchronize)() == 0 && *out == at(2, 1));
  GIVES(0, UnbindTexture, reference);
  LAUNCH(refers, 1, 1, 0, out);
  check("a reference that is bound to nothing", API(DeviceSynchronize)() == TRAP);
  check("ThreadExit takes the error along", API(ThreadExit)() == 0 && API(DeviceSynchronize)() == 0 && API(GetLastError)() == 0);
}

static void pools(API(Stream_t) s) {
  API(MemPool_t) usual, own, other, now;
  API(MemPoolProps) props = {};
  props.allocType = API(MemAllocationTypePinned), props.location.type = API(MemLocationTypeDevice);
  API(DeviceGetDefaultMemPool)(&usual, 0), API(DeviceGetDefaultMemPool)(&other, 1), API(MemPoolCreate)(&own, &props);
  check("DeviceGetMemPool", API(DeviceGetMemPool)(&now, 0) == 0 && now == usual && API(DeviceGetMemPool)(&now, 1) == 0 && now == other && other != usual && API(DeviceGetMemPool)(&now, 2) == INVALID_DEVICE);
  check("DeviceSetMemPool", API(DeviceSetMemPool)(0, own) == 0 && API(DeviceGetMemPool)(&now, 0) == 0 && now == own && API(DeviceSetMemPool)(0, nullptr) == INVALID_VALUE);
  unsigned long long used = 0;
  int* p;
  API(MallocAsync)(&p, 4096, s);
  check("allocations come from the pool that was set", API(MemPoolGetAttribute)(own, API(MemPoolAttrUsedMemCurrent), &used) == 0 && used == 4096);
  API(FreeAsync)(p, s);
  API(MemAccessFlags) access;
  API(MemAccessDesc) give = {props.location, API(MemAccessFlagsProtRead)};
  API(MemLocation) mine = props.location, yours = {API(MemLocationTypeDevice), 1}, nobody = {API(MemLocationTypeDevice), 2};
  give.location.id = 1;
  check("MemPoolGetAccess", API(MemPoolGetAccess)(&access, own, &mine) == 0 && access == API(MemAccessFlagsProtReadWrite) && API(MemPoolGetAccess)(&access, own, &yours) == 0 && access == API(MemAccessFlagsProtNone));
  check("MemPoolSetAccess", API(MemPoolSetAccess)(own, &give, 1) == 0 && API(MemPoolGetAccess)(&access, own, &yours) == 0 && access == API(MemAccessFlagsProtRead));
  give.location.id = 2;
  check("access for no device", API(MemPoolSetAccess)(own, &give, 1) == INVALID_VALUE && API(MemPoolGetAccess)(&access, own, &nobody) == INVALID_VALUE);
  API(MemPoolDestroy)(own);
  check("without it the usual one is back", API(DeviceGetMemPool)(&now, 0) == 0 && now == usual);
  API(GetLastError)();
}

__global__ void scale(int* p, int by) { p[threadIdx.x + blockIdx.x * blockDim.x] *= by; }
#ifndef __MUSACC__
__global__ void after(int* p) {
  cudaGridDependencySynchronize();
  p[threadIdx.x] /= 2;
  cudaTriggerProgrammaticLaunchCompletion();
}
#endif
__global__ void breaks(int* p) {
#ifndef __MUSACC__
  if (*p) __brkpt();
#endif
  *p = 1;
}

static void launches(API(Stream_t) s) {
  int* p;
  API(MallocManaged)(&p, 256);
  for (int i = 0; i < 64; i++) p[i] = i;
  API(LaunchAttribute) attribute = {};
  API(LaunchConfig_t) c = {};
  c.gridDim = dim3(2), c.blockDim = dim3(32), c.stream = s;
  check("LaunchKernelEx", API(LaunchKernelEx)(&c, scale, p, 3) == 0 && API(StreamSynchronize)(s) == 0 && p[63] == 189 && p[1] == 3);
  attribute.id = API(LaunchAttributeCooperative), attribute.val.cooperative = 1, c.attrs = &attribute, c.numAttrs = 1;
  check("LaunchKernelEx together", API(LaunchKernelEx)(&c, scale, p, 2) == 0 && API(StreamSynchronize)(s) == 0 && p[63] == 378);
  c.gridDim = dim3(10000);
  check("LaunchKernelEx of more blocks than fit together", API(LaunchKernelEx)(&c, scale, p, 2) == TOO_LARGE && p[63] == 378);
#ifndef __MUSACC__
  int two = 2;
  void* values[] = {&p, &two};
  c.gridDim = dim3(2);
  check("LaunchKernelExC", cudaLaunchKernelExC(&c, (void*)::emu::kernel_pointer(scale), values) == 0 && cudaStreamSynchronize(s) == 0 && p[63] == 756);
  two = -1;
  LAUNCH(after, 1, 64, 0, p);
  check("a grid that depends on the one before it", cudaDeviceSynchronize() == 0 && p[63] == 378 && p[2] == 12);
  attribute.id = cudaLaunchAttributeClusterDimension, attribute.val.clusterDim = {2, 1, 1};
  check("LaunchKernelEx in clusters", cudaLaunchKernelEx(&c, scale, p, 2) == NOT_SUPPORTED && cudaLaunchKernelExC(&c, (void*)::emu::kernel_pointer(scale), values) == NOT_SUPPORTED && p[63] == 378);
#endif
  check("FuncSetCacheConfig", API(FuncSetCacheConfig)(scale, API(FuncCachePreferL1)) == 0 && API(FuncSetCacheConfig)(scale, (API(FuncCache))4) == INVALID_VALUE);
  check("FuncSetSharedMemConfig", API(FuncSetSharedMemConfig)(scale, API(SharedMemBankSizeEightByte)) == 0 && API(FuncSetSharedMemConfig)(scale, (API(SharedMemConfig))3) == INVALID_VALUE);
  check("DeviceSetSharedMemConfig", API(DeviceSetSharedMemConfig)(API(SharedMemBankSizeFourByte)) == 0 && API(DeviceSetSharedMemConfig)((API(SharedMemConfig))-1) == INVALID_VALUE);
  int* nothing = nullptr;
  check("MallocManaged of nothing, MemPrefetchAsync to no device", API(MallocManaged)(&nothing, 0) == INVALID_VALUE && API(MemPrefetchAsync)(p, 256, 5, s) == INVALID_DEVICE && API(MemPrefetchAsync)(p, 256, 1, s) == 0);
  size_t stack = 0, heap = 0;
  check("DeviceSetLimit", API(DeviceSetLimit)(API(LimitStackSize), 4096) == 0 && API(DeviceGetLimit)(&stack, API(LimitStackSize)) == 0 && stack == 4096 &&
        API(DeviceGetLimit)(&heap, API(LimitMallocHeapSize)) == 0 && heap == 8 << 20 && API(DeviceSetLimit)((API(Limit))99, 1) == INVALID_VALUE);
  char id[32];
  check("DeviceGetPCIBusId", API(DeviceGetPCIBusId)(id, 32, 1) == 0 && std::string(id) == "0000:01:00.0" && API(DeviceGetPCIBusId)(id, 4, 1) == INVALID_VALUE && API(DeviceGetPCIBusId)(id, 32, 2) == INVALID_DEVICE);
#ifndef __MUSACC__
  int device = -1;
  cudaStream_t there;
  cudaSetDevice(1), cudaStreamCreate(&there), cudaSetDevice(0);
  check("StreamGetDevice", cudaStreamGetDevice(there, &device) == 0 && device == 1 && cudaStreamGetDevice(s, &device) == 0 && device == 0 && cudaStreamGetDevice(nullptr, &device) == 0 && device == 0);
  int* only;
  cudaMalloc(&only, 256);
  cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  check("MemAdvise_v2", cudaMemAdvise_v2(p, 256, cudaMemAdviseSetReadMostly, host) == 0 && cudaMemAdvise_v2(only, 256, cudaMemAdviseSetReadMostly, host) == INVALID_VALUE);
  check("MemPrefetchAsync_v2", cudaMemPrefetchAsync_v2(p, 256, host, 0, s) == 0 && p[63] == 378 && cudaMemPrefetchAsync_v2(only, 256, host, 0, s) == INVALID_VALUE);
  *p = 1;
  LAUNCH(breaks, 1, 1, 0, p);
  check("__brkpt ends a kernel where nobody debugs", cudaDeviceSynchronize() == TRAP && cudaDeviceReset() == 0);
#endif
  API(GetLastError)();
}

int main(int argc, char** argv) {
  API(Stream_t) s;
  API(StreamCreate)(&s);
  if (argc > 1) {
    const std::string which = argv[1];
    API(IpcMemHandle_t) memory = {};
    API(IpcEventHandle_t) event = {};
    API(Event_t) e;
    void* p = nullptr;
    if (which == "IpcGetMemHandle") API(IpcGetMemHandle)(&memory, p);
    if (which == "IpcOpenMemHandle") API(IpcOpenMemHandle)(&p, memory, API(IpcMemLazyEnablePeerAccess));
    if (which == "IpcCloseMemHandle") API(IpcCloseMemHandle)(p);
    if (which == "IpcGetEventHandle") API(IpcGetEventHandle)(&event, e);
    if (which == "IpcOpenEventHandle") API(IpcOpenEventHandle)(&e, event);
    return 0;
  }
  arrays(s);
  pools(s);
  launches(s);
  textures();
}
