// Comparison and selection of PTX.
#pragma once
#include "floating.h"

namespace emu {
namespace ptx {

// The ordered comparisons are false where an operand is NaN, those that end in u are true. lo, ls, hi and hs are the
// unsigned lt, le, gt and ge.
enum class Comparison { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <class V>
inline bool ordered(Comparison c, V a, V b) {
  switch (c) {
    case Comparison::eq: case Comparison::equ: return a == b;
    case Comparison::ne: case Comparison::neu: return a != b;
    case Comparison::lt: case Comparison::ltu: return a < b;
    case Comparison::le: case Comparison::leu: return a <= b;
    case Comparison::gt: case Comparison::gtu: return a > b;
    case Comparison::ge: case Comparison::geu: return a >= b;
    default: return c == Comparison::num;
  }
}
template <class T, Comparison C, bool Ftz>
inline bool compare(bits_of<T> a, bits_of<T> b) {
  if constexpr (is_float<T> || is_half<T>) {
    double x, y;
    if constexpr (is_half<T>) x = half_input<T, Ftz>(a), y = half_input<T, Ftz>(b);
    else x = input<T, Ftz>(a), y = input<T, Ftz>(b);
    if (std::isnan(x) || std::isnan(y)) return C >= Comparison::equ && C != Comparison::num;
    return ordered(C, x, y);
  } else {
    return ordered(C, read<T>(a), read<T>(b));
  }
}

// set: all ones or zero, or for an f32 destination 1.0 or 0.0.
template <class D>
inline bits_of<D> set(bool outcome) {
  if constexpr (std::is_same<D, f32>::value) return outcome ? 0x3F800000u : 0;
  else return outcome ? static_cast<bits_of<D>>(~bits_of<D>(0)) : 0;
}
template <class T>
inline bits_of<T> selp(bits_of<T> a, bits_of<T> b, bool c) { return c ? a : b; }
// slct: a where c is not negative (-0 is not, NaN is), else b.
template <class T, class C, bool Ftz>
inline bits_of<T> slct(bits_of<T> a, bits_of<T> b, bits_of<C> c) {
  if constexpr (is_float<C>) return input<C, Ftz>(c) >= 0 ? a : b;
  else return read<C>(c) >= 0 ? a : b;
}

}  // namespace ptx
}  // namespace emu
