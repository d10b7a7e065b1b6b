// Thrust: what keeps a part of its input, or counts and finds.
#pragma once
#include "transform.h"

namespace thrust {

namespace detail {
// Moves those that `keep(i)` chooses to the front of `out`, and counts them. Safe where `out` lies over the input.
template <class In, class Out, class Keep>
size_t keep_some(In in, size_t n, Out out, Keep keep) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < n; i++)
    if (keep(i)) kept.push_back(i);
  for (size_t i = 0; i < kept.size(); i++) at(out, i) = static_cast<value_t<In>>(at(in, kept[i]));
  return kept.size();
}
template <class P, class In, class Out, class Keep>
Out kept(const P& policy, const char* name, In in, size_t n, Out out, Keep keep) {
  size_t count = 0, *to = &count;
  run(policy, name, [=]() mutable { *to = keep_some(in, n, out, keep); });
  return out + static_cast<ptrdiff_t>(count);
}
}  // namespace detail

template <class P, class In, class Out, class If, EMU_THRUST_POLICY>
Out copy_if(const P& policy, In first, In last, Out out, If condition) {
  auto keep = [=](size_t i) mutable { return static_cast<bool>(condition(detail::at(first, i))); };
  return detail::kept(policy, "thrust::copy_if", first, detail::length(first, last), out, keep);
}
template <class P, class In, class Stencil, class Out, class If, EMU_THRUST_POLICY>
Out copy_if(const P& policy, In first, In last, Stencil stencil, Out out, If condition) {
  auto keep = [=](size_t i) mutable { return static_cast<bool>(condition(detail::at(stencil, i))); };
  return detail::kept(policy, "thrust::copy_if", first, detail::length(first, last), out, keep);
}
template <class P, class In, class Out, class If, EMU_THRUST_POLICY>
Out remove_copy_if(const P& policy, In first, In last, Out out, If condition) {
  auto keep = [=](size_t i) mutable { return !condition(detail::at(first, i)); };
  return detail::kept(policy, "thrust::remove_if", first, detail::length(first, last), out, keep);
}
template <class P, class In, class Stencil, class Out, class If, EMU_THRUST_POLICY>
Out remove_copy_if(const P& policy, In first, In last, Stencil stencil, Out out, If condition) {
  auto keep = [=](size_t i) mutable { return !condition(detail::at(stencil, i)); };
  return detail::kept(policy, "thrust::remove_if", first, detail::length(first, last), out, keep);
}
template <class P, class It, class If, EMU_THRUST_POLICY>
It remove_if(const P& policy, It first, It last, If condition) { return thrust::remove_copy_if(policy, first, last, first, condition); }
template <class P, class It, class Stencil, class If, EMU_THRUST_POLICY>
It remove_if(const P& policy, It first, It last, Stencil stencil, If condition) {
  return thrust::remove_copy_if(policy, first, last, stencil, first, condition);
}
template <class P, class It, class T, EMU_THRUST_POLICY>
It remove(const P& policy, It first, It last, const T& value) {
  return thrust::remove_if(policy, first, last, [=](const auto& v) { return v == value; });
}
template <class P, class In, class Out, class T, EMU_THRUST_POLICY>
Out remove_copy(const P& policy, In first, In last, Out out, const T& value) {
  return thrust::remove_copy_if(policy, first, last, out, [=](const auto& v) { return v == value; });
}
template <class P, class In, class Out, class Same, EMU_THRUST_POLICY>
Out unique_copy(const P& policy, In first, In last, Out out, Same same) {
  auto keep = [=](size_t i) mutable { return i == 0 || !same(detail::at(first, i - 1), detail::at(first, i)); };
  return detail::kept(policy, "thrust::unique", first, detail::length(first, last), out, keep);
}
template <class P, class In, class Out, EMU_THRUST_POLICY>
Out unique_copy(const P& policy, In first, In last, Out out) { return thrust::unique_copy(policy, first, last, out, equal_to<>()); }
template <class P, class It, class Same, EMU_THRUST_POLICY>
It unique(const P& policy, It first, It last, Same same) { return thrust::unique_copy(policy, first, last, first, same); }
template <class P, class It, EMU_THRUST_POLICY>
It unique(const P& policy, It first, It last) { return thrust::unique_copy(policy, first, last, first, equal_to<>()); }
template <class P, class Keys, class Values, class KeysOut, class ValuesOut, class Same, EMU_THRUST_POLICY>
pair<KeysOut, ValuesOut> unique_by_key_copy(const P& policy, Keys first, Keys last, Values values, KeysOut keys_out,
                                            ValuesOut values_out, Same same) {
  size_t n = detail::length(first, last), count = 0, *to = &count;
  detail::run(policy, "thrust::unique_by_key", [=]() mutable {
    auto keep = [&](size_t i) { return i == 0 || !same(detail::at(first, i - 1), detail::at(first, i)); };
    detail::keep_some(values, n, values_out, keep);
    *to = detail::keep_some(first, n, keys_out, keep);
  });
  return {keys_out + static_cast<ptrdiff_t>(count), values_out + static_cast<ptrdiff_t>(count)};
}
template <class P, class Keys, class Values, class KeysOut, class ValuesOut, EMU_THRUST_POLICY>
pair<KeysOut, ValuesOut> unique_by_key_copy(const P& policy, Keys first, Keys last, Values values, KeysOut keys_out,
                                            ValuesOut values_out) {
  return thrust::unique_by_key_copy(policy, first, last, values, keys_out, values_out, equal_to<>());
}
template <class P, class Keys, class Values, class Same, EMU_THRUST_POLICY>
pair<Keys, Values> unique_by_key(const P& policy, Keys first, Keys last, Values values, Same same) {
  return thrust::unique_by_key_copy(policy, first, last, values, first, values, same);
}
template <class P, class Keys, class Values, EMU_THRUST_POLICY>
pair<Keys, Values> unique_by_key(const P& policy, Keys first, Keys last, Values values) {
  return thrust::unique_by_key_copy(policy, first, last, values, first, values, equal_to<>());
}

