// Every arithmetic function and conversion with a rounding in its name: "name result operand ...", in hexadecimal. The
// test rounds exact fractions itself.
#include "api.h"

#ifdef __MUSACC__
#include <musa_bf16.h>
#include <musa_fp16.h>
typedef __mt_bfloat16 bf16;
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef __nv_bfloat16 bf16;
#endif

static void show(double v) { printf(" %a", v); }
static void show(float v) { printf(" %a", v); }
static void show(__half v) { printf(" %a", __half2float(v)); }
static void show(bf16 v) { printf(" %a", __bfloat162float(v)); }
template <class I, class = std::enable_if_t<std::is_integral<I>::value>>
static void show(I v) { std::is_signed<I>::value ? printf(" %lld", (long long)v) : printf(" %llu", (unsigned long long)v); }
template <class... T>
static void say(const char* name, T... values) {
  printf("%s", name);
  int all[] = {(show(values), 0)...};
  (void)all;
  printf("\n");
}

#define SAY1(F, a) say(#F, F(a), a);
#define SAY2(F, a, b) say(#F, F(a, b), a, b);
#define SAY3(F, a, b, c) say(#F, F(a, b, c), a, b, c);
// The 64-bit ones have two on MUSA.
#ifdef __MUSACC__
#define WIDE(F, v) SAY1(F##_rn, v) SAY1(F##_rz, v)
#else
#define WIDE(F, v) MODES(SAY1, F, v)
#endif
#define MODES(SAY, F, ...) SAY(F##_rn, __VA_ARGS__) SAY(F##_rz, __VA_ARGS__) SAY(F##_ru, __VA_ARGS__) SAY(F##_rd, __VA_ARGS__)

int main() {
  const double doubles[] = {1.0, -1.0, 3.0, 0.1, -0.7, 1e10, -123456.789, 1.0 + 0x1p-52};
  for (double a : doubles)
    for (double b : doubles) {
      MODES(SAY2, __dadd, a, b) MODES(SAY2, __dsub, a, b) MODES(SAY2, __dmul, a, b) MODES(SAY2, __ddiv, a, b)
      MODES(SAY3, __fma, a, b, 0.3)
      float x = (float)a, y = (float)b;
      MODES(SAY2, __fadd, x, y) MODES(SAY2, __fsub, x, y) MODES(SAY2, __fmul, x, y) MODES(SAY2, __fdiv, x, y)
      MODES(SAY3, __fmaf, x, y, 0.3f)
      SAY2(fdividef, x, y)
    }
  for (double a : {1.0, 2.0, 3.0, 0.1, 1e10, 4.0, 0.25, 1.0 + 0x1p-52}) {
    float x = (float)a;
    MODES(SAY1, __drcp, a) MODES(SAY1, __dsqrt, a) MODES(SAY1, __frcp, x) MODES(SAY1, __fsqrt, x)
    SAY1(__frsqrt_rn, x)
  }
  for (double a : {0.0, 0.5, 1.5, 2.5, 0.4999, 100.75, 2147.5, 30000.51}) {
    for (double v : {a, -a}) {
      float x = (float)v;
      MODES(SAY1, __double2int, v) MODES(SAY1, __double2ll, v) MODES(SAY1, __float2int, x) MODES(SAY1, __float2ll, x)
      __half h = __float2half_rn(x);
      bf16 b = __float2bfloat16_rn(x);
      SAY1(__half2int_rn, h) SAY1(__half2int_rz, h) SAY1(__half2short_rn, h) SAY1(__half2ll_rn, h)
      SAY1(__bfloat162int_rn, b) SAY1(__bfloat162int_rz, b)
#ifndef __MUSACC__
      SAY1(__half2int_ru, h) SAY1(__half2int_rd, h) SAY1(__half2short_rz, h) SAY1(__half2ll_rz, h)
      SAY1(__bfloat162short_rn, b) SAY1(__bfloat162ll_rn, b)
#endif
    }
    float x = (float)a;
    MODES(SAY1, __double2uint, a) MODES(SAY1, __double2ull, a) MODES(SAY1, __float2uint, x) MODES(SAY1, __float2ull, x)
    __half h = __float2half_rn(x);
    bf16 b = __float2bfloat16_rn(x);
    SAY1(__half2uint_rn, h) SAY1(__half2uint_rz, h) SAY1(__half2ushort_rn, h) SAY1(__half2ull_rn, h)
    SAY1(__bfloat162uint_rn, b) SAY1(__bfloat162uint_rz, b)
#ifndef __MUSACC__
    SAY1(__half2uint_ru, h) SAY1(__half2uint_rd, h) SAY1(__half2ushort_rz, h) SAY1(__half2ull_rz, h)
    SAY1(__bfloat162ushort_rn, b) SAY1(__bfloat162ull_rn, b)
#endif
  }
  for (double v : {0.1, -0.1, 1.0 + 0x1p-24, 3.14159265358979, -1e-3, 65504.0, 1000.3}) {
    float x = (float)v;
    MODES(SAY1, __double2float, v)
    MODES(SAY1, __float2half, x)
    SAY1(__float2bfloat16_rn, x) SAY1(__float2bfloat16_rz, x)
    SAY1(__double2half, v) SAY1(__double2bfloat16, v)
#ifndef __MUSACC__
    SAY1(__float2bfloat16_ru, x) SAY1(__float2bfloat16_rd, x)
#endif
  }
  for (long long v : {0ll, 1ll, -1ll, 2049ll, -2051ll, 4099ll, 16777217ll, -33554435ll, 9007199254740993ll, -4611686018427387905ll}) {
    WIDE(__ll2float, v)
    WIDE(__ll2double, v)
    if (v == (int)v) {
      int i = (int)v;
      MODES(SAY1, __int2float, i)
      SAY1(__int2double_rn, i)
    }
    if (v == (short)v) {
      short s = (short)v;
      int i = s;
      SAY1(__int2half_rn, i) SAY1(__int2half_rz, i) SAY1(__short2half_rn, s) SAY1(__ll2half_rn, v) SAY1(__int2bfloat16_rn, i)
#ifndef __MUSACC__
      SAY1(__int2half_ru, i) SAY1(__int2half_rd, i) SAY1(__short2half_rz, s) SAY1(__ll2half_rz, v)
      SAY1(__int2bfloat16_rz, i) SAY1(__short2bfloat16_rn, s) SAY1(__ll2bfloat16_rn, v)
#endif
    }
    if (v < 0) continue;
    unsigned long long w = v;
    WIDE(__ull2float, w)
    WIDE(__ull2double, w)
    if (w == (unsigned)w) {
      unsigned u = (unsigned)w;
      MODES(SAY1, __uint2float, u)
      SAY1(__uint2double_rn, u)
    }
    if (w == (unsigned short)w) {
      unsigned short s = (unsigned short)w;
      unsigned u = s;
      SAY1(__uint2half_rn, u) SAY1(__uint2half_rz, u) SAY1(__ushort2half_rn, s) SAY1(__ull2half_rn, w) SAY1(__uint2bfloat16_rn, u)
#ifndef __MUSACC__
      SAY1(__uint2half_ru, u) SAY1(__uint2half_rd, u) SAY1(__ushort2half_rz, s) SAY1(__ull2half_rz, w)
      SAY1(__uint2bfloat16_rz, u) SAY1(__ushort2bfloat16_rn, s) SAY1(__ull2bfloat16_rn, w)
#endif
    }
  }
  puts("done");
}
