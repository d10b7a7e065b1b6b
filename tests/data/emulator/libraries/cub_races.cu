// The storage of a collective, used again with a barrier in between and without one.
#include <cub/cub.cuh>

template <bool WAIT>
__global__ void sums(int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  int first = Reduce(storage).Sum(1);
  if (WAIT) __syncthreads();
  int second = Reduce(storage).Sum(100);
  if (threadIdx.x == 0) out[0] = first + second;
}
template <bool WAIT>
__global__ void scans(int* out) {
  using Scan = cub::BlockScan<int, 128>;
  __shared__ typename Scan::TempStorage storage;
  int first, second;
  Scan(storage).ExclusiveSum(1, first);
  if (WAIT) __syncthreads();
  Scan(storage).InclusiveSum(1, second);
  out[threadIdx.x] = first + second;
}
template <bool WAIT>
__global__ void moves(const int* in, int* out) {
  using Load = cub::BlockLoad<int, 128, 2, cub::BLOCK_LOAD_TRANSPOSE>;
  __shared__ typename Load::TempStorage storage;
  int first[2], second[2];
  Load(storage).Load(in, first);
  if (WAIT) __syncthreads();
  Load(storage).Load(in, second);
  out[threadIdx.x] = first[0] + second[1];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  sums<true><<<1, 128>>>(out);
  sums<false><<<1, 128>>>(out);
  scans<true><<<1, 128>>>(out);
  scans<false><<<1, 128>>>(out);
  moves<true><<<1, 128>>>(in, out);
  moves<false><<<1, 128>>>(in, out);
  return cudaDeviceSynchronize();
}
