#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void kept_counts(const float* x, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool keep = i < n && x[i] > 0.0f;
    const int lane = threadIdx.x & 31;
    unsigned set = keep ? 1u << lane : 0u;
    for (int step = 16; step > 0; step /= 2) set |= __shfl_xor_sync(0xffffffffu, set, step, 32);
    const int before = __popc(set & ((1u << lane) - 1u));
    if (i < n) y[i] = keep ? 32 * before + __popc(set) : -1;
}

int main() {
    std::vector<float> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(float));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(float), musaMemcpyHostToDevice);
    std::vector<int> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = (i * 13 + 5) % 97 - 40;
    int* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(int));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(int), musaMemcpyHostToDevice);
    kept_counts<<<8, 128>>>(x, y, 1000);
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
