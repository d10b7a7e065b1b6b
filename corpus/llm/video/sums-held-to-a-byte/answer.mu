#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ unsigned sums(unsigned a, unsigned b) {
    const int first = static_cast<signed char>(a) + static_cast<signed char>(b);
    const int second = static_cast<signed char>(a >> 8) + static_cast<signed char>(b >> 8);
    const int third = static_cast<signed char>(a >> 16) + static_cast<signed char>(b >> 16);
    const int fourth = static_cast<signed char>(a >> 24) + static_cast<signed char>(b >> 24);
    const unsigned low = (min(max(first, -128), 127) & 0xffu) | (min(max(second, -128), 127) & 0xffu) << 8;
    return low | (min(max(third, -128), 127) & 0xffu) << 16 | (min(max(fourth, -128), 127) & 0xffu) << 24;
}

__global__ void held_sums(const unsigned* x, const unsigned* z, unsigned* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sums(x[i], z[i]);
}

int main() {
    std::vector<unsigned> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(unsigned));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_z(1000);
    for (int i = 0; i < static_cast<int>(host_z.size()); ++i) host_z[i] = i * 2654435761u + 17u;
    unsigned* z = nullptr;
    musaMalloc(&z, host_z.size() * sizeof(unsigned));
    musaMemcpy(z, host_z.data(), host_z.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 2654435761u + 17u;
    unsigned* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(unsigned));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    held_sums<<<8, 128>>>(x, z, y, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(z);
    musaFree(y);
    return 0;
}
