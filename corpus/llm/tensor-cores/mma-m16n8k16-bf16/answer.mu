#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void tile_product_bf16(const unsigned* a, const unsigned* b, float* d, int tiles) {
    const int lane = threadIdx.x % 32;
    const int tile = blockIdx.x;
    if (tile >= tiles) return;
    const unsigned a0 = a[(tile * 4 + 0) * 32 + lane];
    const unsigned a1 = a[(tile * 4 + 1) * 32 + lane];
    const unsigned a2 = a[(tile * 4 + 2) * 32 + lane];
    const unsigned a3 = a[(tile * 4 + 3) * 32 + lane];
    const unsigned b0 = b[(tile * 2 + 0) * 32 + lane];
    const unsigned b1 = b[(tile * 2 + 1) * 32 + lane];
    float c[4] = {0.5f, 1.0f, -2.0f, 0.0f};
    const int group = lane / 4, pair = lane % 4;
    for (int k = 0; k < 16; ++k) {
        const int from = group * 4 + (k % 8) / 2;
        const unsigned upper = __shfl_sync(0xffffffffu, k < 8 ? a0 : a2, from, 32);
        const unsigned lower = __shfl_sync(0xffffffffu, k < 8 ? a1 : a3, from, 32);
        const unsigned left = __shfl_sync(0xffffffffu, k < 8 ? b0 : b1, pair * 8 + (k % 8) / 2, 32);
        const unsigned right = __shfl_sync(0xffffffffu, k < 8 ? b0 : b1, pair * 8 + 4 + (k % 8) / 2, 32);
        const bool odd = k % 2 == 1;
        const float x0 = __uint_as_float(odd ? upper & 0xffff0000u : upper << 16);
        const float x1 = __uint_as_float(odd ? lower & 0xffff0000u : lower << 16);
        const float y0 = __uint_as_float(odd ? left & 0xffff0000u : left << 16);
        const float y1 = __uint_as_float(odd ? right & 0xffff0000u : right << 16);
        c[0] += x0 * y0;
        c[1] += x0 * y1;
        c[2] += x1 * y0;
        c[3] += x1 * y1;
    }
    for (int i = 0; i < 4; ++i) d[(tile * 32 + lane) * 4 + i] = c[i];
}

int main() {
    std::vector<unsigned> host_a(1024);
    for (int i = 0; i < static_cast<int>(host_a.size()); ++i) host_a[i] = i * 2654435761u + 17u;
    unsigned* a = nullptr;
    musaMalloc(&a, host_a.size() * sizeof(unsigned));
    musaMemcpy(a, host_a.data(), host_a.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_b(512);
    for (int i = 0; i < static_cast<int>(host_b.size()); ++i) host_b[i] = i * 2654435761u + 17u;
    unsigned* b = nullptr;
    musaMalloc(&b, host_b.size() * sizeof(unsigned));
    musaMemcpy(b, host_b.data(), host_b.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<float> host_d(1024);
    for (int i = 0; i < static_cast<int>(host_d.size()); ++i) host_d[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* d = nullptr;
    musaMalloc(&d, host_d.size() * sizeof(float));
    musaMemcpy(d, host_d.data(), host_d.size() * sizeof(float), musaMemcpyHostToDevice);
    tile_product_bf16<<<8, 32>>>(a, b, d, 8);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_d.data(), d, host_d.size() * sizeof(float), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_d.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_d.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(a);
    musaFree(b);
    musaFree(d);
    return 0;
}
