#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ unsigned short swapped(unsigned short* at, unsigned short expected, unsigned short next) {
    const size_t address = reinterpret_cast<size_t>(at);
    unsigned* word = reinterpret_cast<unsigned*>(address & ~static_cast<size_t>(3));
    const unsigned shift = address % 4 != 0 ? 16u : 0u;
    unsigned assumed = 0u;
    for (;;) {
        const unsigned wanted = (assumed & ~(0xffffu << shift)) | (static_cast<unsigned>(next) << shift);
        const unsigned before = atomicCAS(word, assumed, wanted);
        const unsigned short old = static_cast<unsigned short>(before >> shift);
        if (before == assumed || old != expected) return old;
        assumed = before;
    }
}

__global__ void halfwords_swapped(unsigned short* x, unsigned short* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = swapped(x + i, static_cast<unsigned short>(x[i] & 0xfff3), static_cast<unsigned short>(i));
}

int main() {
    std::vector<unsigned short> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<unsigned short>(i * 2503 + 7);
    unsigned short* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(unsigned short));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned short), musaMemcpyHostToDevice);
    std::vector<unsigned short> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<unsigned short>(i * 2503 + 7);
    unsigned short* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(unsigned short));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned short), musaMemcpyHostToDevice);
    halfwords_swapped<<<8, 128>>>(x, y, 1000);
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
