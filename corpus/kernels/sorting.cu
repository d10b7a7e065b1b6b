// Order within a block.
#include <cuda_runtime.h>

constexpr int kLength = 128;

__global__ void bitonic_sort(int* x, int n) {
    __shared__ int keys[kLength];
    const int t = threadIdx.x;
    const int i = blockIdx.x * kLength + t;
    keys[t] = i < n ? x[i] : 2147483647;
    __syncthreads();
    for (int size = 2; size <= kLength; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int other = t ^ stride;
            if (other > t) {
                const bool up = (t & size) == 0;
                const int a = keys[t], b = keys[other];
                if ((a > b) == up) {
                    keys[t] = b;
                    keys[other] = a;
                }
            }
            __syncthreads();
        }
    }
    if (i < n) x[i] = keys[t];
}

__global__ void rank_sort(const int* x, int* sorted, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int rank = 0;
    for (int j = 0; j < n; ++j) {
        if (x[j] < x[i] || (x[j] == x[i] && j < i)) ++rank;
    }
    sorted[rank] = x[i];
}

// An inclusive sum of each block, by doubling.
__global__ void scan_inclusive(const int* x, int* sums, int n) {
    __shared__ int row[2][kLength];
    const int t = threadIdx.x;
    const int i = blockIdx.x * kLength + t;
    int from = 0;
    row[0][t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int reach = 1; reach < kLength; reach *= 2) {
        row[from ^ 1][t] = t >= reach ? row[from][t] + row[from][t - reach] : row[from][t];
        from ^= 1;
        __syncthreads();
    }
    if (i < n) sums[i] = row[from][t];
}

__global__ void run_starts(const int* x, int* starts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) starts[i] = i == 0 || x[i] != x[i - 1] ? 1 : 0;
}

// Keeps a block's even values, in order, at the front of its place.
__global__ void keep_even(const int* x, int* kept, int* how_many, int n) {
    __shared__ int places[kLength + 1];
    const int t = threadIdx.x;
    const int i = blockIdx.x * kLength + t;
    const bool even = i < n && x[i] % 2 == 0;
    places[t + 1] = even ? 1 : 0;
    if (t == 0) places[0] = 0;
    __syncthreads();
    if (t == 0) {
        for (int at = 1; at <= kLength; ++at) places[at] += places[at - 1];
        how_many[blockIdx.x] = places[kLength];
    }
    __syncthreads();
    if (even) kept[blockIdx.x * kLength + places[t]] = x[i];
}

void run_sorting(int* a, int* b, int* c, int n) {
    const int blocks = (n + kLength - 1) / kLength;
    bitonic_sort<<<blocks, kLength>>>(a, n);
    rank_sort<<<blocks, kLength>>>(a, b, n);
    scan_inclusive<<<blocks, kLength>>>(a, b, n);
    run_starts<<<blocks, kLength>>>(a, b, n);
    keep_even<<<blocks, kLength>>>(a, b, c, n);
}
