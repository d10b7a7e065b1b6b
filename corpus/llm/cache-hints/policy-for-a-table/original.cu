#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ float kept_load(const float* at) {
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    float v;
    asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(v) : "l"(at), "l"(policy));
    return v;
}

__global__ void looked_up_with_policy(const float* table, const unsigned* places, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * kept_load(table + places[i] % 64u);
}

int main() {
    std::vector<float> host_table(64);
    for (int i = 0; i < static_cast<int>(host_table.size()); ++i) host_table[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* table = nullptr;
    cudaMalloc(&table, host_table.size() * sizeof(float));
    cudaMemcpy(table, host_table.data(), host_table.size() * sizeof(float), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_places(1000);
    for (int i = 0; i < static_cast<int>(host_places.size()); ++i) host_places[i] = i * 2654435761u + 17u;
    unsigned* places = nullptr;
    cudaMalloc(&places, host_places.size() * sizeof(unsigned));
    cudaMemcpy(places, host_places.data(), host_places.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<float> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(float));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(float), cudaMemcpyHostToDevice);
    looked_up_with_policy<<<8, 128>>>(table, places, y, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(float), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(table);
    cudaFree(places);
    cudaFree(y);
    return 0;
}
