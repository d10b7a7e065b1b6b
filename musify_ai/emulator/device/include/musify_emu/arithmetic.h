// Device functions of one thread: integer intrinsics, type punning, rounding variants, fast maths, cached loads.
#pragma once
#include <cfenv>
#include <cfloat>
#include <climits>
#include <cmath>

#include "builtins.h"

namespace emu {
namespace device {

template <class D, class S>
EMU_INLINE D bits(S s) {
  static_assert(sizeof(D) == sizeof(S), "the same bits");
  D d;
  memcpy(&d, &s, sizeof d);
  return d;
}

// ---- min and max: exact types first (they win over std::min under `using namespace std`), then mixed ones
#define EMU_MINMAX(T)                                                                                                \
  EMU_INLINE constexpr T min(T a, T b) { return b < a ? b : a; }                                                     \
  EMU_INLINE constexpr T max(T a, T b) { return a < b ? b : a; }
EMU_MINMAX(int)
EMU_MINMAX(unsigned)
EMU_MINMAX(long)
EMU_MINMAX(unsigned long)
EMU_MINMAX(long long)
EMU_MINMAX(unsigned long long)
EMU_INLINE float min(float a, float b) { return ::fminf(a, b); }
EMU_INLINE float max(float a, float b) { return ::fmaxf(a, b); }
EMU_INLINE double min(double a, double b) { return ::fmin(a, b); }
EMU_INLINE double max(double a, double b) { return ::fmax(a, b); }
template <class A, class B>
using mixed = std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value && !std::is_same<A, B>::value,
                               std::common_type_t<A, B>>;
template <class A, class B>
EMU_INLINE mixed<A, B> min(A a, B b) {
  using R = std::common_type_t<A, B>;
  return device::min(static_cast<R>(a), static_cast<R>(b));
}
template <class A, class B>
EMU_INLINE mixed<A, B> max(A a, B b) {
  using R = std::common_type_t<A, B>;
  return device::max(static_cast<R>(a), static_cast<R>(b));
}
EMU_INLINE unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
EMU_INLINE unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
EMU_INLINE long long llmin(long long a, long long b) { return b < a ? b : a; }
EMU_INLINE long long llmax(long long a, long long b) { return a < b ? b : a; }
EMU_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
EMU_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

// ---- bits and integers
EMU_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
EMU_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
EMU_INLINE int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
EMU_INLINE int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
EMU_INLINE int __ffs(int x) { return __builtin_ffs(x); }
EMU_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
EMU_INLINE unsigned long long __brevll(unsigned long long x) {
  unsigned long long r = 0;
  for (int i = 0; i < 64; i++, x >>= 1) r = (r << 1) | (x & 1);
  return r;
}
EMU_INLINE unsigned __brev(unsigned x) { return static_cast<unsigned>(__brevll(x) >> 32); }
EMU_INLINE int __mul24(int a, int b) {
  auto low = [](int v) { return static_cast<int>(static_cast<unsigned>(v) << 8) >> 8; };
  return static_cast<int>(static_cast<unsigned>(low(a)) * static_cast<unsigned>(low(b)));
}
EMU_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
EMU_INLINE int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
EMU_INLINE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
EMU_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
EMU_INLINE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
EMU_INLINE unsigned __sad(int a, int b, unsigned c) {
  return c + (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b) : static_cast<unsigned>(b) - static_cast<unsigned>(a));
}
EMU_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
EMU_INLINE int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
EMU_INLINE int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
EMU_INLINE unsigned __uhadd(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1); }
EMU_INLINE unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
EMU_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned long long both = (static_cast<unsigned long long>(b) << 32) | a;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) {
    unsigned s = selector >> (4 * i) & 0xf, byte = static_cast<unsigned>(both >> (8 * (s & 7))) & 0xff;
    if (s & 8) byte = byte & 0x80 ? 0xff : 0;  // the sign, replicated
    r |= byte << (8 * i);
  }
  return r;
}
EMU_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned s) {
  s &= 31;
  return s ? (high << s) | (low >> (32 - s)) : high;
}
EMU_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned s) {
  s &= 31;
  return s ? (low >> s) | (high << (32 - s)) : low;
}
EMU_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned s) {
  return s >= 32 ? low : __funnelshift_l(low, high, s);
}
EMU_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned s) {
  return s >= 32 ? high : __funnelshift_r(low, high, s);
}
EMU_INLINE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; i++)
    c = static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(static_cast<signed char>(a >> (8 * i)) * static_cast<signed char>(b >> (8 * i))));
  return c;
}
EMU_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; i++) c += (a >> (8 * i) & 0xff) * (b >> (8 * i) & 0xff);
  return c;
}

