// Rows, columns and tiles.
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void transpose(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[kTile][kTile + 1];
    int x = blockIdx.x * kTile + threadIdx.x;
    int y = blockIdx.y * kTile + threadIdx.y;
    if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x;
    y = blockIdx.x * kTile + threadIdx.y;
    if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void matrix_vector(const float* a, const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int column = 0; column < columns; ++column) sum += a[row * columns + column] * x[column];
        y[row] = sum;
    }
}

__global__ void add_bias(float* x, const float* bias, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (row < rows && column < columns) x[row * columns + column] += bias[column];
}

// The lower triangle of x * x^T.
__global__ void gram_lower(const float* x, float* gram, int n, int dim) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column > row) return;
    float dot = 0.0f;
    for (int i = 0; i < dim; ++i) dot += x[row * dim + i] * x[column * dim + i];
    gram[row * n + column] = dot;
}

// Each block scales its row so that the largest magnitude is one.
__global__ void scale_rows(float* x, int columns) {
    extern __shared__ float largest[];
    float* row = x + blockIdx.x * columns;
    float mine = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) mine = fmaxf(mine, fabsf(row[i]));
    largest[threadIdx.x] = mine;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) largest[threadIdx.x] = fmaxf(largest[threadIdx.x], largest[threadIdx.x + step]);
        __syncthreads();
    }
    const float by = largest[0] > 0.0f ? 1.0f / largest[0] : 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) row[i] *= by;
}

void run_matrices(float* a, float* b, float* c, int rows, int columns) {
    const dim3 tile(kTile, kTile);
    const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    transpose<<<grid, tile>>>(a, b, rows, columns);
    matrix_vector<<<(rows + 63) / 64, 64>>>(a, b, c, rows, columns);
    add_bias<<<dim3((columns + 63) / 64, rows), 64>>>(a, b, rows, columns);
    gram_lower<<<dim3((rows + 15) / 16, (rows + 15) / 16), tile>>>(a, b, rows, columns);
    scale_rows<<<rows, 64, 64 * sizeof(float)>>>(a, columns);
}
