// Thrust: reductions and prefix sums, plain and by key.
#pragma once
#include "transform.h"

namespace thrust {

template <class P, class It, class T, class Op, EMU_THRUST_POLICY>
T reduce(const P& policy, It first, It last, T initial, Op op) {
  T total = initial, *to = &total;
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::reduce", [=]() mutable {
    auto read = [&](size_t i) { return static_cast<T>(detail::at(first, i)); };
    if (n) *to = op(initial, emu::combined<T>(0, n, read, [&](const T& a, const T& b) { return static_cast<T>(op(a, b)); }));
  });
  return total;
}
template <class P, class It, class T, EMU_THRUST_POLICY>
T reduce(const P& policy, It first, It last, T initial) { return thrust::reduce(policy, first, last, initial, plus<T>()); }
template <class P, class It, EMU_THRUST_POLICY>
detail::value_t<It> reduce(const P& policy, It first, It last) {
  return thrust::reduce(policy, first, last, detail::value_t<It>(0));
}
template <class P, class It, class F, class T, class Op, EMU_THRUST_POLICY>
T transform_reduce(const P& policy, It first, It last, F f, T initial, Op op) {
  return thrust::reduce(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), initial, op);
}
template <class P, class It, class It2, class T, class Sum, class Product, EMU_THRUST_POLICY>
T inner_product(const P& policy, It first, It last, It2 other, T initial, Sum sum, Product product) {
  T total = initial, *to = &total;
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::inner_product", [=]() mutable {
    auto read = [&](size_t i) { return static_cast<T>(product(detail::at(first, i), detail::at(other, i))); };
    if (n) *to = sum(initial, emu::combined<T>(0, n, read, [&](const T& a, const T& b) { return static_cast<T>(sum(a, b)); }));
  });
  return total;
}
template <class P, class It, class It2, class T, EMU_THRUST_POLICY>
T inner_product(const P& policy, It first, It last, It2 other, T initial) {
  return thrust::inner_product(policy, first, last, other, initial, plus<T>(), multiplies<T>());
}

template <class P, class Keys, class Values, class KeysOut, class ValuesOut, class Same, class Op, EMU_THRUST_POLICY>
pair<KeysOut, ValuesOut> reduce_by_key(const P& policy, Keys first, Keys last, Values values, KeysOut keys_out,
                                       ValuesOut values_out, Same same, Op op) {
  size_t runs = 0, *count = &runs, n = detail::length(first, last);
  detail::run(policy, "thrust::reduce_by_key", [=]() mutable {
    using V = detail::value_t<Values>;
    for (size_t i = 0; i < n; ++*count) {
      size_t from = i++;
      while (i < n && same(detail::at(first, i - 1), detail::at(first, i))) i++;
      auto read = [&](size_t at) { return static_cast<V>(detail::at(values, at)); };
      V total = emu::combined<V>(from, i - from, read, [&](const V& a, const V& b) { return static_cast<V>(op(a, b)); });
      detail::at(keys_out, *count) = static_cast<detail::value_t<Keys>>(detail::at(first, from));
      detail::at(values_out, *count) = total;
    }
  });
  return {keys_out + static_cast<ptrdiff_t>(runs), values_out + static_cast<ptrdiff_t>(runs)};
}
template <class P, class Keys, class Values, class KeysOut, class ValuesOut, class Same, EMU_THRUST_POLICY>
pair<KeysOut, ValuesOut> reduce_by_key(const P& policy, Keys first, Keys last, Values values, KeysOut keys_out,
                                       ValuesOut values_out, Same same) {
  return thrust::reduce_by_key(policy, first, last, values, keys_out, values_out, same, plus<>());
}
template <class P, class Keys, class Values, class KeysOut, class ValuesOut, EMU_THRUST_POLICY>
pair<KeysOut, ValuesOut> reduce_by_key(const P& policy, Keys first, Keys last, Values values, KeysOut keys_out,
                                       ValuesOut values_out) {
  return thrust::reduce_by_key(policy, first, last, values, keys_out, values_out, equal_to<>(), plus<>());
}

