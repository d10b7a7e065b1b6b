#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ int all_of_warp(int mine) {
    int d;
    asm volatile("{\n"
                 "  .reg .pred p, q;\n"
                 "  setp.ne.s32 p, %1, 0;\n"
                 "  vote.sync.all.pred q, p, 0xffffffff;\n"
                 "  selp.s32 %0, 1, 0, q;\n"
                 "}"
                 : "=r"(d)
                 : "r"(mine));
    return d;
}

__global__ void all_told(const int* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int at = i < n ? i : n - 1;
    const int v = 2 * all_of_warp(x[at] != i % 61) + 1;
    if (i < n) y[i] = v;
}

int main() {
    std::vector<int> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = (i * 13 + 5) % 97 - 40;
    int* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(int));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = (i * 13 + 5) % 97 - 40;
    int* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(int));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(int), cudaMemcpyHostToDevice);
    all_told<<<8, 128>>>(x, y, 1000);
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
