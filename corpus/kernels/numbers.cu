// Integers of all widths, halves, doubles.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__device__ unsigned long long mixed(unsigned long long x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33;
    return x;
}

__global__ void hash_keys(const unsigned long long* keys, unsigned int* buckets, unsigned int count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) buckets[i] = static_cast<unsigned int>(mixed(keys[i]) % (count + 1));
}

__global__ void half_dot(const __half* x, const __half* y, float* dots, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int i = 0; i < columns; ++i) sum += __half2float(x[row * columns + i]) * __half2float(y[row * columns + i]);
    dots[row] = sum;
}

__global__ void quantize(const float* x, signed char* q, float scale, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = rintf(x[i] * scale * 32.0f);
    value = fminf(fmaxf(value, -127.0f), 127.0f);
    q[i] = static_cast<signed char>(value);
}

__global__ void newton_root(const double* x, double* roots, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double value = fabs(x[i]) + 1.0;
    double root = value * 0.5 + 0.5;
    for (int step = 0; step < 3; ++step) root = 0.5 * (root + value / root);
    roots[i] = root;
}

__global__ void count_ones(const unsigned int* x, int* ones, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ones[i] = __popc(x[i]) * 100 + __clz(static_cast<int>(x[i]));
}

void run_numbers(const unsigned long long* k, unsigned int* u, const __half* h, const float* f, float* g, signed char* q,
                 const double* d, double* e, int* o, int n, int rows, int columns) {
    const int blocks = (n + 127) / 128;
    hash_keys<<<blocks, 128>>>(k, u, 1000, n);
    half_dot<<<(rows + 63) / 64, 64>>>(h, h, g, rows, columns);
    quantize<<<blocks, 128>>>(f, q, 1.5f, n);
    newton_root<<<blocks, 128>>>(d, e, n);
    count_ones<<<blocks, 128>>>(u, o, n);
}
