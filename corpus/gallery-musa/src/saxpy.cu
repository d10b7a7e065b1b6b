// saxpy on two streams. This file was last saved by an editor on Windows.
#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBlock = 256;

__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

bool check_saxpy() {
    const int n = 1000;
    const int half_n = n / 2;
    const float a = 1.5f;
    const std::vector<float> x = reals(n, 1);
    const std::vector<float> y = reals(n, 2);
    const DeviceArray<float> device_x(x);
    DeviceArray<float> device_y(y);

    musaStream_t streams[2];
    for (musaStream_t& stream : streams) {
        CHECK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
    }
    musaEvent_t first_done;
    CHECK(musaEventCreateWithFlags(&first_done, musaEventDisableTiming));
    musaEvent_t begin, end;
    CHECK(musaEventCreate(&begin));
    CHECK(musaEventCreate(&end));

    float* pinned = nullptr;
    CHECK(musaMallocHost(reinterpret_cast<void**>(&pinned), n * sizeof(float)));

    CHECK(musaEventRecord(begin, streams[0]));
    saxpy<<<my_cuda_helper_blocks(half_n, kBlock), kBlock, 0, streams[0]>>>(half_n, a, device_x.get(), device_y.get());
    CHECK(musaEventRecord(first_done, streams[0]));
    CHECK(musaStreamWaitEvent(streams[1], first_done, 0));
    saxpy<<<my_cuda_helper_blocks(n - half_n, kBlock), kBlock, 0, streams[1]>>>(
        n - half_n, a, device_x.get() + half_n, device_y.get() + half_n);
    CHECK(musaMemcpyAsync(pinned, device_y.get(), n * sizeof(float), musaMemcpyDeviceToHost, streams[1]));
    CHECK(musaStreamSynchronize(streams[1]));
    CHECK(musaEventRecord(end, streams[0]));
    CHECK(musaEventSynchronize(end));
    float milliseconds = -1.0f;
    CHECK(musaEventElapsedTime(&milliseconds, begin, end));
    CHECK_LAUNCH();

    bool good = milliseconds >= 0.0f;
    for (int i = 0; i < n; ++i) {
        good = good && near(pinned[i], a * x[i] + y[i]);
    }

    CHECK(musaFreeHost(pinned));
    CHECK(musaEventDestroy(begin));
    CHECK(musaEventDestroy(end));
    CHECK(musaEventDestroy(first_done));
    for (musaStream_t& stream : streams) {
        CHECK(musaStreamDestroy(stream));
    }
    return good;
}
