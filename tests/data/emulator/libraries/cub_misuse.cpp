// Misuse of a collective: called by part of a block only, and its result used by threads that have none.
#include <cub/cub.cuh>

#include "check.h"

__global__ void divergent(int* out) {
  using Reduce = cub::BlockReduce<int, 64>;
  SHARED(Reduce::TempStorage, storage);
  if (threadIdx.x < 32) out[0] = Reduce(storage).Sum(1);
  else __syncthreads();
}
__global__ void unfounded(int* out) {  // only thread 0 has the sum
  int sum = cub::BlockReduce<int, 64>().Sum(1);
  out[threadIdx.x] = sum;
}

int main(int count, char**) {
  Buffer<int> out(64);
  if (count > 1) {
    LAUNCH(divergent, 1, 64, 0, (int*)out);
    return 0;
  }
  LAUNCH(unfounded, 1, 64, 0, (int*)out);
  printf("others %d %x\n", out.read()[0], out.read()[1]);
}
