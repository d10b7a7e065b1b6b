// Thrust: sorts (all of them stable), searches in sorted input, merges and sets.
#pragma once
#include <algorithm>

#include "transform.h"

namespace thrust {

namespace detail {
template <class It>
std::vector<Held<value_t<It>>> held(It first, size_t n) {
  std::vector<Held<value_t<It>>> out;
  out.reserve(n);
  for (size_t i = 0; i < n; i++) out.push_back(Held<value_t<It>>{at(first, i)});
  return out;
}
template <class It, class Less>
void sort_values(It first, size_t n, Less less) {
  auto values = held(first, n);
  std::stable_sort(values.begin(), values.end(), [&](const auto& a, const auto& b) { return less(a.value, b.value); });
  for (size_t i = 0; i < n; i++) at(first, i) = values[i].value;
}
template <class Keys, class Values, class Less>
void sort_pairs(Keys keys, Values values, size_t n, Less less) {
  auto k = held(keys, n);
  auto v = held(values, n);
  std::vector<size_t> order(n);
  for (size_t i = 0; i < n; i++) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return less(k[a].value, k[b].value); });
  for (size_t i = 0; i < n; i++) {
    at(keys, i) = k[order[i]].value;
    at(values, i) = v[order[i]].value;
  }
}
}  // namespace detail

