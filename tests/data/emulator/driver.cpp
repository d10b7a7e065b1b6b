// The driver API: contexts, functions by name, memory, streams, virtual memory.
#include <cstdio>
#include <initializer_list>

#include "api.h"
#ifdef __MUSACC__
#include <musa.h>
#define D(name) mu##name
#define T(name) MU##name
#define N(name) MU_##name
#define OK MUSA_SUCCESS
#else
#include <cuda.h>
#define D(name) cu##name
#define T(name) CU##name
#define N(name) CU_##name
#define OK CUDA_SUCCESS
#endif

extern "C" __global__ void fill(int* p, float by, short add) { p[threadIdx.x] = (int)(threadIdx.x * by) + add; }
namespace { const int emu_named_fill = ::emu::register_kernel("fill", &fill); }

static void say(std::initializer_list<long long> all) {
  for (long long v : all) printf(" %lld", v);
}

int main(int argc, char** argv) {
  T(device) device;
  T(context) context, current;
  printf("context");
  say({D(DeviceGet)(&device, 0), D(Init)(0), D(DeviceGet)(&device, 3), D(DeviceGet)(&device, 0)});
  T(deviceptr) p = 0, q = 0;
  say({D(MemAlloc)(&p, 256), D(CtxCreate)(&context, 0, device), D(CtxGetCurrent)(&current), current == context, D(MemAlloc)(&p, 256)});
  int lanes = 0, virtual_memory = 0;
  D(DeviceGetAttribute)(&lanes, N(DEVICE_ATTRIBUTE_WARP_SIZE), device);
  D(DeviceGetAttribute)(&virtual_memory, N(DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED), device);
  const char* text;
  say({lanes, virtual_memory, D(GetErrorName)(OK, &text)});
  printf(" %s\n", text);

  T(module) module;
  T(function) f;
  printf("function");
  say({D(ModuleLoad)(&module, "fill.ptx"), D(ModuleGetFunction)(&f, module, "_Z4fillPifs"), D(ModuleGetFunction)(&f, module, "fill")});
  float by = 2.5f;
  short add = 3;
  void* values[] = {&p, &by, &add};
  int h[64];
  say({D(LaunchKernel)(f, 1, 1, 1, 64, 1, 1, 0, nullptr, values, nullptr), D(MemcpyDtoH)(h, p, 256), h[5], h[63]});
  // Packed: a pointer, a float, a halfword, each aligned as its type.
  struct { T(deviceptr) p; float by; short add; } packed = {p, 4.0f, -1};
  size_t size = sizeof packed;
  void* extra[] = {N(LAUNCH_PARAM_BUFFER_POINTER), &packed, N(LAUNCH_PARAM_BUFFER_SIZE), &size, N(LAUNCH_PARAM_END)};
  say({D(LaunchKernel)(f, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra), D(MemcpyDtoH)(h, p, 256), h[5]});
  say({D(LaunchKernel)(f, 1, 1, 1, 64, 1, 1, 49156, nullptr, values, nullptr),
       D(FuncSetAttribute)(f, N(FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 49156),
       D(LaunchKernel)(f, 1, 1, 1, 64, 1, 1, 49156, nullptr, values, nullptr)});
  API(GetLastError)();
  printf("\n");

  T(stream) s;
  T(event) from, to;
  float ms = -1;
  printf("memory");
  D(StreamCreate)(&s, 0);
  D(EventCreate)(&from, 0);
  D(EventCreate)(&to, 0);
  D(MemAlloc)(&q, 256);
  say({D(EventRecord)(from, s), D(MemsetD32Async)(p, 0x01020304, 64, s), D(MemcpyDtoD)(q, p, 256), D(EventRecord)(to, s), D(EventElapsedTime)(&ms, from, to), ms > 0});
  say({D(MemcpyDtoH)(h, q, 256), h[63] == 0x01020304, D(MemsetD8)(q, 7, 256), D(MemcpyDtoH)(h, q, 4), h[0] == 0x07070707});
  say({D(MemsetD16)(q + 2, 0xabcd, 1), D(MemcpyDtoH)(h, q, 4), (unsigned)h[0] == 0xabcd0707u, D(MemsetD32)(q, 0, 65), D(MemFree)(q), D(MemFree)(q)});
  API(GetLastError)();
  printf("\n");

  T(memAllocationProp) prop = {};
  prop.type = N(MEM_ALLOCATION_TYPE_PINNED);
  prop.location = {N(MEM_LOCATION_TYPE_DEVICE), 0};
  size_t unit = 0;
  T(memGenericAllocationHandle) one, two;
  T(memAccessDesc) access = {prop.location, N(MEM_ACCESS_FLAGS_PROT_READWRITE)};
  T(deviceptr) range;
  printf("virtual");
  D(MemGetAllocationGranularity)(&unit, &prop, N(MEM_ALLOC_GRANULARITY_MINIMUM));
  say({(long long)unit, D(MemAddressReserve)(&range, 4 * unit, 0, 0, 0), D(MemCreate)(&one, unit, &prop, 0), D(MemCreate)(&two, unit, &prop, 0)});
  say({D(MemMap)(range, unit, 0, one, 0), D(MemMap)(range + unit, unit, 0, two, 0), D(MemMap)(range, unit, 0, two, 0)});
  say({D(MemSetAccess)(range, 2 * unit, &access, 1), D(MemsetD8)(range + unit, 9, unit), D(MemcpyDtoH)(h, range + 2 * unit - 4, 4), h[0] == 0x09090909});
  // The same piece at another place holds what it held.
  say({D(MemUnmap)(range + unit, unit), D(MemMap)(range + 3 * unit, unit, 0, two, 0), D(MemSetAccess)(range + 3 * unit, unit, &access, 1),
       D(MemcpyDtoH)(h, range + 3 * unit, 4), h[0] == 0x09090909, D(MemRelease)(two), D(MemAddressFree)(range, 4 * unit)});
  p = range + 3 * unit;
  say({D(LaunchKernel)(f, 1, 1, 1, 64, 1, 1, 0, nullptr, values, nullptr), D(MemcpyDtoH)(h, p, 256), h[2]});
  p = range + unit;
  say({D(LaunchKernel)(f, 1, 1, 1, 64, 1, 1, 0, nullptr, values, nullptr)});  // nothing is mapped there
  printf("\n");
  if (argc > 1) D(ModuleGetFunction)(&f, module, argv[1]);
}
