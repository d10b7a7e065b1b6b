// Special functions that the C library has not, of the vendors' device maths: inverses of the error function and of the
// normal distribution, the scaled complement, modified Bessel functions, norms. Made in double (the Bessel functions in
// long double) from their series and by Newton's method, so that they are right to the last digits; how far off a
// device's own are, its documentation says and no CPU can.
#pragma once
#include "arithmetic.h"

namespace emu {
namespace device {

// The y with erfc(y) = x, for x up to 1: Newton's method on the logarithm, which is near to a parabola far out.
inline double erfcinv_of_small(double x) {
  constexpr double root_pi = 1.77245385090551602730;
  double y = x > 0.5 ? (1 - x) * root_pi / 2 : ::sqrt(-::log(x));
  for (int i = 0; i < 60; i++) {
    const double value = ::erfc(y), slope = -2 / root_pi * ::exp(-y * y);
    const double step = x > 0.5 ? (value - x) / slope : ::log(value / x) * value / slope;
    y -= step;
    if (::fabs(step) <= 1e-16 * ::fabs(y)) break;
  }
  return y;
}
inline double erfinv_of_small(double x) {  // up to a half, where erfc would lose digits
  constexpr double root_pi = 1.77245385090551602730;
  double y = x * root_pi / 2;
  for (int i = 0; i < 60 && y != 0; i++) {
    const double step = (::erf(y) - x) * root_pi / 2 * ::exp(y * y);
    y -= step;
    if (::fabs(step) <= 1e-16 * ::fabs(y)) break;
  }
  return y;
}
EMU_INLINE double erfinv(double x) {
  const double size = ::fabs(x);
  if (!(size <= 1)) return NAN;
  if (size == 1) return ::copysign(INFINITY, x);
  return size <= 0.5 ? erfinv_of_small(x) : ::copysign(erfcinv_of_small(1 - size), x);
}
EMU_INLINE double erfcinv(double x) {
  if (!(x >= 0 && x <= 2)) return NAN;
  if (x == 0 || x == 2) return x == 0 ? INFINITY : -INFINITY;
  if (x >= 0.5 && x <= 1.5) return -erfinv_of_small(x - 1);
  return x < 1 ? erfcinv_of_small(x) : -erfcinv_of_small(2 - x);
}
EMU_INLINE double normcdfinv(double x) { return -1.41421356237309504880 * device::erfcinv(2 * x); }
EMU_INLINE double erfcx(double x) {
  if (x < 50) return static_cast<double>(::expl(static_cast<long double>(x) * x) * ::erfcl(x));
  const double s = 1 / (2 * x * x);
  return 0.56418958354775628695 / x * (1 - s * (1 - 3 * s * (1 - 5 * s * (1 - 7 * s * (1 - 9 * s)))));
}
inline double bessel_i(int order, double x) {
  const long double q = static_cast<long double>(x) * x / 4;
  long double term = order ? static_cast<long double>(x) / 2 : 1, sum = term;
  for (int k = 1; term != 0 && k < 4000; k++) {
    term *= q / (static_cast<long double>(k) * (k + order));
    sum += term;
    if (::fabsl(term) < 1e-22L * ::fabsl(sum)) break;
  }
  return static_cast<double>(sum);
}
EMU_INLINE double cyl_bessel_i0(double x) { return x != x ? x : bessel_i(0, x); }
EMU_INLINE double cyl_bessel_i1(double x) { return x != x ? x : bessel_i(1, x); }

// Of as many numbers as are given, without an overflow on the way.
template <class T>
double norm_of(int count, const T* p) {
  long double sum = 0;
  for (int i = 0; i < count; i++) sum += static_cast<long double>(p[i]) * p[i];
  return static_cast<double>(::sqrtl(sum));
}
EMU_INLINE double norm(int n, const double* p) { return norm_of(n, p); }
EMU_INLINE float normf(int n, const float* p) { return static_cast<float>(norm_of(n, p)); }
EMU_INLINE double rnorm(int n, const double* p) { return 1 / norm_of(n, p); }
EMU_INLINE float rnormf(int n, const float* p) { return static_cast<float>(1 / norm_of(n, p)); }
EMU_INLINE double norm4d(double a, double b, double c, double d) {
  const double all[] = {a, b, c, d};
  return norm_of(4, all);
}
EMU_INLINE float norm4df(float a, float b, float c, float d) { return static_cast<float>(device::norm4d(a, b, c, d)); }
EMU_INLINE double rnorm3d(double a, double b, double c) { return 1 / device::norm3d(a, b, c); }
EMU_INLINE double rnorm4d(double a, double b, double c, double d) { return 1 / device::norm4d(a, b, c, d); }
EMU_INLINE float rnorm4df(float a, float b, float c, float d) { return static_cast<float>(1 / device::norm4d(a, b, c, d)); }

#define EMU_SINGLE(NAME)                                                                                            \
  EMU_INLINE float NAME##f(float x) { return static_cast<float>(device::NAME(static_cast<double>(x))); }           \
  EMU_INLINE float NAME(float x) { return device::NAME##f(x); }
EMU_SINGLE(erfinv) EMU_SINGLE(erfcinv) EMU_SINGLE(erfcx) EMU_SINGLE(normcdfinv) EMU_SINGLE(cyl_bessel_i0)
EMU_SINGLE(cyl_bessel_i1)
#undef EMU_SINGLE

}  // namespace device
}  // namespace emu