// ---- partitions, all of them stable
template <class P, class In, class Stencil, class Yes, class No, class If, EMU_THRUST_POLICY>
pair<Yes, No> stable_partition_copy(const P& policy, In first, In last, Stencil stencil, Yes yes, No no, If condition) {
  size_t n = detail::length(first, last), counts[2] = {0, 0}, *to = counts;
  detail::run(policy, "thrust::partition", [=]() mutable {
    for (size_t i = 0; i < n; i++)
      if (condition(detail::at(stencil, i))) detail::at(yes, to[0]++) = detail::at(first, i);
      else detail::at(no, to[1]++) = detail::at(first, i);
  });
  return {yes + static_cast<ptrdiff_t>(counts[0]), no + static_cast<ptrdiff_t>(counts[1])};
}
template <class P, class In, class Yes, class No, class If, EMU_THRUST_POLICY>
pair<Yes, No> stable_partition_copy(const P& policy, In first, In last, Yes yes, No no, If condition) {
  return thrust::stable_partition_copy(policy, first, last, first, yes, no, condition);
}
template <class P, class In, class Yes, class No, class If, EMU_THRUST_POLICY>
pair<Yes, No> partition_copy(const P& policy, In first, In last, Yes yes, No no, If condition) {
  return thrust::stable_partition_copy(policy, first, last, first, yes, no, condition);
}
template <class P, class It, class Stencil, class If, EMU_THRUST_POLICY>
It stable_partition(const P& policy, It first, It last, Stencil stencil, If condition) {
  size_t n = detail::length(first, last), count = 0, *to = &count;
  detail::run(policy, "thrust::partition", [=]() mutable {
    std::vector<detail::Held<detail::value_t<It>>> yes, no;
    for (size_t i = 0; i < n; i++)
      (condition(detail::at(stencil, i)) ? yes : no).push_back(detail::Held<detail::value_t<It>>{detail::at(first, i)});
    *to = yes.size();
    yes.insert(yes.end(), no.begin(), no.end());
    for (size_t i = 0; i < n; i++) detail::at(first, i) = yes[i].value;
  });
  return first + static_cast<ptrdiff_t>(count);
}
template <class P, class It, class If, EMU_THRUST_POLICY>
It stable_partition(const P& policy, It first, It last, If condition) {
  return thrust::stable_partition(policy, first, last, first, condition);
}
template <class P, class It, class Stencil, class If, EMU_THRUST_POLICY>
It partition(const P& policy, It first, It last, Stencil stencil, If condition) {
  return thrust::stable_partition(policy, first, last, stencil, condition);
}
template <class P, class It, class If, EMU_THRUST_POLICY>
It partition(const P& policy, It first, It last, If condition) {
  return thrust::stable_partition(policy, first, last, first, condition);
}

