#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void stage_scaled(const float4* from, float4* to, int count) {
    __shared__ float4 stage[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < count) {
        stage[threadIdx.x] = from[i];
    }
    __syncthreads();
    const int other = 63 - threadIdx.x;
    if (blockIdx.x * 64 + other < count && i < count) {
        const float4 v = stage[other];
        to[i] = make_float4(2.0f * v.x, 3.0f * v.y, v.z, v.w);
    }
}

int main() {
    std::vector<float4> host_from(1000);
    for (int i = 0; i < static_cast<int>(host_from.size()); ++i) host_from[i] = make_float4(i % 5, i % 7 - 3, i % 11, 0.5f * (i % 3));
    float4* from = nullptr;
    musaMalloc(&from, host_from.size() * sizeof(float4));
    musaMemcpy(from, host_from.data(), host_from.size() * sizeof(float4), musaMemcpyHostToDevice);
    std::vector<float4> host_to(1000);
    for (int i = 0; i < static_cast<int>(host_to.size()); ++i) host_to[i] = make_float4(i % 5, i % 7 - 3, i % 11, 0.5f * (i % 3));
    float4* to = nullptr;
    musaMalloc(&to, host_to.size() * sizeof(float4));
    musaMemcpy(to, host_to.data(), host_to.size() * sizeof(float4), musaMemcpyHostToDevice);
    stage_scaled<<<16, 64>>>(from, to, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_to.data(), to, host_to.size() * sizeof(float4), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_to.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_to.size() * sizeof(float4); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(from);
    musaFree(to);
    return 0;
}
