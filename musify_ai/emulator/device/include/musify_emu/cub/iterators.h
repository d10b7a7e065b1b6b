// CUB: iterators.
#pragma once
#include "types.h"

namespace cub {

namespace detail {
// What the random access iterators here share: a position.
template <class Self, class Value, class Difference = ptrdiff_t>
struct Walker {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = Difference;
  using pointer = void;
  using reference = Value;
  using self_type = Self;
  Difference at = 0;
  Self operator+(ptrdiff_t n) const {
    Self out = self();
    out.at = static_cast<Difference>(out.at + static_cast<Difference>(n));
    return out;
  }
  Self operator-(ptrdiff_t n) const { return *this + -n; }
  Difference operator-(const Walker& o) const { return static_cast<Difference>(at - o.at); }
  Self& operator+=(ptrdiff_t n) { return self() = *this + n; }
  Self& operator-=(ptrdiff_t n) { return self() = *this - n; }
  Self& operator++() { return *this += 1; }
  Self& operator--() { return *this += -1; }
  Self operator++(int) {
    Self old = self();
    *this += 1;
    return old;
  }
  decltype(auto) operator[](ptrdiff_t n) const { return *(*this + n); }
  bool operator==(const Walker& o) const { return at == o.at; }
  bool operator!=(const Walker& o) const { return at != o.at; }
  bool operator<(const Walker& o) const { return at < o.at; }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }
};
}  // namespace detail

template <class T, class OffsetT = ptrdiff_t>
struct CountingInputIterator : detail::Walker<CountingInputIterator<T, OffsetT>, T> {
  T first;
  CountingInputIterator(const T& f) : first(f) {}
  T operator*() const { return static_cast<T>(first + static_cast<T>(this->at)); }
};
template <class T, class OffsetT = ptrdiff_t>
struct ConstantInputIterator : detail::Walker<ConstantInputIterator<T, OffsetT>, T> {
  T value;
  ConstantInputIterator(T v, OffsetT = 0) : value(v) {}
  T operator*() const { return value; }
};
template <class T, class Op, class It, class OffsetT = ptrdiff_t>
struct TransformInputIterator : detail::Walker<TransformInputIterator<T, Op, It, OffsetT>, T> {
  It in;
  Op op;
  TransformInputIterator(It i, Op o) : in(i), op(o) {}
  T operator*() const { return const_cast<Op&>(op)(in[this->at]); }
};
template <class It, class OffsetT = ptrdiff_t, class T = detail::value_t<It>>
struct ArgIndexInputIterator
    : detail::Walker<ArgIndexInputIterator<It, OffsetT, T>, KeyValuePair<OffsetT, T>> {
  It in;
  ArgIndexInputIterator(It i, ptrdiff_t = 0) : in(i) {}
  KeyValuePair<OffsetT, T> operator*() const { return {static_cast<OffsetT>(this->at), in[this->at]}; }
};
template <CacheLoadModifier M, class T, class OffsetT = ptrdiff_t>
struct CacheModifiedInputIterator : detail::Walker<CacheModifiedInputIterator<M, T, OffsetT>, T> {
  const T* in;
  template <class U>
  CacheModifiedInputIterator(U* p) : in(p) {}
  T operator*() const { return in[this->at]; }
};
template <CacheStoreModifier M, class T, class OffsetT = ptrdiff_t>
struct CacheModifiedOutputIterator : detail::Walker<CacheModifiedOutputIterator<M, T, OffsetT>, void> {
  T* out;
  template <class U>
  CacheModifiedOutputIterator(U* p) : out(p) {}
  T& operator*() const { return out[this->at]; }
};
template <class T>
struct TexObjInputIterator : detail::Walker<TexObjInputIterator<T>, T> {
  const T* in = nullptr;
  template <class U>
  Status BindTexture(U* p, size_t = size_t(-1), size_t = 0) {
    in = p;
    return Status(0);
  }
  Status UnbindTexture() { return Status(0); }
  T operator*() const { return in[this->at]; }
};
template <class OffsetT = ptrdiff_t>
struct DiscardOutputIterator : detail::Walker<DiscardOutputIterator<OffsetT>, void> {
  struct Sink {
    template <class T>
    const Sink& operator=(const T&) const { return *this; }
  };
  DiscardOutputIterator(OffsetT = 0) {}
  Sink operator*() const { return {}; }
};

}  // namespace cub
