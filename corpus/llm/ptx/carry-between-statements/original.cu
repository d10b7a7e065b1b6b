#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void add_128(unsigned long long* sum, const unsigned long long* other) {
    asm("add.cc.u64 %0, %0, %1;" : "+l"(sum[0]) : "l"(other[0]));
    asm("addc.u64 %0, %0, %1;" : "+l"(sum[1]) : "l"(other[1]));
}

__global__ void sums_of_128(const unsigned long long* x, unsigned long long* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long sum[2] = {x[2 * i], x[2 * i + 1]};
    add_128(sum, x + 2 * (n - 1 - i));
    y[2 * i] = sum[0];
    y[2 * i + 1] = sum[1];
}

int main() {
    std::vector<unsigned long long> host_x(2000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 0x9e3779b97f4a7c15ull + 3ull;
    unsigned long long* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(unsigned long long));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned long long), cudaMemcpyHostToDevice);
    std::vector<unsigned long long> host_y(2000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 0x9e3779b97f4a7c15ull + 3ull;
    unsigned long long* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(unsigned long long));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned long long), cudaMemcpyHostToDevice);
    sums_of_128<<<8, 128>>>(x, y, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned long long), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned long long); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
