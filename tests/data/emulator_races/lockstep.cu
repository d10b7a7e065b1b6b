// Code of the days when the lanes of a warp did each step together, without a word to say so.
#include <cstdio>

__device__ int marks;

// A chain of sections: each takes what its left neighbour gave in the step before.
__global__ void pipeline(const int* in, int* out, int n) {
  __shared__ int passed[32];
  int t = threadIdx.x;
  passed[t] = 0;
  __syncthreads();
  for (int i = 0; i < n + 31; i++) {
    int x = t == 0 ? (i < n ? in[i] : 0) : passed[t - 1];
    passed[t] = x + t;
    if (t == 31 && i >= 31) out[i - 31] = x + t;
    __syncthreads();
  }
}
// A reduction whose last steps have no barrier.
__global__ void reduce(int* out) {
  volatile __shared__ int sums[64];
  int t = threadIdx.x;
  sums[t] = t + 1;
  __syncthreads();
  if (t < 32) {
    sums[t] += sums[t + 32];
    sums[t] += sums[t + 16];
    sums[t] += sums[t + 8];
    sums[t] += sums[t + 4];
    sums[t] += sums[t + 2];
    sums[t] += sums[t + 1];
  }
  if (t == 0) *out = sums[0];
}
// Lanes that part in a loop meet again behind it.
__global__ void meet(int* out) {
  __shared__ int seen[32];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i <= t; i++) sum += out[32 + i];
  seen[t] = sum;
  out[t] = seen[31 - t];
}
// Who waits for a lane of another warp is not waited for.
__global__ void handed(int* out) {
  volatile int* flag = &marks;
  if (threadIdx.x == 40) {
    out[1] = 5;
    __threadfence();
    *flag = 1;
  }
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    out[0] = out[1] + 1;
  }
}

int main() {
  int h[64], *in, *out;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  for (int i = 0; i < 64; i++) h[i] = 100 * i;
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  pipeline<<<1, 32>>>(in, out, 40);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  bool right = true;
  for (int i = 0; i < 40; i++) right = right && h[i] == 100 * i + 31 * 32 / 2;
  printf("pipeline %d\n", right);
  reduce<<<1, 64>>>(out);
  cudaMemcpy(h, out, 4, cudaMemcpyDeviceToHost);
  printf("reduce %d\n", h[0] == 64 * 65 / 2);
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMemcpy(out, h, sizeof h, cudaMemcpyHostToDevice);
  meet<<<1, 32>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  right = true;
  for (int t = 0; t < 32; t++) right = right && h[t] == (32 - t) * 32 + (31 - t) * (32 - t) / 2;
  printf("meet %d\n", right);
  handed<<<1, 64>>>(out);
  cudaMemcpy(h, out, 4, cudaMemcpyDeviceToHost);
  printf("handed %d %d\n", h[0], (int)cudaGetLastError());
}
