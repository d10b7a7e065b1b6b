// Thrust: algorithms that go over their input once, element by element.
#pragma once
#include "functional.h"
#include "iterators.h"
#include "vectors.h"

namespace thrust {

template <class P, class It, class F, EMU_THRUST_POLICY>
It for_each(const P& policy, It first, It last, F f) {
  detail::run(policy, "thrust::for_each", [=]() mutable {
    for (size_t i = 0, n = detail::length(first, last); i < n; i++) f(detail::at(first, i));
  });
  return last;
}
template <class P, class It, class N, class F, EMU_THRUST_POLICY>
It for_each_n(const P& policy, It first, N n, F f) { return thrust::for_each(policy, first, first + static_cast<ptrdiff_t>(n), f); }

template <class P, class In, class Out, class F, EMU_THRUST_POLICY>
Out transform(const P& policy, In first, In last, Out out, F f) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::transform", [=]() mutable {
    for (size_t i = 0; i < n; i++) detail::at(out, i) = f(detail::at(first, i));
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class In2, class Out, class F, EMU_THRUST_POLICY>
Out transform(const P& policy, In first, In last, In2 other, Out out, F f) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::transform", [=]() mutable {
    for (size_t i = 0; i < n; i++) detail::at(out, i) = f(detail::at(first, i), detail::at(other, i));
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class Out, class F, class If, EMU_THRUST_POLICY>
Out transform_if(const P& policy, In first, In last, Out out, F f, If condition) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::transform_if", [=]() mutable {
    for (size_t i = 0; i < n; i++)
      if (condition(detail::at(first, i))) detail::at(out, i) = f(detail::at(first, i));
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class Stencil, class Out, class F, class If, EMU_THRUST_POLICY>
Out transform_if(const P& policy, In first, In last, Stencil stencil, Out out, F f, If condition) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::transform_if", [=]() mutable {
    for (size_t i = 0; i < n; i++)
      if (condition(detail::at(stencil, i))) detail::at(out, i) = f(detail::at(first, i));
  });
  return out + static_cast<ptrdiff_t>(n);
}

template <class P, class In, class Out, EMU_THRUST_POLICY>
Out copy(const P& policy, In first, In last, Out out) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::copy", [=] {
    for (size_t i = 0; i < n; i++) detail::at(out, i) = detail::at(first, i);
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class N, class Out, EMU_THRUST_POLICY>
Out copy_n(const P& policy, In first, N n, Out out) { return thrust::copy(policy, first, first + static_cast<ptrdiff_t>(n), out); }
template <class P, class In, class Out, EMU_THRUST_POLICY>
Out uninitialized_copy(const P& policy, In first, In last, Out out) { return thrust::copy(policy, first, last, out); }

template <class P, class It, class T, EMU_THRUST_POLICY>
void fill(const P& policy, It first, It last, const T& value) {
  detail::run(policy, "thrust::fill", [=] {
    for (size_t i = 0, n = detail::length(first, last); i < n; i++) detail::at(first, i) = value;
  });
}
template <class P, class It, class N, class T, EMU_THRUST_POLICY>
It fill_n(const P& policy, It first, N n, const T& value) {
  thrust::fill(policy, first, first + static_cast<ptrdiff_t>(n), value);
  return first + static_cast<ptrdiff_t>(n);
}
template <class P, class It, class T, EMU_THRUST_POLICY>
void uninitialized_fill(const P& policy, It first, It last, const T& value) { thrust::fill(policy, first, last, value); }
template <class P, class In, class N, class Out, EMU_THRUST_POLICY>
Out uninitialized_copy_n(const P& policy, In first, N n, Out out) { return thrust::copy_n(policy, first, n, out); }
template <class P, class It, class N, class T, EMU_THRUST_POLICY>
It uninitialized_fill_n(const P& policy, It first, N n, const T& value) { return thrust::fill_n(policy, first, n, value); }
template <class P, class It, class T, EMU_THRUST_POLICY>
void sequence(const P& policy, It first, It last, T start, T step) {
  detail::run(policy, "thrust::sequence", [=] {
    for (size_t i = 0, n = detail::length(first, last); i < n; i++)
      detail::at(first, i) = static_cast<detail::value_t<It>>(start + static_cast<T>(i) * step);
  });
}
template <class P, class It, class T, EMU_THRUST_POLICY>
void sequence(const P& policy, It first, It last, T start) { thrust::sequence(policy, first, last, start, T(1)); }
template <class P, class It, EMU_THRUST_POLICY>
void sequence(const P& policy, It first, It last) { thrust::sequence(policy, first, last, detail::value_t<It>(0)); }
template <class P, class It, class F, EMU_THRUST_POLICY>
void tabulate(const P& policy, It first, It last, F f) {
  detail::run(policy, "thrust::tabulate", [=]() mutable {
    for (ptrdiff_t i = 0, n = last - first; i < n; i++) detail::element(first + i) = f(i);
  });
}
template <class P, class It, class F, EMU_THRUST_POLICY>
void generate(const P& policy, It first, It last, F f) {
  detail::run(policy, "thrust::generate", [=]() mutable {
    for (size_t i = 0, n = detail::length(first, last); i < n; i++) detail::at(first, i) = f();
  });
}
template <class P, class It, class N, class F, EMU_THRUST_POLICY>
It generate_n(const P& policy, It first, N n, F f) {
  thrust::generate(policy, first, first + static_cast<ptrdiff_t>(n), f);
  return first + static_cast<ptrdiff_t>(n);
}

