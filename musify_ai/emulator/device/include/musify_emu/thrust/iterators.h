// Thrust: iterators that make their elements.
#pragma once
#include "../walking.h"
#include "core.h"

namespace thrust {

namespace detail {
using emu::Walker;
}  // namespace detail

template <class T, class = void, class = void, class = void>
class counting_iterator : public detail::Walker<counting_iterator<T>, T> {
 public:
  counting_iterator(T value = T()) : value_(value) {}
  T raw() const { return value_; }
  T base() const { return value_; }
  void move(ptrdiff_t n) { value_ = static_cast<T>(value_ + static_cast<T>(n)); }
  ptrdiff_t from(const counting_iterator& o) const { return static_cast<ptrdiff_t>(value_) - static_cast<ptrdiff_t>(o.value_); }

 private:
  T value_;
};
template <class T>
counting_iterator<T> make_counting_iterator(T value) { return value; }

template <class T, class = void, class = void>
class constant_iterator : public detail::Walker<constant_iterator<T>, T> {
 public:
  constant_iterator(const T& value = T(), ptrdiff_t at = 0) : value_(value), at_(at) {}
  T raw() const { return value_; }
  void move(ptrdiff_t n) { at_ += n; }
  ptrdiff_t from(const constant_iterator& o) const { return at_ - o.at_; }

 private:
  T value_;
  ptrdiff_t at_;
};
template <class T>
constant_iterator<T> make_constant_iterator(T value) { return value; }

template <class = void>
class discard_iterator : public detail::Walker<discard_iterator<>, void> {
 public:
  struct Sink {
    template <class T>
    const Sink& operator=(const T&) const { return *this; }
  };
  discard_iterator(ptrdiff_t at = 0) : at_(at) {}
  Sink raw() const { return {}; }
  void move(ptrdiff_t n) { at_ += n; }
  ptrdiff_t from(const discard_iterator& o) const { return at_ - o.at_; }

 private:
  ptrdiff_t at_;
};
inline discard_iterator<> make_discard_iterator(ptrdiff_t at = 0) { return at; }

namespace detail {
template <class F, class It>
using result_t = std::decay_t<decltype(std::declval<F&>()(element(std::declval<const It&>())))>;
}
template <class F, class It, class Reference = void, class Value = void>
class transform_iterator
    : public detail::Walker<transform_iterator<F, It, Reference, Value>,
                            std::conditional_t<std::is_void<Value>::value, detail::result_t<F, It>, Value>> {
 public:
  transform_iterator() = default;
  explicit transform_iterator(It it, F f = F()) : it_(it), f_(f) {}
  decltype(auto) raw() const { return const_cast<F&>(f_)(detail::element(it_)); }
  void move(ptrdiff_t n) { it_ += n; }
  ptrdiff_t from(const transform_iterator& o) const { return it_ - o.it_; }
  const It& base() const { return it_; }
  F functor() const { return f_; }
  static constexpr bool is_on_device = detail::on_device<It>::value, is_anywhere = detail::anywhere<It>::value;
  transform_iterator& operator=(const transform_iterator& o) {  // a lambda cannot be assigned
    if (this != &o) {
      this->~transform_iterator();
      new (this) transform_iterator(o);
    }
    return *this;
  }
  transform_iterator(const transform_iterator&) = default;

 private:
  It it_;
  F f_;
};
template <class It, class F>
transform_iterator<F, It> make_transform_iterator(It it, F f) { return transform_iterator<F, It>(it, f); }

template <class F, class It>
class transform_output_iterator : public detail::Walker<transform_output_iterator<F, It>, void> {
 public:
  struct Target {
    It it;
    F f;
    template <class T>
    const Target& operator=(const T& v) const {
      detail::element(it) = const_cast<F&>(f)(v);
      return *this;
    }
  };
  transform_output_iterator(It it, F f) : it_(it), f_(f) {}
  Target raw() const { return {it_, f_}; }
  void move(ptrdiff_t n) { it_ += n; }
  ptrdiff_t from(const transform_output_iterator& o) const { return it_ - o.it_; }
  static constexpr bool is_on_device = detail::on_device<It>::value, is_anywhere = detail::anywhere<It>::value;

 private:
  It it_;
  F f_;
};
template <class It, class F>
transform_output_iterator<F, It> make_transform_output_iterator(It it, F f) { return {it, f}; }

template <class It, class Map>
class permutation_iterator : public detail::Walker<permutation_iterator<It, Map>, detail::value_t<It>> {
 public:
  permutation_iterator(It it, Map map) : it_(it), map_(map) {}
  decltype(auto) raw() const { return detail::element(it_ + static_cast<ptrdiff_t>(detail::element(map_))); }
  void move(ptrdiff_t n) { map_ += n; }
  ptrdiff_t from(const permutation_iterator& o) const { return map_ - o.map_; }
  static constexpr bool is_on_device = detail::on_device<It>::value || detail::on_device<Map>::value;
  static constexpr bool is_anywhere = detail::anywhere<It>::value && detail::anywhere<Map>::value;

 private:
  It it_;
  Map map_;
};
template <class It, class Map>
permutation_iterator<It, Map> make_permutation_iterator(It it, Map map) { return {it, map}; }

template <class It>
class reverse_iterator : public detail::Walker<reverse_iterator<It>, detail::value_t<It>> {
 public:
  reverse_iterator() = default;
  explicit reverse_iterator(It it) : it_(it) {}
  decltype(auto) raw() const { return detail::element(it_ - 1); }
  void move(ptrdiff_t n) { it_ -= n; }
  ptrdiff_t from(const reverse_iterator& o) const { return o.it_ - it_; }
  It base() const { return it_; }
  static constexpr bool is_on_device = detail::on_device<It>::value, is_anywhere = detail::anywhere<It>::value;

 private:
  It it_;
};
template <class It>
reverse_iterator<It> make_reverse_iterator(It it) { return reverse_iterator<It>(it); }

template <class Tuple>
class zip_iterator;
template <class... It>
class zip_iterator<tuple<It...>> : public detail::Walker<zip_iterator<tuple<It...>>, tuple<detail::value_t<It>...>> {
 public:
  zip_iterator() = default;
  zip_iterator(const tuple<It...>& its) : its_(its) {}
  auto raw() const {
    return std::apply([](const auto&... it) { return tuple<decltype(detail::element(it))...>(detail::element(it)...); }, its_);
  }
  void move(ptrdiff_t n) {
    std::apply([n](auto&... it) { ((it += n), ...); }, its_);
  }
  ptrdiff_t from(const zip_iterator& o) const { return std::get<0>(its_) - std::get<0>(o.its_); }
  const tuple<It...>& get_iterator_tuple() const { return its_; }
  static constexpr bool is_on_device = (detail::on_device<It>::value || ...), is_anywhere = (detail::anywhere<It>::value && ...);

 private:
  tuple<It...> its_;
};
template <class... It>
zip_iterator<tuple<It...>> make_zip_iterator(const tuple<It...>& its) { return its; }
template <class A, class B, class... It>
zip_iterator<tuple<A, B, It...>> make_zip_iterator(A a, B b, It... its) { return tuple<A, B, It...>(a, b, its...); }

template <class F>
struct zip_function {
  F f;
  template <class Tuple>
  decltype(auto) operator()(Tuple&& t) const { return std::apply(const_cast<F&>(f), std::forward<Tuple>(t)); }
};
template <class F>
zip_function<F> make_zip_function(F f) { return {f}; }

}  // namespace thrust
