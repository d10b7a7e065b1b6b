// e4m3 and e5m2 as integers of 8 bits.
//
// e4m3: bias 7, largest 448, one NaN a sign, no infinity. e5m2: bias 15, largest 57344, as IEEE 754. A conversion rounds
// once, to nearest, ties to even; what is too large becomes the largest (`finite`), or NaN in e4m3 and infinity in e5m2.
#pragma once
#include "formats.h"

namespace emu {

enum class Eight { e4m3, e5m2 };
enum class Saturation { none, finite };

inline double eight_value(unsigned char v, Eight kind) {
  const int mantissa = kind == Eight::e4m3 ? 3 : 2, bias = kind == Eight::e4m3 ? 7 : 15;
  const int exponent = (v & 0x7f) >> mantissa, fraction = v & ((1 << mantissa) - 1);
  const double sign = v & 0x80 ? -1 : 1;
  if (kind == Eight::e4m3 ? (v & 0x7f) == 0x7f : exponent == 31 && fraction) return NAN;
  if (kind == Eight::e5m2 && exponent == 31) return sign * HUGE_VAL;
  return sign * (exponent ? std::ldexp((1 << mantissa) + fraction, exponent - bias - mantissa)
                          : std::ldexp(fraction, 1 - bias - mantissa));
}

inline unsigned char eight_bits(double x, Saturation saturation, Eight kind) {
  const int mantissa = kind == Eight::e4m3 ? 3 : 2, bias = kind == Eight::e4m3 ? 7 : 15;
  const unsigned largest = kind == Eight::e4m3 ? 0x7e : 0x7b;
  if (x != x) return 0x7f;
  const unsigned sign = std::signbit(x) ? 0x80 : 0;
  const double size = std::fabs(x);
  unsigned code = largest + 1;
  if (size < 1e6) {
    int exponent = size == 0 ? 1 - bias : std::ilogb(size);
    if (exponent < 1 - bias) exponent = 1 - bias;
    // In units of the last place, which round by the processor's own mode: to nearest, ties to even.
    const unsigned units = static_cast<unsigned>(std::nearbyint(std::ldexp(size, mantissa - exponent)));
    // A carry out of the mantissa moves into the exponent by itself.
    code = units < (1u << mantissa) ? units : units + (static_cast<unsigned>(exponent + bias - 1) << mantissa);
    if (code > largest) code = largest + 1;
  }
  if (code > largest) code = saturation == Saturation::finite ? largest : kind == Eight::e4m3 ? 0x7f : 0x7c;
  return static_cast<unsigned char>(sign | code);
}
// A double's NaN keeps its sign, and in e5m2 what fits of its payload.
inline unsigned char eight_bits_of_double(double x, Saturation saturation, Eight kind) {
  if (x == x) return eight_bits(x, saturation, kind);
  uint64_t pattern;
  memcpy(&pattern, &x, 8);
  const unsigned payload = kind == Eight::e4m3 ? 0x7f : 0x7e | (pattern >> 50 & 3);
  return static_cast<unsigned char>(pattern >> 63 << 7 | payload);
}
inline unsigned short half_of_eight_bits(unsigned char v, Eight kind) {
  return Half16::encode(static_cast<float>(eight_value(v, kind)));
}
template <class A, class B>
unsigned short two_of_eight(A low, B high, Saturation saturation, Eight kind) {
  return static_cast<unsigned short>(eight_bits(low, saturation, kind) | eight_bits(high, saturation, kind) << 8);
}

}  // namespace emu
