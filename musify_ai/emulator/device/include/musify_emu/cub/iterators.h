// CUB: iterators.
#pragma once
#include "../walking.h"
#include "types.h"

namespace cub {

namespace detail {
// An iterator that knows its position; Self's `raw()` makes the element there.
template <class Self, class Value, class Difference = ptrdiff_t>
struct Position : emu::Walker<Self, Value, Value, Difference> {
  using self_type = Self;
  Difference at = 0;
  void move(ptrdiff_t n) { at = static_cast<Difference>(at + static_cast<Difference>(n)); }
  Difference from(const Position& o) const { return static_cast<Difference>(at - o.at); }
};
}  // namespace detail

template <class T, class OffsetT = ptrdiff_t>
struct CountingInputIterator : detail::Position<CountingInputIterator<T, OffsetT>, T> {
  T first;
  CountingInputIterator(const T& f) : first(f) {}
  T raw() const { return static_cast<T>(first + static_cast<T>(this->at)); }
};
template <class T, class OffsetT = ptrdiff_t>
struct ConstantInputIterator : detail::Position<ConstantInputIterator<T, OffsetT>, T> {
  T value;
  ConstantInputIterator(T v, OffsetT = 0) : value(v) {}
  T raw() const { return value; }
};
template <class T, class Op, class It, class OffsetT = ptrdiff_t>
struct TransformInputIterator : detail::Position<TransformInputIterator<T, Op, It, OffsetT>, T> {
  It in;
  Op op;
  TransformInputIterator(It i, Op o) : in(i), op(o) {}
  T raw() const { return const_cast<Op&>(op)(in[this->at]); }
};
template <class It, class OffsetT = ptrdiff_t, class T = detail::value_t<It>>
struct ArgIndexInputIterator
    : detail::Position<ArgIndexInputIterator<It, OffsetT, T>, KeyValuePair<OffsetT, T>> {
  It in;
  ArgIndexInputIterator(It i, ptrdiff_t = 0) : in(i) {}
  KeyValuePair<OffsetT, T> raw() const { return {static_cast<OffsetT>(this->at), in[this->at]}; }
};
template <CacheLoadModifier M, class T, class OffsetT = ptrdiff_t>
struct CacheModifiedInputIterator : detail::Position<CacheModifiedInputIterator<M, T, OffsetT>, T> {
  static constexpr bool is_on_device = true, is_anywhere = false;
  const T* in;
  template <class U>
  CacheModifiedInputIterator(U* p) : in(p) {}
  T raw() const { return in[this->at]; }
};
template <CacheStoreModifier M, class T, class OffsetT = ptrdiff_t>
struct CacheModifiedOutputIterator : detail::Position<CacheModifiedOutputIterator<M, T, OffsetT>, void> {
  static constexpr bool is_on_device = true, is_anywhere = false;
  T* out;
  template <class U>
  CacheModifiedOutputIterator(U* p) : out(p) {}
  T& raw() const { return out[this->at]; }
};
template <class T>
struct TexObjInputIterator : detail::Position<TexObjInputIterator<T>, T> {
  static constexpr bool is_on_device = true, is_anywhere = false;
  const T* in = nullptr;
  template <class U>
  Status BindTexture(U* p, size_t = size_t(-1), size_t = 0) {
    in = p;
    return Status(0);
  }
  Status UnbindTexture() { return Status(0); }
  T raw() const { return in[this->at]; }
};
template <class OffsetT = ptrdiff_t>
struct DiscardOutputIterator : detail::Position<DiscardOutputIterator<OffsetT>, void> {
  struct Sink {
    template <class T>
    const Sink& operator=(const T&) const { return *this; }
  };
  DiscardOutputIterator(OffsetT = 0) {}
  Sink raw() const { return {}; }
};

}  // namespace cub
