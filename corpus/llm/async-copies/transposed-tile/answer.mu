#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__global__ void tile_transposed(const float* x, float* y, int side) {
    __shared__ float tile[16][17];
    const int column = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    if (row < side && column < side) tile[threadIdx.y][threadIdx.x] = x[row * side + column];
    __syncthreads();
    const int to_row = blockIdx.x * 16 + threadIdx.y;
    const int to_column = blockIdx.y * 16 + threadIdx.x;
    if (to_row < side && to_column < side) y[to_row * side + to_column] = tile[threadIdx.x][threadIdx.y];
}

int main() {
    std::vector<float> host_x(1600);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(float));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(float), musaMemcpyHostToDevice);
    std::vector<float> host_y(1600);
    for (int i = 0; i < static_cast<int>(host_y.size()); ++i) host_y[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* y = nullptr;
    musaMalloc(&y, host_y.size() * sizeof(float));
    musaMemcpy(y, host_y.data(), host_y.size() * sizeof(float), musaMemcpyHostToDevice);
    tile_transposed<<<dim3(3, 3), dim3(16, 16)>>>(x, y, 40);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_y.data(), y, host_y.size() * sizeof(float), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_y.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_y.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(y);
    return 0;
}
