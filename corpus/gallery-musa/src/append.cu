#include <algorithm>

#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBlock = 128;

// Each block collects its positive elements at the start of its own stretch of `out`, in whatever order they come.
__global__ void append_positive(const float* x, float* out, unsigned int* counts, int n) {
    __shared__ unsigned int count;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads();
    if (i < n && x[i] > 0.0f) {
        const unsigned int slot = atomicAdd(&count, 1u);
        out[blockIdx.x * blockDim.x + slot] = x[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = count;
    }
}

bool check_append() {
    const int n = 1000;
    const int blocks = my_cuda_helper_blocks(n, kBlock);
    const std::vector<float> x = reals(n, 12);
    const DeviceArray<float> device_x(x);
    DeviceArray<float> device_out(blocks * kBlock);
    DeviceArray<unsigned int> device_counts(blocks);

    append_positive<<<blocks, kBlock>>>(device_x.get(), device_out.get(), device_counts.get(), n);
    CHECK_LAUNCH();

    const std::vector<float> out = device_out.host();
    const std::vector<unsigned int> counts = device_counts.host();
    bool good = true;
    for (int block = 0; block < blocks; ++block) {
        std::vector<float> want;
        for (int i = block * kBlock; i < n && i < (block + 1) * kBlock; ++i) {
            if (x[i] > 0.0f) {
                want.push_back(x[i]);
            }
        }
        good = good && counts[block] == want.size();
        if (good) {
            std::vector<float> got(out.begin() + block * kBlock, out.begin() + block * kBlock + want.size());
            std::sort(got.begin(), got.end());  // the order is not part of the promise
            std::sort(want.begin(), want.end());
            good = got == want;
        }
    }
    return good;
}
