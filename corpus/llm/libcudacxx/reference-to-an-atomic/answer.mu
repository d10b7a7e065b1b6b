#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void counted_by_reference(const unsigned* x, unsigned* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[x[i] % 16u], x[i] & 7u);
}

int main() {
    std::vector<unsigned> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(unsigned));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_counts(16);
    for (int i = 0; i < static_cast<int>(host_counts.size()); ++i) host_counts[i] = i * 2654435761u + 17u;
    unsigned* counts = nullptr;
    musaMalloc(&counts, host_counts.size() * sizeof(unsigned));
    musaMemcpy(counts, host_counts.data(), host_counts.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    counted_by_reference<<<8, 128>>>(x, counts, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_counts.data(), counts, host_counts.size() * sizeof(unsigned), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_counts.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_counts.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(counts);
    return 0;
}