// ---- the same bits as another type
EMU_INLINE int __float_as_int(float x) { return bits<int>(x); }
EMU_INLINE unsigned __float_as_uint(float x) { return bits<unsigned>(x); }
EMU_INLINE float __int_as_float(int x) { return bits<float>(x); }
EMU_INLINE float __uint_as_float(unsigned x) { return bits<float>(x); }
EMU_INLINE long long __double_as_longlong(double x) { return bits<long long>(x); }
EMU_INLINE double __longlong_as_double(long long x) { return bits<double>(x); }
EMU_INLINE int __double2hiint(double x) { return static_cast<int>(bits<long long>(x) >> 32); }
EMU_INLINE int __double2loint(double x) { return static_cast<int>(bits<long long>(x)); }
EMU_INLINE double __hiloint2double(int high, int low) {
  return bits<double>((static_cast<long long>(high) << 32) | static_cast<unsigned>(low));
}

// ---- rounding. A directed result is one computed in the processor's own rounding mode.
struct Rounding {
  int before;
  explicit Rounding(int mode) : before(fegetround()) { fesetround(mode); }
  ~Rounding() { fesetround(before); }
};
template <class T>
__attribute__((noinline)) T rounded(int mode, char operation, T a, T b, T c) {
  Rounding rounding(mode);
  volatile T x = a, y = b, z = c, r;  // volatile: not to be computed before, or after, in another mode
  switch (operation) {
    case '+': r = x + y; break;
    case '-': r = x - y; break;
    case '*': r = x * y; break;
    case '/': r = x / y; break;
    case 'q': r = std::sqrt(x); break;
    default: r = std::fma(x, y, z);
  }
  return r;
}
#define EMU_ROUNDED(T, P, B, SUFFIX, MODE)                                                                        \
  EMU_INLINE T __##P##add_##SUFFIX(T a, T b) { return rounded<T>(MODE, '+', a, b, 0); }                              \
  EMU_INLINE T __##P##sub_##SUFFIX(T a, T b) { return rounded<T>(MODE, '-', a, b, 0); }                              \
  EMU_INLINE T __##P##mul_##SUFFIX(T a, T b) { return rounded<T>(MODE, '*', a, b, 0); }                              \
  EMU_INLINE T __##P##div_##SUFFIX(T a, T b) { return rounded<T>(MODE, '/', a, b, 0); }                              \
  EMU_INLINE T __##P##rcp_##SUFFIX(T a) { return rounded<T>(MODE, '/', 1, a, 0); }                                   \
  EMU_INLINE T __##P##sqrt_##SUFFIX(T a) { return rounded<T>(MODE, 'q', a, 0, 0); }                                  \
  EMU_INLINE T __##B##_##SUFFIX(T a, T b, T c) { return rounded<T>(MODE, 'f', a, b, c); }
EMU_ROUNDED(float, f, fmaf, rz, FE_TOWARDZERO)
EMU_ROUNDED(float, f, fmaf, ru, FE_UPWARD)
EMU_ROUNDED(float, f, fmaf, rd, FE_DOWNWARD)
EMU_ROUNDED(double, d, fma, rz, FE_TOWARDZERO)
EMU_ROUNDED(double, d, fma, ru, FE_UPWARD)
EMU_ROUNDED(double, d, fma, rd, FE_DOWNWARD)
#define EMU_NEAREST(T, P, F, SQRT, FMA)                                                                              \
  EMU_INLINE T __##P##add_rn(T a, T b) { return a + b; }                                                             \
  EMU_INLINE T __##P##sub_rn(T a, T b) { return a - b; }                                                             \
  EMU_INLINE T __##P##mul_rn(T a, T b) { return a * b; }                                                             \
  EMU_INLINE T __##P##div_rn(T a, T b) { return a / b; }                                                             \
  EMU_INLINE T __##P##rcp_rn(T a) { return 1 / a; }                                                                  \
  EMU_INLINE T __##P##sqrt_rn(T a) { return ::SQRT(a); }                                                             \
  EMU_INLINE T __##F##_rn(T a, T b, T c) { return ::FMA(a, b, c); }
