#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;

__global__ void wmma_along_k(const __half* a, const __half* b, const float* c, float* d, int steps) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::load_matrix_sync(sums, c, 16, wmma::mem_row_major);
    for (int i = 0; i < sums.num_elements; ++i) sums.x[i] *= 0.5f;
    for (int step = 0; step < steps; ++step) {
        wmma::load_matrix_sync(left, a + 16 * step, 16 * steps);
        wmma::load_matrix_sync(right, b + 16 * step, 16 * steps);
        wmma::mma_sync(sums, left, right, sums);
    }
    wmma::store_matrix_sync(d, sums, 16, wmma::mem_row_major);
}

int main() {
    std::vector<__half> host_a(768);
    for (int i = 0; i < static_cast<int>(host_a.size()); ++i) host_a[i] = __float2half(static_cast<float>((i * 7 + 3) % 13) * 0.25f - 1.5f);
    __half* a = nullptr;
    cudaMalloc(&a, host_a.size() * sizeof(__half));
    cudaMemcpy(a, host_a.data(), host_a.size() * sizeof(__half), cudaMemcpyHostToDevice);
    std::vector<__half> host_b(768);
    for (int i = 0; i < static_cast<int>(host_b.size()); ++i) host_b[i] = __float2half(static_cast<float>((i * 7 + 3) % 13) * 0.25f - 1.5f);
    __half* b = nullptr;
    cudaMalloc(&b, host_b.size() * sizeof(__half));
    cudaMemcpy(b, host_b.data(), host_b.size() * sizeof(__half), cudaMemcpyHostToDevice);
    std::vector<float> host_c(256);
    for (int i = 0; i < static_cast<int>(host_c.size()); ++i) host_c[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* c = nullptr;
    cudaMalloc(&c, host_c.size() * sizeof(float));
    cudaMemcpy(c, host_c.data(), host_c.size() * sizeof(float), cudaMemcpyHostToDevice);
    std::vector<float> host_d(256);
    for (int i = 0; i < static_cast<int>(host_d.size()); ++i) host_d[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* d = nullptr;
    cudaMalloc(&d, host_d.size() * sizeof(float));
    cudaMemcpy(d, host_d.data(), host_d.size() * sizeof(float), cudaMemcpyHostToDevice);
    wmma_along_k<<<1, 32>>>(a, b, c, d, 3);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_d.data(), d, host_d.size() * sizeof(float), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_d.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_d.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
    return 0;
}
