// __half and __half2, and the conversions that only they have.
#pragma once
#include "arithmetic.h"
#include "atomics.h"
#include "formats.h"
#include "threads.h"
#include "vectors.h"

#define EMU_TYPE __half
#define EMU_PAIR __half2
#define EMU_FORMAT Half16
#define EMU_ELEMENT half
#define EMU_RAW __half_raw
#define EMU_RAW2 __half2_raw
#include "small_float.inc"
#undef EMU_TYPE
#undef EMU_PAIR
#undef EMU_FORMAT
#undef EMU_ELEMENT
#undef EMU_RAW
#undef EMU_RAW2

namespace emu {
namespace device {
EMU_INLINE __half half_of(double x, Round mode) { return __half::of(Half16::encode(x, mode)); }
EMU_INLINE __half __float2half(float x) { return __half(x); }
EMU_INLINE __half __float2half_rn(float x) { return __half(x); }
EMU_INLINE __half __float2half_rz(float x) { return half_of(x, Round::zero); }
EMU_INLINE __half __float2half_ru(float x) { return half_of(x, Round::up); }
EMU_INLINE __half __float2half_rd(float x) { return half_of(x, Round::down); }
EMU_INLINE __half __double2half(double x) { return __half(x); }
EMU_INLINE float __half2float(__half h) { return float(h); }
EMU_INLINE float2 __half22float2(__half2 h) { return make_float2(float(h.x), float(h.y)); }
EMU_INLINE __half2 __float22half2_rn(float2 f) { return {__half(f.x), __half(f.y)}; }
EMU_INLINE __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
EMU_INLINE __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
EMU_INLINE __half2 __halves2half2(__half a, __half b) { return {a, b}; }
EMU_INLINE __half2 make_half2(__half a, __half b) { return {a, b}; }
EMU_INLINE __half2 __half2half2(__half a) { return {a, a}; }
EMU_INLINE __half __low2half(__half2 a) { return a.x; }
EMU_INLINE __half __high2half(__half2 a) { return a.y; }
EMU_INLINE float __low2float(__half2 a) { return float(a.x); }
EMU_INLINE float __high2float(__half2 a) { return float(a.y); }
EMU_INLINE __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
EMU_INLINE __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
EMU_INLINE __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
EMU_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
EMU_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
EMU_INLINE short __half_as_short(__half h) { return static_cast<short>(h.__x); }
EMU_INLINE unsigned short __half_as_ushort(__half h) { return h.__x; }
EMU_INLINE __half __short_as_half(short x) { return __half::of(static_cast<unsigned short>(x)); }
EMU_INLINE __half __ushort_as_half(unsigned short x) { return __half::of(x); }
#define EMU_HALF_INTEGER(NAME, I)                                                                                    \
  EMU_INLINE __half __##NAME##2half_rn(I x) { return half_of(static_cast<double>(x), Round::nearest); }              \
  EMU_INLINE __half __##NAME##2half_rz(I x) { return half_of(static_cast<double>(x), Round::zero); }                 \
  EMU_INLINE __half __##NAME##2half_ru(I x) { return half_of(static_cast<double>(x), Round::up); }                   \
  EMU_INLINE __half __##NAME##2half_rd(I x) { return half_of(static_cast<double>(x), Round::down); }                 \
  EMU_INLINE I __half2##NAME##_rn(__half h) { return clamped<I>(std::nearbyint(float(h))); }                         \
  EMU_INLINE I __half2##NAME##_rz(__half h) { return clamped<I>(std::trunc(float(h))); }                             \
  EMU_INLINE I __half2##NAME##_ru(__half h) { return clamped<I>(std::ceil(float(h))); }                              \
  EMU_INLINE I __half2##NAME##_rd(__half h) { return clamped<I>(std::floor(float(h))); }
EMU_HALF_INTEGER(int, int)
EMU_HALF_INTEGER(uint, unsigned)
EMU_HALF_INTEGER(short, short)
EMU_HALF_INTEGER(ushort, unsigned short)
EMU_HALF_INTEGER(ll, long long)
EMU_HALF_INTEGER(ull, unsigned long long)
#undef EMU_HALF_INTEGER
}  // namespace device
}  // namespace emu
