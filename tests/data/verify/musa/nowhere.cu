#include <musa_runtime.h>
#include <library_that_is_nowhere.h>

__global__ void beside(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 8.0f * x[i];
}

void library_user(nowhere_handle_t handle, float* x) {
    nowhere_call(handle, x);
}

__global__ void calls_library(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = nowhere_device(x[i]);
}
