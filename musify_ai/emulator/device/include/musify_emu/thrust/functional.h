// Thrust: function objects.
#pragma once
#include "core.h"

namespace thrust {

#define EMU_THRUST_BINARY(NAME, RESULT, EXPRESSION)                      \
  template <class T = void>                                              \
  struct NAME {                                                          \
    using first_argument_type = T;                                       \
    using second_argument_type = T;                                      \
    using result_type = RESULT;                                          \
    RESULT operator()(const T& a, const T& b) const { return EXPRESSION; } \
  };                                                                     \
  template <>                                                            \
  struct NAME<void> {                                                    \
    template <class A, class B>                                          \
    auto operator()(const A& a, const B& b) const { return EXPRESSION; } \
  };
EMU_THRUST_BINARY(plus, T, a + b)
EMU_THRUST_BINARY(minus, T, a - b)
EMU_THRUST_BINARY(multiplies, T, a* b)
EMU_THRUST_BINARY(divides, T, a / b)
EMU_THRUST_BINARY(modulus, T, a % b)
EMU_THRUST_BINARY(bit_and, T, a& b)
EMU_THRUST_BINARY(bit_or, T, a | b)
EMU_THRUST_BINARY(bit_xor, T, a ^ b)
EMU_THRUST_BINARY(equal_to, bool, a == b)
EMU_THRUST_BINARY(not_equal_to, bool, a != b)
EMU_THRUST_BINARY(less, bool, a < b)
EMU_THRUST_BINARY(greater, bool, a > b)
EMU_THRUST_BINARY(less_equal, bool, a <= b)
EMU_THRUST_BINARY(greater_equal, bool, a >= b)
EMU_THRUST_BINARY(logical_and, bool, a&& b)
EMU_THRUST_BINARY(logical_or, bool, a || b)
EMU_THRUST_BINARY(maximum, T, a < b ? b : a)
EMU_THRUST_BINARY(minimum, T, a < b ? a : b)
EMU_THRUST_BINARY(project1st, T, a)
EMU_THRUST_BINARY(project2nd, T, b)
#undef EMU_THRUST_BINARY
#define EMU_THRUST_UNARY(NAME, RESULT, EXPRESSION)               \
  template <class T = void>                                      \
  struct NAME {                                                  \
    using argument_type = T;                                     \
    using result_type = RESULT;                                  \
    RESULT operator()(const T& a) const { return EXPRESSION; }   \
  };                                                             \
  template <>                                                    \
  struct NAME<void> {                                            \
    template <class A>                                           \
    auto operator()(const A& a) const { return EXPRESSION; }     \
  };
EMU_THRUST_UNARY(negate, T, -a)
EMU_THRUST_UNARY(identity, T, a)
EMU_THRUST_UNARY(logical_not, bool, !a)
EMU_THRUST_UNARY(square, T, a* a)
#undef EMU_THRUST_UNARY

template <class A, class R>
struct unary_function {
  using argument_type = A;
  using result_type = R;
};
template <class A, class B, class R>
struct binary_function {
  using first_argument_type = A;
  using second_argument_type = B;
  using result_type = R;
};
template <class F>
struct unary_negate {
  F f;
  template <class T>
  bool operator()(const T& v) const { return !const_cast<F&>(f)(v); }
};
template <class F>
unary_negate<F> not1(const F& f) { return {f}; }
template <class F>
struct binary_negate {
  F f;
  template <class A, class B>
  bool operator()(const A& a, const B& b) const { return !const_cast<F&>(f)(a, b); }
};
template <class F>
binary_negate<F> not2(const F& f) { return {f}; }

// ---- placeholders: expressions of _1 and _2 that are functions of one or two arguments
namespace detail {
template <class F>
struct Expression {
  F f;
  template <class A>
  decltype(auto) operator()(A&& a) const { return f(a, 0); }
  template <class A, class B>
  decltype(auto) operator()(A&& a, B&& b) const { return f(a, b); }
};
template <class F>
Expression<F> expression(F f) { return {f}; }
template <class T>
struct is_expression : std::false_type {};
template <class F>
struct is_expression<Expression<F>> : std::true_type {};
template <class T, class A, class B>
decltype(auto) value_in(const T& t, A&& a, B&& b) {
  if constexpr (is_expression<T>::value) return t.f(std::forward<A>(a), std::forward<B>(b));
  else return static_cast<const T&>(t);
}
struct First {
  template <class A, class B>
  A&& operator()(A&& a, B&&) const { return static_cast<A&&>(a); }
};
struct Second {
  template <class A, class B>
  B&& operator()(A&&, B&& b) const { return static_cast<B&&>(b); }
};
#define EMU_THRUST_EXPRESSION(OP)                                                                                          \
  template <class L, class R, std::enable_if_t<is_expression<L>::value || is_expression<R>::value, int> = 0>               \
  auto operator OP(const L& l, const R& r) {                                                                               \
    return expression([=](auto&& a, auto&& b) { return value_in(l, a, b) OP value_in(r, a, b); });                         \
  }
EMU_THRUST_EXPRESSION(+)
EMU_THRUST_EXPRESSION(-)
EMU_THRUST_EXPRESSION(*)
EMU_THRUST_EXPRESSION(/)
EMU_THRUST_EXPRESSION(%)
EMU_THRUST_EXPRESSION(==)
EMU_THRUST_EXPRESSION(!=)
EMU_THRUST_EXPRESSION(<)
EMU_THRUST_EXPRESSION(>)
EMU_THRUST_EXPRESSION(<=)
EMU_THRUST_EXPRESSION(>=)
EMU_THRUST_EXPRESSION(&&)
EMU_THRUST_EXPRESSION(||)
EMU_THRUST_EXPRESSION(&)
EMU_THRUST_EXPRESSION(|)
EMU_THRUST_EXPRESSION(^)
#undef EMU_THRUST_EXPRESSION
template <class F>
auto operator-(const Expression<F>& e) {
  return expression([=](auto&& a, auto&& b) { return -e.f(a, b); });
}
template <class F>
auto operator!(const Expression<F>& e) {
  return expression([=](auto&& a, auto&& b) { return !e.f(a, b); });
}
}  // namespace detail
namespace placeholders {
static constexpr detail::Expression<detail::First> _1{};
static constexpr detail::Expression<detail::Second> _2{};
}  // namespace placeholders

}  // namespace thrust
