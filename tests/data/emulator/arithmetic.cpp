// Intrinsics of one thread over fixed operands. Prints "name operands = result"; the test computes each anew.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "api.h"

static unsigned state = 99;
static unsigned next() { return state = state * 1664525u + 1013904223u; }
static unsigned word(float x) { return __float_as_uint(x); }
static long long word(double x) { return __double_as_longlong(x); }

int main() {
  unsigned corners[] = {0, 1, 2, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0x00ff00ff, 0x80018001};
  for (int i = 0; i < 400; i++) {
    unsigned a = i < 100 ? corners[i / 10] : next(), b = i < 100 ? corners[i % 10] : next(), c = next() >> (i % 32);
    int x = (int)a, y = (int)b;
    unsigned long long wide = ((unsigned long long)a << 32) | b, other = ((unsigned long long)c << 32) | a;
    printf("i %u %u %u %llu %llu =", a, b, c, wide, other);
    printf(" %d %d %d %d %d %d", __popc(a), __popcll(wide), __clz(x), __clzll((long long)wide), __ffs(x), __ffsll((long long)wide));
    printf(" %u %llu %d %u %d %u", __brev(a), __brevll(wide), __mul24(x, y), __umul24(a, b), __mulhi(x, y), __umulhi(a, b));
    printf(" %llu %lld %u %u %d %d %u", __umul64hi(wide, other), __mul64hi((long long)wide, (long long)other), __sad(x, y, c), __usad(a, b, c),
           __hadd(x, y), __rhadd(x, y), __uhadd(a, b));
    printf(" %u %u %u %u %u %d %u", __byte_perm(a, b, c), __funnelshift_l(a, b, c), __funnelshift_r(a, b, c), __funnelshift_lc(a, b, c),
           __funnelshift_rc(a, b, c), __dp4a(x, y, (int)c), __dp4a(a, b, c));
    printf(" %d %u %lld\n", min(x, y), max(a, b), (long long)max(x, (long long)y));
  }
  for (int i = 0; i < 400; i++) {
    unsigned u = next(), v = next(), w = next();
    float a, b, c;
    u = (u & 0x8fffffff) | 0x30000000, v = (v & 0x8fffffff) | 0x30000000, w = (w & 0x8fffffff) | 0x30000000;
    memcpy(&a, &u, 4), memcpy(&b, &v, 4), memcpy(&c, &w, 4);
    printf("f %08x %08x %08x =", u, v, w);
    printf(" %08x %08x %08x %08x", word(__fadd_rn(a, b)), word(__fadd_rz(a, b)), word(__fadd_ru(a, b)), word(__fadd_rd(a, b)));
    printf(" %08x %08x %08x %08x", word(__fmul_rn(a, b)), word(__fmul_rz(a, b)), word(__fmul_ru(a, b)), word(__fmul_rd(a, b)));
    printf(" %08x %08x %08x %08x", word(__fdiv_rn(a, b)), word(__fdiv_rz(a, b)), word(__fdiv_ru(a, b)), word(__fdiv_rd(a, b)));
    printf(" %08x %08x %08x %08x\n", word(__fmaf_rn(a, b, c)), word(__fmaf_rz(a, b, c)), word(__fmaf_ru(a, b, c)), word(__fmaf_rd(a, b, c)));
  }
  for (float x : {0.0f, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.7f, 1e9f, 3e9f, -3e9f, 5e9f, 1e20f, -1e20f, 16777217.0f, INFINITY, -INFINITY, NAN})
    printf("c %08x = %d %d %d %d %u %u %lld %llu\n", word(x), __float2int_rn(x), __float2int_rz(x), __float2int_ru(x), __float2int_rd(x),
           __float2uint_rn(x), __float2uint_rz(x), __float2ll_rz(x), __float2ull_rn(x));
  for (int x : {16777217, 16777219, -16777217, 2147483647, 0, 5})
    printf("n %d = %08x %08x %08x %08x\n", x, word(__int2float_rn(x)), word(__int2float_rz(x)), word(__int2float_ru(x)), word(__int2float_rd(x)));
  printf("b %d %d\n", __double2hiint(__hiloint2double(0x40091234, (int)0x87654321)), __double2loint(__hiloint2double(0x40091234, (int)0x87654321)));
  printf("s %g %g %g %g %g\n", __saturatef(-1), __saturatef(2), __saturatef(0.25f), __saturatef(NAN), __fdividef(1, 4));
  printf("m %g %g %g %g %d\n", min(1, 2.5f), max(NAN, 3.0f), max(2.0, 1.0f), min(-0.5, 1), (int)(max(1u, 2) == 2u));
  printf("g %g %g %d %d %g %d\n", abs(-2.5f), abs(-2.5), (int)abs(-3), signbit(-1.0f) && isnan(NAN) && !isinf(1.0), pow(2.0f, 3.0f),
         (int)sizeof(exp(1.0f)));
  printf("t %d %d %d %d %d %d %d %d\n", (int)sizeof(float3), (int)alignof(float4), (int)sizeof(double3), (int)alignof(double2), (int)sizeof(uchar4),
         (int)alignof(short4), (int)alignof(longlong2), (int)sizeof(uint3));
}
