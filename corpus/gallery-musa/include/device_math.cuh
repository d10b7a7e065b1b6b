#pragma once

// Device functions that several kernels share.

#include <musa_runtime.h>

constexpr int kSegment = 32;  // lanes that take part in one shuffle
constexpr unsigned int kFullMask = 0xffffffffu;

// Reads through the read-only cache where there is one.
__device__ __forceinline__ float load_read_only(const float* p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 350
    return __ldg(p);
#else
    return *p;
#endif
}

__device__ __forceinline__ int clamp_index(int i, int size) {
    return i < 0 ? 0 : (i >= size ? size - 1 : i);
}

// The sum over a segment of 32 lanes, in its first lane.
__device__ __forceinline__ int segment_reduce(int value) {
    for (int offset = kSegment / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(kFullMask, value, offset, 32);
    }
    return value;
}
