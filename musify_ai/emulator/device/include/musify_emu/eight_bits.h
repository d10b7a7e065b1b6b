// Floating types of 8 bits, e4m3 and e5m2, alone and by twos and fours. The including header names the types:
// EMU_FP8_e4m3, EMU_FP8_e5m2, the same with X2 and X4 for pairs and fours, EMU_BF16, EMU_BF162.
#pragma once
#include "eight_formats.h"
#include "half.h"

// The types and functions of a device's own. Where its arch lacks them (EMU_EIGHT_FROM is the first that has them), a
// kernel that computes with them ends by name; the host converts by software.
namespace emu {
namespace own_eight {
EMU_INLINE void there() {
#if defined(EMU_EIGHT_FROM)
  if (MUSIFY_EMU_ARCH < EMU_EIGHT_FROM && in_kernel())
    trap("unsupported", "8-bit floating types in device code: MUSA has them from mp_31 on");
#endif
}
EMU_INLINE double eight_value(unsigned char v, Eight kind) { return there(), ::emu::eight_value(v, kind); }
EMU_INLINE unsigned char eight_bits(double x, Saturation s, Eight kind) { return there(), ::emu::eight_bits(x, s, kind); }
EMU_INLINE unsigned char eight_bits_of_double(double x, Saturation s, Eight kind) {
  return there(), ::emu::eight_bits_of_double(x, s, kind);
}
EMU_INLINE unsigned short half_of_eight_bits(unsigned char v, Eight kind) {
  return there(), ::emu::half_of_eight_bits(v, kind);
}
template <class A, class B>
EMU_INLINE unsigned short two_of_eight(A low, B high, Saturation s, Eight kind) {
  return there(), ::emu::two_of_eight(low, high, s, kind);
}
}  // namespace own_eight
}  // namespace emu

#define EMU_FP8(KIND) EMU_FP8_##KIND
#define EMU_FP8X2(KIND) EMU_FP8X2_##KIND
#define EMU_FP8X4(KIND) EMU_FP8X4_##KIND
#define EMU_EIGHT(KIND)                                                                                              \
  struct EMU_FP8(KIND) {                                                                                             \
    unsigned char __x;                                                                                               \
    EMU_FP8(KIND)() = default;                                                                                       \
    explicit EMU_FP8(KIND)(float v) : __x(::emu::own_eight::eight_bits(v, ::emu::Saturation::finite, ::emu::Eight::KIND)) {}    \
    explicit EMU_FP8(KIND)(double v)                                                                                 \
        : __x(::emu::own_eight::eight_bits_of_double(v, ::emu::Saturation::finite, ::emu::Eight::KIND)) {}                      \
    explicit EMU_FP8(KIND)(__half v) : EMU_FP8(KIND)(static_cast<float>(v)) {}                                       \
    explicit EMU_FP8(KIND)(EMU_BF16 v) : EMU_FP8(KIND)(static_cast<float>(v)) {}                                     \
    template <class I, class = std::enable_if_t<std::is_integral<I>::value>>                                         \
    explicit EMU_FP8(KIND)(I v) : EMU_FP8(KIND)(static_cast<float>(v)) {}                                            \
    explicit operator float() const { return static_cast<float>(::emu::own_eight::eight_value(__x, ::emu::Eight::KIND)); }      \
    explicit operator double() const { return ::emu::own_eight::eight_value(__x, ::emu::Eight::KIND); }                         \
    explicit operator __half() const { return __half::of(::emu::own_eight::half_of_eight_bits(__x, ::emu::Eight::KIND)); }      \
    explicit operator EMU_BF16() const { return EMU_BF16(static_cast<float>(*this)); }                               \
    explicit operator bool() const { return (__x & 0x7f) != 0; }                                                     \
    template <class I, class = std::enable_if_t<std::is_integral<I>::value && !std::is_same<I, bool>::value>>        \
    explicit operator I() const {                                                                                    \
      return ::emu::device::clamped<I>(std::trunc(static_cast<float>(*this)));                                               \
    }                                                                                                                \
  };                                                                                                                 \
  struct alignas(2) EMU_FP8X2(KIND) {                                                                                \
    unsigned short __x;                                                                                              \
    EMU_FP8X2(KIND)() = default;                                                                                     \
    explicit EMU_FP8X2(KIND)(float2 v)                                                                               \
        : __x(static_cast<unsigned short>(EMU_FP8(KIND)(v.x).__x | EMU_FP8(KIND)(v.y).__x << 8)) {}                  \
    explicit EMU_FP8X2(KIND)(double2 v)                                                                              \
        : __x(static_cast<unsigned short>(EMU_FP8(KIND)(v.x).__x | EMU_FP8(KIND)(v.y).__x << 8)) {}                  \
    explicit EMU_FP8X2(KIND)(__half2 v) : EMU_FP8X2(KIND)(make_float2(float(v.x), float(v.y))) {}                    \
    explicit EMU_FP8X2(KIND)(EMU_BF162 v) : EMU_FP8X2(KIND)(make_float2(float(v.x), float(v.y))) {}                  \
    EMU_FP8(KIND) part(int i) const {                                                                                \
      EMU_FP8(KIND) one;                                                                                             \
      one.__x = static_cast<unsigned char>(__x >> (8 * i));                                                          \
      return one;                                                                                                    \
    }                                                                                                                \
    explicit operator float2() const { return make_float2(float(part(0)), float(part(1))); }                         \
    explicit operator __half2() const { return {__half(part(0)), __half(part(1))}; }                                 \
  };                                                                                                                 \
  struct alignas(4) EMU_FP8X4(KIND) {                                                                                \
    unsigned __x;                                                                                                    \
    EMU_FP8X4(KIND)() = default;                                                                                     \
    EMU_FP8X4(KIND)(EMU_FP8X2(KIND) low, EMU_FP8X2(KIND) high) : __x(low.__x | unsigned(high.__x) << 16) {}          \
    explicit EMU_FP8X4(KIND)(float4 v)                                                                               \
        : EMU_FP8X4(KIND)(EMU_FP8X2(KIND)(make_float2(v.x, v.y)), EMU_FP8X2(KIND)(make_float2(v.z, v.w))) {}         \
    explicit EMU_FP8X4(KIND)(double4 v)                                                                              \
        : EMU_FP8X4(KIND)(EMU_FP8X2(KIND)(make_double2(v.x, v.y)), EMU_FP8X2(KIND)(make_double2(v.z, v.w))) {}       \
    explicit EMU_FP8X4(KIND)(__half2 low, __half2 high)                                                              \
        : EMU_FP8X4(KIND)(EMU_FP8X2(KIND)(low), EMU_FP8X2(KIND)(high)) {}                                            \
    explicit EMU_FP8X4(KIND)(EMU_BF162 low, EMU_BF162 high)                                                          \
        : EMU_FP8X4(KIND)(EMU_FP8X2(KIND)(low), EMU_FP8X2(KIND)(high)) {}                                            \
    float part(int i) const {                                                                                        \
      return static_cast<float>(::emu::own_eight::eight_value(static_cast<unsigned char>(__x >> (8 * i)), ::emu::Eight::KIND)); \
    }                                                                                                                \
    explicit operator float4() const { return make_float4(part(0), part(1), part(2), part(3)); }                     \
  };
EMU_EIGHT(e4m3)
EMU_EIGHT(e5m2)
#undef EMU_EIGHT
#undef EMU_FP8
#undef EMU_FP8X2
#undef EMU_FP8X4
