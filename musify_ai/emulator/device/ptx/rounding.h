// Floating-point formats of PTX and rounding into them, in integers only: one routine for every format and mode, so
// that a conversion is rounded once, whatever it comes from.
#pragma once
#include "types.h"

namespace emu {
namespace ptx {

// .rn to nearest, ties to even; .rz toward zero; .rm down; .rp up; .rna to nearest, ties away from zero.
enum class Rounding { rn, rz, rm, rp, rna };

template <class T>
struct format;
template <> struct format<f16> { static constexpr int exponent = 5, mantissa = 10; };
template <> struct format<bf16> { static constexpr int exponent = 8, mantissa = 7; };
template <> struct format<f32> { static constexpr int exponent = 8, mantissa = 23; };
template <> struct format<f64> { static constexpr int exponent = 11, mantissa = 52; };

// A number taken apart: (-1)^negative * significand * 2^exponent, plus something smaller than the last bit (`sticky`).
struct Parts {
  enum Kind { finite, infinite, nan } kind = finite;
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;
  bool sticky = false;
};

template <class T>
inline Parts take_apart(bits_of<T> bits) {
  using Format = format<T>;
  constexpr int bias = (1 << (Format::exponent - 1)) - 1;
  Parts parts;
  parts.negative = bits >> (Format::exponent + Format::mantissa) & 1;
  uint64_t fraction = bits & ((uint64_t(1) << Format::mantissa) - 1);
  int exponent = int(bits >> Format::mantissa) & ((1 << Format::exponent) - 1);
  if (exponent == (1 << Format::exponent) - 1) {
    parts.kind = fraction ? Parts::nan : Parts::infinite;
  } else {
    parts.significand = exponent ? fraction | uint64_t(1) << Format::mantissa : fraction;
    parts.exponent = (exponent ? exponent : 1) - bias - Format::mantissa;
  }
  return parts;
}

inline bool rounds_up(Rounding mode, bool negative, bool odd, bool half, bool rest) {
  switch (mode) {
    case Rounding::rn: return half && (rest || odd);
    case Rounding::rna: return half;
    case Rounding::rm: return negative && (half || rest);
    case Rounding::rp: return !negative && (half || rest);
    default: return false;
  }
}

// The one NaN of a format that instructions produce: f16 and bf16 have 0x7FFF, f32 0x7FFFFFFF; f64 a quiet one.
template <class T>
constexpr bits_of<T> canonical_nan() {
  constexpr int top = format<T>::exponent + format<T>::mantissa;
  if (sizeof(bits_of<T>) == 8) return bits_of<T>(0x7FF8000000000000ull);
  return static_cast<bits_of<T>>((uint64_t(1) << top) - 1);
}

// A number rounded into a format. `saturate` (.satfinite): what would be infinite becomes the largest finite number.
template <class T>
inline bits_of<T> put_together(Parts parts, Rounding mode, bool saturate = false) {
  using Format = format<T>;
  constexpr int bias = (1 << (Format::exponent - 1)) - 1;
  constexpr uint64_t infinity = uint64_t((1 << Format::exponent) - 1) << Format::mantissa;
  const uint64_t sign = uint64_t(parts.negative) << (Format::exponent + Format::mantissa);
  if (parts.kind == Parts::nan) return canonical_nan<T>();
  if (parts.kind == Parts::infinite) return bits_of<T>(sign | (saturate ? infinity - 1 : infinity));
  if (parts.significand == 0 && !parts.sticky) return bits_of<T>(sign);
  // The exponent of the last kept bit: `mantissa` below the leading one, never below that of the subnormals.
  int leading = parts.significand ? 63 - __builtin_clzll(parts.significand) : 0;
  int last = leading + parts.exponent - Format::mantissa;
  if (last < 1 - bias - Format::mantissa) last = 1 - bias - Format::mantissa;
  int drop = last - parts.exponent;
  uint64_t kept;
  bool half = false, rest = parts.sticky;
  if (drop <= 0) {
    kept = parts.significand << -drop;  // exact: at most `mantissa` bits are left of the leading one
  } else if (drop > 64) {
    kept = 0;
    rest = true;
  } else {
    kept = drop == 64 ? 0 : parts.significand >> drop;
    half = parts.significand >> (drop - 1) & 1;
    rest = rest || (parts.significand & ((uint64_t(1) << (drop - 1)) - 1));
  }
  if (rounds_up(mode, parts.negative, kept & 1, half, rest)) ++kept;
  // A carry out of the mantissa moves into the exponent by itself; so does a subnormal that becomes normal.
  uint64_t biased = uint64_t(last + Format::mantissa + bias);
  uint64_t bits = kept >> Format::mantissa ? kept + ((biased - 1) << Format::mantissa) : kept;
  if (bits >= infinity) {
    bool keeps_finite = mode == Rounding::rz || (mode == Rounding::rm && !parts.negative) ||
                        (mode == Rounding::rp && parts.negative);
    bits = saturate || keeps_finite ? infinity - 1 : infinity;
  }
  return bits_of<T>(sign | bits);
}

inline Parts from_integer(bool negative, uint64_t magnitude) {
  Parts parts;
  parts.negative = negative;
  parts.significand = magnitude;
  return parts;
}

// Subnormal numbers as zeros of their sign (.ftz, f32 only).
inline uint32_t flush(uint32_t bits) { return (bits & 0x7F800000u) == 0 ? bits & 0x80000000u : bits; }

template <class T>
inline bool is_nan(bits_of<T> bits) { return take_apart<T>(bits).kind == Parts::nan; }

// f16 and bf16 as double, exactly, and back.
template <class T>
inline double widen(bits_of<T> bits) { return read<f64>(put_together<f64>(take_apart<T>(bits), Rounding::rn)); }
template <class T>
inline bits_of<T> narrow(double value, Rounding mode = Rounding::rn) {
  return put_together<T>(take_apart<f64>(write<f64>(value)), mode);
}

}  // namespace ptx
}  // namespace emu
