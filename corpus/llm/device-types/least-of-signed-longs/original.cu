#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ long long lowered(long long* at, long long v) {
    return atomicMin(at, v);
}

__global__ void signed_minima(const long long* x, long long* z, long long* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = lowered(z + i, x[i]) + 1;
}

int main() {
    std::vector<long long> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<long long>(i % 23) - 11;
    long long* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(long long));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(long long), cudaMemcpyHostToDevice);
    std::vector<long long> host_z(1000);
    for (int i = 0; i < static_cast<int>(host_z.size()); ++i) host_z[i] = static_cast<long long>(i % 23) - 11;
    long long* z = nullptr;
    cudaMalloc(&z, host_z.size() * sizeof(long long));
    cudaMemcpy(z, host_z.data(), host_z.size() * sizeof(long long), cudaMemcpyHostToDevice);
    std::vector<long long> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<long long>(i % 23) - 11;
    long long* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(long long));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(long long), cudaMemcpyHostToDevice);
    signed_minima<<<8, 128>>>(x, z, y, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(long long), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(long long); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(z);
    cudaFree(y);
    return 0;
}
