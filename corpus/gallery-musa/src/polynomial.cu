#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBlock = 128;
constexpr int kGroup = 16;  // elements that share a scale

// Both branches mean q * scale + zero; the first rounds once, the second twice.
__global__ void dequantize(const signed char* q, const float* scales, float* out, float zero, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float value = static_cast<float>(q[i]);
        const float scale = scales[i / kGroup];
#if defined(__MUSA_ARCH__) && __MUSA_ARCH__ >= 220
        out[i] = fmaf(value, scale, zero);
#else
        const float product = value * scale;
        out[i] = product + zero;
#endif
    }
}

// c0 + c1 x + c2 x^2 + c3 x^3, in the order that suits the card
__device__ float evaluate(float x, float c0, float c1, float c2, float c3) {
#if __MUSA_ARCH__ >= 310
    return fmaf(fmaf(fmaf(c3, x, c2), x, c1), x, c0);
#elif __MUSA_ARCH__ >= 220
    const float low = fmaf(c1, x, c0);
    const float high = fmaf(c3, x, c2);
    return fmaf(high, x * x, low);
#else
    return ((c3 * x + c2) * x + c1) * x + c0;
#endif
}

__global__ void polynomial(const float* x, float* y, float c0, float c1, float c2, float c3, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = evaluate(x[i], c0, c1, c2, c3);
    }
}

bool check_polynomial() {
    const int n = 1000;
    const int blocks = my_cuda_helper_blocks(n, kBlock);
    std::vector<signed char> q(n);
    Sequence sequence(19);
    for (signed char& value : q) {
        value = static_cast<signed char>(sequence.integer(-127, 127));
    }
    const std::vector<float> scales = reals(my_cuda_helper_blocks(n, kGroup), 20, 0.01f, 0.1f);
    const DeviceArray<signed char> device_q(q);
    const DeviceArray<float> device_scales(scales);
    DeviceArray<float> device_out(n);
    dequantize<<<blocks, kBlock>>>(device_q.get(), device_scales.get(), device_out.get(), -0.7f, n);

    const std::vector<float> x = reals(n, 21);
    const DeviceArray<float> device_x(x);
    DeviceArray<float> device_y(n);
    polynomial<<<blocks, kBlock>>>(device_x.get(), device_y.get(), 0.3f, -1.7f, 0.9f, 2.1f, n);
    CHECK_LAUNCH();

    const std::vector<float> out = device_out.host();
    const std::vector<float> y = device_y.host();
    bool good = true;
    for (int i = 0; i < n; ++i) {
        good = good && near(out[i], q[i] * scales[i / kGroup] - 0.7f);
        good = good && near(y[i], ((2.1f * x[i] + 0.9f) * x[i] - 1.7f) * x[i] + 0.3f);
    }
    return good;
}
