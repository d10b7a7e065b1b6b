#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ int picked_product(int a, int b, int c) {
    const int byte = static_cast<signed char>(a >> 8);
    const int half = static_cast<short>(b >> 16);
    return byte * half + c;
}

__global__ void products_picked(const int* x, const int* z, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = picked_product(x[i], z[i], i);
}

int main() {
    std::vector<int> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = (i * 13 + 5) % 97 - 40;
    int* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(int));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(int), musaMemcpyHostToDevice);
    std::vector<int> host_z(1000);
    for (int i = 0; i < static_cast<int>(host_z.size()); ++i) host_z[i] = (i * 13 + 5) % 97 - 40;
    int* z = nullptr;
    musaMalloc(&z, host_z.size() * sizeof(int));
    musaMemcpy(z, host_z.data(), host_z.size() * sizeof(int), musaMemcpyHostToDevice);
    std::vector<int> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = (i * 13 + 5) % 97 - 40;
    int* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(int));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(int), musaMemcpyHostToDevice);
    products_picked<<<8, 128>>>(x, z, y, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(int), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(z);
    musaFree(y);
    return 0;
}
