#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale_row(float* row, int length, float by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) row[i] *= by;
}

__global__ void scale_rows(const int* lengths, float* x, int rows, int stride) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        const int length = lengths[row] & 15;
        const float by = 0.5f * row + 2.0f;
        for (int i = 0; i < length; ++i) x[row * stride + i] *= by;
    }
}

int main() {
    std::vector<int> host_lengths(40);
    for (int i = 0; i < static_cast<int>(host_lengths.size()); ++i) host_lengths[i] = i * 7 + 3;
    int* lengths = nullptr;
    musaMalloc(&lengths, host_lengths.size() * sizeof(int));
    musaMemcpy(lengths, host_lengths.data(), host_lengths.size() * sizeof(int), musaMemcpyHostToDevice);
    std::vector<float> host_x(640);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(float));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(float), musaMemcpyHostToDevice);
    scale_rows<<<2, 32>>>(lengths, x, 40, 16);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_x.data(), x, host_x.size() * sizeof(float), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_x.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_x.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(lengths);
    musaFree(x);
    return 0;
}
