#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void store_two(unsigned short* row, unsigned a, unsigned b) {
    const unsigned long long address = reinterpret_cast<unsigned long long>(row);
    const int lane = threadIdx.x & 31;
    for (int i = 0; i < 2; ++i) {
        const unsigned long long to = __shfl_sync(0xffffffffu, address, 8 * i + lane / 4, 32);
        unsigned short* at = reinterpret_cast<unsigned short*>(to) + 2 * (lane % 4);
        const unsigned v = i == 0 ? a : b;
        at[0] = static_cast<unsigned short>(v);
        at[1] = static_cast<unsigned short>(v >> 16);
    }
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
    musaMalloc(&x, host_x.size() * sizeof(unsigned));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned short> host_y(1024);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<unsigned short>(i * 2503 + 7);
    unsigned short* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(unsigned short));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned short), musaMemcpyHostToDevice);
    two_matrices_stored<<<8, 32>>>(x, y);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned short), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned short); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(y);
    return 0;
}
