// One thread an element, in the ways that are met most.
#include <cuda_runtime.h>

struct Point {
    float x, y, z;
};

__device__ __forceinline__ float gelu(float x) {
    return 0.5f * x * (1.0f + tanhf(0.7978846f * (x + 0.044715f * x * x * x)));
}

__global__ void gelu_forward(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = gelu(x[i]);
}

// Grid-stride: any launch covers all elements.
__global__ void axpby(const float* x, float* y, float alpha, float beta, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = alpha * x[i] + beta * y[i];
    }
}

template <class T>
__global__ void clamp_to(const T* x, T* y, T low, T high, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const T value = x[i];
        y[i] = value < low ? low : (value > high ? high : value);
    }
}

__global__ void rotate_points(const Point* points, Point* turned, float c, float s, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Point p = points[i];
    Point q;
    q.x = c * p.x - s * p.y;
    q.y = s * p.x + c * p.y;
    q.z = p.z;
    turned[i] = q;
}

__global__ void pack_bits(const int* x, unsigned int* words, int n) {
    const int word = blockIdx.x * blockDim.x + threadIdx.x;
    if (word * 32 >= n) return;
    unsigned int bits = 0;
    for (int bit = 0; bit < 32; ++bit) {
        const int i = word * 32 + bit;
        if (i < n && x[i] > 0) bits |= 1u << bit;
    }
    words[word] = bits;
}

void run_elementwise(const float* x, float* y, const int* a, int* b, unsigned int* words, const Point* p, Point* q, int n) {
    const int blocks = (n + 127) / 128;
    gelu_forward<<<blocks, 128>>>(x, y, n);
    axpby<<<blocks, 128>>>(x, y, 2.0f, 0.5f, n);
    clamp_to<float><<<blocks, 128>>>(x, y, -0.5f, 0.5f, n);
    clamp_to<int><<<blocks, 128>>>(a, b, 3, 40, n);
    rotate_points<<<blocks, 128>>>(p, q, 0.8f, 0.6f, n);
    pack_bits<<<(n / 32 + 128) / 128, 128>>>(a, words, n);
}
