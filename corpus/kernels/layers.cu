// Layers of neural networks, written plainly.
#include <cuda_runtime.h>

__global__ void softmax_row(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* in = x + row * columns;
    float* out = y + row * columns;
    float largest = in[0];
    for (int i = 1; i < columns; ++i) largest = fmaxf(largest, in[i]);
    float sum = 0.0f;
    for (int i = 0; i < columns; ++i) {
        out[i] = expf(in[i] - largest);
        sum += out[i];
    }
    for (int i = 0; i < columns; ++i) out[i] /= sum;
}

__global__ void layer_norm(const float* x, const float* gain, const float* bias, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float mean = 0.0f;
    for (int i = 0; i < columns; ++i) mean += x[row * columns + i];
    mean /= columns;
    float spread = 0.0f;
    for (int i = 0; i < columns; ++i) {
        const float off = x[row * columns + i] - mean;
        spread += off * off;
    }
    const float by = rsqrtf(spread / columns + 1e-5f);
    for (int i = 0; i < columns; ++i) y[row * columns + i] = (x[row * columns + i] - mean) * by * gain[i] + bias[i];
}

__global__ void embed(const int* tokens, const float* words, const float* positions, float* out, int count, int length, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count * width) return;
    const int token = i / width, channel = i % width;
    out[i] = words[tokens[token] * width + channel] + positions[token % length * width + channel];
}

__global__ void cross_entropy(const float* probabilities, const int* targets, float* losses, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) losses[row] = -logf(fabsf(probabilities[row * columns + targets[row] % columns]) + 1e-3f);
}

__global__ void adam_step(float* x, const float* slope, float* first, float* second, float rate, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float m = 0.9f * first[i] + 0.1f * slope[i];
    const float v = 0.99f * fabsf(second[i]) + 0.01f * slope[i] * slope[i];
    first[i] = m;
    second[i] = v;
    x[i] -= rate * m / (sqrtf(v) + 1e-4f);
}

void run_layers(const float* a, const float* b, const float* c, float* d, float* e, float* f, const int* t, int rows, int columns, int n) {
    const int blocks = (rows + 63) / 64;
    softmax_row<<<blocks, 64>>>(a, d, rows, columns);
    layer_norm<<<blocks, 64>>>(a, b, c, d, rows, columns);
    embed<<<(rows * columns + 127) / 128, 128>>>(t, a, b, d, rows, 7, columns);
    cross_entropy<<<blocks, 64>>>(a, t, d, rows, columns);
    adam_step<<<(n + 127) / 128, 128>>>(d, a, e, f, 0.01f, n);
}
