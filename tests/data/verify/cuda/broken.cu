#include <cuda_runtime.h>

__device__ int low_lane() {
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__global__ void with_asm(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + low_lane();
}

__global__ void without_name(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __fmaf_rn(x[i], x[i], 1.0f);
}

__global__ void host_trouble(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 5.0f * x[i];
}

__global__ void untouched(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 6.0f * x[i];
}

__global__ void gone(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 7.0f * x[i];
}

__global__ void asm_switched_off(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = 0;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    if (i < n) y[i] = x[i] + lane;
}

#define LANE(out) asm("mov.u32 %0, %%laneid;" : "=r"(out))
#define LANE_PLUS(out) LANE(out); out += 1

__global__ void by_macro(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane;
    LANE_PLUS(lane);
    if (i < n) y[i] = x[i] + lane;
}

__device__ float elsewhere(float v);

__global__ void calls_elsewhere(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = elsewhere(x[i]);
}

void launch(const float* x, float* y, int n) {
    cudaMemset(y, 0, n * sizeof(float));
    host_trouble<<<(n + 255) / 256, 256>>>(x, y, n);
}
