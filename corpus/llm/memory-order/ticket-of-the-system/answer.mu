#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ unsigned drawn_ticket(unsigned* counter) {
    __threadfence_system();
    const unsigned ticket = atomicAdd(counter, 1u);
    __threadfence_system();
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
    musaMalloc(&counter, host_counter.size() * sizeof(unsigned));
    musaMemcpy(counter, host_counter.data(), host_counter.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = i * 2654435761u + 17u;
    unsigned* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(unsigned));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 2654435761u + 17u;
    unsigned* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(unsigned));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    tickets_of_system<<<8, 128>>>(counter, x, y, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(counter);
    musaFree(x);
    musaFree(y);
    return 0;
}
