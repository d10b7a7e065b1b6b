// Conversions and arithmetic of the 16-bit types. Every half value, the floats around every rounding boundary, and a
// fixed set of operands. Prints hexadecimal words; the test has oracles of its own.
#ifdef __MUSACC__
#include <musa_bf16.h>
#include <musa_fp16.h>
typedef __mt_bfloat16 bf16;
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef __nv_bfloat16 bf16;
#endif
#include <cmath>
#include <cstdio>
#include <cstring>

static unsigned word(float x) {
  unsigned u;
  memcpy(&u, &x, 4);
  return u;
}
static bf16 brain(unsigned bits) { return __ushort_as_bfloat16((unsigned short)bits); }
static unsigned bits(__half h) { return __half_as_ushort(h); }
static unsigned bits(bf16 h) { return __bfloat16_as_ushort(h); }
static bool finite_half(unsigned h) { return (h & 0x7c00) != 0x7c00; }

static unsigned state = 12345;
static unsigned next() { return state = state * 1664525u + 1013904223u; }
template <class T, class Make> void arithmetic(const char* name, Make make) {
  for (int i = 0; i < 5000; i++) {
    unsigned a = next() >> 16, b = next() >> 16, c = next() >> 16;
    T x = make(a), y = make(b), z = make(c);
    T sum = x;
    sum += y;
    printf("%s %04x %04x %04x %04x %04x %04x %04x %04x %d%d%d\n", name, a, b, c, bits(x + y), bits(x - y), bits(x * y), bits(x / y),
           bits(__hfma(x, y, z)), (int)(x < y), (int)__heq(x, y), (int)(bits(sum) == bits(__hadd(x, y))));
  }
}

int main() {
  for (unsigned h = 0; h < 65536; h++) printf("decode %04x %08x %08x\n", h, word(__half2float(__ushort_as_half(h))), word(__bfloat162float(brain(h))));
  for (unsigned h = 0; h < 0x7bff; h++) {
    float low = __half2float(__ushort_as_half(h)), high = __half2float(__ushort_as_half(h + 1)), middle = (low + high) / 2;
    for (float x : {std::nextafterf(middle, 0), middle, std::nextafterf(middle, INFINITY)})
      printf("half %08x %04x %04x\n", word(x), bits(__float2half(x)), bits(__float2half(-x)));
  }
  for (float x : {65504.0f, 65519.996f, 65520.0f, 65536.0f, 1e30f, INFINITY, 5.9604645e-8f, 2.9802322e-8f, 2.9802326e-8f, 1e-30f, 0.0f})
    printf("half %08x %04x %04x\n", word(x), bits(__float2half(x)), bits(__float2half(-x)));
  printf("nan %d %d\n", __hisnan(__float2half(NAN)), __hisnan(__float2bfloat16(NAN)));
  for (unsigned h = 0x3c00; h < 0x3c40; h++) {
    double middle = ((double)__half2float(__ushort_as_half(h)) + __half2float(__ushort_as_half(h + 1))) / 2;
    printf("double %04x %04x %04x\n", h, bits(__double2half(middle + 1e-13)), bits(__double2half(middle - 1e-13)));
  }
  for (int i = 0; i < 4000; i++) {
    float x = std::ldexp((float)(next() >> 8), (int)(next() >> 16) % 40 - 40) * (next() >> 31 ? 1 : -1);
    printf("directed %08x %04x %04x %04x\n", word(x), bits(__float2half_rz(x)), bits(__float2half_ru(x)), bits(__float2half_rd(x)));
  }
  for (int i = 0; i < 5000; i++) {
    unsigned u = next();
    float x;
    memcpy(&x, &u, 4);
    if (x == x) printf("brain %08x %04x %04x\n", u, bits(__float2bfloat16(x)), bits(__float2bfloat16_rz(x)));
  }
  for (int i = -70000; i < 70000; i += 37) printf("integer %d %04x\n", i, bits(__int2half_rn(i)));
  for (unsigned h = 0; h < 0x7c00; h += 13) printf("to_integer %04x %d %d\n", h, __half2int_rn(__ushort_as_half(h)), __half2int_rz(__ushort_as_half(h | 0x8000)));
  arithmetic<__half>("half_op", [](unsigned u) { return __ushort_as_half((unsigned short)u); });
  arithmetic<bf16>("brain_op", [](unsigned u) { return brain(u); });
  __half2 p = __floats2half2_rn(1.5f, -2.0f), q = __half2half2(__float2half(3.0f));
  float2 r = __half22float2(__hfma2(p, q, __hadd2(p, q)));
  printf("pair %g %g %d\n", r.x, r.y, (int)sizeof(__half2));
}
