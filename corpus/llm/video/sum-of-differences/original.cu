#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ unsigned differences(unsigned a, unsigned b, unsigned sum) {
    unsigned d;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(sum));
    return d;
}

__global__ void distance_of_bytes(const unsigned* x, const unsigned* z, unsigned* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = differences(x[i], z[i], static_cast<unsigned>(i));
}

int main() {
    std::vector<unsigned> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(unsigned));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_z(1000);
    for (int i = 0; i < static_cast<int>(host_z.size()); ++i) host_z[i] = i * 2654435761u + 17u;
    unsigned* z = nullptr;
    cudaMalloc(&z, host_z.size() * sizeof(unsigned));
    cudaMemcpy(z, host_z.data(), host_z.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 2654435761u + 17u;
    unsigned* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(unsigned));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    distance_of_bytes<<<8, 128>>>(x, z, y, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(z);
    cudaFree(y);
    return 0;
}
