#include <musa_runtime.h>
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void grouped_copy(const float* x, float* y) {
    __shared__ float row[96];
    for (int i = threadIdx.x; i < 96; i += blockDim.x) row[i] = x[96 * blockIdx.x + i];
    __syncthreads();
    for (int i = threadIdx.x; i < 96; i += blockDim.x) y[96 * blockIdx.x + i] = row[95 - i] + 0.5f;
}

int main() {
    std::vector<float> host_x(768);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(float));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(float), musaMemcpyHostToDevice);
    std::vector<float> host_y(768);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(float));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(float), musaMemcpyHostToDevice);
    grouped_copy<<<8, 64>>>(x, y);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(float), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(y);
    return 0;
}
