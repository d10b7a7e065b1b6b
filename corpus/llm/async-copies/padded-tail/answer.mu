#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void copy_padded(float4* to, const float4* from, int bytes) {
    const float* source = reinterpret_cast<const float*>(from);
    float* target = reinterpret_cast<float*>(to);
    for (int k = 0; k < 4; ++k) target[k] = k < bytes / 4 ? source[k] : 0.0f;
}

__global__ void padded_rows(const float4* x, float4* y, int floats) {
    __shared__ float4 row[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    int bytes = 4 * (floats - 4 * i);
    bytes = bytes < 0 ? 0 : bytes > 16 ? 16 : bytes;
    copy_padded(&row[threadIdx.x], bytes > 0 ? x + i : x, bytes);
    __syncthreads();
    const float4 v = row[threadIdx.x ^ 1];
    if (4 * i < floats) y[i] = make_float4(v.w, v.z, v.y, v.x);
}

int main() {
    std::vector<float4> host_x(256);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = make_float4(i % 5, i % 7 - 3, i % 11, 0.5f * (i % 3));
    float4* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(float4));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(float4), musaMemcpyHostToDevice);
    std::vector<float4> host_y(256);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = make_float4(i % 5, i % 7 - 3, i % 11, 0.5f * (i % 3));
    float4* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(float4));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(float4), musaMemcpyHostToDevice);
    padded_rows<<<4, 64>>>(x, y, 1021);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(float4), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(float4); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(y);
    return 0;
}
