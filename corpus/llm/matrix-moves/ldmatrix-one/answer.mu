#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ void load_one_matrix_loaded(unsigned& d0, const unsigned short* row) {
    const unsigned long long address = reinterpret_cast<unsigned long long>(row);
    const int lane = threadIdx.x & 31;
    auto part = [&](int i) {
        const unsigned long long from = __shfl_sync(0xffffffffu, address, 8 * i + lane / 4, 32);
        const unsigned short* at = reinterpret_cast<const unsigned short*>(from) + 2 * (lane % 4);
        return at[0] | (static_cast<unsigned>(at[1]) << 16);
    };
    d0 = part(0);
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
    musaMalloc(&x, host_x.size() * sizeof(unsigned short));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(unsigned short), musaMemcpyHostToDevice);
    std::vector<unsigned> host_y(256);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = i * 2654435761u + 17u;
    unsigned* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(unsigned));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    one_matrix_loaded<<<8, 32>>>(x, y);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(unsigned), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(unsigned); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(y);
    return 0;
}
