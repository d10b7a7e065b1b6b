// More dynamic shared memory than a launch gets by itself: the program asks for it, and the translation forgets to.
#include "cuda_runtime.h"
extern __shared__ float tile[];
__global__ void wrong_large(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x * 64] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = tile[(threadIdx.x ^ 1) * 64];
}
void run_wrong_large(const float* in, float* out, int n) {
  [[cudaFuncSetAttribute(wrong_large, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);||]]
  wrong_large<<<(n + 255) / 256, 256, 65536>>>(in, out, n);
}
