#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kTile = 16;

// c (m x n) = a (m x k) * b (k x n), all row-major
__global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float tile_a[kTile][kTile];
    __shared__ float tile_b[kTile][kTile + 1];

    const int row = blockIdx.y * kTile + threadIdx.y;
    const int column = blockIdx.x * kTile + threadIdx.x;

    float sum = 0.0f;
    for (int first = 0; first < k; first += kTile) {
        const int a_column = first + threadIdx.x;
        const int b_row = first + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < m && a_column < k ? a[row * k + a_column] : 0.0f;
        tile_b[threadIdx.y][threadIdx.x] = b_row < k && column < n ? b[b_row * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < kTile; ++i) {
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < m && column < n) {
        c[row * n + column] = sum;
    }
}

bool check_matmul() {
    const int m = 45, n = 37, k = 53;
    const std::vector<float> a = reals(m * k, 3);
    const std::vector<float> b = reals(k * n, 4);
    const DeviceArray<float> device_a(a);
    const DeviceArray<float> device_b(b);
    DeviceArray<float> device_c(m * n);

    const dim3 block(kTile, kTile);
    const dim3 grid(my_cuda_helper_blocks(n, kTile), my_cuda_helper_blocks(m, kTile));
    matmul_tiled<<<grid, block>>>(device_a.get(), device_b.get(), device_c.get(), m, n, k);
    CHECK_LAUNCH();

    const std::vector<float> c = device_c.host();
    bool good = true;
    for (int row = 0; row < m; ++row) {
        for (int column = 0; column < n; ++column) {
            float sum = 0.0f;
            for (int i = 0; i < k; ++i) {
                sum += a[row * k + i] * b[i * n + column];
            }
            good = good && near(c[row * n + column], sum);
        }
    }
    return good;
}
