// cvt of PTX.
#pragma once
#include "compare.h"

namespace emu {
namespace ptx {

template <class T>
constexpr bool is_real = is_float<T> || is_half<T>;

// Between integers: extended or cut off; .sat clamps to the destination's range instead.
template <class D, class S, bool Sat>
inline value_of<D> cvt_integer(bits_of<S> a) {
  value_of<S> v = read<S>(a);
  if constexpr (Sat) {
    __int128 wide = v, low = is_signed_type<D> ? -(__int128(1) << (width_of<D> - 1)) : __int128(0),
             high = (__int128(1) << (width_of<D> - is_signed_type<D>)) - 1;
    return static_cast<value_of<D>>(wide < low ? low : wide > high ? high : wide);
  } else {
    return static_cast<value_of<D>>(v);
  }
}

template <class S, bool Ftz>
inline bits_of<S> flushed(bits_of<S> a) {
  if constexpr (Ftz && sizeof(a) == 4) return flush(a);
  else return a;
}

// A magnitude rounded to an integer by the .rni, .rzi, .rmi, .rpi modes. `whole` has to hold it.
inline unsigned __int128 whole_part(const Parts& parts, Rounding mode, bool& huge) {
  huge = false;
  if (parts.significand == 0) return 0;
  if (parts.exponent >= 0) {
    huge = parts.exponent > 63;
    return huge ? 0 : static_cast<unsigned __int128>(parts.significand) << parts.exponent;
  }
  int drop = -parts.exponent;
  uint64_t kept = drop > 63 ? 0 : parts.significand >> drop;
  bool half = drop <= 64 && (parts.significand >> (drop - 1) & 1);
  bool rest = drop > 64 || (parts.significand & ((uint64_t(1) << (drop - 1)) - 1));
  return static_cast<unsigned __int128>(kept) + rounds_up(mode, parts.negative, kept & 1, half, rest);
}

// From a float to an integer: always clamped to the destination's range. NaN gives 0 where neither side has 64 bits,
// else the top bit alone.
template <class D, class S, Rounding Mode, bool Ftz>
inline value_of<D> cvt_to_integer(bits_of<S> a) {
  const Parts parts = take_apart<S>(flushed<S, Ftz>(a));
  if (parts.kind == Parts::nan)
    return sizeof(bits_of<D>) == 8 || sizeof(bits_of<S>) == 8
               ? static_cast<value_of<D>>(bits_of<D>(1) << (width_of<D> - 1))
               : 0;
  const unsigned __int128 high = (static_cast<unsigned __int128>(1) << (width_of<D> - is_signed_type<D>)) - 1;
  const unsigned __int128 limit = parts.negative ? (is_signed_type<D> ? high + 1 : 0) : high;
  bool huge;
  unsigned __int128 whole = whole_part(parts, Mode, huge);
  if (parts.kind == Parts::infinite || huge || whole > limit) whole = limit;
  const uint64_t magnitude = static_cast<uint64_t>(whole);
  return static_cast<value_of<D>>(parts.negative ? 0 - magnitude : magnitude);
}

// To a float from an integer or another float: one rounding.
template <class D, class S, Rounding Mode, bool Ftz, bool Sat, bool SatFinite, bool Relu>
inline bits_of<D> cvt_to_float(bits_of<S> a) {
  Parts parts;
  if constexpr (is_real<S>) {
    parts = take_apart<S>(flushed<S, Ftz>(a));
  } else {
    const value_of<S> v = read<S>(a);
    parts = from_integer(v < 0, v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v));
  }
  if (Sat && (parts.kind == Parts::nan || parts.negative)) return 0;
  bits_of<D> out = put_together<D>(parts, Mode, SatFinite);
  if (Relu && (out >> (width_of<D> - 1) & 1)) out = 0;
  if (Sat) {
    const bits_of<D> one = put_together<D>(from_integer(false, 1), Rounding::rn);
    if (out > one) out = one;
  }
  return flushed<D, Ftz>(out);
}

// Between floats of one type with .rni ...: to an integral value of the same type; zeros keep the sign.
template <class T, Rounding Mode, bool Ftz, bool Sat>
inline bits_of<T> cvt_integral(bits_of<T> a) {
  a = flushed<T, Ftz>(a);
  Parts parts = take_apart<T>(a);
  if (Sat && (parts.kind == Parts::nan || parts.negative)) return 0;
  if (parts.kind == Parts::finite && parts.exponent < 0) {
    bool huge;
    parts.significand = static_cast<uint64_t>(whole_part(parts, Mode, huge));
    parts.exponent = 0;
    a = put_together<T>(parts, Rounding::rn);
  } else if (parts.kind == Parts::nan) {
    a = canonical_nan<T>();
  }
  const bits_of<T> one = put_together<T>(from_integer(false, 1), Rounding::rn);
  return Sat && a > one ? one : a;
}

// tf32: f32 with a mantissa of 10 bits; the lower 13 bits of the register are zero here.
template <Rounding Mode, bool Relu>
inline uint32_t cvt_tf32(uint32_t a) {
  Parts parts = take_apart<f32>(a);
  if (parts.kind == Parts::nan) return canonical_nan<f32>() & 0xFFFFE000u;
  uint32_t size = a & 0x7FFFFFFFu, rest = size & 0x1FFFu, kept = size >> 13;
  if (parts.kind == Parts::finite &&
      rounds_up(Mode, parts.negative, kept & 1, rest >> 12, rest & 0xFFF))
    ++kept;
  if (Relu && parts.negative) return 0;
  return (a & 0x80000000u) | kept << 13;
}

// cvt.pack.sat: a and b clamped into D, a above b; for parts of 8 bits the low half of c stands above them.
template <class D, class S>
inline uint32_t cvt_pack(uint32_t a, uint32_t b, uint32_t c) {
  constexpr int size = width_of<D>;
  constexpr uint32_t mask = (1u << size) - 1;
  uint32_t out = (uint32_t(cvt_integer<D, S, true>(a)) & mask) << size | (uint32_t(cvt_integer<D, S, true>(b)) & mask);
  return size < 16 ? out | c << (2 * size) : out;
}

}  // namespace ptx
}  // namespace emu
