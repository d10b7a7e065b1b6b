#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void added_for_all(const int* x, int* totals, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __threadfence_system();
        atomicAdd(&totals[i % 8], x[i]);
    }
}

int main() {
    std::vector<int> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = (i * 13 + 5) % 97 - 40;
    int* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(int));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(int), musaMemcpyHostToDevice);
    std::vector<int> host_totals(8);
    for (int i = 0; i < static_cast<int>(host_totals.size()); ++i) host_totals[i] = (i * 13 + 5) % 97 - 40;
    int* totals = nullptr;
    musaMalloc(&totals, host_totals.size() * sizeof(int));
    musaMemcpy(totals, host_totals.data(), host_totals.size() * sizeof(int), musaMemcpyHostToDevice);
    added_for_all<<<8, 128>>>(x, totals, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_totals.data(), totals, host_totals.size() * sizeof(int), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_totals.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_totals.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(totals);
    return 0;
}
