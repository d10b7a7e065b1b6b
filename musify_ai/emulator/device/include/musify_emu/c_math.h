// The C library's maths, without those names that C23 has in common with the device's: glibc declares them from 2.41
// and 2.42 on, and the device's own are to be the same on every machine.
#pragma once
#define cospi emu_libc_cospi
#define rsqrt emu_libc_rsqrt
#define sinpi emu_libc_sinpi
// What glibc pastes before such a name, in case there is a form for vectors.
#define __DECL_SIMD_emu_libc_cospi
#define __DECL_SIMD_emu_libc_cospif
#define __DECL_SIMD_emu_libc_cospil
#define __DECL_SIMD_emu_libc_cospif16
#define __DECL_SIMD_emu_libc_cospif32
#define __DECL_SIMD_emu_libc_cospif64
#define __DECL_SIMD_emu_libc_cospif128
#define __DECL_SIMD_emu_libc_cospif32x
#define __DECL_SIMD_emu_libc_cospif64x
#define __DECL_SIMD_emu_libc_rsqrt
#define __DECL_SIMD_emu_libc_rsqrtf
#define __DECL_SIMD_emu_libc_rsqrtl
#define __DECL_SIMD_emu_libc_rsqrtf16
#define __DECL_SIMD_emu_libc_rsqrtf32
#define __DECL_SIMD_emu_libc_rsqrtf64
#define __DECL_SIMD_emu_libc_rsqrtf128
#define __DECL_SIMD_emu_libc_rsqrtf32x
#define __DECL_SIMD_emu_libc_rsqrtf64x
#define __DECL_SIMD_emu_libc_sinpi
#define __DECL_SIMD_emu_libc_sinpif
#define __DECL_SIMD_emu_libc_sinpil
#define __DECL_SIMD_emu_libc_sinpif16
#define __DECL_SIMD_emu_libc_sinpif32
#define __DECL_SIMD_emu_libc_sinpif64
#define __DECL_SIMD_emu_libc_sinpif128
#define __DECL_SIMD_emu_libc_sinpif32x
#define __DECL_SIMD_emu_libc_sinpif64x
#include <math.h>
#undef cospi
#undef rsqrt
#undef sinpi
