#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void arrive_and_wait(unsigned long long* barrier, int parity) {
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    asm volatile(
        "{\n"
        "  .reg .b64 state;\n"
        "  .reg .pred done;\n"
        "  mbarrier.arrive.shared.b64 state, [%0];\n"
        "WAIT:\n"
        "  mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
        "  @!done bra WAIT;\n"
        "}" ::"r"(place), "r"(parity)
        : "memory");
}

__global__ void arrived_and_turned(const float* x, float* y, int n) {
    __shared__ unsigned long long barrier;
    __shared__ float stage[128];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 128 + t;
    if (t == 0) {
        const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place), "r"(128) : "memory");
    }
    __syncthreads();
    stage[t] = i < n ? x[i] : 0.0f;
    arrive_and_wait(&barrier, 0);
    const float other = stage[127 - t];
    arrive_and_wait(&barrier, 1);
    stage[t] = 2.0f * other;
    arrive_and_wait(&barrier, 0);
    if (i < n) y[i] = stage[t ^ 1] + other;
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
    arrived_and_turned<<<8, 128>>>(x, y, 1000);
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
