#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ double fused_rp(double a, double b, double c) {
    return __fma_ru(a, b, c);
}

__global__ void fused_up(const double* x, const double* z, double* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fused_rp(x[i], z[i], 0.1 * i);
}

int main() {
    std::vector<double> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<double>((i * 7 + 3) % 41) * 0.25 - 5.0;
    double* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(double));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(double), musaMemcpyHostToDevice);
    std::vector<double> host_z(1000);
    for (int i = 0; i < static_cast<int>(host_z.size()); ++i) host_z[i] = static_cast<double>((i * 7 + 3) % 41) * 0.25 - 5.0;
    double* z = nullptr;
    musaMalloc(&z, host_z.size() * sizeof(double));
    musaMemcpy(z, host_z.data(), host_z.size() * sizeof(double), musaMemcpyHostToDevice);
    std::vector<double> host_y(1000);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<double>((i * 7 + 3) % 41) * 0.25 - 5.0;
    double* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(double));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(double), musaMemcpyHostToDevice);
    fused_up<<<8, 128>>>(x, z, y, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(double), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(double); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(z);
    musaFree(y);
    return 0;
}
