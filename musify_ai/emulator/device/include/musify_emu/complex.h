// Complex arithmetic on pairs of float and double. Products, quotients and moduli are computed as the vendors' header
// says of its own: a product by four multiplications, a quotient and a modulus scaled so that no part overflows early.
#pragma once
#include <cmath>

#include "vectors.h"

namespace emu {
namespace complex {

template <class C>
using part = decltype(C::x);

template <class C>
inline C conjugate(C a) { return C{a.x, -a.y}; }
template <class C>
inline C sum(C a, C b) { return C{a.x + b.x, a.y + b.y}; }
template <class C>
inline C difference(C a, C b) { return C{a.x - b.x, a.y - b.y}; }
template <class C>
inline C product(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

template <class C>
inline C quotient(C a, C b) {
  part<C> scale = 1 / (std::fabs(b.x) + std::fabs(b.y));
  C n{a.x * scale, a.y * scale}, d{b.x * scale, b.y * scale};
  part<C> over = 1 / (d.x * d.x + d.y * d.y);
  return C{(n.x * d.x + n.y * d.y) * over, (n.y * d.x - n.x * d.y) * over};
}

template <class C>
inline part<C> modulus(C a) {
  part<C> re = std::fabs(a.x), im = std::fabs(a.y);
  part<C> large = re > im ? re : im, small = re > im ? im : re;
  if (std::isinf(large) || std::isinf(small)) return HUGE_VAL;
  if (large == 0) return small;  // 0, or NaN
  part<C> ratio = small / large;
  return large * std::sqrt(1 + ratio * ratio);
}

// a * b + c, as single multiplications and additions.
template <class C>
inline C multiply_add(C a, C b, C c) {
  part<C> re = a.x * b.x + c.x, im = a.x * b.y + c.y;
  return C{-(a.y * b.y) + re, a.y * b.x + im};
}

}  // namespace complex
}  // namespace emu
