#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void packed(unsigned* v, const unsigned* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned r = v[i], s = a[i], d;
  unsigned short h = (unsigned short)s, e;
  asm("fma.rn.bf16x2 %0, %1, %2, %1;" : "=r"(d) : "r"(r), "r"(s)); r ^= d;
  asm("max.bf16x2 %0, %1, %2;" : "=r"(d) : "r"(r), "r"(s)); r ^= d;
  asm("min.bf16x2 %0, %1, %2;" : "=r"(d) : "r"(r), "r"(s)); r += d;
  asm("mul.bf16x2 %0, %1, %2;" : "=r"(d) : "r"(r), "r"(s)); r ^= d;
  asm("add.bf16x2 %0, %1, %2;" : "=r"(d) : "r"(r), "r"(s)); r ^= d;
  asm("fma.rn.bf16 %0, %1, %1, %1;" : "=h"(e) : "h"(h)); r += e;
  asm("mul.bf16 %0, %1, %1;" : "=h"(e) : "h"(h)); r += e;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"((float)i), "f"((float)s)); r ^= d;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(e) : "f"((float)s)); r ^= e;
  asm("min.f16x2 %0, %1, %2;" : "=r"(d) : "r"(r), "r"(s)); r += d;
  v[i] = r;
}
