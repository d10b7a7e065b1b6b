// Complex numbers; and CUDA's typed atomics, which MUSA has none of.
#include <cstdio>

#include "api.h"
#ifdef __MUSACC__
#include <muComplex.h>
#define C(name) mu##name
#define MAKE(name) make_mu##name
#else
#include <cuComplex.h>
#define C(name) cu##name
#define MAKE(name) make_cu##name
#endif

__global__ void arithmetic(double* out) {
  C(FloatComplex) a = MAKE(FloatComplex)(3, 4), b = MAKE(FloatComplex)(-1, 2);
  C(DoubleComplex) x = MAKE(DoubleComplex)(1e200, 1e200), y = MAKE(DoubleComplex)(2e200, 0);
  C(Complex) sum = C(Caddf)(a, b), difference = C(Csubf)(a, b), product = C(Cmulf)(a, b), quotient = C(Cdivf)(product, b);
  C(DoubleComplex) ratio = C(Cdiv)(x, y), turned = C(Cmul)(C(Conj)(C(Cadd)(MAKE(DoubleComplex)(1, 2), MAKE(DoubleComplex)(0, 3))), MAKE(DoubleComplex)(0, 1));
  C(FloatComplex) fused = C(Cfmaf)(a, b, MAKE(Complex)(100, 200)), narrow = C(ComplexDoubleToFloat)(C(Csub)(turned, MAKE(DoubleComplex)(1, 0)));
  C(DoubleComplex) wide = C(ComplexFloatToDouble)(C(Conjf)(a)), more = C(Cfma)(turned, turned, turned);
  double values[] = {C(Crealf)(sum), C(Cimagf)(sum), C(Crealf)(difference), C(Cimagf)(difference), product.x, product.y,
                     quotient.x, quotient.y, C(Creal)(ratio), C(Cimag)(ratio), turned.x, turned.y, C(Cabsf)(a),
                     C(Cabs)(MAKE(DoubleComplex)(3e200, -4e200)) / 1e200, C(Cabsf)(MAKE(FloatComplex)(0, 0)), fused.x, fused.y,
                     narrow.x, narrow.y, wide.x, wide.y, more.x, more.y, C(Cabsf)(MAKE(FloatComplex)(-1.0f / 0, 0.0f))};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) out[i] = values[i];
}
#ifndef __MUSACC__
struct Pair {
  int a, b;
};
__global__ void typed(int* i, unsigned long long* w, float* f, double* d, Pair* pair, unsigned char* byte, int* turns) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(i, (int)t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_sub(i + 1, 2, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_fetch_min(i + 2, -(int)t, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_max(i + 3, (int)t, __NV_ATOMIC_RELAXED);
  __nv_atomic_and((unsigned*)i + 4, ~(1u << (t % 8)), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_or(i + 5, 1 << (t % 16), __NV_ATOMIC_RELAXED);
  __nv_atomic_xor(i + 6, (int)t, __NV_ATOMIC_RELEASE);
  __nv_atomic_add(w, 1ull << 33, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(f, 0.5f, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_sub(d, 0.25, __NV_ATOMIC_RELAXED);
  Pair seen, next;
  __nv_atomic_load(pair, &seen, __NV_ATOMIC_ACQUIRE);
  do next = Pair{seen.a + 1, seen.b - 1};
  while (!__nv_atomic_compare_exchange(pair, &seen, &next, true, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED));
  unsigned char old = __nv_atomic_load_n(byte, __NV_ATOMIC_RELAXED);
  while (!__nv_atomic_compare_exchange_n(byte, &old, (unsigned char)(old + 1), false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED)) {
  }
  // Each waits for its turn, whatever order the threads start in.
  while (__nv_atomic_load_n(turns, __NV_ATOMIC_ACQUIRE) != (int)t) {
  }
  turns[1] = turns[1] * 3 + (int)t;
  __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(turns, (int)t + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
#endif

int main() {
  double* out;
  double h[24];
  API(Malloc)(&out, sizeof h);
  LAUNCH(arithmetic, 1, 1, 0, out);
  API(Memcpy)(h, out, sizeof h, API(MemcpyDeviceToHost));
  printf("complex");
  for (double x : h) printf(" %.9g", x);
  printf("\n");
#ifndef __MUSACC__
  int* i;
  cudaMalloc(&i, 256);
  cudaMemset(i, 0, 256);
  cudaMemset(i + 4, 0xff, 4);
  LAUNCH(typed, 2, 50, 0, i, (unsigned long long*)(i + 8), (float*)(i + 12), (double*)(i + 14), (Pair*)(i + 16),
         (unsigned char*)(i + 20), i + 24);
  int r[64];
  cudaMemcpy(r, i, 256, cudaMemcpyDeviceToHost);
  printf("typed");
  for (int k = 0; k < 7; k++) printf(" %d", r[k]);
  printf(" %llu %g %g %d %d %d %d\n", *(unsigned long long*)(r + 8) >> 33, *(float*)(r + 12), *(double*)(r + 14), r[16], r[17],
         *(unsigned char*)(r + 20), r[24]);
#endif
}
