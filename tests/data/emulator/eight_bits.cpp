// The 8-bit floating types: all 256 codes of both, and the floats at and around every boundary between two codes.
// Prints hexadecimal words; the test has an oracle of its own.
#ifdef __MUSACC__
#include <musa_fp8.h>
#define FP8(name) __mt_fp8##name
#define TO_FP8(x, kind) __musa_cvt_float_to_fp8(x, __MT_SATFINITE, __MT_##kind)
#define TO_TWO(x, kind) __musa_cvt_float2_to_fp8x2(x, __MT_SATFINITE, __MT_##kind)
#define TO_HALF(x, kind) __musa_cvt_fp8_to_halfraw(x, __MT_##kind)
#define TO_HALVES(x, kind) __musa_cvt_fp8x2_to_halfraw2(x, __MT_##kind)
#define FROM_BRAIN(x, kind) __musa_cvt_bfloat16raw_to_fp8(x, __MT_SATFINITE, __MT_##kind)
typedef __mt_bfloat16 bf16;
#else
#include <cuda_fp8.h>
#define FP8(name) __nv_fp8##name
#define TO_FP8(x, kind) __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_##kind)
#define TO_TWO(x, kind) __nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, __NV_##kind)
#define TO_HALF(x, kind) __nv_cvt_fp8_to_halfraw(x, __NV_##kind)
#define TO_HALVES(x, kind) __nv_cvt_fp8x2_to_halfraw2(x, __NV_##kind)
#define FROM_BRAIN(x, kind) __nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, __NV_##kind)
typedef __nv_bfloat16 bf16;
#endif
#include "api.h"
#include <cmath>
#include <cstdio>
#include <cstring>

static unsigned word(float x) {
  unsigned u;
  memcpy(&u, &x, 4);
  return u;
}
#define CODES(kind, KIND)                                                                                              \
  for (unsigned code = 0; code < 256; code++) {                                                                        \
    FP8(_##kind) v;                                                                                                    \
    v.__x = (unsigned char)code;                                                                                       \
    FP8(x2_##kind) two;                                                                                                \
    two.__x = (unsigned short)(code << 8 | (255 - code));                                                              \
    float2 parts = (float2)two;                                                                                        \
    __half2_raw halves = TO_HALVES(two.__x, KIND);                                                                     \
    printf("code %s %02x %08x %04x %08x %08x %04x %04x %d %d\n", #kind, code, word((float)v), TO_HALF(v.__x, KIND).x,  \
           word(parts.x), word(parts.y), halves.x, halves.y, (int)v, (int)(bool)v);                                    \
  }
#define ROUNDED(kind, KIND, x)                                                                                         \
  do {                                                                                                                 \
    float rounded = x;                                                                                                 \
    FP8(_##kind) a(rounded), b((double)rounded), c(-rounded);                                                          \
    FP8(x4_##kind) four(make_float4(rounded, -rounded, 1.0f, rounded));                                                \
    printf("float %s %08x %02x %02x %02x %02x %04x %08x\n", #kind, word(rounded), a.__x, b.__x, c.__x,                 \
           TO_FP8(rounded, KIND), TO_TWO(make_float2(rounded, 2.0f), KIND), four.__x);                                 \
  } while (0)
#define BOUNDARIES(kind, KIND, LARGEST)                                                                                \
  for (unsigned code = 0; code <= LARGEST; code++) {                                                                   \
    FP8(_##kind) low, high;                                                                                            \
    low.__x = (unsigned char)code;                                                                                     \
    high.__x = (unsigned char)(code + 1);                                                                              \
    float top = code == LARGEST ? (KIND##_NEXT) : (float)high, middle = ((float)low + top) / 2;                        \
    ROUNDED(kind, KIND, std::nextafterf(middle, 0));                                                                   \
    ROUNDED(kind, KIND, middle);                                                                                       \
    ROUNDED(kind, KIND, std::nextafterf(middle, INFINITY));                                                            \
  }                                                                                                                    \
  ROUNDED(kind, KIND, INFINITY);                                                                                       \
  ROUNDED(kind, KIND, 1e30f);                                                                                          \
  ROUNDED(kind, KIND, 1e-30f);                                                                                         \
  printf("nan %s %02x\n", #kind, FP8(_##kind)(NAN).__x & 0x7f)
#define E4M3_NEXT 480.0f
#define E5M2_NEXT 65536.0f

__global__ void computes(float* x, unsigned char* p) { p[threadIdx.x] = FP8(_e4m3)(x[threadIdx.x]).__x; }
__global__ void carries(float* x, unsigned char* p) {
  FP8(_e4m3) one;
  one.__x = p[threadIdx.x];
  x[threadIdx.x] = one.__x;
}

int main() {
  float* floats;
  unsigned char* codes;
  API(Malloc)(&floats, 4), API(Malloc)(&codes, 1);
  API(Memset)(floats, 0, 4), API(Memset)(codes, 0, 1);
  LAUNCH(carries, 1, 1, 0, floats, codes);
  printf("device %d", (int)API(DeviceSynchronize)());
  LAUNCH(computes, 1, 1, 0, floats, codes);
  printf(" %d\n", (int)API(DeviceSynchronize)());
  CODES(e4m3, E4M3)
  CODES(e5m2, E5M2)
  BOUNDARIES(e4m3, E4M3, 0x7e);
  BOUNDARIES(e5m2, E5M2, 0x7b);
  // Through the 16-bit types, and from whole numbers.
  for (unsigned h = 0; h < 65536; h += 7) {
    __half half = __ushort_as_half((unsigned short)h);
    bf16 brain = __ushort_as_bfloat16((unsigned short)h);
    bool same = FP8(_e4m3)(half).__x == FP8(_e4m3)((float)half).__x && FP8(_e5m2)(brain).__x == FP8(_e5m2)((float)brain).__x &&
                FROM_BRAIN(brain, E4M3) == FP8(_e4m3)(brain).__x && (float)__half(__half_raw(half)) == (float)half;
    if (!same && !std::isnan((float)half)) printf("differs %04x\n", h);
  }
  printf("whole %02x %02x %02x %02x\n", FP8(_e4m3)(17).__x, FP8(_e4m3)(-500).__x, FP8(_e5m2)(7u).__x, FP8(_e5m2)(1000000LL).__x);
#ifndef __MUSACC__
  for (float x : {464.0f, 464.1f, 1e9f, INFINITY, -INFINITY, 61440.0f, 61439.9f})
    printf("unsaturated %08x %02x %02x %02x\n", word(x), __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3),
           __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2), __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E4M3));
#endif
  puts("done");
}
