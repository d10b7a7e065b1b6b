#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ int is_subnormal(float x) {
    int d;
    asm("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(d) : "f"(x));
    return d;
}

__global__ void subnormals_told(const unsigned* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = is_subnormal(__uint_as_float(x[i] >> (x[i] & 15u)));
}

int main() {
    std::vector<unsigned> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(unsigned));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<int> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = (i * 13 + 5) % 97 - 40;
    int* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(int));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(int), cudaMemcpyHostToDevice);
    subnormals_told<<<8, 128>>>(x, y, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(int), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
