#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ int4 read_now(const int4* at) {
    const int4 v = *(volatile int4*)at;
    return v;
}

__global__ void mailbox_read(const int4* x, int4* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int4 v = read_now(x + i);
        y[i] = make_int4(v.w, v.z, v.y + 1, v.x);
    }
}

int main() {
    std::vector<int4> host_x(500);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = make_int4(i, i * 3 - 7, 5 - i, i ^ 9);
    int4* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(int4));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(int4), cudaMemcpyHostToDevice);
    std::vector<int4> host_y(500);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = make_int4(i, i * 3 - 7, 5 - i, i ^ 9);
    int4* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(int4));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(int4), cudaMemcpyHostToDevice);
    mailbox_read<<<4, 128>>>(x, y, 500);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(int4), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(int4); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
