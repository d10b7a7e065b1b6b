#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ unsigned drawn_ticket(unsigned* counter) {
    unsigned ticket;
    asm volatile("atom.acq_rel.sys.global.add.u32 %0, [%1], %2;" : "=r"(ticket) : "l"(counter), "r"(1) : "memory");
    return ticket;
}

__global__ void tickets_of_system(unsigned* counter, const unsigned* x, unsigned* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned ticket = drawn_ticket(counter + i);
    y[i] = ticket ^ x[i];
}

int main() {
    std::vector<unsigned> host_counter(1000);
    for (int i = 0; i < static_cast<int>(host_counter.size()); ++i) host_counter[i] = i * 2654435761u + 17u;
    unsigned* counter = nullptr;
    cudaMalloc(&counter, host_counter.size() * sizeof(unsigned));
    cudaMemcpy(counter, host_counter.data(), host_counter.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    cudaMalloc(&x, host_x.size() * sizeof(unsigned));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<unsigned> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 2654435761u + 17u;
    unsigned* y = nullptr;
    cudaMalloc(&y, host_y.size() * sizeof(unsigned));
    cudaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
    tickets_of_system<<<8, 128>>>(counter, x, y, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(counter);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