// ---- counting and finding
template <class P, class It, class If, EMU_THRUST_POLICY>
ptrdiff_t count_if(const P& policy, It first, It last, If condition) {
  ptrdiff_t count = 0, *to = &count;
  size_t n = detail::length(first, last);
  detail::run(policy, "thrust::count_if", [=]() mutable {
    for (size_t i = 0; i < n; i++) *to += condition(detail::at(first, i)) ? 1 : 0;
  });
  return count;
}
template <class P, class It, class T, EMU_THRUST_POLICY>
ptrdiff_t count(const P& policy, It first, It last, const T& value) {
  return thrust::count_if(policy, first, last, [=](const auto& v) { return v == value; });
}
template <class P, class It, class If, EMU_THRUST_POLICY>
It find_if(const P& policy, It first, It last, If condition) {
  size_t n = detail::length(first, last), found = n, *to = &found;
  detail::run(policy, "thrust::find_if", [=]() mutable {
    for (size_t i = 0; i < n && *to == n; i++)
      if (condition(detail::at(first, i))) *to = i;
  });
  return first + static_cast<ptrdiff_t>(found);
}
template <class P, class It, class If, EMU_THRUST_POLICY>
It find_if_not(const P& policy, It first, It last, If condition) {
  return thrust::find_if(policy, first, last, [=](const auto& v) mutable { return !condition(v); });
}
template <class P, class It, class If, EMU_THRUST_POLICY>
It partition_point(const P& policy, It first, It last, If condition) { return thrust::find_if_not(policy, first, last, condition); }
template <class P, class It, class If, EMU_THRUST_POLICY>
bool is_partitioned(const P& policy, It first, It last, If condition) {
  It end = thrust::find_if_not(policy, first, last, condition);
  return thrust::find_if(policy, end, last, condition) == last;
}
template <class P, class It, class T, EMU_THRUST_POLICY>
It find(const P& policy, It first, It last, const T& value) {
  return thrust::find_if(policy, first, last, [=](const auto& v) { return v == value; });
}
template <class P, class It, class If, EMU_THRUST_POLICY>
bool any_of(const P& policy, It first, It last, If condition) { return thrust::find_if(policy, first, last, condition) != last; }
template <class P, class It, class If, EMU_THRUST_POLICY>
bool all_of(const P& policy, It first, It last, If condition) { return thrust::find_if_not(policy, first, last, condition) == last; }
template <class P, class It, class If, EMU_THRUST_POLICY>
bool none_of(const P& policy, It first, It last, If condition) { return thrust::find_if(policy, first, last, condition) == last; }
template <class P, class It, class Less, EMU_THRUST_POLICY>
pair<It, It> minmax_element(const P& policy, It first, It last, Less less) {
  size_t n = detail::length(first, last), at[2] = {0, 0}, *to = at;
  detail::run(policy, "thrust::minmax_element", [=]() mutable {
    for (size_t i = 1; i < n; i++) {
      if (less(detail::at(first, i), detail::at(first, to[0]))) to[0] = i;
      if (less(detail::at(first, to[1]), detail::at(first, i))) to[1] = i;
    }
  });
  return {first + static_cast<ptrdiff_t>(at[0]), first + static_cast<ptrdiff_t>(at[1])};
}
template <class P, class It, EMU_THRUST_POLICY>
pair<It, It> minmax_element(const P& policy, It first, It last) { return thrust::minmax_element(policy, first, last, less<>()); }
template <class P, class It, class Less, EMU_THRUST_POLICY>
It min_element(const P& policy, It first, It last, Less less) { return thrust::minmax_element(policy, first, last, less).first; }
template <class P, class It, EMU_THRUST_POLICY>
It min_element(const P& policy, It first, It last) { return thrust::minmax_element(policy, first, last).first; }
template <class P, class It, class Less, EMU_THRUST_POLICY>
It max_element(const P& policy, It first, It last, Less less) { return thrust::minmax_element(policy, first, last, less).second; }
template <class P, class It, EMU_THRUST_POLICY>
It max_element(const P& policy, It first, It last) { return thrust::minmax_element(policy, first, last).second; }
template <class P, class It, class It2, class Same, EMU_THRUST_POLICY>
pair<It, It2> mismatch(const P& policy, It first, It last, It2 other, Same same) {
  size_t n = detail::length(first, last), found = n, *to = &found;
  detail::run(policy, "thrust::mismatch", [=]() mutable {
    for (size_t i = 0; i < n && *to == n; i++)
      if (!same(detail::at(first, i), detail::at(other, i))) *to = i;
  });
  return {first + static_cast<ptrdiff_t>(found), other + static_cast<ptrdiff_t>(found)};
}
template <class P, class It, class It2, EMU_THRUST_POLICY>
pair<It, It2> mismatch(const P& policy, It first, It last, It2 other) { return thrust::mismatch(policy, first, last, other, equal_to<>()); }
template <class P, class It, class It2, class Same, EMU_THRUST_POLICY>
bool equal(const P& policy, It first, It last, It2 other, Same same) {
  return thrust::mismatch(policy, first, last, other, same).first == last;
}
template <class P, class It, class It2, EMU_THRUST_POLICY>
bool equal(const P& policy, It first, It last, It2 other) { return thrust::equal(policy, first, last, other, equal_to<>()); }

