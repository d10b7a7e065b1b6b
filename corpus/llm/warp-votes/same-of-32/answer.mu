#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ int same_of_warp(int mine) {
    const int one = mine != 0;
    int all = one, any = one;
    for (int step = 1; step < 32; step *= 2) {
        all &= __shfl_xor_sync(0xffffffffu, all, step, 32);
        any |= __shfl_xor_sync(0xffffffffu, any, step, 32);
    }
    return all == any ? 1 : 0;
}

__global__ void same_told(const int* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int at = i < n ? i : n - 1;
    const int v = 2 * same_of_warp(x[at - at % 32] % 3 == 0 ? 1 : x[at - at % 32] % 3 == 1 ? 0 : x[at] & 1) + 1;
    if (i < n) y[i] = v;
}

int main() {
    std::vector<int> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = (i * 13 + 5) % 97 - 40;
    int* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(int));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(int), musaMemcpyHostToDevice);
    std::vector<int> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = (i * 13 + 5) % 97 - 40;
    int* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(int));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(int), musaMemcpyHostToDevice);
    same_told<<<8, 128>>>(x, y, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(int), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(y);
    return 0;
}
