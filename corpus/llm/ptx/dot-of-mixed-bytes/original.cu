#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ int dot_mixed(int a, unsigned b, int c) {
    int d;
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

__global__ void dots_mixed(const int* x, const int* z, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = dot_mixed(x[i], static_cast<unsigned>(z[i]), i);
}

int main() {
    std::vector<int> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = (i * 13 + 5) % 97 - 40;
    int* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(int));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> host_z(1000);
    for (int i = 0; i < static_cast<int>(host_z.size()); ++i) host_z[i] = (i * 13 + 5) % 97 - 40;
    int* z = nullptr;
    cudaMalloc(&z, host_z.size() * sizeof(int));
    cudaMemcpy(z, host_z.data(), host_z.size() * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = (i * 13 + 5) % 97 - 40;
    int* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(int));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(int), cudaMemcpyHostToDevice);
    dots_mixed<<<8, 128>>>(x, z, y, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(int), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(z);
    cudaFree(y);
    return 0;
}
