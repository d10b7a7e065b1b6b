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

    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) {
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    cudaEvent_t first_done;
    CHECK(cudaEventCreateWithFlags(&first_done, cudaEventDisableTiming));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));

    float* pinned = nullptr;
    CHECK(cudaMallocHost(reinterpret_cast<void**>(&pinned), n * sizeof(float)));

    CHECK(cudaEventRecord(begin, streams[0]));
    saxpy<<<my_cuda_helper_blocks(half_n, kBlock), kBlock, 0, streams[0]>>>(half_n, a, device_x.get(), device_y.get());
    CHECK(cudaEventRecord(first_done, streams[0]));
    CHECK(cudaStreamWaitEvent(streams[1], first_done, 0));
    saxpy<<<my_cuda_helper_blocks(n - half_n, kBlock), kBlock, 0, streams[1]>>>(
        n - half_n, a, device_x.get() + half_n, device_y.get() + half_n);
    CHECK(cudaMemcpyAsync(pinned, device_y.get(), n * sizeof(float), cudaMemcpyDeviceToHost, streams[1]));
    CHECK(cudaStreamSynchronize(streams[1]));
    CHECK(cudaEventRecord(end, streams[0]));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = -1.0f;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    CHECK_LAUNCH();

    bool good = milliseconds >= 0.0f;
    for (int i = 0; i < n; ++i) {
        good = good && near(pinned[i], a * x[i] + y[i]);
    }

    CHECK(cudaFreeHost(pinned));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaEventDestroy(first_done));
    for (cudaStream_t& stream : streams) {
        CHECK(cudaStreamDestroy(stream));
    }
    return good;
}
