// Vector addition with a bound check, a block reduction in shared memory, 3-D indices, constant memory, copies.
#include <cstdio>
#include <vector>

#include "api.h"

__constant__ float factor = 2.0f;
__constant__ int table[4];
__device__ int counter;

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = factor * a[i] + b[i] + table[i % 4];
}
typedef float buffer_t[64];
__global__ void sum(const float* in, float* out, int n) {
  SHARED(buffer_t, part);
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 32; d; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
  atomicAdd(&counter, 1);
}
__global__ void reversed(const int* in, int* out) {
  int* all = (int*)::emu::dynamic_shared();
  all[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}
__global__ void indices(int* out) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = 1000000 * blockIdx.z + 100000 * blockIdx.y + 10000 * blockIdx.x +
                                                             100 * threadIdx.z + 10 * threadIdx.y + threadIdx.x;
}

int main() {
  const int n = 1000;
  std::vector<float> h(n), r(n);
  for (int i = 0; i < n; i++) h[i] = i;
  int values[4] = {0, 10, 20, 30};
  API(MemcpyToSymbol)(table, values, sizeof values);
  float f = 3;
  API(MemcpyToSymbol)(factor, &f, sizeof f);
  float *a, *b;
  API(Malloc)(&a, n * sizeof(float));
  API(Malloc)((void**)&b, n * sizeof(float));
  API(Memcpy)(a, h.data(), n * 4, API(MemcpyHostToDevice));
  API(Memset)(b, 0, n * 4);
  LAUNCH(add, (n + 127) / 128, 128, 0, a, b, b, n);
  API(Memcpy)(r.data(), b, n * 4, API(MemcpyDeviceToHost));
  bool good = true;
  for (int i = 0; i < n; i++) good = good && r[i] == 3.0f * i + 10 * (i % 4);
  printf("add %d\n", good);

  float* partial;
  API(Malloc)(&partial, 16 * 4);
  LAUNCH(sum, 16, 64, 0, a, partial, n);
  API(Memcpy)(r.data(), partial, 64, API(MemcpyDefault));
  float total = 0;
  for (int i = 0; i < 16; i++) total += r[i];
  int count;
  API(MemcpyFromSymbol)(&count, counter, sizeof count);
  printf("sum %d %d\n", total == 499500, count == 1024);

  std::vector<int> v(192), w(192);
  for (int i = 0; i < 192; i++) v[i] = i;
  int *vi, *vo;
  API(Malloc)(&vi, 192 * 4);
  API(Malloc)(&vo, 192 * 4);
  API(Memcpy)(vi, v.data(), 192 * 4, API(MemcpyHostToDevice));
  LAUNCH(reversed, 1, 192, 192 * 4, vi, vo);
  API(Memcpy)(w.data(), vo, 192 * 4, API(MemcpyDeviceToHost));
  good = true;
  for (int i = 0; i < 192; i++) good = good && w[i] == 191 - i;
  printf("reversed %d\n", good);

  int* x;
  API(Malloc)(&x, 24 * 24 * 4);
  LAUNCH(indices, dim3(2, 3, 4), dim3(4, 3, 2), 0, x);
  std::vector<int> y(24 * 24);
  API(Memcpy)(y.data(), x, 24 * 24 * 4, API(MemcpyDeviceToHost));
  good = true;
  for (int i = 0; i < 24 * 24; i++) {
    int block = i / 24, thread = i % 24;
    int want = 1000000 * (block / 6) + 100000 * (block / 2 % 3) + 10000 * (block % 2) + 100 * (thread / 12) +
               10 * (thread / 4 % 3) + thread % 4;
    good = good && y[i] == want;
  }
  printf("indices %d\n", good);
  API(Stream_t) stream;
  API(Event_t) from, to;
  API(StreamCreate)(&stream);
  API(EventCreate)(&from);
  API(EventCreate)(&to);
  API(EventRecord)(from, stream);
  LAUNCH(indices, dim3(2, 3, 4), dim3(4, 3, 2), 0, x);
  API(EventRecord)(to, stream);
  API(EventSynchronize)(to);
  float ms = -1;
  API(EventElapsedTime)(&ms, from, to);
  printf("time %.3f\n", ms);
  API(DeviceProp) p;
  API(GetDeviceProperties)(&p, 0);
  printf("lanes %d %d\n", p.warpSize, warpSize);
  for (void* q : {(void*)a, (void*)b, (void*)partial, (void*)vi, (void*)vo, (void*)x}) API(Free)(q);
  printf("last %s\n", API(GetErrorString)(API(GetLastError)()));
}
