#include <cuda_runtime.h>
#include <cuda/atomic>

#include <cstdio>
#include <vector>

__global__ void counted_by_reference(const unsigned* x, unsigned* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(counts[x[i] % 16u]);
        count.fetch_add(x[i] & 7u, cuda::memory_order_relaxed);
    }
}

int main() {
    std::vector<unsigned> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(unsigned));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_counts(16);
    for (int i = 0; i < static_cast<int>(host_counts.size()); ++i) host_counts[i] = i * 2654435761u + 17u;
    unsigned* counts = nullptr;
    cudaMalloc(&counts, host_counts.size() * sizeof(unsigned));
    cudaMemcpy(counts, host_counts.data(), host_counts.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    counted_by_reference<<<8, 128>>>(x, counts, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_counts.data(), counts, host_counts.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_counts.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_counts.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(counts);
    return 0;
}
