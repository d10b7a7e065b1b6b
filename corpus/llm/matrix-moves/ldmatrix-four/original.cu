#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void load_four_matrices_loaded(unsigned& d0, unsigned& d1, unsigned& d2, unsigned& d3, const unsigned short* row) {
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(d0), "=r"(d1), "=r"(d2), "=r"(d3)
                 : "r"(place)
                 : "memory");
}

__global__ void four_matrices_loaded(const unsigned short* x, unsigned* y) {
    __shared__ __align__(16) unsigned short tile[256];
    const int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) tile[i] = x[blockIdx.x * 256 + i];
    __syncthreads();
    unsigned d[4];
    load_four_matrices_loaded(d[0], d[1], d[2], d[3], tile + 8 * (lane % 32));
    for (int i = 0; i < 4; ++i) y[(blockIdx.x * 32 + lane) * 4 + i] = d[i];
}

int main() {
    std::vector<unsigned short> host_x(2048);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<unsigned short>(i * 2503 + 7);
    unsigned short* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(unsigned short));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned short), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_y(1024);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 2654435761u + 17u;
    unsigned* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(unsigned));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    four_matrices_loaded<<<8, 32>>>(x, y);
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
