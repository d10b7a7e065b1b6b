// Further forms, in one unit: declarations of shared memory, macros with launches in them, templates, lambdas, PTX.
#include <cstdio>
#include <cuda_runtime.h>
#define SPLICED(K, ...) \
  do { \
    K<<<dim3(1), \
        dim3(8)>>>( \
        __VA_ARGS__); \
  } while (0)
#define CFG 1, 8
#define KARGS d, 8
#define CALL(kernel, args) kernel<<<1, 8>>> args
#define RUN(kernel) kernel<<<CFG>>>(KARGS)
template <class A, class B> struct pair2 { static int n() { return 1; } };
struct Policy {
  template <class T> static __device__ T op(T a) { return a + 1; }
  static __constant__ int table2[2][4];
  static __device__ int member;
};
__constant__ int Policy::table2[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
__device__ int Policy::member = 9;
template <class P> struct Runner {
  template <class T> static __device__ void body(T* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = P::template op<T>(x[threadIdx.x]); }
};
template <class P, class T> __global__ void __launch_bounds__(256, 2) dep(T* x, int n) { Runner<P>::template body<T>(x, n); }
__global__ static void __launch_bounds__(128) order(int* x, int n) { x[threadIdx.x] += Policy::table2[1][threadIdx.x % 4] + Policy::member; }
static __global__ __launch_bounds__(64) void order2(int* __restrict__ x, const int n = 3) { x[threadIdx.x] += n; }
__global__ void over(int* x, int n) { x[threadIdx.x] += 1; }
__global__ void over(int* x, float f) { x[threadIdx.x] += (int)f; }
template <class... Ts> __global__ void packed(int* x, Ts... ts) { int s = 0; ((s += (int)ts), ...); x[threadIdx.x] += s; }
struct Big { int v[16]; double w; };
__global__ void by_value(int* x, Big b) { b.v[threadIdx.x] += 1; x[threadIdx.x] += b.v[threadIdx.x] + (int)b.w; }
template <class F> __global__ void call(F f) { f(threadIdx.x); }
template <class T> void host_template(T* x, T add) {
  auto k = [=] __device__ (int i) mutable { x[i] += add; add = 0; };
  call<<<1, 8>>>(k);
  call<<<1, 8>>>([=] __device__ (int i) { if constexpr (sizeof(T) == 4) x[i] += 1; else x[i] += 2; });
}
union Both { float f; int i; };
__global__ void shapes(int* x, int n) {
  __shared__ Both b[8];
  __shared__ struct { int a; short c[2]; } rec;
  __shared__ __align__(16) int aligned[4][2], *where;
  static __shared__ int old_style;
  const __shared__ int* dummy; (void)dummy;
  extern __shared__ __align__(16) unsigned char pool[];
  if (threadIdx.x == 0) { rec.a = 5; rec.c[1] = 2; where = &rec.a; old_style = 100; }
  b[threadIdx.x].i = x[threadIdx.x];
  aligned[threadIdx.x / 2][threadIdx.x & 1] = threadIdx.x;
  float* p = reinterpret_cast<float*>(pool); p[threadIdx.x] = threadIdx.x * 0.5f;
  __syncthreads();
  x[threadIdx.x] = b[7 - threadIdx.x].i + *where + rec.c[1] + aligned[3][1] + old_style + (int)p[7];
}
__device__ void helper_sync(int* s) { __syncthreads(); s[threadIdx.x] += 1; __syncthreads(); }
__global__ void uses_helper(int* x, int n) { __shared__ int s[8]; s[threadIdx.x] = x[(threadIdx.x + 1) % n]; helper_sync(s); x[threadIdx.x] = s[threadIdx.x]; }
__global__ void heap(int* x, int n) { int* p = new int[2]; p[0] = x[threadIdx.x]; int* q = (int*)malloc(4); *q = 3; x[threadIdx.x] = p[0] + *q; delete[] p; free(q); }
__global__ void pragmas(int* x, int n) { int s = 0;
#pragma unroll 4
  for (int i = 0; i < 4; ++i) s += i;
  _Pragma("unroll") for (int i = 0; i < 4; ++i) s += i;
  constexpr int K = 3; static const int t[3] = {1, 2, 3};
  x[threadIdx.x] += s + t[K - 1]; }
__global__ void ptx(int* x, int n) { int r; asm volatile("add.s32 %0, %1, %2;" : "=r"(r) : "r"(x[threadIdx.x]), "r"(n)); x[threadIdx.x] = r; }
struct Local { friend __global__ void friendly(Local, int*); private: int v; public: Local(int v) : v(v) {} };
__global__ void friendly(Local l, int* x) { x[threadIdx.x] += l.v; }
enum class Mode { a, b };
template <Mode M, bool B, typename T = int> __global__ void moded(T* x) { x[threadIdx.x] += M == Mode::b ? 10 : 1; if (B) x[threadIdx.x] += 100; }
static void show(const char* n, int* d) { int h[8]; cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); printf("%-9s", n); for (int v : h) printf(" %d", v); printf("\n"); }
int main() {
  int h[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *d; cudaMalloc((void**)&d, sizeof h); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaStream_t stream; cudaStreamCreate(&stream);
  SPLICED(over, d, 8); show("spliced", d);
  CALL(over, (d, 2.0f)); show("args", d);
  RUN(order); show("run", d);
  order2<<<{1, 1, 1}, {8}>>>(d); show("braces", d);
  dep<Policy><<<pair2<int, float>::n(), dim3{8, 1, 1}, 0, stream>>>(d, 8); show("dep", d);
  packed<<<1, 8>>>(d, 1, 2.5f, 'a' - 'a'); show("packed", d);
  Big b{}; b.w = 2; by_value<<<1, 8>>>(d, b); show("value", d);
  host_template<int>(d, 5); show("lambda", d);
  shapes<<<1, 8, 8 * sizeof(float)>>>(d, 8); show("shapes", d);
  uses_helper<<<1, 8>>>(d, 8); show("helper", d);
  heap<<<1, 8>>>(d, 8); show("heap", d);
  pragmas<<<1, 8>>>(d, 8); show("pragmas", d);
  ptx<<<1, 8>>>(d, 8); show("ptx", d);
  friendly<<<1, 8>>>(Local{4}, d); show("friend", d);
  moded<Mode::b, (1 > 0)><<<1, 8>>>(d); show("moded", d);
  moded<Mode::a, sizeof(int) == 4 && (8 >> 1) == 4, int><<<(1), (8)>>>(d); show("moded2", d);
  for (int i = 0; i < 2; i++) over<<<1, 8>>>(d, i); show("loop", d);
  switch (h[1]) { case 1: over<<<1, 8>>>(d, 1); break; default: order<<<1, 8>>>(d, 1); } show("case", d);
  auto launch = [&](int n) { over<<<1, n>>>(d, n); return cudaGetLastError(); }; printf("%d\n", launch(8)); show("inlambda", d);
  over<<<1, 8>>>(d, (float)3), over<<<1, 8>>>(d, 4); show("comma", d);
  cudaStreamDestroy(stream);
}
