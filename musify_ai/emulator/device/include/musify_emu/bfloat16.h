// The bfloat16 types and the conversions that only they have. The including header names the types:
// EMU_BF16 and EMU_BF162, EMU_BF16_RAW and EMU_BF162_RAW.
#pragma once
#include "arithmetic.h"
#include "atomics.h"
#include "formats.h"
#include "threads.h"
#include "vectors.h"

#define EMU_TYPE EMU_BF16
#define EMU_PAIR EMU_BF162
#define EMU_FORMAT BFloat16
#define EMU_ELEMENT bfloat16
#define EMU_RAW EMU_BF16_RAW
#define EMU_RAW2 EMU_BF162_RAW
#include "small_float.inc"
#undef EMU_TYPE
#undef EMU_PAIR
#undef EMU_FORMAT
#undef EMU_ELEMENT
#undef EMU_RAW
#undef EMU_RAW2

namespace emu {
namespace device {
EMU_INLINE EMU_BF16 bfloat16_of(double x, Round mode) { return EMU_BF16::of(BFloat16::encode(x, mode)); }
EMU_INLINE EMU_BF16 __float2bfloat16(float x) { return EMU_BF16(x); }
EMU_INLINE EMU_BF16 __float2bfloat16_rn(float x) { return EMU_BF16(x); }
EMU_INLINE EMU_BF16 __float2bfloat16_rz(float x) { return bfloat16_of(x, Round::zero); }
EMU_INLINE EMU_BF16 __float2bfloat16_ru(float x) { return bfloat16_of(x, Round::up); }
EMU_INLINE EMU_BF16 __float2bfloat16_rd(float x) { return bfloat16_of(x, Round::down); }
EMU_INLINE EMU_BF16 __double2bfloat16(double x) { return EMU_BF16(x); }
EMU_INLINE float __bfloat162float(EMU_BF16 h) { return float(h); }
EMU_INLINE float2 __bfloat1622float2(EMU_BF162 h) { return make_float2(float(h.x), float(h.y)); }
EMU_INLINE EMU_BF162 __float22bfloat162_rn(float2 f) { return {EMU_BF16(f.x), EMU_BF16(f.y)}; }
EMU_INLINE EMU_BF162 __floats2bfloat162_rn(float a, float b) { return {EMU_BF16(a), EMU_BF16(b)}; }
EMU_INLINE EMU_BF162 __float2bfloat162_rn(float a) { return {EMU_BF16(a), EMU_BF16(a)}; }
EMU_INLINE EMU_BF162 __halves2bfloat162(EMU_BF16 a, EMU_BF16 b) { return {a, b}; }
EMU_INLINE EMU_BF162 make_bfloat162(EMU_BF16 a, EMU_BF16 b) { return {a, b}; }
EMU_INLINE EMU_BF162 __bfloat162bfloat162(EMU_BF16 a) { return {a, a}; }
EMU_INLINE EMU_BF16 __low2bfloat16(EMU_BF162 a) { return a.x; }
EMU_INLINE EMU_BF16 __high2bfloat16(EMU_BF162 a) { return a.y; }
EMU_INLINE float __low2float(EMU_BF162 a) { return float(a.x); }
EMU_INLINE float __high2float(EMU_BF162 a) { return float(a.y); }
EMU_INLINE EMU_BF162 __low2bfloat162(EMU_BF162 a) { return {a.x, a.x}; }
EMU_INLINE EMU_BF162 __high2bfloat162(EMU_BF162 a) { return {a.y, a.y}; }
EMU_INLINE EMU_BF162 __lowhigh2highlow(EMU_BF162 a) { return {a.y, a.x}; }
EMU_INLINE short __bfloat16_as_short(EMU_BF16 h) { return static_cast<short>(h.__x); }
EMU_INLINE unsigned short __bfloat16_as_ushort(EMU_BF16 h) { return h.__x; }
EMU_INLINE EMU_BF16 __short_as_bfloat16(short x) { return EMU_BF16::of(static_cast<unsigned short>(x)); }
EMU_INLINE EMU_BF16 __ushort_as_bfloat16(unsigned short x) { return EMU_BF16::of(x); }
#define EMU_BFLOAT16_INTEGER(NAME, I)                                                                                \
  EMU_INLINE EMU_BF16 __##NAME##2bfloat16_rn(I x) { return bfloat16_of(static_cast<double>(x), Round::nearest); }    \
  EMU_INLINE EMU_BF16 __##NAME##2bfloat16_rz(I x) { return bfloat16_of(static_cast<double>(x), Round::zero); }       \
  EMU_INLINE I __bfloat162##NAME##_rn(EMU_BF16 h) { return clamped<I>(std::nearbyint(float(h))); }                   \
  EMU_INLINE I __bfloat162##NAME##_rz(EMU_BF16 h) { return clamped<I>(std::trunc(float(h))); }
EMU_BFLOAT16_INTEGER(int, int)
EMU_BFLOAT16_INTEGER(uint, unsigned)
EMU_BFLOAT16_INTEGER(short, short)
EMU_BFLOAT16_INTEGER(ushort, unsigned short)
EMU_BFLOAT16_INTEGER(ll, long long)
EMU_BFLOAT16_INTEGER(ull, unsigned long long)
#undef EMU_BFLOAT16_INTEGER
}  // namespace device
}  // namespace emu
