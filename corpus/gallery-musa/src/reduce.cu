#include "checks.h"
#include "cuda_utils.cuh"
#include "device_math.cuh"

constexpr int kBlock = 128;

// One partial sum for each block; the shared array is as long as the block.
__global__ void block_sum(const float* x, float* partial, int n) {
    extern __shared__ float sums[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) {
            sums[threadIdx.x] += sums[threadIdx.x + stride];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sums[0];
    }
}

// One sum for every 32 elements, without shared memory.
__global__ void segment_sum(const int* x, int* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int sum = segment_reduce(i < n ? x[i] : 0);
    if (threadIdx.x % kSegment == 0 && i < n) {
        sums[i / kSegment] = sum;
    }
}

bool check_reduce() {
    const int n = 1000;
    const int blocks = my_cuda_helper_blocks(n, kBlock);
    const std::vector<float> x = reals(n, 5);
    const DeviceArray<float> device_x(x);
    DeviceArray<float> device_partial(blocks);
    block_sum<<<blocks, kBlock, kBlock * sizeof(float)>>>(device_x.get(), device_partial.get(), n);
    CHECK_LAUNCH();

    bool good = true;
    const std::vector<float> partial = device_partial.host();
    for (int block = 0; block < blocks; ++block) {
        float sum = 0.0f;
        for (int i = block * kBlock; i < n && i < (block + 1) * kBlock; ++i) {
            sum += x[i];
        }
        good = good && near(partial[block], sum);
    }

    const int segments = my_cuda_helper_blocks(n, kSegment);
    const std::vector<int> values = integers(n, 6, -1000, 1000);
    const DeviceArray<int> device_values(values);
    DeviceArray<int> device_sums(segments);
    segment_sum<<<blocks, kBlock>>>(device_values.get(), device_sums.get(), n);
    CHECK_LAUNCH();

    const std::vector<int> sums = device_sums.host();
    for (int segment = 0; segment < segments; ++segment) {
        int sum = 0;
        for (int i = segment * kSegment; i < n && i < (segment + 1) * kSegment; ++i) {
            sum += values[i];
        }
        good = good && sums[segment] == sum;
    }
    return good;
}
