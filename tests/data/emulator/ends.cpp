// Kernels that end badly, one after another in one process: each must end its launch, say why, and leave the device
// usable. After each, a healthy kernel runs.
#include <musify_emu/harness.h>

#include <cassert>
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

#include "api.h"

__device__ int zero = 0;
__device__ int small[4];
__device__ int* volatile nowhere = nullptr;
__global__ void healthy(int* p) { p[threadIdx.x] = threadIdx.x + 1; __syncthreads(); }
__global__ void traps(int* p) {
  if (threadIdx.x == 5) __trap();
  p[threadIdx.x] = 1;
}
__global__ void traps_late(int* p) {
  __syncthreads();
  if (threadIdx.x == 5) __trap();
  __syncthreads();
  p[threadIdx.x] = 1;
}
__global__ void asserts(int* p) { assert(p[threadIdx.x] != p[threadIdx.x]); }
__global__ void stubbed(int*) { ::emu::stub("MUS401"); }
__global__ void no_such_asm(int*) { ::emu::unsupported_asm("wgmma.mma_async.sync"); }
__global__ void null_write(int*) { *nowhere = 1; }
__global__ void far_write(int* p) { p[(1 << 20) + threadIdx.x] = 1; }
__global__ void far_before(int* p) { p[-(1 << 20)] = 1; }
__global__ void near_write(int* p) { if (threadIdx.x == 0) p[64 + 3] = 1; }
__global__ void near_before(int* p) { if (threadIdx.x == 0) p[-2] = 1; }
__global__ void divides(int* p) { p[threadIdx.x] = 7 / zero; }
__device__ int deep(volatile int* p, int n) {
  volatile int a[64];
  a[n % 64] = n;
  return n == 0 ? *p : deep(p, n + 1) + a[n % 64];
}
__global__ void recursive(int* p) { p[0] = deep(p, 1); }
__global__ void endless(int* p) { for (;;) asm volatile(""); }
__global__ void endless_after_barrier(int* p) {
  __syncthreads();
  while (*(volatile int*)&zero == 0) {
  }
}
__global__ void waits(int* p) { while (atomicAdd(&zero, 0) == 0) __threadfence(); }
__global__ void deadlocks(int* p) {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    while (atomicAdd(&zero, 0) == 0) {
      __nanosleep(100);
    }
}
__global__ void half_shuffle(int* p) {
  if (threadIdx.x % 32 < 16)
    p[threadIdx.x] = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 1, 16);
  __syncthreads();
}
__global__ void divergent(int* p) {
  if (threadIdx.x % 2)
    __syncthreads();
  else
    __syncthreads();
}
__global__ void leaves_early(int* p) {
  if (threadIdx.x >= 50) return;
  __syncthreads();
}
typedef char large_t[40000];
__global__ void much_shared(int* p) {
  SHARED(large_t, a);
  a[threadIdx.x] = 1;
  SHARED(large_t, b);
  b[threadIdx.x] = a[threadIdx.x];
}
typedef int row_t[32];
__global__ void shared_overrun(int* p) {
  SHARED(row_t, a);
  a[threadIdx.x] = 1;
}
__global__ void dynamic_read(int* p) {
  int* d = (int*)::emu::dynamic_shared("d");
  p[threadIdx.x] = d[64 + threadIdx.x];
}
__global__ void dynamic_far(int* p) {
  int* d = (int*)::emu::dynamic_shared("d");
  if (threadIdx.x == 1) d[20000] = 1;
}
__global__ void dynamic_none(int* p) { p[threadIdx.x] = ((int*)::emu::dynamic_shared("d"))[threadIdx.x]; }
__global__ void dynamic_odd(int* p) { if (threadIdx.x == 1) ((char*)::emu::dynamic_shared("d"))[13] = 1; }
__global__ void dynamic_before(int* p) { if (threadIdx.x == 1) ((int*)::emu::dynamic_shared("d"))[-2] = 1; }
// Nothing is amiss: both kinds side by side, up to their ends.
__global__ void both_kinds(int* p) {
  SHARED(row_t, a);
  int* d = (int*)::emu::dynamic_shared("d");
  if (threadIdx.x < 32) a[threadIdx.x] = 1;
  d[63 - threadIdx.x] = 2;
  __syncthreads();
  p[threadIdx.x] = a[31 - threadIdx.x % 32] + d[threadIdx.x];
}
__global__ void shared_poison(int* p) {
  SHARED(row_t, a);
  int* d = (int*)::emu::dynamic_shared();
  p[0] = a[3];
  p[1] = d[3];
}
__global__ void wrong_mask(int* p) { p[threadIdx.x] = __ballot_sync(0x0000ffffu, 1); }
__global__ void wrong_width(int* p) { p[threadIdx.x] = __shfl_sync(0xffffffffu, (int)threadIdx.x, 0, 12); }
__global__ void grid_sync(int* p) { cooperative_groups::this_grid().sync(); }
__global__ void launches(int* p) { LAUNCH(healthy, 1, 32, 0, p); }
__global__ void nests(int* p, int depth) {
  if (threadIdx.x == 0 && depth) LAUNCH(nests, 2, 32, 0, p, depth - 1);
  atomicAdd(&p[depth], 1);
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) p[32 + depth] = p[depth];
}
__global__ void nests_from(int* p) { LAUNCH(nests, 1, 32, 0, p, 3); }
__global__ void launches_trap(int* p) {
  LAUNCH(traps, 1, 64, 0, p);
  LAUNCH(healthy, 1, 64, 0, p);
}
__global__ void launches_too_large(int* p) { LAUNCH(healthy, 1, 2000, 0, p); }
__global__ void waits_for_its_own(int* p) {
  LAUNCH(healthy, 1, 64, 0, p);
  API(DeviceSynchronize)();
}

