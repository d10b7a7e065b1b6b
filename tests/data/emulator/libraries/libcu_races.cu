// A barrier of libcu++ orders what stands before the arrival and what stands behind the wait; without the wait it does not.
#include <cuda/barrier>

template <bool WAIT>
__global__ void turns(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int row[64];
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  row[threadIdx.x] = threadIdx.x;
  auto token = bar.arrive();
  if (WAIT) bar.wait(std::move(token));
  out[threadIdx.x] = row[63 - threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  turns<true><<<1, 64>>>(out);
  turns<false><<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
