#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ unsigned same_value(unsigned v) {
    unsigned set = 0u;
    int lane = 0;
    for (unsigned bit = 1u; bit != 0u; bit <<= 1) {
        const unsigned other = __shfl_sync(0xffffffffu, v, lane, 32);
        if (other == v) set |= bit;
        ++lane;
    }
    return set;
}

__global__ void matched_lanes(const unsigned* x, unsigned* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int at = i < n ? i : n - 1;
    const unsigned v = same_value(x[at] % 5u);
    if (i < n) y[i] = v;
}

int main() {
    std::vector<unsigned> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(unsigned));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 2654435761u + 17u;
    unsigned* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(unsigned));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    matched_lanes<<<8, 128>>>(x, y, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(y);
    return 0;
}