static int* p;

void say(const char* name) {
  emu::Outcome o = emu::outcome();
  printf("%s|%s|%s|%d|%llu|%llu|", name, o.reason.c_str(), o.detail.c_str(), o.error, o.started, o.returned);
  int synchronized = API(DeviceSynchronize)();
  int last = API(GetLastError)();
  printf("%d|%d|", synchronized, last);
  for (auto& f : emu::take_findings()) printf("%s:%s:%d;", f.kind.c_str(), f.message.c_str(), f.line > 0);
  emu::clear();
  LAUNCH(healthy, 2, 64, 0, p);
  std::vector<int> h(64);
  API(Memcpy)(h.data(), p, 256, API(MemcpyDeviceToHost));
  bool good = emu::outcome().reason.empty() && emu::outcome().returned == 128;
  for (int i = 0; i < 64; i++) good = good && h[i] == i + 1;
  emu::clear();
  printf("|%s\n", good ? "usable" : "BROKEN");
  fflush(stdout);
}
#define TRY(kernel, block, shared)        \
  LAUNCH(kernel, 2, block, shared, p);    \
  say(#kernel)

int main() {
  p = (int*)emu::allocate(64 * sizeof(int), 65536);
  emu::set_seconds(0.4);
  TRY(traps, 64, 0);
  TRY(traps_late, 64, 0);
  TRY(asserts, 64, 0);
  TRY(stubbed, 64, 0);
  TRY(no_such_asm, 64, 0);
  TRY(null_write, 64, 0);
  TRY(far_write, 64, 0);
  TRY(far_before, 64, 0);
  TRY(divides, 64, 0);
  TRY(recursive, 64, 0);
  TRY(endless, 64, 0);
  TRY(endless_after_barrier, 64, 0);
  TRY(waits, 64, 0);
  TRY(deadlocks, 64, 0);
  TRY(half_shuffle, 64, 0);
  TRY(divergent, 64, 0);
  TRY(leaves_early, 64, 0);
  TRY(much_shared, 64, 0);
  TRY(shared_overrun, 33, 0);
  TRY(dynamic_read, 64, 256);
  TRY(dynamic_far, 64, 256);
  TRY(dynamic_none, 64, 0);
  TRY(dynamic_odd, 64, 13);
  TRY(dynamic_before, 64, 256);
  TRY(both_kinds, 64, 256);
  TRY(wrong_mask, 64, 0);
  TRY(wrong_width, 64, 0);
  TRY(grid_sync, 64, 0);
  TRY(launches, 64, 0);
  TRY(launches_trap, 64, 0);
  TRY(launches_too_large, 64, 0);
  TRY(waits_for_its_own, 64, 0);
  API(Memset)(p, 0, 256);
  LAUNCH(nests_from, 1, 1, 0, p);
  std::vector<int> nested(64);
  API(Memcpy)(nested.data(), p, 256, API(MemcpyDeviceToHost));
  printf("nested");
  for (int i : {3, 2, 1, 0, 35, 34, 33, 32}) printf(" %d", nested[i]);
  printf(" launches %llu\n", emu::outcome().launches);
  emu::clear();
  TRY(healthy, 2048, 0);
  TRY(healthy, 0, 0);
  TRY(healthy, dim3(1, 1, 65), 0);
  TRY(healthy, 64, 50000);
  API(FuncSetAttribute)(healthy, API(FuncAttributeMaxDynamicSharedMemorySize), 60000);
  TRY(healthy, 64, 50000);
  for (int poison : {0xFF, 0x00, 0x5A}) {
    emu::configure(warpSize, "forward", 1, poison);
    LAUNCH(shared_poison, 1, 1, 64, p);
    int h[2], fresh;
    API(Memcpy)(h, p, 8, API(MemcpyDeviceToHost));
    int* q;
    API(Malloc)(&q, 4);
    API(Memcpy)(&fresh, q, 4, API(MemcpyDeviceToHost));
    API(Free)(q);
    printf("poison %02x %08x %08x %08x\n", poison, h[0], h[1], fresh);
  }
  // guards: reported by the device, and readable by a harness
  emu::Guard g = emu::guard(p);
  printf("guard before %d %d\n", g.touched, emu::any_guard_touched());
  LAUNCH(near_write, 1, 32, 0, p);
  g = emu::guard(p);
  printf("guard past %d %zu %zu\n", g.touched, g.before, g.after);
  say("near_write");
  LAUNCH(near_before, 1, 32, 0, p);
  g = emu::guard(p);
  printf("guard both %d %zu %zu\n", g.touched, g.before, g.after);
  emu::release(p);
  int* plain;
  API(Malloc)(&plain, 64 * 4);
  LAUNCH(near_before, 1, 32, 0, plain);
  p = (int*)emu::allocate(64 * sizeof(int), 65536);
  say("plain");
  // host calls that ask for too much
  std::vector<int> h(1000);
  printf("copy %d", (int)API(Memcpy)(plain, h.data(), 65 * 4, API(MemcpyHostToDevice)));
  printf(" %d", (int)API(Memcpy)(h.data(), plain + 60, 5 * 4, API(MemcpyDeviceToHost)));
  printf(" %d", (int)API(Memcpy)(plain + 60, h.data(), 4 * 4, API(MemcpyHostToDevice)));
  printf(" %d", (int)API(Memset)(plain, 0, 257));
  printf(" %d", (int)API(Memcpy)(h.data(), h.data(), 4, API(MemcpyDeviceToHost)));
  printf(" %d", (int)API(MemcpyToSymbol)(small, h.data(), 17));
  printf(" %d", (int)API(MemcpyToSymbol)(small, h.data(), 8, 8));
  printf(" %d", (int)API(MemcpyToSymbol)(small, h.data(), 8, 12));
  printf(" %d", (int)API(Memcpy2D)(plain, 32, h.data(), 32, 32, 8, API(MemcpyHostToDevice)));
  printf(" %d\n", (int)API(Memcpy2D)(plain, 32, h.data(), 32, 32, 9, API(MemcpyHostToDevice)));
  for (auto& f : emu::take_findings()) printf("  %s: %s\n", f.kind.c_str(), f.message.c_str());
  printf("free %d", (int)API(Free)(plain));
  printf(" %d", (int)API(Free)(plain));
  printf(" %d", (int)API(Free)(h.data()));
  printf(" %d\n", (int)API(Free)(nullptr));
  for (auto& f : emu::take_findings()) printf("  %s: %s\n", f.kind.c_str(), f.message.c_str());
  emu::configure(warpSize == 32 ? 128 : 32, "reverse", 1, 0);
  printf("lanes %d\n", emu::lanes());
}
