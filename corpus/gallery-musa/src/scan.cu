#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBlock = 128;

// Inclusive sums inside each block, and the total of the block.
__global__ void __launch_bounds__(kBlock) scan_blocks(const int* x, int* out, int* totals, int n) {
    __shared__ int buffer[2][kBlock];
    const int t = threadIdx.x;
    const int i = blockIdx.x * kBlock + t;
    int current = 0;
    buffer[current][t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < kBlock; offset *= 2) {
        int value = buffer[current][t];
        if (t >= offset) {
            value += buffer[current][t - offset];
        }
        current = 1 - current;
        buffer[current][t] = value;
        __syncthreads();
    }
    if (i < n) {
        out[i] = buffer[current][t];
    }
    if (t == kBlock - 1) {
        totals[blockIdx.x] = buffer[current][t];
    }
}

// Adds the totals of all earlier blocks.
__global__ void add_offsets(int* data, const int* totals, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int offset = 0;
    for (unsigned int block = 0; block < blockIdx.x; ++block) {
        offset += totals[block];
    }
    if (i < n) {
        data[i] += offset;
    }
}

bool check_scan() {
    const int n = 1000;
    const int blocks = my_cuda_helper_blocks(n, kBlock);
    const std::vector<int> x = integers(n, 7, -50, 100);
    const DeviceArray<int> device_x(x);
    DeviceArray<int> device_out(n);
    DeviceArray<int> device_totals(blocks);

    scan_blocks<<<blocks, kBlock>>>(device_x.get(), device_out.get(), device_totals.get(), n);
    add_offsets<<<blocks, kBlock>>>(device_out.get(), device_totals.get(), n);
    CHECK_LAUNCH();

    const std::vector<int> out = device_out.host();
    bool good = true;
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += x[i];
        good = good && out[i] == sum;
    }
    return good;
}
