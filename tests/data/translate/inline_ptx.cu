#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cstdio>
__global__ void carries(unsigned* v, const unsigned* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned lo = v[i], hi = a[i], top;
  asm("add.cc.u32 %0, %0, %1;" : "+r"(lo) : "r"(a[i]));
  asm("addc.cc.u32 %0, %0, %1;" : "+r"(hi) : "r"(v[i]));
  asm("addc.u32 %0, 0, 0;" : "=r"(top));
  asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p xor.b32 %0, %0, %2; }" : "+r"(lo) : "r"(top), "r"(hi));
  v[i] = lo ^ hi;
}
__global__ void floats(float* v, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = v[i], y = a[i], r;
  asm("max.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(r));
  asm("add.rn.f32 %0, %1, %2;" : "=f"(y) : "f"(x), "f"(y));
  int w;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(w) : "f"(y));
  v[i] = r + (float)w;
}
__global__ void accesses(uint4* v, const uint4* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 t;
  asm volatile("ld.global.nc.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(t.x), "=r"(t.y), "=r"(t.z), "=r"(t.w) : "l"(a + i));
  t.x ^= 7;
  asm volatile("st.global.cs.v4.u32 [%0], {%1,%2,%3,%4};" :: "l"(v + i), "r"(t.x), "r"(t.y), "r"(t.z), "r"(t.w));
  unsigned s;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(s) : "l"(v + i) : "memory");
  asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(&v[i].y), "r"(s + 1) : "memory");
}
__global__ void lanes(unsigned* v, int n) {
  unsigned lane, x = v[threadIdx.x + blockIdx.x * blockDim.x], y;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, 0xffffffff;" : "=r"(y) : "r"(x + lane));
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 1, 0, 0xffffffff; @!p mov.u32 %0, 0; }" : "=r"(x) : "r"(y));
  asm volatile("red.global.add.u32 [%0], %1;" :: "l"(v), "r"(lane & 1));
  asm volatile("bar.sync 0;" ::: "memory");
  v[1 + threadIdx.x + blockIdx.x * blockDim.x] = x;
}
__global__ void halves(unsigned* v, const unsigned* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned r;
  asm("fma.rn.f16x2 %0, %1, %2, %1;" : "=r"(r) : "r"(v[i]), "r"(a[i]));
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"((float)i));
  v[i] = r + h;
}
__global__ void bits(unsigned* v, const unsigned* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(v[i]), "r"(a[i]), "r"(a[i] >> 3));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(r), "r"(a[i] & 63), "r"(v[i] & 63));
  asm("bfind.u32 %0, %1;" : "=r"(v[i]) : "r"(r));
}
