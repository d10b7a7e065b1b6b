// Many values to few: through shared memory, through the warp, through atomics.
#include <cuda_runtime.h>

constexpr int kBlock = 128;

__global__ void block_max(const int* x, int* largest, int n) {
    __shared__ int best[kBlock];
    const int t = threadIdx.x;
    const int i = blockIdx.x * kBlock + t;
    best[t] = i < n ? x[i] : -2147483647 - 1;
    __syncthreads();
    for (int step = kBlock / 2; step > 0; step >>= 1) {
        if (t < step && best[t + step] > best[t]) best[t] = best[t + step];
        __syncthreads();
    }
    if (t == 0) largest[blockIdx.x] = best[0];
}

__device__ int warp_total(int value) {
    for (int offset = 16; offset > 0; offset >>= 1) {
        value += __shfl_down_sync(0xffffffffu, value, offset, 32);
    }
    return value;
}

// Two steps: a sum for each 32 threads, then one over those.
__global__ void block_total(const int* x, int* totals, int n) {
    __shared__ int parts[kBlock / 32];
    const int t = threadIdx.x;
    const int i = blockIdx.x * kBlock + t;
    const int sum = warp_total(i < n ? x[i] : 0);
    if (t % 32 == 0) parts[t / 32] = sum;
    __syncthreads();
    if (t == 0) {
        int total = 0;
        for (int part = 0; part < kBlock / 32; ++part) total += parts[part];
        totals[blockIdx.x] = total;
    }
}

__global__ void count_above(const float* x, int* count, float threshold, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > threshold) atomicAdd(count, 1);
}

__global__ void minimum_index(const int* x, int* where, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    int best = 0;
    for (int column = 1; column < columns; ++column) {
        if (x[row * columns + column] < x[row * columns + best]) best = column;
    }
    where[row] = best;
}

// The sum of squares in double, with what rounding lost carried along.
__global__ void row_norms(const float* x, double* norms, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0.0, lost = 0.0;
    for (int column = 0; column < columns; ++column) {
        const double value = x[row * columns + column];
        const double term = value * value - lost;
        const double next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    norms[row] = sqrt(sum);
}

void run_reductions(const int* x, int* y, const float* f, double* d, int n, int rows, int columns) {
    const int blocks = (n + kBlock - 1) / kBlock;
    block_max<<<blocks, kBlock>>>(x, y, n);
    block_total<<<blocks, kBlock>>>(x, y, n);
    count_above<<<blocks, kBlock>>>(f, y, 0.25f, n);
    minimum_index<<<(rows + 127) / 128, 128>>>(x, y, rows, columns);
    row_norms<<<(rows + 127) / 128, 128>>>(f, d, rows, columns);
}
