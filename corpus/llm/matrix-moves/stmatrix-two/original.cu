#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void store_two(unsigned short* row, unsigned a, unsigned b) {
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(place), "r"(a), "r"(b) : "memory");
}

__global__ void two_matrices_stored(const unsigned* x, unsigned short* y) {
    __shared__ __align__(16) unsigned short tile[128];
    const int lane = threadIdx.x;
    const unsigned* from = x + (blockIdx.x * 32 + lane) * 2;
    store_two(tile + 8 * (lane % 16), from[0], from[1]);
    __syncthreads();
    for (int i = lane; i < 128; i += 32) y[blockIdx.x * 128 + i] = tile[i];
}

int main() {
    std::vector<unsigned> host_x(512);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(unsigned));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<unsigned short> host_y(1024);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<unsigned short>(i * 2503 + 7);
    unsigned short* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(unsigned short));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned short), cudaMemcpyHostToDevice);
    two_matrices_stored<<<8, 32>>>(x, y);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned short), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned short); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