// ---- prefix sums
namespace detail {
template <class T, class In, class Out, class Op>
void inclusive(In in, Out out, size_t from, size_t to, Op& op) {
  if (from == to) return;
  T running = static_cast<T>(at(in, from));
  at(out, from) = running;
  for (size_t i = from + 1; i < to; i++) at(out, i) = running = static_cast<T>(op(running, static_cast<T>(at(in, i))));
}
template <class T, class In, class Out, class Op>
void exclusive(In in, Out out, size_t from, size_t to, T running, Op& op) {
  for (size_t i = from; i < to; i++) {
    T item = static_cast<T>(at(in, i));
    at(out, i) = running;
    running = static_cast<T>(op(running, item));
  }
}
template <class Keys, class Same, class F>
void for_runs(Keys keys, size_t n, Same& same, F f) {
  for (size_t i = 0; i < n;) {
    size_t from = i++;
    while (i < n && same(at(keys, i - 1), at(keys, i))) i++;
    f(from, i);
  }
}
}  // namespace detail
template <class P, class In, class Out, class Op, EMU_THRUST_POLICY>
Out inclusive_scan(const P& policy, In first, In last, Out out, Op op) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::inclusive_scan", [=]() mutable { detail::inclusive<detail::value_t<In>>(first, out, 0, n, op); });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class Out, EMU_THRUST_POLICY>
Out inclusive_scan(const P& policy, In first, In last, Out out) {
  return thrust::inclusive_scan(policy, first, last, out, plus<>());
}
template <class P, class In, class Out, class T, class Op, EMU_THRUST_POLICY>
Out exclusive_scan(const P& policy, In first, In last, Out out, T initial, Op op) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::exclusive_scan", [=]() mutable { detail::exclusive<T>(first, out, 0, n, initial, op); });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class In, class Out, class T, EMU_THRUST_POLICY>
Out exclusive_scan(const P& policy, In first, In last, Out out, T initial) {
  return thrust::exclusive_scan(policy, first, last, out, initial, plus<>());
}
template <class P, class In, class Out, EMU_THRUST_POLICY>
Out exclusive_scan(const P& policy, In first, In last, Out out) {
  return thrust::exclusive_scan(policy, first, last, out, detail::value_t<In>(0), plus<>());
}
template <class P, class In, class Out, class F, class Op, EMU_THRUST_POLICY>
Out transform_inclusive_scan(const P& policy, In first, In last, Out out, F f, Op op) {
  return thrust::inclusive_scan(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), out, op);
}
template <class P, class In, class Out, class F, class T, class Op, EMU_THRUST_POLICY>
Out transform_exclusive_scan(const P& policy, In first, In last, Out out, F f, T initial, Op op) {
  return thrust::exclusive_scan(policy, make_transform_iterator(first, f), make_transform_iterator(last, f), out, initial, op);
}
template <class P, class Keys, class In, class Out, class Same, class Op, EMU_THRUST_POLICY>
Out inclusive_scan_by_key(const P& policy, Keys first, Keys last, In in, Out out, Same same, Op op) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::inclusive_scan_by_key", [=]() mutable {
    detail::for_runs(first, n, same, [&](size_t from, size_t to) { detail::inclusive<detail::value_t<In>>(in, out, from, to, op); });
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class Keys, class In, class Out, class Same, EMU_THRUST_POLICY>
Out inclusive_scan_by_key(const P& policy, Keys first, Keys last, In in, Out out, Same same) {
  return thrust::inclusive_scan_by_key(policy, first, last, in, out, same, plus<>());
}
template <class P, class Keys, class In, class Out, EMU_THRUST_POLICY>
Out inclusive_scan_by_key(const P& policy, Keys first, Keys last, In in, Out out) {
  return thrust::inclusive_scan_by_key(policy, first, last, in, out, equal_to<>(), plus<>());
}
template <class P, class Keys, class In, class Out, class T, class Same, class Op, EMU_THRUST_POLICY>
Out exclusive_scan_by_key(const P& policy, Keys first, Keys last, In in, Out out, T initial, Same same, Op op) {
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::exclusive_scan_by_key", [=]() mutable {
    detail::for_runs(first, n, same, [&](size_t from, size_t to) { detail::exclusive<T>(in, out, from, to, initial, op); });
  });
  return out + static_cast<ptrdiff_t>(n);
}
template <class P, class Keys, class In, class Out, class T, class Same, EMU_THRUST_POLICY>
Out exclusive_scan_by_key(const P& policy, Keys first, Keys last, In in, Out out, T initial, Same same) {
  return thrust::exclusive_scan_by_key(policy, first, last, in, out, initial, same, plus<>());
}
template <class P, class Keys, class In, class Out, class T, EMU_THRUST_POLICY>
Out exclusive_scan_by_key(const P& policy, Keys first, Keys last, In in, Out out, T initial) {
  return thrust::exclusive_scan_by_key(policy, first, last, in, out, initial, equal_to<>(), plus<>());
}
template <class P, class Keys, class In, class Out, EMU_THRUST_POLICY>
Out exclusive_scan_by_key(const P& policy, Keys first, Keys last, In in, Out out) {
  return thrust::exclusive_scan_by_key(policy, first, last, in, out, detail::value_t<In>(0), equal_to<>(), plus<>());
}

EMU_THRUST_DEDUCED(reduce)
EMU_THRUST_DEDUCED(transform_reduce)
EMU_THRUST_DEDUCED(inner_product)
EMU_THRUST_DEDUCED(reduce_by_key)
EMU_THRUST_DEDUCED(inclusive_scan)
EMU_THRUST_DEDUCED(exclusive_scan)
EMU_THRUST_DEDUCED(transform_inclusive_scan)
EMU_THRUST_DEDUCED(transform_exclusive_scan)
EMU_THRUST_DEDUCED(inclusive_scan_by_key)
EMU_THRUST_DEDUCED(exclusive_scan_by_key)

}  // namespace thrust
