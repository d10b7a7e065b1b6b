// The driver API's calls that driver.cpp does not make, each with what its documentation says it gives: a line a check,
// "ok NAME" or "WRONG NAME". A word names a call that must end the program by name.
#include <cstring>
#include <string>

#include "api.h"
#include "libraries/check.h"
#ifdef __MUSACC__
#include <musa.h>
#define D(name) mu##name
#define T(name) MU##name
#define N(name) MU_##name
#define BY_SIDE(cuda, musa) musa
#else
#include <cuda.h>
#define D(name) cu##name
#define T(name) CU##name
#define N(name) CU_##name
#define BY_SIDE(cuda, musa) cuda
#endif

enum { OK = 0, INVALID_VALUE = 1, NOT_INITIALIZED = 3, INVALID_DEVICE = 101, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_READY = 600, TOO_LARGE = 720 };
#define GIVES(error, call, ...) check(#call, D(call)(__VA_ARGS__) == error)

extern "C" __global__ void fill(int* p, int by) { p[threadIdx.x + blockIdx.x * blockDim.x] = threadIdx.x * by; }
namespace { const int emu_named_fill = ::emu::register_kernel("fill", &fill); }

static void devices() {
  int number = -1, major, minor;
  T(device) device;
  char name[64], cut[4];
  size_t bytes, total;
  void* host;
  T(context) c;
  GIVES(NOT_INITIALIZED, DeviceGetCount, &number);
  D(Init)(0);
  check("DeviceGetCount", D(DeviceGetCount)(&number) == OK && number == 1);
  D(DeviceGet)(&device, 0);
  check("no context is current", D(MemAllocHost)(&host, 4) == INVALID_CONTEXT && D(MemGetInfo)(&bytes, &total) == INVALID_CONTEXT &&
        D(CtxSynchronize)() == INVALID_CONTEXT && D(CtxGetDevice)(&device) == INVALID_CONTEXT && D(CtxPopCurrent)(&c) == INVALID_CONTEXT);
  check("DriverGetVersion", D(DriverGetVersion)(&number) == OK && number == BY_SIDE(12080, 50200));
  check("DeviceComputeCapability", D(DeviceComputeCapability)(&major, &minor, device) == OK && major * 10 + minor == BY_SIDE(80, 31));
  check("DeviceGetName", D(DeviceGetName)(name, sizeof name, device) == OK && std::string(name) == BY_SIDE("emulated sm_80", "emulated mp_31"));
  check("DeviceGetName, cut", D(DeviceGetName)(cut, sizeof cut, device) == OK && std::string(cut) == "emu");
  check("DeviceTotalMem", D(DeviceTotalMem)(&bytes, device) == OK && bytes == size_t(8) << 30);
  check("no such device", D(DeviceTotalMem)(&bytes, 7) == INVALID_DEVICE && D(DeviceGetName)(name, 64, -1) == INVALID_DEVICE &&
        D(DeviceComputeCapability)(&major, &minor, 1) == INVALID_DEVICE);
  const char* text = "";
  check("GetErrorString", D(GetErrorString)((T(result))INVALID_VALUE, &text) == OK && std::string(text) == "invalid argument");
  check("GetErrorString of no error's number", D(GetErrorString)((T(result))12345, &text) == INVALID_VALUE && !text);
}

