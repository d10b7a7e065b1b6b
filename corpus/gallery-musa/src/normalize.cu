#include <musa.h>

#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBlock = 64;

// Divides each row by its length. From CUDA 13 on the compiler no longer merges the divisions, so we do it ourselves.
__global__ void normalize_rows(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float squares = 0.0f;
        for (int i = 0; i < columns; ++i) {
            squares += x[row * columns + i] * x[row * columns + i];
        }
        const float length = sqrtf(squares) + 1.0f;
#if CUDA_VERSION >= 13000
        const float scale = 1.0f / length;
        for (int i = 0; i < columns; ++i) {
            y[row * columns + i] = x[row * columns + i] * scale;
        }
#else
        for (int i = 0; i < columns; ++i) {
            y[row * columns + i] = x[row * columns + i] / length;
        }
#endif
    }
}

bool check_normalize() {
    const int rows = 70, columns = 19;
    const std::vector<float> x = reals(rows * columns, 22);
    const DeviceArray<float> device_x(x);
    DeviceArray<float> device_y(rows * columns);
    normalize_rows<<<my_cuda_helper_blocks(rows, kBlock), kBlock>>>(device_x.get(), device_y.get(), rows, columns);
    CHECK_LAUNCH();

    const std::vector<float> y = device_y.host();
    bool good = true;
    for (int row = 0; row < rows; ++row) {
        float squares = 0.0f;
        for (int i = 0; i < columns; ++i) {
            squares += x[row * columns + i] * x[row * columns + i];
        }
        for (int i = 0; i < columns; ++i) {
            good = good && near(y[row * columns + i], x[row * columns + i] / (std::sqrt(squares) + 1.0f));
        }
    }
    return good;
}
