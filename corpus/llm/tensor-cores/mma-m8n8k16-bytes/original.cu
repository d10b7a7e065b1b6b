#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void tile_product_bytes(const unsigned* a, const unsigned* b, int* d, int tiles) {
    const int lane = threadIdx.x % 32;
    const int tile = blockIdx.x;
    if (tile >= tiles) return;
    const unsigned a0 = a[(tile * 1 + 0) * 32 + lane];
    const unsigned b0 = b[(tile * 1 + 0) * 32 + lane];
    int c[2] = {7, -9};
    asm volatile(
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+r"(c[0]), "+r"(c[1])
        : "r"(a0), "r"(b0));
    for (int i = 0; i < 2; ++i) d[(tile * 32 + lane) * 2 + i] = c[i];
}

int main() {
    std::vector<unsigned> host_a(256);
    for (int i = 0; i < static_cast<int>(host_a.size()); ++i) host_a[i] = i * 2654435761u + 17u;
    unsigned* a = nullptr;
    cudaMalloc(&a, host_a.size() * sizeof(unsigned));
    cudaMemcpy(a, host_a.data(), host_a.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_b(256);
    for (int i = 0; i < static_cast<int>(host_b.size()); ++i) host_b[i] = i * 2654435761u + 17u;
    unsigned* b = nullptr;
    cudaMalloc(&b, host_b.size() * sizeof(unsigned));
    cudaMemcpy(b, host_b.data(), host_b.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<int> host_d(512);
    for (int i = 0; i < static_cast<int>(host_d.size()); ++i) host_d[i] = (i * 13 + 5) % 97 - 40;
    int* d = nullptr;
    cudaMalloc(&d, host_d.size() * sizeof(int));
    cudaMemcpy(d, host_d.data(), host_d.size() * sizeof(int), cudaMemcpyHostToDevice);
    tile_product_bytes<<<8, 32>>>(a, b, d, 8);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_d.data(), d, host_d.size() * sizeof(int), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_d.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_d.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(a);
    cudaFree(b);
    cudaFree(d);
    return 0;
}