static void contexts() {
  T(context) a, b, c = nullptr, d = nullptr;
  T(device) device = 9;
  unsigned flags;
  int active = -1;
  auto alive = [&] { return D(DevicePrimaryCtxGetState)(0, &flags, &active) == OK && flags == 0 ? active : -1; };
  check("DevicePrimaryCtxGetState", alive() == 0 && D(DevicePrimaryCtxGetState)(1, &flags, &active) == INVALID_DEVICE);
  check("DevicePrimaryCtxRetain twice", D(DevicePrimaryCtxRetain)(&c, 0) == OK && D(DevicePrimaryCtxRetain)(&d, 0) == OK && c == d && alive() == 1);
  check("DevicePrimaryCtxRelease once, twice", D(DevicePrimaryCtxRelease)(0) == OK && alive() == 1 && D(DevicePrimaryCtxRelease)(0) == OK && alive() == 0);
  check("a primary context that there is not", D(DevicePrimaryCtxRelease)(0) == INVALID_CONTEXT && D(CtxPushCurrent)(c) == INVALID_CONTEXT &&
        D(DevicePrimaryCtxRetain)(&c, 5) == INVALID_DEVICE);
  D(CtxCreate)(&a, 0, 0), D(CtxCreate)(&b, 0, 0);
  auto current = [] { T(context) now = nullptr; D(CtxGetCurrent)(&now); return now; };
  check("CtxPopCurrent", current() == b && D(CtxPopCurrent)(&c) == OK && c == b && current() == a);
  check("CtxPushCurrent", D(CtxPushCurrent)(b) == OK && current() == b);
  check("CtxSetCurrent", D(CtxSetCurrent)(a) == OK && current() == a && D(CtxPopCurrent)(nullptr) == OK && current() == a);
  check("CtxGetDevice", D(CtxGetDevice)(&device) == OK && device == 0);
  GIVES(OK, CtxSynchronize);
  check("CtxDestroy", D(CtxDestroy)(b) == OK && D(CtxDestroy)(b) == INVALID_CONTEXT && D(CtxSetCurrent)(b) == INVALID_CONTEXT && current() == a);
#ifndef __MUSACC__
  CUctxCreateParams plain = {}, affine = {};
  affine.numExecAffinityParams = 1;
  check("CtxCreate_v4", cuCtxCreate_v4(&b, &plain, 0, 0) == OK && current() == b && cuCtxCreate_v4(&c, &affine, 0, 0) == 801 && cuCtxDestroy(b) == OK && current() == a);
#endif
}