EMU_NEAREST(float, f, fmaf, sqrtf, fmaf)
EMU_NEAREST(double, d, fma, sqrt, fma)
EMU_INLINE float __frsqrt_rn(float x) { return static_cast<float>(1 / ::sqrt(static_cast<double>(x))); }

// ---- conversions. What does not fit is clamped and NaN is 0 (for 64 bits the lowest value), as on the device.
template <class I, class F>
EMU_INLINE I clamped(F x) {
  if (x != x) return sizeof(I) == 8 ? static_cast<I>(1ull << 63) : I(0);
  constexpr I lowest = std::is_signed<I>::value ? static_cast<I>(static_cast<I>(1) << (8 * sizeof(I) - 1)) : I(0);
  constexpr I highest = static_cast<I>(~lowest);
  if (x <= static_cast<F>(lowest)) return lowest;
  if (x >= static_cast<F>(highest)) return highest;
  return static_cast<I>(x);
}
#define EMU_TO_INTEGER(FROM, F, TO, I)                                                                               \
  EMU_INLINE I __##FROM##2##TO##_rn(F x) { return clamped<I>(std::nearbyint(x)); }                                   \
  EMU_INLINE I __##FROM##2##TO##_rz(F x) { return clamped<I>(std::trunc(x)); }                                       \
  EMU_INLINE I __##FROM##2##TO##_ru(F x) { return clamped<I>(std::ceil(x)); }                                        \
  EMU_INLINE I __##FROM##2##TO##_rd(F x) { return clamped<I>(std::floor(x)); }
EMU_TO_INTEGER(float, float, int, int)
EMU_TO_INTEGER(float, float, uint, unsigned)
EMU_TO_INTEGER(float, float, ll, long long)
EMU_TO_INTEGER(float, float, ull, unsigned long long)
EMU_TO_INTEGER(double, double, int, int)
EMU_TO_INTEGER(double, double, uint, unsigned)
EMU_TO_INTEGER(double, double, ll, long long)
EMU_TO_INTEGER(double, double, ull, unsigned long long)
template <class F, class S>
__attribute__((noinline)) F converted(int mode, S value) {
  Rounding rounding(mode);
  volatile S x = value;
  volatile F r = static_cast<F>(x);
  return r;
}
#define EMU_FROM(FROM, S, TO, F)                                                                                     \
  EMU_INLINE F __##FROM##2##TO##_rn(S x) { return static_cast<F>(x); }                                               \
  EMU_INLINE F __##FROM##2##TO##_rz(S x) { return converted<F, S>(FE_TOWARDZERO, x); }                               \
  EMU_INLINE F __##FROM##2##TO##_ru(S x) { return converted<F, S>(FE_UPWARD, x); }                                   \
  EMU_INLINE F __##FROM##2##TO##_rd(S x) { return converted<F, S>(FE_DOWNWARD, x); }
EMU_FROM(int, int, float, float)
EMU_FROM(uint, unsigned, float, float)
EMU_FROM(ll, long long, float, float)
EMU_FROM(ull, unsigned long long, float, float)
EMU_FROM(ll, long long, double, double)
EMU_FROM(ull, unsigned long long, double, double)
EMU_FROM(double, double, float, float)
EMU_INLINE double __int2double_rn(int x) { return x; }
EMU_INLINE double __uint2double_rn(unsigned x) { return x; }

