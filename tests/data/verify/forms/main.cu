// Forms of kernels, launches and device variables that real programs use; every thread writes its own element.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "plain.h"
#include "shared.cuh"

extern "C" __global__ void plain(int* x) { x[threadIdx.x] += 1; }
extern "C" {
__global__ void inner_c(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }
}
namespace outer { namespace { template <class T, int N = 4> __global__ void tk(T* x, T v) { x[threadIdx.x % N] += v; } } }
namespace outer::deep { __global__ void nested(int* x) { x[0] = 77; } }
typedef int (*op_t)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ op_t table[2] = {add, mul};
__device__ op_t chosen = mul;
template <op_t F> __global__ void with_op(int* x) { x[threadIdx.x] = F(x[threadIdx.x], 3); }
__global__ void by_pointer(op_t f, int* x) { x[threadIdx.x] = f(x[threadIdx.x], 5); }
__global__ void by_table(int* x, int which) { x[threadIdx.x] = table[which](x[threadIdx.x], 2); }
template <class F> __global__ void apply(F f, int n, int* x) { int i = threadIdx.x; if (i < n) x[i] = f(x[i]); }
template <class T> __global__ void dyn(T* x, int n) {
  extern __shared__ unsigned char raw[];
  T* s = reinterpret_cast<T*>(raw);
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[n - 1 - threadIdx.x];
}
template <class T> struct SharedMem { __device__ T* get() { extern __shared__ T mem[]; return mem; } };
template <> struct SharedMem<double> { __device__ double* get() { extern __shared__ double mem_d[]; return mem_d; } };
template <class T> __global__ void dyn2(T* x, int n) {
  SharedMem<T> sm; T* s = sm.get();
  s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[(threadIdx.x + 1) % n];
}
#define LAUNCH(K, G, B, ...) do { K<<<G, B>>>(__VA_ARGS__); cudaError_t e = cudaGetLastError(); if (e) printf("%s\n", cudaGetErrorString(e)); } while (0)
#define DISPATCH(N, ...) case N: outer::tk<int, N> <<<1, N>>>(__VA_ARGS__); break;
#define KERNEL_NAME(T) kern_##T
#define DEFINE(T) __global__ void KERNEL_NAME(T)(T* x, int n) { __shared__ T tile[32]; tile[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = tile[n - 1 - threadIdx.x]; }
DEFINE(int)
DEFINE(float)
struct Base { virtual void run(int*) = 0; virtual ~Base() {} };
template <class T> __global__ void member_kernel(T o, int* x) { x[threadIdx.x] = o(x[threadIdx.x]); }
struct Scale { int k; __host__ __device__ int operator()(int v) const { return v * k; } };
template <class T> struct Impl : Base { T op; Impl(T o) : op(o) {} void run(int* x) override { member_kernel<T><<<1, 8>>>(op, x); } };
__constant__ float coef[4];
__constant__ int ci = 5;
__device__ int counter = 3;
__device__ __managed__ int managed_v = 1;
__global__ void globals(int* x) { atomicAdd(&counter, ci); if (threadIdx.x < 4) atomicAdd(&managed_v, (int)coef[threadIdx.x]); x[threadIdx.x] = counter > 0; }
static void show(const char* n, int* d) { int h[8]; cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); printf("%-10s", n); for (int v : h) printf(" %d", v); printf("\n"); }
template <int BLOCK> void launch_block(int* x) { inner_c<<<dim3(1), BLOCK, 0, (cudaStream_t)0>>>(x, BLOCK); }
int main() {
  int* d; cudaMalloc(&d, 8 * sizeof(int)); int h[8]; for (int i = 0; i < 8; ++i) h[i] = i;
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  plain<<<1, 8>>>(d); show("plain", d);
  inner_c<<<1, 8>>>(d, 4); show("inner_c", d);
  outer::tk<int><<<1, 4>>>(d, 10); show("tk", d);
  outer::tk<int, 2> <<< 1, 2 >>> (d, 1); show("tk2", d);
  outer::deep::nested<<<1, 1>>>(d); show("nested", d);
  with_op<add><<<1, 8>>>(d); show("with_op", d);
  op_t hf; cudaMemcpyFromSymbol(&hf, chosen, sizeof hf); by_pointer<<<1, 8>>>(hf, d); show("by_ptr", d);
  by_table<<<1, 8>>>(d, 1); show("table", d);
  int k = 4; apply<<<1, 8>>>([k] __device__ (int v) { return v - k; }, 8, d); show("lambda", d);
  auto hd = [=] __host__ __device__ (int v) -> int { return v + k * 2; }; apply<<<1, 8>>>(hd, 8, d); show("lambda2", d);
  dyn<int><<<1, 8, 8 * sizeof(int)>>>(d, 8); show("dyn", d);
  dyn2<int><<<1, 8, 8 * sizeof(int)>>>(d, 8); show("dyn2", d);
  LAUNCH(plain, 1, 8, d); LAUNCH((outer::tk<int, 3>), dim3(1, 1), dim3(3), d, 2); show("macro", d);
  switch (3) { DISPATCH(2, d, 1) DISPATCH(3, d, 2) } show("dispatch", d);
  kern_int<<<1, 8>>>(d, 8); show("pasted", d);
  Impl<Scale> im(Scale{3}); Base* b = &im; b->run(d); show("virtual", d);
  float hc[4] = {1, 2, 3, 4}; cudaMemcpyToSymbol(coef, hc, sizeof hc); globals<<<1, 8>>>(d); cudaDeviceSynchronize();
  int hcnt; cudaMemcpyFromSymbol(&hcnt, counter, sizeof(int)); printf("counter %d managed %d\n", hcnt, managed_v); show("globals", d);
  launch_block<8>(d); show("block", d);
  std::vector<void (*)(int*)> ks = {plain, outer::deep::nested}; for (auto f : ks) f<<<1, 8>>>(d); show("vector", d);
  void (*arr[2])(int*, int) = {inner_c, inner_c}; arr[1]<<<1, 8>>>(d, 8); show("array", d);
  (k > 3 ? plain : outer::deep::nested)<<<1, 8>>>(d); show("ternary", d);
  other_unit(d); show("other", d);
  third_unit(d); show("third", d);
  if (k) plain<<<1, 8>>>(d); else inner_c<<<1, 8>>>(d, 8); show("if", d);
  void* args[] = {&d}; void* args2[] = {&d, &k}; cudaLaunchKernel((const void*)plain, dim3(1), dim3(8), args, 0, 0); show("ptr", d);
  cudaLaunchKernel(reinterpret_cast<void*>(&outer::tk<int, 4>), 1, 4, args2, 0, nullptr); show("ptr2", d);
  int* numbers = plain_numbers(8); int* other = on_device(numbers, 8); plain<<<1, 8>>>(other); show("from C", other);
}