template <class P, class Map, class In, class Out, EMU_THRUST_POLICY>
Out gather(const P& policy, Map first, Map last, In in, Out out) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::gather", [=] {
    for (size_t i = 0; i < n; i++) detail::at(out, i) = detail::at(in, static_cast<size_t>(detail::at(first, i)));
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class Map, class Stencil, class In, class Out, EMU_THRUST_POLICY>
Out gather_if(const P& policy, Map first, Map last, Stencil stencil, In in, Out out) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::gather_if", [=] {
    for (size_t i = 0; i < n; i++)
      if (detail::at(stencil, i)) detail::at(out, i) = detail::at(in, static_cast<size_t>(detail::at(first, i)));
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class Map, class Out, EMU_THRUST_POLICY>
void scatter(const P& policy, In first, In last, Map map, Out out) {
  detail::run(policy, "thrust::scatter", [=] {
    for (size_t i = 0, n = detail::length(first, last); i < n; i++)
      detail::at(out, static_cast<size_t>(detail::at(map, i))) = detail::at(first, i);
  });
}
template <class P, class In, class Map, class Stencil, class Out, EMU_THRUST_POLICY>
void scatter_if(const P& policy, In first, In last, Map map, Stencil stencil, Out out) {
  detail::run(policy, "thrust::scatter_if", [=] {
    for (size_t i = 0, n = detail::length(first, last); i < n; i++)
      if (detail::at(stencil, i)) detail::at(out, static_cast<size_t>(detail::at(map, i))) = detail::at(first, i);
  });
}
template <class P, class In, class Map, class Stencil, class Out, class If, EMU_THRUST_POLICY>
void scatter_if(const P& policy, In first, In last, Map map, Stencil stencil, Out out, If condition) {
  detail::run(policy, "thrust::scatter_if", [=]() mutable {
    for (size_t i = 0, n = detail::length(first, last); i < n; i++)
      if (condition(detail::at(stencil, i))) detail::at(out, static_cast<size_t>(detail::at(map, i))) = detail::at(first, i);
  });
}
template <class P, class It, class T, EMU_THRUST_POLICY>
void replace(const P& policy, It first, It last, const T& old, const T& fresh) {
  detail::run(policy, "thrust::replace", [=] {
    for (size_t i = 0, n = detail::length(first, last); i < n; i++)
      if (detail::at(first, i) == old) detail::at(first, i) = fresh;
  });
}
template <class P, class It, class If, class T, EMU_THRUST_POLICY>
void replace_if(const P& policy, It first, It last, If condition, const T& fresh) {
  detail::run(policy, "thrust::replace_if", [=]() mutable {
    for (size_t i = 0, n = detail::length(first, last); i < n; i++)
      if (condition(detail::at(first, i))) detail::at(first, i) = fresh;
  });
}
template <class P, class In, class Out, class If, class T, EMU_THRUST_POLICY>
Out replace_copy_if(const P& policy, In first, In last, Out out, If condition, const T& fresh) {
  const size_t n = detail::length(first, last);
  detail::run(policy, "thrust::replace_copy_if", [=]() mutable {
    for (size_t i = 0; i < n; i++) {
      detail::value_t<In> value = detail::at(first, i);
      if (condition(value)) detail::at(out, i) = fresh;
      else detail::at(out, i) = value;
    }
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class Out, class T, EMU_THRUST_POLICY>
Out replace_copy(const P& policy, In first, In last, Out out, const T& old, const T& fresh) {
  return thrust::replace_copy_if(policy, first, last, out, [old](const detail::value_t<In>& v) { return v == old; }, fresh);
}
template <class P, class In, class Out, EMU_THRUST_POLICY>
Out reverse_copy(const P& policy, In first, In last, Out out) {
  const size_t n = detail::length(first, last);
  detail::run(policy, "thrust::reverse_copy", [=] {
    for (size_t i = 0; i < n; i++) detail::at(out, i) = detail::at(first, n - 1 - i);
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class It, EMU_THRUST_POLICY>
void reverse(const P& policy, It first, It last) {
  detail::run(policy, "thrust::reverse", [=] {
    for (size_t i = 0, n = detail::length(first, last); i < n / 2; i++) {
      detail::value_t<It> held = detail::at(first, i);
      detail::at(first, i) = static_cast<detail::value_t<It>>(detail::at(first, n - 1 - i));
      detail::at(first, n - 1 - i) = held;
    }
  });
}
template <class P, class It, class It2, EMU_THRUST_POLICY>
It2 swap_ranges(const P& policy, It first, It last, It2 other) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::swap_ranges", [=] {
    for (size_t i = 0; i < n; i++) {
      detail::value_t<It> held = detail::at(first, i);
      detail::at(first, i) = static_cast<detail::value_t<It>>(detail::at(other, i));
      detail::at(other, i) = held;
    }
  });
  return other + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class Out, class Op, EMU_THRUST_POLICY>
Out adjacent_difference(const P& policy, In first, In last, Out out, Op op) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::adjacent_difference", [=]() mutable {
    for (size_t i = n; i-- > 1;) detail::at(out, i) = op(detail::at(first, i), detail::at(first, i - 1));
    if (n) detail::at(out, 0) = detail::at(first, 0);
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class Out, EMU_THRUST_POLICY>
Out adjacent_difference(const P& policy, In first, In last, Out out) {
  return thrust::adjacent_difference(policy, first, last, out, minus<detail::value_t<In>>());
}

EMU_THRUST_DEDUCED(for_each)
EMU_THRUST_DEDUCED(for_each_n)
EMU_THRUST_DEDUCED(transform)
EMU_THRUST_DEDUCED(transform_if)
EMU_THRUST_DEDUCED(copy)
EMU_THRUST_DEDUCED(copy_n)
EMU_THRUST_DEDUCED(uninitialized_copy)
EMU_THRUST_DEDUCED(fill)
EMU_THRUST_DEDUCED(fill_n)
EMU_THRUST_DEDUCED(uninitialized_fill)
EMU_THRUST_DEDUCED(sequence)
EMU_THRUST_DEDUCED(tabulate)
EMU_THRUST_DEDUCED(generate)
EMU_THRUST_DEDUCED(generate_n)
EMU_THRUST_DEDUCED(gather)
EMU_THRUST_DEDUCED(gather_if)
EMU_THRUST_DEDUCED(scatter)
EMU_THRUST_DEDUCED(scatter_if)
EMU_THRUST_DEDUCED(replace)
EMU_THRUST_DEDUCED(replace_if)
EMU_THRUST_DEDUCED(replace_copy)
EMU_THRUST_DEDUCED(replace_copy_if)
EMU_THRUST_DEDUCED(reverse_copy)
EMU_THRUST_DEDUCED(uninitialized_copy_n)
EMU_THRUST_DEDUCED(uninitialized_fill_n)
EMU_THRUST_DEDUCED(reverse)
EMU_THRUST_DEDUCED(swap_ranges)
EMU_THRUST_DEDUCED(adjacent_difference)

}  // namespace thrust
