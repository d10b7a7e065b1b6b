#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void copy_pair(float2* to, const float2* from) {
    unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n" ::"r"(place), "l"(from));
}

__global__ void halo_difference(const float2* x, float2* y, int n) {
    __shared__ float2 line[130];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const int t = threadIdx.x + 1;
    if (i < n) copy_pair(&line[t], x + i);
    if (threadIdx.x == 0) copy_pair(&line[0], x + (i > 0 ? i - 1 : 0));
    if (threadIdx.x == 127 || i == n - 1) copy_pair(&line[t + 1], x + (i + 1 < n ? i + 1 : n - 1));
    asm volatile("cp.async.wait_all;\n" ::: "memory");
    __syncthreads();
    if (i < n) y[i] = make_float2(line[t + 1].x - line[t - 1].x, line[t + 1].y + line[t].y);
}

int main() {
    std::vector<float2> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = make_float2(i % 5, i % 7 - 3);
    float2* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(float2));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(float2), cudaMemcpyHostToDevice);
    std::vector<float2> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = make_float2(i % 5, i % 7 - 3);
    float2* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(float2));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(float2), cudaMemcpyHostToDevice);
    halo_difference<<<8, 128>>>(x, y, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(float2), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(float2); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
