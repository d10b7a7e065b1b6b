#include <cuda_runtime.h>

__global__ void reversed(const int* x, int* y, int n) {
    __shared__ int tile[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    tile[t] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) y[i] = tile[127 - t];
}

__global__ void per_warp(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + (int)threadIdx.x / warpSize;
}

__global__ void votes(const int* x, unsigned* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, i < n && (x[i] & 1));
    if (i < n) y[i] = mask;
}

__global__ void append(const int* x, int* out, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 5) out[atomicAdd(count, 1)] = x[i];
}

__global__ void append_wrong(const int* x, int* out, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 5) out[atomicAdd(count, 1)] = x[i];
}

__global__ void racing(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[0] = x[i] * 1000 + i;
}

// A filter that counts on a warp's threads making each step together, as old hardware had them.
__global__ void in_step(const int* x, int* y, int n) {
    __shared__ int line[128];
    int i = threadIdx.x;
    line[i] = i < n ? x[i] : 0;
    __syncthreads();
    for (int step = 0; step < 3; ++step) {
        int before = i > 0 ? line[i - 1] : step;
        line[i] = before + 2 * line[i];
        __syncthreads();
    }
    if (i < n) y[i] = line[i];
}

void use(const int* x, int* y, unsigned* z, int n) {
    reversed<<<(n + 127) / 128, 128>>>(x, y, n);
    per_warp<<<(n + 127) / 128, 128>>>(x, y, n);
    votes<<<(n + 127) / 128, 128>>>(x, z, n);
    append<<<(n + 127) / 128, 128>>>(x, y, y, n);
    racing<<<(n + 127) / 128, 128>>>(x, y, n);
    in_step<<<1, 128>>>(x, y, n);
}