static T(function) functions() {
  T(module) m, gone;
  T(function) f, same, none;
  int value = 0, blocks = 0, threads = 0;
  check("ModuleLoadData", D(ModuleLoadData)(&m, "an image") == OK && D(ModuleLoadData)(&gone, nullptr) == INVALID_VALUE);
  D(ModuleLoadData)(&gone, "another");
  check("ModuleUnload", D(ModuleUnload)(gone) == OK && D(ModuleUnload)(gone) == INVALID_HANDLE && D(ModuleGetFunction)(&none, gone, "fill") == INVALID_HANDLE);
  D(ModuleGetFunction)(&f, m, "fill");
  check("GetFuncBySymbol", API(GetFuncBySymbol)(&same, fill) == 0 && same == f);
  auto attribute = [&](T(function_attribute) a) { return D(FuncGetAttribute)(&value, a, f) == OK ? value : -1; };
  check("FuncGetAttribute", attribute(N(FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) == 1024 && attribute(N(FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)) == 48 << 10);
  D(FuncSetAttribute)(f, N(FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 50000);
  check("FuncGetAttribute of what was set", attribute(N(FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)) == 50000);
  check("FuncGetAttribute of nothing", D(FuncGetAttribute)(&value, N(FUNC_ATTRIBUTE_NUM_REGS), nullptr) == INVALID_HANDLE && attribute((T(function_attribute))77) == -1);
  D(DeviceGetAttribute)(&threads, N(DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR), 0);
  auto fit = [&](int block, size_t shared) { return D(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, f, block, shared) == OK ? blocks : -1; };
  check("OccupancyMaxActiveBlocksPerMultiprocessor", fit(256, 0) == threads / 256 && fit(1024, 0) == threads / 1024 && fit(256, 40000) == 4 && fit(0, 0) == -1);
  return f;
}

static void memory(T(function) f, bool late) {
  T(deviceptr) p = 0, q = 0;
  size_t pitch = 0, before, after, total;
  int *h, *unified, back[64];
  check("MemAllocHost", D(MemAllocHost)((void**)&h, 256) == OK && h);
  for (int i = 0; i < 64; i++) h[i] = i * i;
  D(MemGetInfo)(&before, &total);
  D(MemAlloc)(&p, 1 << 20);
  check("MemGetInfo", D(MemGetInfo)(&after, &total) == OK && before - after == 1 << 20 && total == size_t(8) << 30);
  check("MemcpyHtoD", D(MemcpyHtoD)(p, h, 256) == OK && D(MemcpyDtoH)(back, p, 256) == OK && back[63] == 63 * 63 && back[1] == 1);
  GIVES(INVALID_VALUE, MemcpyHtoD, p, h, (1 << 20) + 1);
  check("MemAllocManaged", D(MemAllocManaged)(&q, 64 * 4, 1) == OK && D(MemAllocManaged)(&p, 0, 1) == INVALID_VALUE);
  unified = (int*)q;
  int by = 3;
  void* values[] = {&q, &by};
  D(LaunchKernel)(f, 1, 1, 1, 64, 1, 1, 0, nullptr, values, nullptr);
  check("the host reads what a kernel wrote there", D(CtxSynchronize)() == OK && unified[63] == 189 && unified[1] == 3);
#ifndef __MUSACC__
  by = 5;
  check("LaunchCooperativeKernel", cuLaunchCooperativeKernel(f, 2, 1, 1, 32, 1, 1, 0, nullptr, values) == OK && cuCtxSynchronize() == OK && unified[63] == 155);
  check("LaunchCooperativeKernel of more blocks than fit", cuLaunchCooperativeKernel(f, 1000, 1, 1, 1024, 1, 1, 0, nullptr, values) == TOO_LARGE);
#endif
  T(deviceptr) rows = 0;
  check("MemAllocPitch", D(MemAllocPitch)(&rows, &pitch, 100, 3, 4) == OK && pitch >= 100 && pitch % 512 == 0 && D(MemsetD8)(rows, 1, pitch * 3) == OK);
  check("MemAllocPitch of elements of 3 bytes, of no rows", D(MemAllocPitch)(&rows, &pitch, 100, 3, 3) == INVALID_VALUE && D(MemAllocPitch)(&rows, &pitch, 100, 0, 4) == INVALID_VALUE);

  // In a stream: there and back by another place.
  T(stream) s, t;
  T(event) e;
  T(deviceptr) one, other;
  int* out;
  D(MemAlloc)(&one, 256), D(MemAlloc)(&other, 256), D(MemAllocHost)((void**)&out, 256), D(EventCreate)(&e, 0);
  D(StreamCreate)(&s, 0), D(StreamCreate)(&t, 0);
  memset(out, 0, 256);
  check("MemcpyHtoDAsync", D(MemcpyHtoDAsync)(one, h, 256, s) == OK && D(MemcpyHtoDAsync)(one, h, 257, s) == INVALID_VALUE);
  check("MemcpyDtoDAsync", D(MemcpyDtoDAsync)(other, one, 256, s) == OK);
  D(EventRecord)(e, s);
  check("StreamWaitEvent", D(StreamWaitEvent)(t, e, 0) == OK && D(StreamWaitEvent)(t, nullptr, 0) == INVALID_HANDLE);
  check("MemcpyDtoHAsync", D(MemcpyDtoHAsync)(out, other, 256, t) == OK);
  GIVES((late ? NOT_READY : OK), StreamQuery, t);
  check("StreamSynchronize", D(StreamSynchronize)(t) == OK && out[63] == 63 * 63 && out[2] == 4 && D(StreamQuery)(t) == OK);
  check("EventSynchronize EventDestroy", D(EventSynchronize)(e) == OK && D(EventDestroy)(e) == OK && D(EventDestroy)(nullptr) == INVALID_HANDLE);
  check("StreamDestroy", D(StreamDestroy)(s) == OK && D(StreamDestroy)(t) == OK && D(StreamDestroy)(nullptr) == INVALID_HANDLE);
  check("MemFreeHost", D(MemFreeHost)(out) == OK && D(MemFreeHost)(out) == INVALID_VALUE);
}

int main(int argc, char** argv) {
  const char* streams = getenv("MUSIFY_EMU_STREAMS");
  if (argc > 1) {
    T(memGenericAllocationHandle) piece = 0;
    T(deviceptr) p;
    T(module) m = nullptr;
    size_t n;
    const std::string which = argv[1];
    if (which == "ModuleGetGlobal") D(ModuleGetGlobal)(&p, &n, m, "cell");
    if (which == "MemExportToShareableHandle") D(MemExportToShareableHandle)(&n, piece, N(MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), 0);
    if (which == "MemImportFromShareableHandle") D(MemImportFromShareableHandle)(&piece, &n, N(MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    return 0;
  }
  devices();
  contexts();
  memory(functions(), streams && !strncmp(streams, "late", 4));
}