#define EMU_THRUST_SORT(NAME)                                                                             \
  template <class P, class It, class Less, EMU_THRUST_POLICY>                                             \
  void NAME(const P& policy, It first, It last, Less less) {                                              \
    size_t n = detail::length(first, last);                                                               \
    detail::run(policy, "thrust::" #NAME, [=] { detail::sort_values(first, n, less); });                  \
  }                                                                                                       \
  template <class P, class It, EMU_THRUST_POLICY>                                                         \
  void NAME(const P& policy, It first, It last) {                                                         \
    thrust::NAME(policy, first, last, thrust::less<>());                                                  \
  }                                                                                                       \
  EMU_THRUST_DEDUCED(NAME)
#define EMU_THRUST_SORT_BY_KEY(NAME)                                                                      \
  template <class P, class Keys, class Values, class Less, EMU_THRUST_POLICY>                             \
  void NAME(const P& policy, Keys first, Keys last, Values values, Less less) {                           \
    size_t n = detail::length(first, last);                                                               \
    detail::run(policy, "thrust::" #NAME, [=] { detail::sort_pairs(first, values, n, less); });           \
  }                                                                                                       \
  template <class P, class Keys, class Values, EMU_THRUST_POLICY>                                         \
  void NAME(const P& policy, Keys first, Keys last, Values values) {                                      \
    thrust::NAME(policy, first, last, values, thrust::less<>());                                          \
  }                                                                                                       \
  EMU_THRUST_DEDUCED(NAME)
EMU_THRUST_SORT(sort)
EMU_THRUST_SORT(stable_sort)
EMU_THRUST_SORT_BY_KEY(sort_by_key)
EMU_THRUST_SORT_BY_KEY(stable_sort_by_key)
#undef EMU_THRUST_SORT
#undef EMU_THRUST_SORT_BY_KEY

template <class P, class It, class Less, EMU_THRUST_POLICY>
It is_sorted_until(const P& policy, It first, It last, Less less) {
  size_t n = detail::length(first, last), found = n, *to = &found;
  detail::run(policy, "thrust::is_sorted", [=] {
    for (size_t i = 1; i < n; i++)
      if (less(detail::at(first, i), detail::at(first, i - 1))) {
        *to = i;
        return;
      }
  });
  return first + static_cast<ptrdiff_t>(found);
}
template <class P, class It, EMU_THRUST_POLICY>
It is_sorted_until(const P& policy, It first, It last) { return thrust::is_sorted_until(policy, first, last, thrust::less<>()); }
template <class P, class It, class Less, EMU_THRUST_POLICY>
bool is_sorted(const P& policy, It first, It last, Less less) { return thrust::is_sorted_until(policy, first, last, less) == last; }
template <class P, class It, EMU_THRUST_POLICY>
bool is_sorted(const P& policy, It first, It last) { return thrust::is_sorted(policy, first, last, thrust::less<>()); }
EMU_THRUST_DEDUCED(is_sorted_until)
EMU_THRUST_DEDUCED(is_sorted)

// ---- bounds, of one value or of many
namespace detail {
template <class It, class T, class Less>
size_t lower(It first, size_t n, const T& value, Less& less) {
  size_t from = 0;
  while (n > 0) {
    size_t half = n / 2;
    if (less(at(first, from + half), value)) from += half + 1, n -= half + 1;
    else n = half;
  }
  return from;
}
template <class It, class T, class Less>
size_t upper(It first, size_t n, const T& value, Less& less) {
  size_t from = 0;
  while (n > 0) {
    size_t half = n / 2;
    if (!less(value, at(first, from + half))) from += half + 1, n -= half + 1;
    else n = half;
  }
  return from;
}
template <class It, class T, class Less>
bool present(It first, size_t n, const T& value, Less& less) {
  size_t i = lower(first, n, value, less);
  return i < n && !less(value, at(first, i));
}
}  // namespace detail
#define EMU_THRUST_BOUND(NAME, HOW, RESULT, ONE)                                                                       \
  template <class P, class It, class In, class Out, class Less, EMU_THRUST_POLICY>                                     \
  Out NAME(const P& policy, It first, It last, In values, In values_end, Out out, Less less) {                         \
    size_t n = detail::length(first, last), count = detail::length(values, values_end);                                \
    detail::run(policy, "thrust::" #NAME, [=]() mutable {                                                              \
      for (size_t i = 0; i < count; i++)                                                                               \
        detail::at(out, i) = static_cast<RESULT>(detail::HOW(first, n, detail::at(values, i), less));                  \
    });                                                                                                                \
    return out + static_cast<ptrdiff_t>(count);                                                                        \
  }                                                                                                                    \
  template <class P, class It, class In, class Out, EMU_THRUST_POLICY>                                                 \
  Out NAME(const P& policy, It first, It last, In values, In values_end, Out out) {                                    \
    return thrust::NAME(policy, first, last, values, values_end, out, thrust::less<>());                               \
  }                                                                                                                    \
  template <class P, class It, class T, class Less, EMU_THRUST_POLICY>                                                 \
  ONE NAME(const P& policy, It first, It last, const T& value, Less less) {                                            \
    size_t n = detail::length(first, last), found = 0, *to = &found;                                                   \
    detail::run(policy, "thrust::" #NAME, [=]() mutable { *to = detail::HOW(first, n, value, less); });                \
    return detail::answer<ONE>(first, found);                                                                          \
  }                                                                                                                    \
  template <class P, class It, class T, EMU_THRUST_POLICY>                                                             \
  ONE NAME(const P& policy, It first, It last, const T& value) {                                                       \
    return thrust::NAME(policy, first, last, value, thrust::less<>());                                                 \
  }                                                                                                                    \
  EMU_THRUST_DEDUCED(NAME)
namespace detail {
template <class Answer, class It>
Answer answer(It first, size_t found) {
  if constexpr (std::is_same<Answer, bool>::value) return found != 0;
  else return first + static_cast<ptrdiff_t>(found);
}
}  // namespace detail
EMU_THRUST_BOUND(lower_bound, lower, ptrdiff_t, It)
EMU_THRUST_BOUND(upper_bound, upper, ptrdiff_t, It)
EMU_THRUST_BOUND(binary_search, present, bool, bool)
#undef EMU_THRUST_BOUND
template <class P, class It, class T, class Less, EMU_THRUST_POLICY>
pair<It, It> equal_range(const P& policy, It first, It last, const T& value, Less less) {
  return {thrust::lower_bound(policy, first, last, value, less), thrust::upper_bound(policy, first, last, value, less)};
}
template <class P, class It, class T, EMU_THRUST_POLICY>
pair<It, It> equal_range(const P& policy, It first, It last, const T& value) {
  return thrust::equal_range(policy, first, last, value, thrust::less<>());
}
EMU_THRUST_DEDUCED(equal_range)

// ---- merges and sets of sorted input; equal elements count as often as they stand there
namespace detail {
enum class Keep { merge, both_or_either, both, first_only, one_only };
// Writes elements of a (from a) and of b in order; `put(from_a, i)` takes an element.
template <class A, class B, class Less, class Put>
void join(Keep keep, A a, size_t n, B b, size_t m, Less less, Put put) {
  size_t i = 0, j = 0;
  while (i < n && j < m) {
    if (less(at(a, i), at(b, j))) {
      if (keep != Keep::both) put(true, i);
      i++;
    } else if (less(at(b, j), at(a, i))) {
      if (keep == Keep::merge || keep == Keep::both_or_either || keep == Keep::one_only) put(false, j);
      j++;
    } else if (keep == Keep::merge) {
      put(true, i++);
    } else {
      if (keep == Keep::both || keep == Keep::both_or_either) put(true, i);
      i++;
      j++;
    }
  }
  if (keep != Keep::both)
    for (; i < n; i++) put(true, i);
  if (keep == Keep::merge || keep == Keep::both_or_either || keep == Keep::one_only)
    for (; j < m; j++) put(false, j);
}
}  // namespace detail
#define EMU_THRUST_JOIN(NAME, KEEP)                                                                               \
  template <class P, class A, class B, class Out, class Less, EMU_THRUST_POLICY>                                  \
  Out NAME(const P& policy, A a, A a_end, B b, B b_end, Out out, Less less) {                                     \
    size_t n = detail::length(a, a_end), m = detail::length(b, b_end), written = 0, *count = &written;            \
    detail::run(policy, "thrust::" #NAME, [=] {                                                                   \
      detail::join(detail::Keep::KEEP, a, n, b, m, less, [&](bool from_a, size_t i) {                             \
        if (from_a) detail::at(out, (*count)++) = detail::at(a, i);                                               \
        else detail::at(out, (*count)++) = detail::at(b, i);                                                      \
      });                                                                                                         \
    });                                                                                                           \
    return out + static_cast<ptrdiff_t>(written);                                                                 \
  }                                                                                                               \
  template <class P, class A, class B, class Out, EMU_THRUST_POLICY>                                              \
  Out NAME(const P& policy, A a, A a_end, B b, B b_end, Out out) {                                                \
    return thrust::NAME(policy, a, a_end, b, b_end, out, thrust::less<>());                                       \
  }                                                                                                               \
  EMU_THRUST_DEDUCED(NAME)
EMU_THRUST_JOIN(merge, merge)
EMU_THRUST_JOIN(set_union, both_or_either)
EMU_THRUST_JOIN(set_intersection, both)
EMU_THRUST_JOIN(set_difference, first_only)
EMU_THRUST_JOIN(set_symmetric_difference, one_only)
#undef EMU_THRUST_JOIN
template <class P, class A, class B, class VA, class VB, class Out, class VOut, class Less, EMU_THRUST_POLICY>
pair<Out, VOut> merge_by_key(const P& policy, A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut v_out, Less less) {
  size_t n = detail::length(a, a_end), m = detail::length(b, b_end), written = 0, *count = &written;
  detail::run(policy, "thrust::merge_by_key", [=] {
    detail::join(detail::Keep::merge, a, n, b, m, less, [&](bool from_a, size_t i) {
      if (from_a) detail::at(out, *count) = detail::at(a, i), detail::at(v_out, *count) = detail::at(va, i);
      else detail::at(out, *count) = detail::at(b, i), detail::at(v_out, *count) = detail::at(vb, i);
      ++*count;
    });
  });
  return {out + static_cast<ptrdiff_t>(written), v_out + static_cast<ptrdiff_t>(written)};
}
template <class P, class A, class B, class VA, class VB, class Out, class VOut, EMU_THRUST_POLICY>
pair<Out, VOut> merge_by_key(const P& policy, A a, A a_end, B b, B b_end, VA va, VB vb, Out out, VOut v_out) {
  return thrust::merge_by_key(policy, a, a_end, b, b_end, va, vb, out, v_out, thrust::less<>());
}
EMU_THRUST_DEDUCED(merge_by_key)

}  // namespace thrust
