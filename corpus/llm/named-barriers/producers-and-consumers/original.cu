#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void handed_over(const float* x, float* y, int n) {
    __shared__ float box[64];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 64 + t % 64;
    if (t < 64) {
        box[t] = i < n ? 3.0f * x[i] : 0.0f;
        asm volatile("bar.arrive 2, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 128;" ::: "memory");
        if (i < n) y[i] = box[(t + 5) % 64] + t;
    }
}

int main() {
    std::vector<float> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(float));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(float), cudaMemcpyHostToDevice);
    std::vector<float> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(float));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(float), cudaMemcpyHostToDevice);
    handed_over<<<16, 128>>>(x, y, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(float), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
