// e2m1 in 4 bits, alone and by twos and fours, and e8m0, a power of two in 8 bits (CUDA 12.8: cuda_fp4.h, cuda_fp8.h).
//
// e2m1 has no infinity and no NaN: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. A conversion rounds once, to nearest,
// ties to even; what is too large becomes 6, and a NaN +6. e8m0 has neither sign nor zero: 2^(code - 127), and 255 is NaN.
#pragma once
#include "eight_formats.h"
#include "half.h"

namespace emu {

enum class Four { e2m1 };

inline double four_value(unsigned code) {
  const unsigned exponent = code >> 1 & 3, fraction = code & 1;
  const double size = exponent ? std::ldexp(2 + fraction, static_cast<int>(exponent) - 2) : fraction * 0.5;
  return code & 8 ? -size : size;
}
inline unsigned char four_bits(double x) {
  if (x != x) return 7;
  const double size = std::fabs(x);
  int exponent = size < 1 ? 0 : size < 2 ? 0 : size < 4 ? 1 : 2;
  // In units of the last place; a carry out of the mantissa moves into the exponent by itself.
  unsigned code = 7;
  if (size < 8) {
    const unsigned units = static_cast<unsigned>(std::nearbyint(std::ldexp(size, 1 - exponent)));
    code = units < 2 ? units : units + (static_cast<unsigned>(exponent) << 1);
    if (code > 7) code = 7;
  }
  return static_cast<unsigned char>((std::signbit(x) ? 8 : 0) | code);
}
template <class A, class B>
unsigned char two_of_four(A low, B high) {
  return static_cast<unsigned char>(four_bits(low) | four_bits(high) << 4);
}
inline unsigned short half_of_four_bits(unsigned code) {
  return Half16::encode(static_cast<float>(four_value(code & 15)));
}

inline float power_value(unsigned char code) {
  return code == 255 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0f, code - 127);
}
// Towards zero takes the exponent as it is, else the next power; what is too large is 2^127, or NaN without saturation.
inline unsigned char power_bits(double x, Saturation saturation, bool up) {
  if (x != x) return 255;
  const double size = std::fabs(x);
  if (size == 0) return 0;
  if (size == HUGE_VAL) return saturation == Saturation::finite ? 254 : 255;
  int exponent = std::ilogb(size);
  if (up && std::ldexp(1.0, exponent) != size) ++exponent;
  if (exponent < -127) return 0;
  if (exponent > 127) return saturation == Saturation::finite ? 254 : 255;
  return static_cast<unsigned char>(exponent + 127);
}

}  // namespace emu
