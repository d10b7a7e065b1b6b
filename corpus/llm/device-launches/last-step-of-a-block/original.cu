#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void divide_part(float* part, const float* total, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) part[i] = part[i] / (1.0f + *total);
}

__global__ void share_of_part(float* x, float* totals) {
    __shared__ float sums[64];
    float* part = x + blockIdx.x * 64;
    sums[threadIdx.x] = fabsf(part[threadIdx.x]);
    __syncthreads();
    for (int step = 32; step > 0; step /= 2) {
        if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        totals[blockIdx.x] = sums[0];
        divide_part<<<2, 32>>>(part, totals + blockIdx.x, 64);
    }
}

int main() {
    std::vector<float> host_totals(4);
    for (int i = 0; i < static_cast<int>(host_totals.size()); ++i) host_totals[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* totals = nullptr;
    cudaMalloc(&totals, host_totals.size() * sizeof(float));
    cudaMemcpy(totals, host_totals.data(), host_totals.size() * sizeof(float), cudaMemcpyHostToDevice);
    std::vector<float> host_x(256);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(float));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(float), cudaMemcpyHostToDevice);
    share_of_part<<<4, 64>>>(x, totals);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_x.data(), x, host_x.size() * sizeof(float), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_x.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_x.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(totals);
    cudaFree(x);
    return 0;
}
