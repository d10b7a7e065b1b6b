#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void tile_product_doubles(const double* a, const double* b, double* d, int tiles) {
    const int lane = threadIdx.x % 32;
    const int tile = blockIdx.x;
    if (tile >= tiles) return;
    const double a0 = a[(tile * 1 + 0) * 32 + lane];
    const double b0 = b[(tile * 1 + 0) * 32 + lane];
    double c[2] = {0.25, -1.0};
    const int row = lane / 4, column = 2 * (lane % 4);
    for (int k = 0; k < 4; ++k) {
        const double x = __shfl_sync(0xffffffffu, a0, row * 4 + k, 32);
        c[0] = fma(x, __shfl_sync(0xffffffffu, b0, column * 4 + k, 32), c[0]);
        c[1] = fma(x, __shfl_sync(0xffffffffu, b0, column * 4 + 4 + k, 32), c[1]);
    }
    for (int i = 0; i < 2; ++i) d[(tile * 32 + lane) * 2 + i] = c[i];
}

int main() {
    std::vector<double> host_a(256);
    for (int i = 0; i < static_cast<int>(host_a.size()); ++i) host_a[i] = static_cast<double>((i * 7 + 3) % 41) * 0.25 - 5.0;
    double* a = nullptr;
    musaMalloc(&a, host_a.size() * sizeof(double));
    musaMemcpy(a, host_a.data(), host_a.size() * sizeof(double), musaMemcpyHostToDevice);
    std::vector<double> host_b(256);
    for (int i = 0; i < static_cast<int>(host_b.size()); ++i) host_b[i] = static_cast<double>((i * 7 + 3) % 41) * 0.25 - 5.0;
    double* b = nullptr;
    musaMalloc(&b, host_b.size() * sizeof(double));
    musaMemcpy(b, host_b.data(), host_b.size() * sizeof(double), musaMemcpyHostToDevice);
    std::vector<double> host_d(512);
    for (int i = 0; i < static_cast<int>(host_d.size()); ++i) host_d[i] = static_cast<double>((i * 7 + 3) % 41) * 0.25 - 5.0;
    double* d = nullptr;
    musaMalloc(&d, host_d.size() * sizeof(double));
    musaMemcpy(d, host_d.data(), host_d.size() * sizeof(double), musaMemcpyHostToDevice);
    tile_product_doubles<<<8, 32>>>(a, b, d, 8);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_d.data(), d, host_d.size() * sizeof(double), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_d.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_d.size() * sizeof(double); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(a);
    musaFree(b);
    musaFree(d);
    return 0;
}
