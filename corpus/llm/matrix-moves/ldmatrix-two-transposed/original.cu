#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void load_two_matrices_turned(unsigned& d0, unsigned& d1, const unsigned short* row) {
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(d0), "=r"(d1)
                 : "r"(place)
                 : "memory");
}

__global__ void two_matrices_turned(const unsigned short* x, unsigned* y) {
    __shared__ __align__(16) unsigned short tile[128];
    const int lane = threadIdx.x;
    for (int i = lane; i < 128; i += 32) tile[i] = x[blockIdx.x * 128 + i];
    __syncthreads();
    unsigned d[2];
    load_two_matrices_turned(d[0], d[1], tile + 8 * (lane % 16));
    for (int i = 0; i < 2; ++i) y[(blockIdx.x * 32 + lane) * 2 + i] = d[i];
}

int main() {
    std::vector<unsigned short> host_x(1024);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<unsigned short>(i * 2503 + 7);
    unsigned short* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(unsigned short));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned short), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_y(512);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 2654435761u + 17u;
    unsigned* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(unsigned));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    two_matrices_turned<<<8, 32>>>(x, y);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
