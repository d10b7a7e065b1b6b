#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBlock = 128;
constexpr int kWarpsPerBlock = kBlock / 32;

// One sum for each warp of a block; the caller counts on four of them.
__global__ void warp_sums(const int* x, int* sums, int n) {
    __shared__ int values[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    const int warp = threadIdx.x / warpSize;
    const int lane = threadIdx.x % warpSize;
    values[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (lane == 0) {
        int sum = 0;
        for (int k = 0; k < warpSize; ++k) {
            sum += values[warp * warpSize + k];
        }
        sums[blockIdx.x * kWarpsPerBlock + warp] = sum;
    }
}

bool check_warp_sums() {
    const int n = 1000;
    const int blocks = my_cuda_helper_blocks(n, kBlock);
    const std::vector<int> x = integers(n, 23, -1000, 1000);
    const DeviceArray<int> device_x(x);
    DeviceArray<int> device_sums(blocks * kWarpsPerBlock);
    warp_sums<<<blocks, kBlock>>>(device_x.get(), device_sums.get(), n);
    CHECK_LAUNCH();

    const std::vector<int> sums = device_sums.host();
    bool good = true;
    for (int warp = 0; warp < blocks * kWarpsPerBlock; ++warp) {
        int sum = 0;
        for (int i = warp * 32; i < n && i < (warp + 1) * 32; ++i) {
            sum += x[i];
        }
        good = good && sums[warp] == sum;
    }
    return good;
}
