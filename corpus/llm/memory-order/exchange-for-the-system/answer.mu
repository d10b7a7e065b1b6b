#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ unsigned long long taken(unsigned long long* slot, unsigned long long put) {
    const unsigned long long old = atomicExch(slot, put);
    __threadfence_system();
    return old;
}

__global__ void exchanged_for_all(unsigned long long* slots, unsigned long long* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = taken(slots + i, 3ull * i + 1ull) >> 1;
}

int main() {
    std::vector<unsigned long long> host_slots(1000);
    for (int i = 0; i < static_cast<int>(host_slots.size()); ++i) host_slots[i] = i * 0x9e3779b97f4a7c15ull + 3ull;
    unsigned long long* slots = nullptr;
    musaMalloc(&slots, host_slots.size() * sizeof(unsigned long long));
    musaMemcpy(slots, host_slots.data(), host_slots.size() * sizeof(unsigned long long), musaMemcpyHostToDevice);
    std::vector<unsigned long long> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 0x9e3779b97f4a7c15ull + 3ull;
    unsigned long long* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(unsigned long long));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned long long), musaMemcpyHostToDevice);
    exchanged_for_all<<<8, 128>>>(slots, y, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned long long), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned long long); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(slots);
    musaFree(y);
    return 0;
}
