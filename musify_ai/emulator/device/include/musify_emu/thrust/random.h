// Thrust: random engines, which are those of the C++ library, and distributions, which are Thrust's own.
#pragma once
#include <cmath>
#include <limits>
#include <random>

#include "core.h"

namespace thrust {
namespace random {

using minstd_rand0 = std::minstd_rand0;
using minstd_rand = std::minstd_rand;
using default_random_engine = minstd_rand;
using ranlux24_base = std::ranlux24_base;
using ranlux48_base = std::ranlux48_base;
using ranlux24 = std::ranlux24;
using ranlux48 = std::ranlux48;
template <class U, U A, U C, U M>
using linear_congruential_engine = std::linear_congruential_engine<U, A, C, M>;

template <class T = double>
class uniform_real_distribution {
 public:
  using result_type = T;
  explicit uniform_real_distribution(T a = 0, T b = 1) : a_(a), b_(b) {}
  template <class G>
  T operator()(G& g) const {
    T unit = static_cast<T>(g() - G::min());
    unit /= T(1) + static_cast<T>(G::max() - G::min());
    return unit * (b_ - a_) + a_;
  }
  T a() const { return a_; }
  T b() const { return b_; }
  T min() const { return a_; }
  T max() const { return b_; }
  void reset() {}

 private:
  T a_, b_;
};
template <class I = int>
class uniform_int_distribution {
 public:
  using result_type = I;
  explicit uniform_int_distribution(I a = 0, I b = std::numeric_limits<I>::max()) : a_(a), b_(b) {}
  template <class G>
  I operator()(G& g) const {
    uniform_real_distribution<double> real(static_cast<double>(a_), static_cast<double>(b_) + 1);
    return static_cast<I>(real(g));  // towards zero, as Thrust has it
  }
  I a() const { return a_; }
  I b() const { return b_; }
  void reset() {}

 private:
  I a_, b_;
};
namespace distributions {
// The x of 0 and more whose complementary error function is y, for y from 0 to 1.
inline double inverse_erfc(double y) {
  double x = 0;
  for (int i = 0; i < 60; i++) x += (::erfc(x) - y) * 0.886226925452758 * ::exp(x * x);
  return x;
}
}  // namespace distributions
// By the inverse of the distribution: one draw for each number.
template <class T = double>
class normal_distribution {
 public:
  using result_type = T;
  explicit normal_distribution(T mean = 0, T deviation = 1) : mean_(mean), deviation_(deviation) {}
  template <class G>
  T operator()(G& g) const {
    auto range = G::max() - G::min();
    T step = static_cast<T>(1. / static_cast<double>(range)), side = static_cast<T>(-1.4142135623730950488);
    auto u = static_cast<decltype(range)>(g() - G::min());
    if (u > range / 2) {
      u = range - u;
      side = -side;
    }
    T p = static_cast<T>(u) * step + step / 2;
    return mean_ + deviation_ * side * static_cast<T>(distributions::inverse_erfc(static_cast<double>(2 * p)));
  }
  T mean() const { return mean_; }
  T stddev() const { return deviation_; }
  void reset() {}

 private:
  T mean_, deviation_;
};

}  // namespace random
using namespace random;
}  // namespace thrust
