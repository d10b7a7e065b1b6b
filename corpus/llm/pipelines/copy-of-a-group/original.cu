#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void grouped_copy(const float* x, float* y) {
    __shared__ float row[96];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, row, x + 96 * blockIdx.x, sizeof(float) * 96);
    cg::wait(block);
    for (int i = threadIdx.x; i < 96; i += blockDim.x) y[96 * blockIdx.x + i] = row[95 - i] + 0.5f;
}

int main() {
    std::vector<float> host_x(768);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(float));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(float), cudaMemcpyHostToDevice);
    std::vector<float> host_y(768);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(float));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(float), cudaMemcpyHostToDevice);
    grouped_copy<<<8, 64>>>(x, y);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(float), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
