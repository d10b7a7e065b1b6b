#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void tile_product_bytes(const unsigned* a, const unsigned* b, int* d, int tiles) {
    const int lane = threadIdx.x % 32;
    const int tile = blockIdx.x;
    if (tile >= tiles) return;
    const unsigned a0 = a[(tile * 1 + 0) * 32 + lane];
    const unsigned b0 = b[(tile * 1 + 0) * 32 + lane];
    int c[2] = {7, -9};
    const int row = lane / 4, column = 2 * (lane % 4);
    for (int k = 0; k < 16; ++k) {
        const unsigned x = __shfl_sync(0xffffffffu, a0, row * 4 + k / 4, 32);
        const unsigned left = __shfl_sync(0xffffffffu, b0, column * 4 + k / 4, 32);
        const unsigned right = __shfl_sync(0xffffffffu, b0, column * 4 + 4 + k / 4, 32);
        const int shift = 8 * (k & 3);
        const int factor = static_cast<signed char>(x >> shift);
        c[0] += factor * static_cast<signed char>(left >> shift);
        c[1] += factor * static_cast<signed char>(right >> shift);
    }
    for (int i = 0; i < 2; ++i) d[(tile * 32 + lane) * 2 + i] = c[i];
}

int main() {
    std::vector<unsigned> host_a(256);
    for (int i = 0; i < static_cast<int>(host_a.size()); ++i) host_a[i] = i * 2654435761u + 17u;
    unsigned* a = nullptr;
    musaMalloc(&a, host_a.size() * sizeof(unsigned));
    musaMemcpy(a, host_a.data(), host_a.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_b(256);
    for (int i = 0; i < static_cast<int>(host_b.size()); ++i) host_b[i] = i * 2654435761u + 17u;
    unsigned* b = nullptr;
    musaMalloc(&b, host_b.size() * sizeof(unsigned));
    musaMemcpy(b, host_b.data(), host_b.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<int> host_d(512);
    for (int i = 0; i < static_cast<int>(host_d.size()); ++i) host_d[i] = (i * 13 + 5) % 97 - 40;
    int* d = nullptr;
    musaMalloc(&d, host_d.size() * sizeof(int));
    musaMemcpy(d, host_d.data(), host_d.size() * sizeof(int), musaMemcpyHostToDevice);
    tile_product_bytes<<<8, 32>>>(a, b, d, 8);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_d.data(), d, host_d.size() * sizeof(int), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_d.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_d.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(a);
    musaFree(b);
    musaFree(d);
    return 0;
}