EMU_THRUST_DEDUCED(copy_if)
EMU_THRUST_DEDUCED(remove_copy_if)
EMU_THRUST_DEDUCED(remove_if)
EMU_THRUST_DEDUCED(remove)
EMU_THRUST_DEDUCED(remove_copy)
EMU_THRUST_DEDUCED(unique_copy)
EMU_THRUST_DEDUCED(unique)
EMU_THRUST_DEDUCED(unique_by_key_copy)
EMU_THRUST_DEDUCED(unique_by_key)
EMU_THRUST_DEDUCED(stable_partition_copy)
EMU_THRUST_DEDUCED(partition_copy)
EMU_THRUST_DEDUCED(stable_partition)
EMU_THRUST_DEDUCED(partition)
EMU_THRUST_DEDUCED(count_if)
EMU_THRUST_DEDUCED(count)
EMU_THRUST_DEDUCED(find_if)
EMU_THRUST_DEDUCED(find_if_not)
EMU_THRUST_DEDUCED(partition_point)
EMU_THRUST_DEDUCED(is_partitioned)
EMU_THRUST_DEDUCED(find)
EMU_THRUST_DEDUCED(any_of)
EMU_THRUST_DEDUCED(all_of)
EMU_THRUST_DEDUCED(none_of)
EMU_THRUST_DEDUCED(minmax_element)
EMU_THRUST_DEDUCED(min_element)
EMU_THRUST_DEDUCED(max_element)
EMU_THRUST_DEDUCED(mismatch)
EMU_THRUST_DEDUCED(equal)

}  // namespace thrust
