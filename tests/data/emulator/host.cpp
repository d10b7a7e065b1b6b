// Host calls that the other programs do not make. Prints what each gives.
#include <cstdio>
#include <cstring>
#include <vector>

#include "api.h"

__device__ float cell = 4;
__managed__ int shared_cell = 9;
__global__ void scale(float* p, size_t pitch, int width, float by) {
  float* row = (float*)((char*)p + blockIdx.x * pitch);
  if ((int)threadIdx.x < width) row[threadIdx.x] *= by;
}
__global__ void write(float* p) { *p = 11; }
static void called(void* data) { ++*(int*)data; }

int main() {
  float* p;
  size_t pitch;
  printf("pitch %d", (int)API(MallocPitch)(&p, &pitch, 10 * sizeof(float), 3));
  float h[30], back[30];
  for (int i = 0; i < 30; i++) h[i] = i;
  printf(" %d %d", (int)(pitch % 512), (int)API(Memcpy2D)(p, pitch, h, 40, 40, 3, API(MemcpyHostToDevice)));
  void* arguments[] = {&p, &pitch, nullptr, nullptr};
  int width = 10;
  float by = 2;
  arguments[2] = &width;
  arguments[3] = &by;
  printf(" %d", (int)API(LaunchKernel)(scale, dim3(3), dim3(32), arguments, 0, nullptr));
  printf(" %d", (int)API(Memcpy2DAsync)(back, 40, p, pitch, 40, 3, API(MemcpyDeviceToHost), 0));
  bool good = true;
  for (int i = 0; i < 30; i++) good = good && back[i] == 2.0f * i;
  printf(" %d %d\n", good, (int)API(Memcpy2D)(p, 36, h, 40, 40, 3, API(MemcpyHostToDevice)));

  int *managed, *pinned, *seen;
  API(MallocManaged)(&managed, 16);
  API(HostAlloc)(&pinned, 16, API(HostAllocMapped));
  API(HostGetDevicePointer)(&seen, pinned, 0);
  managed[1] = 5;
  pinned[1] = 6;
  int local[4];
  API(Memcpy)(local, managed, 16, API(MemcpyDefault));
  printf("managed %d %d %d", local[1], seen == pinned, shared_cell);
  API(PointerAttributes) a;
  for (void* q : {(void*)p, (void*)managed, (void*)pinned, (void*)local}) {
    API(PointerGetAttributes)(&a, q);
    printf(" %d", (int)a.type);
  }
  printf("\n");

  float* address;
  size_t size;
  printf("symbol %d", (int)API(GetSymbolAddress)((void**)&address, cell));
  API(GetSymbolSize)(&size, cell);
  LAUNCH(write, 1, 1, 0, address);
  float value;
  API(Memcpy)(&value, address, 4, API(MemcpyDeviceToHost));
  printf(" %d %g %g\n", (int)size, cell, value);

  size_t none;
  API(Error_t) (*allocate)(void**, size_t) = API(Malloc);
  void* one = nullptr;
  printf("null %d %d %d %d", (int)API(Malloc)(nullptr, 4), (int)API(Malloc)(NULL, 4), (int)API(MallocHost)(nullptr, 4),
         (int)API(MallocManaged)(nullptr, 4));
  printf(" %d %d %d", (int)API(MallocAsync)(nullptr, 4, 0), (int)API(HostAlloc)(nullptr, 4, 0),
         (int)API(MallocPitch)(nullptr, &none, 4, 4));
  const int allocated = (int)allocate(&one, 4);  // before the next line: arguments are evaluated in any order
  printf(" %d %d\n", allocated, one != nullptr);
  API(GetLastError)();

  size_t before, after, total;
  API(MemGetInfo)(&before, &total);
  char* big;
  printf("memory %d", (int)API(Malloc)(&big, 1000000));
  API(MemGetInfo)(&after, &total);
  printf(" %d", (int)(before - after));
  API(Free)(big);
  printf(" %d", (int)API(Malloc)(&big, total + 1));
  printf(" %s\n", API(GetErrorName)(API(GetLastError)()));

  API(Stream_t) s;
  API(StreamCreateWithFlags)(&s, API(StreamNonBlocking));
  int calls = 0;
  API(LaunchHostFunc)(s, called, &calls);
  printf("stream %d %d %d", calls, (int)API(StreamQuery)(s), (int)API(StreamSynchronize)(s));
  printf(" %d", (int)API(StreamDestroy)(s));
  API(Event_t) e, f, untimed;
  API(EventCreateWithFlags)(&untimed, API(EventDisableTiming));
  API(EventCreateWithFlags)(&e, API(EventDefault));
  API(EventCreate)(&f);
  float ms;
  printf(" %d", (int)API(EventElapsedTime)(&ms, e, f));
  API(EventRecord)(e, 0);
  API(EventRecord)(f, 0);
  printf(" %d", (int)API(EventElapsedTime)(&ms, e, f));
  API(EventRecord)(untimed, 0);
  printf(" %d %d", (int)API(EventElapsedTime)(&ms, e, untimed), (int)API(EventSynchronize)(nullptr));
  printf(" %d %s\n", ms > 0, API(GetErrorString)(API(GetLastError)()));

  int grid, block, blocks, count, device = -1;
  API(OccupancyMaxPotentialBlockSize)(&grid, &block, scale, 0, 256);
  API(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, scale, 256, 40000);
  API(GetDeviceCount)(&count);
  API(GetDevice)(&device);
  int lanes, sm, shared, optin;
  API(DeviceGetAttribute)(&lanes, API(DevAttrWarpSize), 0);
  API(DeviceGetAttribute)(&sm, API(DevAttrMultiProcessorCount), 0);
  API(DeviceGetAttribute)(&shared, API(DevAttrMaxSharedMemoryPerBlock), 0);
  API(DeviceGetAttribute)(&optin, API(DevAttrMaxSharedMemoryPerBlockOptin), 0);
  printf("device %d %d %d %d %d %d %d %d %d", block, grid == sm * (block == 256) * (grid / sm), blocks, count, device, lanes == warpSize, sm, shared, optin >= shared);
  printf(" %d", (int)API(SetDevice)(3));
  API(FuncAttributes) fa;
  API(FuncGetAttributes)(&fa, scale);
  printf(" %d %d\n", fa.maxThreadsPerBlock, (int)API(FuncSetAttribute)(scale, API(FuncAttributeMaxDynamicSharedMemorySize), 1 << 20));
  int driver, runtime;
  API(DriverGetVersion)(&driver);
  API(RuntimeGetVersion)(&runtime);
  printf("version %d %d %s %s\n", driver, runtime, API(GetErrorName)(API(Success)), API(GetErrorString)((API(Error_t))12345));
  API(Free)(p);
  API(Free)(managed);
  API(FreeHost)(pinned);
}
