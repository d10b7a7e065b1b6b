#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void fetch_word(float* to, const float* from) {
    *to = *from;
}
__device__ __forceinline__ void commit_stage() {}
template <int Pending>
__device__ __forceinline__ void wait_stage() {
}

__global__ void two_stage_sums(const float* x, float* y, int tiles) {
    __shared__ float stage[2][64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    fetch_word(&stage[0][t], x + t);
    commit_stage();
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile + 1 < tiles) fetch_word(&stage[(tile + 1) & 1][t], x + 64 * (tile + 1) + t);
        commit_stage();
        wait_stage<1>();
        __syncthreads();
        sum = 0.5f * sum + stage[tile & 1][63 - t];
        __syncthreads();
    }
    y[t] = sum;
}

int main() {
    std::vector<float> host_x(640);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(float));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(float), musaMemcpyHostToDevice);
    std::vector<float> host_y(64);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(float));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(float), musaMemcpyHostToDevice);
    two_stage_sums<<<1, 64>>>(x, y, 10);
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
