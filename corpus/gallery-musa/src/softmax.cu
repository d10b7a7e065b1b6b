#include <musa_fp16.h>

#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBlock = 128;

// A row for each block. Input and output are half, everything between is float.
__global__ void softmax_rows(const half* x, half* y, int rows, int columns) {
    __shared__ float work[kBlock];
    const int row = blockIdx.x;
    const int t = threadIdx.x;
    if (row >= rows) {
        return;
    }
    x += row * columns;
    y += row * columns;

    float largest = -65504.0f;
    for (int i = t; i < columns; i += kBlock) {
        largest = fmaxf(largest, __half2float(x[i]));
    }
    work[t] = largest;
    __syncthreads();
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        if (t < stride) {
            work[t] = fmaxf(work[t], work[t + stride]);
        }
        __syncthreads();
    }
    largest = work[0];
    __syncthreads();

    float sum = 0.0f;
    for (int i = t; i < columns; i += kBlock) {
        sum += __expf(__half2float(x[i]) - largest);
    }
    work[t] = sum;
    __syncthreads();
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        if (t < stride) {
            work[t] += work[t + stride];
        }
        __syncthreads();
    }

    const float scale = 1.0f / work[0];
    for (int i = t; i < columns; i += kBlock) {
        y[i] = __float2half(__expf(__half2float(x[i]) - largest) * scale);
    }
}

bool check_softmax() {
    const int rows = 7, columns = 203;
    const std::vector<float> x = reals(rows * columns, 8, -4.0f, 4.0f);
    std::vector<half> half_x(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        half_x[i] = __float2half(x[i]);
    }
    const DeviceArray<half> device_x(half_x);
    DeviceArray<half> device_y(x.size());

    softmax_rows<<<rows, kBlock>>>(device_x.get(), device_y.get(), rows, columns);
    CHECK_LAUNCH();

    const std::vector<half> y = device_y.host();
    bool good = true;
    for (int row = 0; row < rows; ++row) {
        double sum = 0.0;
        for (int i = 0; i < columns; ++i) {
            sum += std::exp(static_cast<double>(__half2float(half_x[row * columns + i])));
        }
        for (int i = 0; i < columns; ++i) {
            const double want = std::exp(static_cast<double>(__half2float(half_x[row * columns + i]))) / sum;
            good = good && std::fabs(__half2float(y[row * columns + i]) - want) <= 2e-3 * want + 1e-6;
        }
    }
    return good;
}