// ---- maths. The fast forms are the exact ones: how far off hardware is, no CPU can say.
EMU_INLINE float emu_fast_expf(float x) { return ::expf(x); }
EMU_INLINE float emu_fast_exp10f(float x) { return ::powf(10.0f, x); }
EMU_INLINE float emu_fast_logf(float x) { return ::logf(x); }
EMU_INLINE float emu_fast_log2f(float x) { return ::log2f(x); }
EMU_INLINE float emu_fast_log10f(float x) { return ::log10f(x); }
EMU_INLINE float emu_fast_sinf(float x) { return ::sinf(x); }
EMU_INLINE float emu_fast_cosf(float x) { return ::cosf(x); }
EMU_INLINE float emu_fast_tanf(float x) { return ::tanf(x); }
EMU_INLINE float emu_fast_powf(float x, float y) { return ::powf(x, y); }
EMU_INLINE void emu_fast_sincosf(float x, float* s, float* c) {
  *s = ::sinf(x);
  *c = ::cosf(x);
}
EMU_INLINE float __fdividef(float a, float b) { return a / b; }
EMU_INLINE float fdividef(float a, float b) { return a / b; }
EMU_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
EMU_INLINE float saturate(float x) { return __saturatef(x); }
EMU_INLINE float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
EMU_INLINE double rsqrt(double x) { return 1.0 / ::sqrt(x); }
EMU_INLINE float rsqrt(float x) { return rsqrtf(x); }
EMU_INLINE float rcbrtf(float x) { return 1.0f / ::cbrtf(x); }
EMU_INLINE double rcbrt(double x) { return 1.0 / ::cbrt(x); }
EMU_INLINE float rcbrt(float x) { return rcbrtf(x); }
// Exact at the quarters of a turn, as the documentation has it.
EMU_INLINE double sinpi(double x) {
  double r = ::remainder(x, 2.0);
  if (::fabs(r) > 0.5) r = ::copysign(1 - ::fabs(r), r);
  return ::sin(3.14159265358979323846 * r);
}
EMU_INLINE double cospi(double x) {
  const double r = ::fabs(::remainder(x, 2.0));
  if (r > 0.25 && r < 0.75) return ::sin(3.14159265358979323846 * (0.5 - r));
  return r <= 0.25 ? ::cos(3.14159265358979323846 * r) : -::cos(3.14159265358979323846 * (1 - r));
}
EMU_INLINE float sinpif(float x) { return static_cast<float>(device::sinpi(static_cast<double>(x))); }
EMU_INLINE float cospif(float x) { return static_cast<float>(device::cospi(static_cast<double>(x))); }
EMU_INLINE float sinpi(float x) { return sinpif(x); }
EMU_INLINE float cospi(float x) { return cospif(x); }
EMU_INLINE void sincospi(double x, double* s, double* c) {
  *s = device::sinpi(x);
  *c = device::cospi(x);
}
EMU_INLINE void sincospif(float x, float* s, float* c) {
  *s = device::sinpif(x);
  *c = device::cospif(x);
}
EMU_INLINE void sincospi(float x, float* s, float* c) { device::sincospif(x, s, c); }
EMU_INLINE double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752440); }
EMU_INLINE float normcdff(float x) { return static_cast<float>(device::normcdf(static_cast<double>(x))); }
EMU_INLINE float normcdf(float x) { return device::normcdff(x); }
EMU_INLINE float norm3df(float a, float b, float c) {
  return static_cast<float>(::sqrt(static_cast<double>(a) * a + static_cast<double>(b) * b + static_cast<double>(c) * c));
}
EMU_INLINE double norm3d(double a, double b, double c) { return ::sqrt(a * a + b * b + c * c); }
EMU_INLINE float rnorm3df(float a, float b, float c) { return 1.0f / device::norm3df(a, b, c); }
EMU_INLINE float rhypotf(float a, float b) { return 1.0f / ::hypotf(a, b); }
EMU_INLINE double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
EMU_INLINE float rhypot(float a, float b) { return rhypotf(a, b); }
EMU_INLINE int emu_is_nan(float x) { return x != x; }

// ---- loads and stores with a cache hint, for every type that has one
#define EMU_LOAD(N)                                                                                                  \
  template <class T>                                                                                                 \
  EMU_INLINE T N(const T* p) {                                                                                       \
    return *p;                                                                                                       \
  }
EMU_LOAD(__ldg) EMU_LOAD(__ldca) EMU_LOAD(__ldcg) EMU_LOAD(__ldcs) EMU_LOAD(__ldlu)
template <class T>
EMU_INLINE T __ldcv(const T* p) {
  spin();  // whoever asks for a value that is no cached one waits for somebody
  return *p;
}
template <class T>
struct same {
  using type = T;
};
#define EMU_STORE(N)                                                                                                 \
  template <class T>                                                                                                 \
  EMU_INLINE void N(T* p, typename same<T>::type v) {                                                                \
    *p = v;                                                                                                          \
  }
EMU_STORE(__stcg) EMU_STORE(__stcs) EMU_STORE(__stwb) EMU_STORE(__stwt)

// An address of shared memory is its offset in the block's arena, so that it fits the 32 bits that device code gives it.
EMU_INLINE size_t __cvta_generic_to_shared(const void* p) {
  return static_cast<size_t>(static_cast<const char*>(p) - block_arena);
}
EMU_INLINE void* __cvta_shared_to_generic(size_t offset) { return block_arena + offset; }
EMU_INLINE size_t __cvta_generic_to_global(const void* p) { return reinterpret_cast<size_t>(p); }

}  // namespace device
}  // namespace emu
