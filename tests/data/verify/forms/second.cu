// Defines names that main.cu has too, each for itself, and others for third.cu.
#include "shared.cuh"
__constant__ float coef[4] = {7, 7, 7, 7};
__constant__ int linked_c = 11;
__device__ int linked_v = 100;
__device__ int add(int a, int b) { return a - b; }
static __global__ void local_kernel(int* x) { x[threadIdx.x] = twice(add(x[threadIdx.x], (int)coef[0])); }
__device__ int far_away(int v) { return v * 1000 + linked_c; }
void other_unit(int* x) { local_kernel<<<1, 8>>>(x); }
