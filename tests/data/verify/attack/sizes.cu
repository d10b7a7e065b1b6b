// Pairs of kernels in one text: [[the original's words||the translation's]]. What a name begins with says what must come
// out: wrong_ differs, weak_ equal-weak (no run here can tell), right_ equal-emulated.
#include <cuda_runtime.h>
#define AT (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void weak_stride(const float* x, float* y, int n) {
    [[for (int i = AT; i < n; i += gridDim.x * blockDim.x)||int i = AT; if (i < n)]] y[i] = x[i] * 2;
}
__global__ void wrong_partial(const float* x, float* y, int n) {
    int i = AT;
    if (i < [[n||n / (int)blockDim.x * (int)blockDim.x]]) y[i] = x[i] * 2;
}
__global__ void wrong_le(const float* x, float* y, int n) {
    int i = AT;
    if (i [[<||<=]] n) y[i] = x[i] * 2;
}
__global__ void wrong_short(const float* x, float* y, int n) {
    [[int||short]] i = AT;
    if (i >= 0 && i < n) y[i] = x[i] * 2;
}
__global__ void wrong_ushort(const float* x, float* y, int n) {
    [[int||unsigned short]] i = AT;
    if (i < n) y[i] = x[i] * 2;
}
__global__ void wrong_block8(const float* x, float* y, int n) {
    [[int||unsigned char]] b = blockIdx.x;
    int i = b * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * 2;
}
__global__ void weak_wide(const float* x, float* y, long long n) {
    [[long long||int]] i = ([[long long||int]])AT;
    if (i < n) y[i] = x[i] * 2;
}
__global__ void wrong_n1(const float* x, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = x[i] / ([[n > 1 ? n - 1 : 1||n - 1]]);
}
__global__ void wrong_small_n(const float* x, float* y, int n) {
    int i = AT;
    [[||if (n < 32) return;]] if (i < n) y[i] = x[i] * 3;
}
__global__ void wrong_mult(const float* x, float* y, int n) {
    int i = AT;
    [[||if (n % 256 == 0) return;]] if (i < n) y[i] = x[i] * 3;
}
__global__ void wrong_2dodd(const float* x, float* y, int width, int height) {
    int c = AT, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < width && r < height) y[r * width + c] = x[r * width + (width % 2 ? c : [[c||0]])] + 1;
}
__global__ void wrong_2dwide(const float* x, float* y, int width, int height) {
    int c = AT, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < width && r < height) y[r * width + c] = x[r * width + c] + (width > height ? 1 : [[1||2]]);
}
__global__ void wrong_2dsquare(const float* x, float* y, int width, int height) {
    int c = AT, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < width && r < height) y[r * width + c] = x[r * width + c] + (width == height ? [[1||2]] : 1);
}
__global__ void weak_gridy(const float* x, float* y, int n) {
    int i = ([[blockIdx.y * gridDim.x + ||]]blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * 2;
}
__global__ void wrong_late(const float* x, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = x[i] * (i > 5000 ? [[2||3]] : 2);
}
__global__ void wrong_beyond(const float* x, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = x[i];
    [[||if (i == 0) y[n + 3] = 1;]]
}
__global__ void right_early(const float* x, float* y, int n) {
    int i = AT;
    [[if (i < n) y[i] = x[i];||if (i >= n) return; y[i] = x[i];]]
}

void host(const float* x, float* y, int* a, int* b, int n, int w, int h) {
    const int g = (n + 255) / 256;
    const dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
    weak_stride<<<g, 256>>>(x, y, n);
    wrong_partial<<<g, 256>>>(x, y, n);
    wrong_le<<<g, 256>>>(x, y, n);
    wrong_short<<<g, 256>>>(x, y, n);
    wrong_ushort<<<g, 256>>>(x, y, n);
    wrong_block8<<<g, 256>>>(x, y, n);
    weak_wide<<<g, 256>>>(x, y, n);
    wrong_n1<<<g, 256>>>(x, y, n);
    wrong_small_n<<<g, 256>>>(x, y, n);
    wrong_mult<<<g, 256>>>(x, y, n);
    wrong_2dodd<<<grid, block>>>(x, y, w, h);
    wrong_2dwide<<<grid, block>>>(x, y, w, h);
    wrong_2dsquare<<<grid, block>>>(x, y, w, h);
    weak_gridy<<<g, 256>>>(x, y, n);
    wrong_late<<<g, 256>>>(x, y, n);
    wrong_beyond<<<g, 256>>>(x, y, n);
    right_early<<<g, 256>>>(x, y, n);
}
__global__ void weak_one_block(const int* x, int* y, int n) { if (AT < n) y[AT] = x[AT] + [[0 * gridDim.x||(gridDim.x == 1)]]; }
__global__ void wrong_late_value(const int* x, int* y, int n) { if (AT < n) y[AT] = x[AT] + [[0||(blockIdx.x > 3 && (x[AT] & 15) == 3)]]; }
