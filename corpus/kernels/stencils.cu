// A cell and its neighbours.
#include <cuda_runtime.h>

__constant__ float weights[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};

__global__ void smooth(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int tap = 0; tap < 5; ++tap) {
        int at = i + tap - 2;
        at = at < 0 ? 0 : (at > n - 1 ? n - 1 : at);
        sum += weights[tap] * in[at];
    }
    out[i] = sum;
}

__global__ void heat_step(const float* in, float* out, float rate, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int at = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        out[at] = in[at];
        return;
    }
    out[at] = in[at] + rate * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] - 4.0f * in[at]);
}

// Neighbours through shared memory, with a halo of one.
__global__ void difference_shared(const float* in, float* out, int n) {
    __shared__ float near[130];
    const int t = threadIdx.x + 1;
    const int i = blockIdx.x * 128 + threadIdx.x;
    near[t] = i < n ? in[i] : 0.0f;
    if (threadIdx.x == 0) near[0] = i > 0 && i - 1 < n ? in[i - 1] : 0.0f;
    if (threadIdx.x == 127) near[129] = i + 1 < n ? in[i + 1] : 0.0f;
    __syncthreads();
    if (i < n) out[i] = near[t + 1] - near[t - 1];
}

__global__ void life(const int* in, int* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            const int nx = (x + dx + width) % width;
            const int ny = (y + dy + height) % height;
            alive += in[ny * width + nx] & 1;
        }
    }
    const int here = in[y * width + x] & 1;
    out[y * width + x] = alive == 3 || (here == 1 && alive == 2) ? 1 : 0;
}

__global__ void pool_max(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int w = width / 2, h = height / 2;
    if (x >= w || y >= h) return;
    const float* at = in + 2 * y * width + 2 * x;
    out[y * w + x] = fmaxf(fmaxf(at[0], at[1]), fmaxf(at[width], at[width + 1]));
}

void run_stencils(const float* a, float* b, const int* c, int* d, int n, int width, int height) {
    const dim3 tile(16, 8);
    const dim3 grid((width + 15) / 16, (height + 7) / 8);
    smooth<<<(n + 127) / 128, 128>>>(a, b, n);
    heat_step<<<grid, tile>>>(a, b, 0.1f, width, height);
    difference_shared<<<(n + 127) / 128, 128>>>(a, b, n);
    life<<<grid, tile>>>(c, d, width, height);
    pool_max<<<grid, tile>>>(a, b, width, height);
}
