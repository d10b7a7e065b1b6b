#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void added_for_all(const int* x, int* totals, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd_system(&totals[i % 8], x[i]);
}

int main() {
    std::vector<int> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = (i * 13 + 5) % 97 - 40;
    int* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(int));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> host_totals(8);
    for (int i = 0; i < static_cast<int>(host_totals.size()); ++i) host_totals[i] = (i * 13 + 5) % 97 - 40;
    int* totals = nullptr;
    cudaMalloc(&totals, host_totals.size() * sizeof(int));
    cudaMemcpy(totals, host_totals.data(), host_totals.size() * sizeof(int), cudaMemcpyHostToDevice);
    added_for_all<<<8, 128>>>(x, totals, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_totals.data(), totals, host_totals.size() * sizeof(int), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_totals.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_totals.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(totals);
    return 0;
}
