#include <musa_runtime.h>

#include <cstdio>
#include <vector>

template <int Bytes>
__device__ __forceinline__ void cp_async_zfill(void* smem_ptr, void const* global_ptr, bool pred_guard = true) {
    unsigned* to = static_cast<unsigned*>(smem_ptr);
    const unsigned* from = static_cast<const unsigned*>(global_ptr);
    for (int i = 0; i < Bytes / 4; ++i) to[i] = pred_guard ? from[i] : 0u;
}

__device__ __forceinline__ void cp_async_fence() {}

template <int Stages>
__device__ __forceinline__ void cp_async_wait() {
}

__global__ void guarded_rows(const float* x, float* y, int rows, int columns) {
    __shared__ float4 tile[64];
    const int row = blockIdx.x, column = 4 * threadIdx.x;
    cp_async_zfill<16>(&tile[threadIdx.x], x + row * columns + column, row < rows && column < columns);
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    const float4 v = tile[63 - threadIdx.x];
    y[row * 64 + threadIdx.x] = v.x + 2.0f * v.y + 4.0f * v.z + 8.0f * v.w;
}

int main() {
    std::vector<float> host_x(720);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(float));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(float), musaMemcpyHostToDevice);
    std::vector<float> host_y(256);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(float));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(float), musaMemcpyHostToDevice);
    guarded_rows<<<4, 64>>>(x, y, 3, 240);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(float), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(y);
    return 0;
}
