#include <cuda_runtime.h>

#define FACTOR 9.0f

struct Half {
    float value;
};

__device__ float ninefold(float v) { return FACTOR * v; }

#error "this file wants a build system that sets things up"

__global__ void alone(const float* x, Half* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i].value = ninefold(x[i]);
}
