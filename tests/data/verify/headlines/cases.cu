// One kernel for each headline that says what is the matter with the original, or with the width of a warp. Both sides
// hold the same text.
#include <cuda_runtime.h>

// The last steps without a barrier, as 32 lanes in lockstep would let pass: each order of threads gives another sum.
__global__ void lockstep_sum(const int* in, int* out, int n) {
    __shared__ volatile int part[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t < 64) part[t] = part[t] + part[t + 64];
    __syncthreads();
    if (t < 32) {
        part[t] = part[t] + part[t + 32];
        part[t] = part[t] + part[t + 16];
        part[t] = part[t] + part[t + 8];
        part[t] = part[t] + part[t + 4];
        part[t] = part[t] + part[t + 2];
        part[t] = part[t] + part[t + 1];
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void float_atomics(const float* in, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, in[i] * 1.1f);
}

// Lane 0 of each 32 writes: right where a warp has 32 lanes only.
__global__ void warp_of_32(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
    if ((threadIdx.x & 31) == 0 && i < n) out[i / 32] = v;
}

void launch(const int* in, int* out, const float* x, float* sum, int n) {
    lockstep_sum<<<(n + 127) / 128, 128>>>(in, out, n);
    float_atomics<<<(n + 127) / 128, 128>>>(x, sum, n);
    warp_of_32<<<(n + 127) / 128, 128>>>(in, out, n);
}
