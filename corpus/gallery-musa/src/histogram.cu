#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBins = 64;
constexpr int kBlock = 128;

__global__ void histogram_global(const unsigned char* x, unsigned int* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&bins[x[i] / 4], 1u);
    }
}

// Counts in shared memory first, then once for each bin and block in global memory.
__global__ void histogram_shared(const unsigned char* x, unsigned int* bins, int n) {
    __shared__ unsigned int local[kBins];
    for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
        local[bin] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[x[i] / 4], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
        atomicAdd(&bins[bin], local[bin]);
    }
}

bool check_histogram() {
    const int n = 2000;
    std::vector<unsigned char> x(n);
    Sequence sequence(9);
    std::vector<unsigned int> want(kBins, 0);
    for (unsigned char& value : x) {
        value = static_cast<unsigned char>(sequence.integer(0, 255));
        want[value / 4] += 1;
    }
    const DeviceArray<unsigned char> device_x(x);
    DeviceArray<unsigned int> device_global(kBins);
    DeviceArray<unsigned int> device_shared(kBins);

    histogram_global<<<my_cuda_helper_blocks(n, kBlock), kBlock>>>(device_x.get(), device_global.get(), n);
    histogram_shared<<<4, kBlock>>>(device_x.get(), device_shared.get(), n);
    CHECK_LAUNCH();

    return device_global.host() == want && device_shared.host() == want;
}
