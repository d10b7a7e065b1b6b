#pragma once

// Integer operations spelled in PTX, as the hash was tuned with them on the first card it ran on.

#include <cuda_runtime.h>

// a * b + c, low 32 bits
__device__ __forceinline__ unsigned int mad_lo(unsigned int a, unsigned int b, unsigned int c) {
    unsigned int d;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

// eight bits of x from bit 8 up
__device__ __forceinline__ unsigned int second_byte(unsigned int x) {
    unsigned int d;
    asm("bfe.u32 %0, %1, 8, 8;" : "=r"(d) : "r"(x));
    return d;
}

__device__ __forceinline__ unsigned int add_wrapped(unsigned int a, unsigned int b) {
    unsigned int d;
    asm volatile("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}

// x rotated left by 13
__device__ __forceinline__ unsigned int rotate13(unsigned int x) {
    unsigned int d;
    asm("shf.l.wrap.b32 %0, %1, %2, 13;" : "=r"(d) : "r"(x), "r"(x));
    return d;
}
