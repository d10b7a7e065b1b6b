#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void raise_counter(unsigned* counter, unsigned by) {
    __threadfence_system();
    atomicAdd(counter, by);
}

__global__ void count_for_the_system(const unsigned* x, unsigned* counters, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) raise_counter(&counters[x[i] % 8u], x[i] & 255u);
}

int main() {
    std::vector<unsigned> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(unsigned));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_counters(8);
    for (int i = 0; i < static_cast<int>(host_counters.size()); ++i) host_counters[i] = i * 2654435761u + 17u;
    unsigned* counters = nullptr;
    musaMalloc(&counters, host_counters.size() * sizeof(unsigned));
    musaMemcpy(counters, host_counters.data(), host_counters.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    count_for_the_system<<<8, 128>>>(x, counters, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_counters.data(), counters, host_counters.size() * sizeof(unsigned), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_counters.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_counters.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(counters);
    return 0;
}
