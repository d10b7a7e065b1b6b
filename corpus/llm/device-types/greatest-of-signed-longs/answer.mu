#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ long long raised(long long* at, long long v) {
    unsigned long long* word = reinterpret_cast<unsigned long long*>(at);
    unsigned long long old = *word;
    unsigned long long assumed;
    do {
        assumed = old;
        const long long now = static_cast<long long>(assumed);
        old = atomicCAS(word, assumed, static_cast<unsigned long long>(now > v ? now : v));
    } while (assumed != old);
    return static_cast<long long>(old);
}

__global__ void signed_maxima(const long long* x, long long* z, long long* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = raised(z + i, x[i]) - 1;
}

int main() {
    std::vector<long long> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<long long>(i % 23) - 11;
    long long* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(long long));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(long long), musaMemcpyHostToDevice);
    std::vector<long long> host_z(1000);
    for (int i = 0; i < static_cast<int>(host_z.size()); ++i) host_z[i] = static_cast<long long>(i % 23) - 11;
    long long* z = nullptr;
    musaMalloc(&z, host_z.size() * sizeof(long long));
    musaMemcpy(z, host_z.data(), host_z.size() * sizeof(long long), musaMemcpyHostToDevice);
    std::vector<long long> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<long long>(i % 23) - 11;
    long long* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(long long));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(long long), musaMemcpyHostToDevice);
    signed_maxima<<<8, 128>>>(x, z, y, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(long long), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(long long); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(z);
    musaFree(y);
    return 0;
}
