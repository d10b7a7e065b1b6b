// Floating-point arithmetic of PTX. .rn is the processor's own; the directed modes set its rounding mode around the one
// operation. The .approx forms are computed as exactly as the C++ library does: their error bound allows it.
#pragma once
#include <cfenv>
#include <cmath>

#include "rounding.h"

namespace emu {
namespace ptx {

// One operation under a rounding mode. Operands and result pass through volatile variables, so that the compiler
// neither folds the operation nor moves it past the changes of mode.
template <class F, class Operation>
inline F rounded(Rounding mode, F a, F b, F c, Operation operation) {
  if (mode == Rounding::rn) return operation(a, b, c);
  const int before = fegetround();
  fesetround(mode == Rounding::rz ? FE_TOWARDZERO : mode == Rounding::rm ? FE_DOWNWARD : FE_UPWARD);
  volatile F x = a, y = b, z = c;
  volatile F out = operation(x, y, z);
  fesetround(before);
  return out;
}

template <class T, bool Ftz>
inline value_of<T> input(bits_of<T> bits) {
  if constexpr (Ftz && sizeof(bits) == 4) return read<T>(flush(bits));
  else return read<T>(bits);
}
// .sat: into [0, 1], NaN becomes +0.
template <class T, bool Ftz, bool Sat>
inline bits_of<T> output(value_of<T> value) {
  if (Sat) value = value > 0 ? (value < 1 ? value : value_of<T>(1)) : value_of<T>(0);
  bits_of<T> bits = write<T>(value);
  if constexpr (Ftz && sizeof(bits) == 4) bits = flush(bits);
  return bits;
}

#define EMU_PTX_BINARY(name, expression)                                                                     \
  template <class T, Rounding Mode, bool Ftz, bool Sat>                                                      \
  inline bits_of<T> name(bits_of<T> a, bits_of<T> b) {                                                       \
    using F = value_of<T>;                                                                                   \
    F result = rounded<F>(Mode, input<T, Ftz>(a), input<T, Ftz>(b), F(0), [](F x, F y, F) { return expression; }); \
    return output<T, Ftz, Sat>(result);                                                                      \
  }
EMU_PTX_BINARY(fadd, x + y)
EMU_PTX_BINARY(fsub, x - y)
EMU_PTX_BINARY(fmul, x * y)
EMU_PTX_BINARY(fdiv, x / y)
#undef EMU_PTX_BINARY

// fma, and mad of sm_20 and later: one rounding.
template <class T, Rounding Mode, bool Ftz, bool Sat>
inline bits_of<T> ffma(bits_of<T> a, bits_of<T> b, bits_of<T> c) {
  using F = value_of<T>;
  F result = rounded<F>(Mode, input<T, Ftz>(a), input<T, Ftz>(b), input<T, Ftz>(c),
                        [](F x, F y, F z) { return std::fma(x, y, z); });
  return output<T, Ftz, Sat>(result);
}
template <class T, Rounding Mode, bool Ftz>
inline bits_of<T> frcp(bits_of<T> a) { return fdiv<T, Mode, Ftz, false>(write<T>(1), a); }
template <class T, Rounding Mode, bool Ftz>
inline bits_of<T> fsqrt(bits_of<T> a) {
  using F = value_of<T>;
  F result = rounded<F>(Mode, input<T, Ftz>(a), F(0), F(0), [](F x, F, F) { return std::sqrt(x); });
  return output<T, Ftz, false>(result);
}

// div.approx.f32: beyond 2^126 the divisor's reciprocal is flushed: zero, or NaN for an infinite dividend.
template <bool Ftz>
inline uint32_t div_approx(uint32_t a, uint32_t b) {
  float x = input<f32, Ftz>(a), y = input<f32, Ftz>(b), size = std::fabs(y);
  if (size > 0x1p126f && size <= 0x1.fffffep127f) y = std::copysign(INFINITY, y);
  return output<f32, Ftz, false>(x / y);
}
// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look at the upper word of the operand only and write it only.
inline uint64_t upper_word(double value) { return write<f64>(value) & 0xFFFFFFFF00000000ull; }
inline double upper_input(uint64_t bits) {
  bits &= 0xFFFFFFFF00000000ull;
  return read<f64>((bits & 0x7FF0000000000000ull) == 0 ? bits & 0x8000000000000000ull : bits);
}
inline uint64_t rcp_approx_ftz_f64(uint64_t a) { return upper_word(1.0 / upper_input(a)); }
inline uint64_t rsqrt_approx_ftz_f64(uint64_t a) { return upper_word(1.0 / std::sqrt(upper_input(a))); }
inline uint64_t rsqrt_approx_f64(uint64_t a) { return write<f64>(1.0 / std::sqrt(read<f64>(a))); }

#define EMU_PTX_APPROX(name, expression)                \
  template <bool Ftz>                                   \
  inline uint32_t name(uint32_t a) {                    \
    const float x = input<f32, Ftz>(a);                 \
    return output<f32, Ftz, false>(expression);         \
  }
EMU_PTX_APPROX(rsqrt_approx, 1.0f / std::sqrt(x))
EMU_PTX_APPROX(ex2_approx, std::exp2(x))
EMU_PTX_APPROX(lg2_approx, std::log2(x))
EMU_PTX_APPROX(sin_approx, std::sin(x))
EMU_PTX_APPROX(cos_approx, std::cos(x))
EMU_PTX_APPROX(tanh_approx, std::tanh(x))
#undef EMU_PTX_APPROX

// abs and neg change the sign bit only, of NaN too.
template <class T, bool Ftz>
inline bits_of<T> fabs_(bits_of<T> a) {
  a = write<T>(input<T, Ftz>(a));
  return a & static_cast<bits_of<T>>(~(bits_of<T>(1) << (width_of<T> - 1)));
}
template <class T, bool Ftz>
inline bits_of<T> fneg(bits_of<T> a) { return write<T>(input<T, Ftz>(a)) ^ bits_of<T>(1) << (width_of<T> - 1); }

// min, max: a NaN gives way to the other operand (with .NaN it wins); -0 is below +0. With .xorsign.abs the sizes are
// compared and the result takes the exclusive or of the signs.
template <class T, bool Max, bool Ftz, bool Nan, bool XorSign>
inline bits_of<T> fminmax(bits_of<T> a, bits_of<T> b) {
  using F = value_of<T>;
  const bits_of<T> top = bits_of<T>(1) << (width_of<T> - 1);
  a = write<T>(input<T, Ftz>(a));
  b = write<T>(input<T, Ftz>(b));
  const bits_of<T> sign = (a ^ b) & top;
  if (XorSign) a &= ~top, b &= ~top;
  F x = read<T>(a), y = read<T>(b);
  const bool first = std::isnan(x), second = std::isnan(y);
  if ((first && second) || (Nan && (first || second))) return canonical_nan<T>();
  bits_of<T> out;
  if (first || second) out = first ? b : a;
  else if (x == y) out = Max ? a & b : a | b;  // differ at most in the sign of a zero
  else out = (x < y) != Max ? a : b;
  return XorSign ? (out & ~top) | sign : out;
}

// copysign: the sign of a on the size of b.
template <class T>
inline bits_of<T> copysign_(bits_of<T> a, bits_of<T> b) {
  const bits_of<T> top = bits_of<T>(1) << (width_of<T> - 1);
  return (a & top) | (b & ~top);
}

enum class Class { finite, infinite, number, notanumber, normal, subnormal };
template <class T, Class Which>
inline bool testp(bits_of<T> a) {
  const int kind = std::fpclassify(read<T>(a));
  switch (Which) {
    case Class::finite: return kind != FP_NAN && kind != FP_INFINITE;
    case Class::infinite: return kind == FP_INFINITE;
    case Class::number: return kind != FP_NAN;
    case Class::notanumber: return kind == FP_NAN;
    case Class::normal: return kind == FP_NORMAL || kind == FP_ZERO;
    default: return kind == FP_SUBNORMAL;
  }
}

// ---- f16 and bf16. Sums and products are exact in double; fma keeps what double cannot hold as one odd last bit, so
// that the one rounding that follows is right.
template <class T, bool Ftz>
inline double half_input(bits_of<T> bits) {
  if (Ftz && (bits & ((1u << format<T>::exponent) - 1) << format<T>::mantissa) == 0) bits &= 0x8000;
  return widen<T>(bits);
}
template <class T, bool Ftz, bool Sat, bool Relu = false>
inline bits_of<T> half_output(double value, Rounding mode) {
  if (Sat) value = value > 0 ? (value < 1 ? value : 1) : 0;
  bits_of<T> bits = narrow<T>(value, mode);
  if (Relu && (bits & 0x8000)) bits = 0;
  if (Ftz && (bits & ((1u << format<T>::exponent) - 1) << format<T>::mantissa) == 0) bits &= 0x8000;
  return bits;
}
template <class T, bool Ftz, bool Sat>
inline bits_of<T> hadd(bits_of<T> a, bits_of<T> b) {
  return half_output<T, Ftz, Sat>(half_input<T, Ftz>(a) + half_input<T, Ftz>(b), Rounding::rn);
}
template <class T, bool Ftz, bool Sat>
inline bits_of<T> hsub(bits_of<T> a, bits_of<T> b) {
  return half_output<T, Ftz, Sat>(half_input<T, Ftz>(a) - half_input<T, Ftz>(b), Rounding::rn);
}
template <class T, bool Ftz, bool Sat>
inline bits_of<T> hmul(bits_of<T> a, bits_of<T> b) {
  return half_output<T, Ftz, Sat>(half_input<T, Ftz>(a) * half_input<T, Ftz>(b), Rounding::rn);
}
inline double odd_sum(double p, double c) {
  double sum = p + c, back = sum - p, error = (p - (sum - back)) + (c - back);
  if (error == 0 || !std::isfinite(sum)) return sum;
  uint64_t bits = write<f64>(sum);
  if (bits & 1) return sum;
  return read<f64>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}
template <class T, bool Ftz, bool Sat, bool Relu>
inline bits_of<T> hfma(bits_of<T> a, bits_of<T> b, bits_of<T> c) {
  double product = half_input<T, Ftz>(a) * half_input<T, Ftz>(b), addend = half_input<T, Ftz>(c);
  bool special = !std::isfinite(product) || !std::isfinite(addend);
  return half_output<T, Ftz, Sat, Relu>(special ? product + addend : odd_sum(product, addend), Rounding::rn);
}
template <class T, bool Ftz>
inline bits_of<T> habs(bits_of<T> a) { return a & 0x7FFF; }
template <class T, bool Ftz>
inline bits_of<T> hneg(bits_of<T> a) { return a ^ 0x8000; }
template <class T, bool Max, bool Ftz, bool Nan, bool XorSign>
inline bits_of<T> hminmax(bits_of<T> a, bits_of<T> b) {
  const bits_of<T> sign = (a ^ b) & 0x8000;
  if (XorSign) a &= 0x7FFF, b &= 0x7FFF;
  double x = half_input<T, Ftz>(a), y = half_input<T, Ftz>(b);
  if ((std::isnan(x) && std::isnan(y)) || (Nan && (std::isnan(x) || std::isnan(y)))) return canonical_nan<T>();
  bits_of<T> out;
  if (std::isnan(x) || std::isnan(y)) out = std::isnan(x) ? b : a;
  else if (x == y) out = Max ? a & b : a | b;
  else out = (x < y) != Max ? a : b;
  return XorSign ? (out & 0x7FFF) | sign : out;
}
template <class T>
inline bits_of<T> htanh(bits_of<T> a) { return narrow<T>(std::tanh(static_cast<float>(widen<T>(a)))); }
template <class T>
inline bits_of<T> hex2(bits_of<T> a) { return narrow<T>(std::exp2(static_cast<float>(widen<T>(a)))); }

// The packed forms: the same operation on each half of the register.
template <class Operation>
inline uint32_t halves(uint32_t a, Operation operation) {
  return uint32_t(operation(uint16_t(a))) | uint32_t(operation(uint16_t(a >> 16))) << 16;
}
template <class Operation>
inline uint32_t halves(uint32_t a, uint32_t b, Operation operation) {
  return uint32_t(operation(uint16_t(a), uint16_t(b))) | uint32_t(operation(uint16_t(a >> 16), uint16_t(b >> 16))) << 16;
}
template <class Operation>
inline uint32_t halves(uint32_t a, uint32_t b, uint32_t c, Operation operation) {
  return uint32_t(operation(uint16_t(a), uint16_t(b), uint16_t(c))) |
         uint32_t(operation(uint16_t(a >> 16), uint16_t(b >> 16), uint16_t(c >> 16))) << 16;
}

// f32x2: a 64-bit register of two f32.
template <class Operation>
inline uint64_t words(uint64_t a, uint64_t b, Operation operation) {
  return operation(uint32_t(a), uint32_t(b)) | uint64_t(operation(uint32_t(a >> 32), uint32_t(b >> 32))) << 32;
}
template <class Operation>
inline uint64_t words(uint64_t a, uint64_t b, uint64_t c, Operation operation) {
  return operation(uint32_t(a), uint32_t(b), uint32_t(c)) |
         uint64_t(operation(uint32_t(a >> 32), uint32_t(b >> 32), uint32_t(c >> 32))) << 32;
}

}  // namespace ptx
}  // namespace emu
