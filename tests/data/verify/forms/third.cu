// Uses device names of another unit.
#include "shared.cuh"
static __global__ void local_kernel(int* x) { x[threadIdx.x] = far_away(x[threadIdx.x]) + linked_v; }
extern "C" void third_unit(int* x) { local_kernel<<<1, 8>>>(x); }
