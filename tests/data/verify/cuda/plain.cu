#include <cuda_runtime.h>
#include "pieces.cuh"

struct Scale {
    float factor;
    int shift;
    const float* table;
};

__constant__ float weights[4];
__device__ int total;

__global__ void same(const float* x, float* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void one_off(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i] + 1;
}

__global__ void plane(const float* image, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = 0.5f * image[y * width + x] + twice(x - y);
}

__global__ void by_value(Scale s, const int* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = s.factor * x[i] + s.shift + s.table[i];
}

template <typename T>
__global__ void add_all(const T* a, const T* b, T* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void weigh(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = weights[i & 3] * x[i];
}

template <typename T>
__constant__ T taps[4];

template <typename T>
__global__ void tapped(const T* x, T* y, int width, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < width; ++k) sum += taps<T>[k] * x[i];  // past the end, if the width is too large
    if (i < n) y[i] = sum;
}

__global__ void sum_up(const int* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&total, x[i]);
}

__global__ void rows(float** table, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) table[i][0] = 1.0f;
}

__global__ void idle(const float* x, float* y, int n) {
    if (n < 0) y[threadIdx.x] = x[threadIdx.x];
}

__global__ void constant_only(float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 1.0f;
}

__global__ void input_kept(float const* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + 1.0f;
}

__global__ void stays_inside(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

__global__ void ends(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 3.0f * x[i];
}

__global__ void goes_on(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 4.0f * x[i];
}

__global__ void finite(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] / (1.0f + x[i] * x[i]);
}

__global__ void always_outside(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i * 1000003LL + n] = x[i];
}

void use() {
    tapped<float><<<1, 64>>>((const float*)0, (float*)0, 4, 0);
    add_all<int><<<1, 64>>>((const int*)0, (const int*)0, (int*)0, 0);
    add_all<double><<<1, 64>>>((const double*)0, (const double*)0, (double*)0, 0);
}
