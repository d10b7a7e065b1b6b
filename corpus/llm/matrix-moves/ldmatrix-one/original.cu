#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void load_one_matrix_loaded(unsigned& d0, const unsigned short* row) {
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(d0)
                 : "r"(place)
                 : "memory");
}

__global__ void one_matrix_loaded(const unsigned short* x, unsigned* y) {
    __shared__ __align__(16) unsigned short tile[64];
    const int lane = threadIdx.x;
    for (int i = lane; i < 64; i += 32) tile[i] = x[blockIdx.x * 64 + i];
    __syncthreads();
    unsigned d[1];
    load_one_matrix_loaded(d[0], tile + 8 * (lane % 8));
    for (int i = 0; i < 1; ++i) y[(blockIdx.x * 32 + lane) * 1 + i] = d[i];
}

int main() {
    std::vector<unsigned short> host_x(512);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<unsigned short>(i * 2503 + 7);
    unsigned short* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(unsigned short));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned short), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_y(256);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 2654435761u + 17u;
    unsigned* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(unsigned));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    one_matrix_loaded<<<8, 32>>>(x, y);
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
