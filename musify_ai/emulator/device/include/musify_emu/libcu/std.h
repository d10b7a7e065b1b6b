// libcu++: what cuda::std has of the C++ library, which runs on the CPU as it is, and what C++17 does not have.
#pragma once
#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <ratio>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda {
namespace std {
using namespace ::std;
struct identity {
  template <class T>
  constexpr T&& operator()(T&& v) const noexcept { return static_cast<T&&>(v); }
  using is_transparent = void;
};
template <class T>
using remove_cvref_t = ::std::remove_cv_t<::std::remove_reference_t<T>>;
template <class T>
constexpr int popcount(T x) noexcept { return __builtin_popcountll(static_cast<unsigned long long>(x)); }
template <class T>
constexpr int countl_zero(T x) noexcept {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) - static_cast<int>(64 - 8 * sizeof(T)) : static_cast<int>(8 * sizeof(T));
}
template <class T>
constexpr int countr_zero(T x) noexcept {
  return x ? __builtin_ctzll(static_cast<unsigned long long>(x)) : static_cast<int>(8 * sizeof(T));
}
template <class To, class From>
To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From), "bit_cast keeps the size");
  alignas(To) unsigned char bytes[sizeof(To)];
  __builtin_memcpy(bytes, &from, sizeof(To));
  return *reinterpret_cast<To*>(bytes);
}
}  // namespace std

template <class T = void>
struct maximum {
  constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
  template <class A, class B>
  constexpr ::std::common_type_t<A, B> operator()(const A& a, const B& b) const { return a < b ? b : a; }
};
template <class T = void>
struct minimum {
  constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
  template <class A, class B>
  constexpr ::std::common_type_t<A, B> operator()(const A& a, const B& b) const { return b < a ? b : a; }
};
template <class Result, class F>
struct return_type_of {
  F f;
  template <class... A>
  Result operator()(A&&... a) const { return const_cast<F&>(f)(static_cast<A&&>(a)...); }
};
template <class Result, class F>
return_type_of<Result, ::std::decay_t<F>> proclaim_return_type(F&& f) { return {static_cast<F&&>(f)}; }
template <class T, class U>
constexpr T ceil_div(T a, U b) { return static_cast<T>((a + b - 1) / b); }
}  // namespace cuda
