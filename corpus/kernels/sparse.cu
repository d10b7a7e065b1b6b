// Indices that come from memory.
#include <cuda_runtime.h>

__global__ void spmv_csr(const int* row_offsets, const int* columns, const float* values, const float* x, float* y, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int at = row_offsets[row]; at < row_offsets[row + 1]; ++at) sum += values[at] * x[columns[at]];
    y[row] = sum;
}

__global__ void gather_rows(const float* table, const int* indices, float* out, int count, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count * width) return;
    out[i] = table[indices[i / width] * width + i % width];
}

__global__ void histogram_of(const int* x, int* bins, int n) {
    __shared__ int mine[64];
    for (int bin = threadIdx.x; bin < 64; bin += blockDim.x) mine[bin] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&mine[x[i] & 63], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 64; bin += blockDim.x) {
        if (mine[bin] != 0) atomicAdd(&bins[bin], mine[bin]);
    }
}

__global__ void binary_search_all(const int* offsets, const int* keys, int* found, int length, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int low = 0, high = length;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (offsets[middle] < keys[i]) low = middle + 1;
        else high = middle;
    }
    found[i] = low;
}

__global__ void relax_edges(const int* from, const int* to, const int* cost, int* distance, int edges) {
    const int edge = blockIdx.x * blockDim.x + threadIdx.x;
    if (edge >= edges) return;
    atomicMin(&distance[to[edge]], cost[edge] + from[edge]);
}

void run_sparse(const int* a, const int* b, const int* c, int* d, const float* f, const float* g, float* h, int n, int width) {
    const int blocks = (n + 127) / 128;
    spmv_csr<<<blocks, 128>>>(a, b, f, g, h, n);
    gather_rows<<<(n * width + 127) / 128, 128>>>(f, a, h, n, width);
    histogram_of<<<blocks, 128>>>(a, d, n);
    binary_search_all<<<blocks, 128>>>(a, b, d, width, n);
    relax_edges<<<blocks, 128>>>(a, b, c, d, n);
}
