#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void copy_pair(float2* to, const float2* from) {
    *to = *from;
}

__global__ void halo_difference(const float2* x, float2* y, int n) {
    __shared__ float2 line[130];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const int t = threadIdx.x + 1;
    if (i < n) copy_pair(&line[t], x + i);
    if (threadIdx.x == 0) copy_pair(&line[0], x + (i > 0 ? i - 1 : 0));
    if (threadIdx.x == 127 || i == n - 1) copy_pair(&line[t + 1], x + (i + 1 < n ? i + 1 : n - 1));
    __syncthreads();
    if (i < n) y[i] = make_float2(line[t + 1].x - line[t - 1].x, line[t + 1].y + line[t].y);
}

int main() {
    std::vector<float2> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = make_float2(i % 5, i % 7 - 3);
    float2* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(float2));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(float2), musaMemcpyHostToDevice);
    std::vector<float2> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = make_float2(i % 5, i % 7 - 3);
    float2* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(float2));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(float2), musaMemcpyHostToDevice);
    halo_difference<<<8, 128>>>(x, y, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(float2), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(float2); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(y);
    return 0;
}
