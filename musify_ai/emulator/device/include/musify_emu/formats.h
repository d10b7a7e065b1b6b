// The two 16-bit formats as integers: one rounding, from the widest exact value there is.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core.h"

namespace emu {

enum class Round { nearest, zero, up, down };

// `Mantissa` stored bits, `Exponent` bits; the rest as IEEE 754 has it.
template <int Mantissa, int Exponent>
struct Format {
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr uint16_t infinity = static_cast<uint16_t>(((1 << Exponent) - 1) << Mantissa);
  static constexpr uint16_t nan = static_cast<uint16_t>(0x7fff);
  static constexpr int smallest = 1 - bias - Mantissa;  // exponent of the least subnormal

  static uint16_t encode(double x, Round mode) {
    uint64_t pattern;
    memcpy(&pattern, &x, 8);
    uint16_t sign = static_cast<uint16_t>(pattern >> 48 & 0x8000);
    bool negative = sign != 0;
    if (x != x) return nan;
    double magnitude = negative ? -x : x;
    if (magnitude == 0) return sign;
    bool away = mode == Round::up ? !negative : mode == Round::down && negative;
    if (magnitude > 1.7e308) return static_cast<uint16_t>(sign | infinity);
    int exponent = static_cast<int>(pattern >> 52 & 0x7ff) - 1023;
    if (exponent < 1 - bias) exponent = 1 - bias;
    int quantum = exponent - Mantissa;
    if (exponent > bias + 1) quantum = bias + 1 - Mantissa;
    double scaled = std::ldexp(magnitude, -quantum);  // exact: a power of two
    double whole = std::floor(scaled), rest = scaled - whole;
    bool odd = std::fmod(whole, 2.0) != 0;
    if (mode == Round::nearest ? rest > 0.5 || (rest == 0.5 && odd) : away && rest > 0) whole += 1;
    double rounded = std::ldexp(whole, quantum);
    double largest = std::ldexp(2.0 - std::ldexp(1.0, -Mantissa), bias);
    if (rounded > largest) {
      bool saturates = mode == Round::zero || ((mode == Round::up || mode == Round::down) && !away);
      return static_cast<uint16_t>(sign | (saturates ? infinity - 1 : infinity));
    }
    if (whole == 0) return sign;
    int top = 0;
    std::frexp(rounded, &top);
    int e = top - 1;
    if (e < 1 - bias) return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::ldexp(rounded, -smallest)));
    uint16_t fraction = static_cast<uint16_t>(std::ldexp(rounded, Mantissa - e)) & ((1 << Mantissa) - 1);
    return static_cast<uint16_t>(sign | ((e + bias) << Mantissa) | fraction);
  }
};

struct Half16 {
  using Wide = Format<10, 5>;
  static float decode(uint16_t h) {
    uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16, exponent = h >> 10 & 0x1f, fraction = h & 0x3ff, out;
    if (exponent == 0x1f) {
      out = sign | 0x7f800000 | fraction << 13;
    } else if (exponent) {
      out = sign | (exponent + 112) << 23 | fraction << 13;
    } else {
      float value = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
      memcpy(&out, &value, 4);
      out |= sign;
    }
    float result;
    memcpy(&result, &out, 4);
    return result;
  }
  static uint16_t encode(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000) return Wide::nan;
    if (bits >= 0x47800000) return static_cast<uint16_t>(sign | Wide::infinity);  // 65536 and more
    if (bits < 0x38800000) {  // subnormal: adding 0.5 lets the processor round at 2^-24
      float value;
      memcpy(&value, &bits, 4);
      value += 0.5f;
      memcpy(&bits, &value, 4);
      return static_cast<uint16_t>(sign | (bits - 0x3f000000));
    }
    bits += 0xc8000fff + (bits >> 13 & 1);  // a smaller bias, and half a quantum, ties to even
    return static_cast<uint16_t>(sign | bits >> 13);
  }
  static uint16_t encode(double x, Round mode) { return Wide::encode(x, mode); }
};

struct BFloat16 {
  using Wide = Format<7, 8>;
  static float decode(uint16_t h) {
    uint32_t bits = static_cast<uint32_t>(h) << 16;
    float result;
    memcpy(&result, &bits, 4);
    return result;
  }
  static uint16_t encode(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    if ((bits & 0x7fffffff) > 0x7f800000) return Wide::nan;
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  static uint16_t encode(double x, Round mode) { return Wide::encode(x, mode); }
};

// a * b + c of 16-bit values, rounded to odd: what is lost below the last bit of the double still decides a later
// rounding, so that the two roundings are as one.
inline double multiply_add_odd(double a, double b, double c) {
  double product = a * b, sum = product + c;  // the product is exact
  if (!std::isfinite(sum)) return sum;
  double part = sum - product, lost = (product - (sum - part)) + (c - part);
  uint64_t bits;
  memcpy(&bits, &sum, 8);
  if (lost == 0 || bits & 1) return sum;
  return std::nextafter(sum, lost > 0 ? HUGE_VAL : -HUGE_VAL);
}

}  // namespace emu
