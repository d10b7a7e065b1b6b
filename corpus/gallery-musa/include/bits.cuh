#pragma once

// Integer operations spelled in PTX, as the hash was tuned with them on the first card it ran on.

#include <musa_runtime.h>

// a * b + c, low 32 bits
__device__ __forceinline__ unsigned int mad_lo(unsigned int a, unsigned int b, unsigned int c) {
    unsigned int d;
    d = (unsigned int)(a) * (unsigned int)(b) + (unsigned int)(c);
    return d;
}

// eight bits of x from bit 8 up
__device__ __forceinline__ unsigned int second_byte(unsigned int x) {
    unsigned int d;
    d = ((unsigned int)(x) >> 8) & 0xffu;
    return d;
}

__device__ __forceinline__ unsigned int add_wrapped(unsigned int a, unsigned int b) {
    unsigned int d;
    d = (unsigned int)(a) + (unsigned int)(b);
    return d;
}

// x rotated left by 13
__device__ __forceinline__ unsigned int rotate13(unsigned int x) {
    unsigned int d;
    d = ((unsigned int)(x) << 13) | ((unsigned int)(x) >> 19);
    return d;
}
