#pragma once

#include <musa_runtime.h>

// out = wa * a + wb * b
template <typename T>
__global__ void blend(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ out, T wa, T wb, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = wa * a[i] + wb * b[i];
    }
}
