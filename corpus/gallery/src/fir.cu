#include "checks.h"
#include "cuda_utils.cuh"
#include "device_math.cuh"

constexpr int kTaps = 5;
constexpr int kBlock = 128;

__constant__ float c_taps[kTaps] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f};

// A filter of five taps; past the ends the signal keeps its last value.
__global__ void fir(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (int tap = 0; tap < kTaps; ++tap) {
            sum += c_taps[tap] * load_read_only(&x[clamp_index(i + tap - kTaps / 2, n)]);
        }
        y[i] = sum;
    }
}

bool check_fir() {
    const int n = 1000;
    const float taps[kTaps] = {0.1f, -0.3f, 0.8f, 0.35f, 0.05f};
    CHECK(cudaMemcpyToSymbol(c_taps, taps, sizeof(taps)));
    float stored[kTaps] = {};
    CHECK(cudaMemcpyFromSymbol(stored, c_taps, sizeof(stored)));

    const std::vector<float> x = reals(n, 17);
    const DeviceArray<float> device_x(x);
    DeviceArray<float> device_y(n);
    fir<<<my_cuda_helper_blocks(n, kBlock), kBlock>>>(device_x.get(), device_y.get(), n);
    CHECK_LAUNCH();

    bool good = true;
    for (int tap = 0; tap < kTaps; ++tap) {
        good = good && stored[tap] == taps[tap];
    }
    const std::vector<float> y = device_y.host();
    for (int i = 0; i < n; ++i) {
        float sum = 0.0f;
        for (int tap = 0; tap < kTaps; ++tap) {
            const int from = i + tap - kTaps / 2;
            sum += taps[tap] * x[from < 0 ? 0 : (from >= n ? n - 1 : from)];
        }
        good = good && near(y[i], sum);
    }
    return good;
}
