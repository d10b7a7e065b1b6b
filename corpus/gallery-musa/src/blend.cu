#include "blend.cuh"

#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBlock = 256;

bool check_blend() {
    const int n = 1000;
    const int blocks = my_cuda_helper_blocks(n, kBlock);

    const std::vector<float> a = reals(n, 13);
    const std::vector<float> b = reals(n, 14);
    const DeviceArray<float> device_a(a), device_b(b);
    DeviceArray<float> device_out(n);
    blend<float><<<blocks, kBlock>>>(device_a.get(), device_b.get(), device_out.get(), 0.25f, 0.75f, n);

    const std::vector<int> p = integers(n, 15, -999, 999);
    const std::vector<int> q = integers(n, 16, -999, 999);
    const DeviceArray<int> device_p(p), device_q(q);
    DeviceArray<int> device_mixed(n);
    blend<int><<<blocks, kBlock>>>(device_p.get(), device_q.get(), device_mixed.get(), 3, -2, n);
    CHECK_LAUNCH();

    const std::vector<float> out = device_out.host();
    const std::vector<int> mixed = device_mixed.host();
    bool good = true;
    for (int i = 0; i < n; ++i) {
        good = good && near(out[i], 0.25f * a[i] + 0.75f * b[i]);
        good = good && mixed[i] == 3 * p[i] - 2 * q[i];
    }
    return good;
}
