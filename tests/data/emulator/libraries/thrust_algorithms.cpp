// Thrust's algorithms, each against its counterpart of the C++ library or a plain loop.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>

#include "check.h"

#ifdef __MUSACC__
namespace device_system = thrust::musa;
#else
namespace device_system = thrust::cuda;
#endif

using std::vector;
using Ints = thrust::device_vector<int>;
const int N = 100;
int value(int i) { return i * 7 % 31 - 9; }
vector<int> h = made(N, value);
template <class V>
vector<typename V::value_type> host(const V& v) {
  thrust::host_vector<typename V::value_type> copy = v;
  return {copy.begin(), copy.end()};
}
struct Even {
  bool operator()(int i) const { return i % 2 == 0; }
};
struct Square {
  int operator()(int i) const { return i * i; }
};

void element_by_element() {
  Ints d(h), e(N), map(made(N, [](int i) { return N - 1 - i; }));
  thrust::transform(d.begin(), d.end(), e.begin(), Square());
  check_all("transform", host(e), made(N, [](int i) { return value(i) * value(i); }));
  thrust::transform(thrust::device, d.begin(), d.end(), e.begin(), e.begin(), thrust::plus<int>());
  check_all("transform of two, in place", host(e), made(N, [](int i) { return value(i) + value(i) * value(i); }));
  thrust::transform_if(d.begin(), d.end(), e.begin(), thrust::negate<int>(), Even());
  check("transform_if leaves the others", e[1] == value(1) + value(1) * value(1) && e[2] == (value(2) % 2 ? e[2] : -value(2)));
  int* raw = thrust::raw_pointer_cast(e.data());
  thrust::for_each(thrust::counting_iterator<int>(0), thrust::make_counting_iterator(N), [raw](int i) { raw[i] = 3 * i; });
  check_all("for_each over counted numbers", host(e), made(N, [](int i) { return 3 * i; }));
  thrust::for_each_n(device_system::par, e.begin(), 10, [](int& v) { v = -1; });
  check("for_each_n changes what lies there", e[9] == -1 && e[10] == 30);
  thrust::fill(e.begin(), e.end(), 7);
  check_all("fill", host(e), vector<int>(N, 7));
  thrust::sequence(e.begin(), e.end(), 5, 2);
  check_all("sequence", host(e), made(N, [](int i) { return 5 + 2 * i; }));
  thrust::tabulate(e.begin(), e.end(), Square());
  check_all("tabulate", host(e), made(N, [](int i) { return i * i; }));
  thrust::generate(e.begin(), e.end(), [] { return 4; });
  check("generate", e[50] == 4);
  thrust::gather(map.begin(), map.end(), d.begin(), e.begin());
  check_all("gather", host(e), made(N, [](int i) { return value(N - 1 - i); }));
  thrust::scatter(e.begin(), e.end(), map.begin(), e.begin() + 0);
  thrust::scatter(d.begin(), d.end(), map.begin(), e.begin());
  check_all("scatter", host(e), made(N, [](int i) { return value(N - 1 - i); }));
  thrust::reverse(e.begin(), e.end());
  check_all("reverse", host(e), h);
  thrust::replace_if(e.begin(), e.end(), Even(), 1000);
  check("replace_if", e[0] == value(0) && e[1] == 1000 * (value(1) % 2 == 0) + value(1) * (value(1) % 2 != 0));
  thrust::adjacent_difference(d.begin(), d.end(), e.begin());
  check_all("adjacent_difference", host(e), made(N, [](int i) { return i ? value(i) - value(i - 1) : value(0); }));
  thrust::copy(d.begin(), d.end(), h.begin());
  check_all("copy from the device", h, made(N, value));
  thrust::copy_n(h.begin(), N, e.begin());
  check_all("copy to the device", host(e), h);
}

void sums() {
  Ints d(h), e(N), keys(made(N, [](int i) { return i / 7; }));
  int sum = std::accumulate(h.begin(), h.end(), 0);
  check("reduce", thrust::reduce(d.begin(), d.end()) == sum);
  check("reduce with an initial value and an operator", thrust::reduce(d.begin(), d.end(), 100, thrust::maximum<int>()) == 100);
  check("reduce on a stream", thrust::reduce(device_system::par.on(0), d.begin(), d.end(), 5) == sum + 5);
  check("transform_reduce", thrust::transform_reduce(d.begin(), d.end(), Square(), 0, thrust::plus<int>()) ==
                                std::inner_product(h.begin(), h.end(), h.begin(), 0));
  check("inner_product", thrust::inner_product(d.begin(), d.end(), d.begin(), 1) == 1 + std::inner_product(h.begin(), h.end(), h.begin(), 0));
  thrust::device_vector<float> ones(20'000'000, 1.0f);
  check("a long sum of floats does not stop at 2^24", thrust::reduce(ones.begin(), ones.end(), 0.0f) == 2e7f);
  auto before = [](int i) { return std::accumulate(h.begin(), h.begin() + i, 0); };
  thrust::inclusive_scan(d.begin(), d.end(), e.begin());
  check_all("inclusive_scan", host(e), made(N, [&](int i) { return before(i + 1); }));
  thrust::exclusive_scan(d.begin(), d.end(), e.begin(), 10);
  check_all("exclusive_scan", host(e), made(N, [&](int i) { return 10 + before(i); }));
  thrust::exclusive_scan(e.begin(), e.end(), e.begin());
  check("exclusive_scan in place", e[2] == 20 + before(1));
  thrust::inclusive_scan(d.begin(), d.end(), e.begin(), thrust::maximum<int>());
  check_all("inclusive_scan of a maximum", host(e), made(N, [](int i) { return *std::max_element(h.begin(), h.begin() + i + 1); }));
  thrust::transform_exclusive_scan(d.begin(), d.end(), e.begin(), Square(), 0, thrust::plus<int>());
  check("transform_exclusive_scan", e[3] == value(0) * value(0) + value(1) * value(1) + value(2) * value(2));
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), d.begin(), e.begin());
  check_all("inclusive_scan_by_key", host(e), made(N, [&](int i) { return before(i + 1) - before(i / 7 * 7); }));
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), d.begin(), e.begin(), 3);
  check_all("exclusive_scan_by_key", host(e), made(N, [&](int i) { return 3 + before(i) - before(i / 7 * 7); }));
  Ints unique(N);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), d.begin(), unique.begin(), e.begin());
  check("reduce_by_key counts the runs", ends.first - unique.begin() == 15 && ends.second - e.begin() == 15);
  e.resize(15);
  check_all("reduce_by_key", host(e), made(15, [&](int i) { return before(std::min(7 * i + 7, N)) - before(7 * i); }));
  auto count = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::constant_iterator<int>(1), thrust::make_discard_iterator(), e.begin());
  check("reduce_by_key of constants, the keys discarded", count.second - e.begin() == 15 && e[0] == 7 && e[14] == 2);
}

void order() {
  Ints d(h), e(N), indices(N);
  vector<int> sorted = h;
  std::sort(sorted.begin(), sorted.end());
  thrust::sort(d.begin(), d.end());
  check_all("sort", host(d), sorted);
  check("is_sorted", thrust::is_sorted(d.begin(), d.end()) && !thrust::is_sorted(d.begin(), d.end(), thrust::greater<int>()));
  thrust::sort(thrust::device, d.begin(), d.end(), thrust::greater<int>());
  check_all("sort downwards", host(d), vector<int>(sorted.rbegin(), sorted.rend()));
  d = h;
  thrust::sequence(indices.begin(), indices.end());
  thrust::stable_sort_by_key(d.begin(), d.end(), indices.begin());
  vector<int> by = made(N, [](int i) { return i; });
  std::stable_sort(by.begin(), by.end(), [](int a, int b) { return h[a] < h[b]; });
  check_all("stable_sort_by_key", host(indices), by);
  thrust::sort(thrust::make_zip_iterator(thrust::make_tuple(d.begin(), indices.begin())),
               thrust::make_zip_iterator(thrust::make_tuple(d.end(), indices.end())),
               [](const thrust::tuple<int, int>& a, const thrust::tuple<int, int>& b) { return thrust::get<1>(a) < thrust::get<1>(b); });
  check_all("sort of tuples moves all of them", host(d), h);
  thrust::device_ptr<int> pointer(thrust::raw_pointer_cast(&d[0]));
  thrust::sort(pointer, pointer + N);
  check_all("sort by a device_ptr", host(d), sorted);
  check("lower_bound", thrust::lower_bound(d.begin(), d.end(), 0) - d.begin() == std::lower_bound(sorted.begin(), sorted.end(), 0) - sorted.begin());
  Ints asked(vector<int>{-100, 0, 5, 100});
  thrust::upper_bound(d.begin(), d.end(), asked.begin(), asked.end(), e.begin());
  check("upper_bound of many gives places", e[0] == 0 && e[3] == N && e[1] == std::upper_bound(sorted.begin(), sorted.end(), 0) - sorted.begin());
  check("binary_search", thrust::binary_search(d.begin(), d.end(), 5) && !thrust::binary_search(d.begin(), d.end(), 500));
  vector<int> a{1, 2, 2, 4, 6}, b{2, 3, 4, 4}, wanted(9);
  Ints da(a), db(b), out(9);
  out.erase(thrust::merge(da.begin(), da.end(), db.begin(), db.end(), out.begin()), out.end());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), wanted.begin());
  check_all("merge", host(out), wanted);
#define SET(NAME)                                                                                              \
  {                                                                                                            \
    Ints result(9);                                                                                            \
    result.erase(thrust::NAME(da.begin(), da.end(), db.begin(), db.end(), result.begin()), result.end());      \
    vector<int> same(9);                                                                                       \
    same.erase(std::NAME(a.begin(), a.end(), b.begin(), b.end(), same.begin()), same.end());                   \
    check_all(#NAME, host(result), same);                                                                      \
  }
  SET(set_union)
  SET(set_intersection)
  SET(set_difference)
  SET(set_symmetric_difference)
}

void parts() {
  Ints d(h), e(N);
  vector<int> even, odd;
  for (int v : h) (v % 2 == 0 ? even : odd).push_back(v);
  e.erase(thrust::copy_if(d.begin(), d.end(), e.begin(), Even()), e.end());
  check_all("copy_if", host(e), even);
  e = d;
  e.erase(thrust::remove_if(e.begin(), e.end(), Even()), e.end());
  check_all("remove_if", host(e), odd);
  Ints stencil(made(N, [](int i) { return i % 3; }));
  e.resize(N);
  e.erase(thrust::copy_if(d.begin(), d.end(), stencil.begin(), e.begin(), thrust::placeholders::_1 == 1), e.end());
  check_all("copy_if by a stencil and a placeholder", host(e), made(33, [](int i) { return value(3 * i + 1); }));
  Ints runs(made(N, [](int i) { return i / 7; })), other(d);
  auto ends = thrust::unique_by_key(runs.begin(), runs.end(), other.begin());
  check("unique_by_key", ends.first - runs.begin() == 15 && runs[14] == 14 && other[1] == value(7));
  runs.erase(thrust::unique(runs.begin(), ends.first), runs.end());
  check("unique", runs.size() == 15);
  e = d;
  auto middle = thrust::stable_partition(e.begin(), e.end(), Even());
  even.insert(even.end(), odd.begin(), odd.end());
  check_all("stable_partition", host(e), even);
  check("partition gives where the others begin", thrust::partition_point(e.begin(), e.end(), Even()) == middle);
  check("count", thrust::count(d.begin(), d.end(), value(3)) == std::count(h.begin(), h.end(), value(3)));
  check("count_if", thrust::count_if(d.begin(), d.end(), Even()) == middle - e.begin());
  check("find", thrust::find(d.begin(), d.end(), value(10)) - d.begin() == 10);
  check("find_if, nothing there", thrust::find_if(d.begin(), d.end(), [](int v) { return v > 1000; }) == d.end());
  check("min_element and max_element", thrust::min_element(d.begin(), d.end()) - d.begin() == 0 && *thrust::max_element(d.begin(), d.end()) == 21);
  auto both = thrust::minmax_element(d.begin(), d.end());
  check("minmax_element", *both.first == -9 && *both.second == 21);
  check("all_of, any_of, none_of", !thrust::all_of(d.begin(), d.end(), Even()) && thrust::any_of(d.begin(), d.end(), Even()) &&
                                       thrust::none_of(d.begin(), d.end(), [](int v) { return v > 1000; }));
  check("equal and mismatch", thrust::equal(d.begin(), d.end(), d.begin()) && thrust::mismatch(d.begin(), d.end(), e.begin()).first != d.end());
}

void fancy() {
  Ints d(h), map(vector<int>{3, 1, 4, 1, 5}), e(5);
  auto picked = thrust::make_permutation_iterator(d.begin(), map.begin());
  thrust::copy(picked, picked + 5, e.begin());
  check_all("permutation_iterator reads", host(e), vector<int>{value(3), value(1), value(4), value(1), value(5)});
  thrust::fill(picked, picked + 2, 99);
  check("permutation_iterator writes", d[3] == 99 && d[1] == 99);
  auto squares = thrust::make_transform_iterator(thrust::make_counting_iterator(1), Square());
  check("transform_iterator", thrust::reduce(squares, squares + 10) == 385);
  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(map.begin(), e.begin()));
  thrust::for_each(pairs, pairs + 5, [](thrust::tuple<int&, int&> t) { thrust::get<1>(t) = thrust::get<0>(t) * 10; });
  check_all("zip_iterator writes through", host(e), vector<int>{30, 10, 40, 10, 50});
  thrust::transform(map.begin(), map.end(), e.begin(), thrust::square<int>());
  check_all("square", host(e), vector<int>{9, 1, 16, 1, 25});
  auto both = thrust::make_zip_iterator(thrust::make_tuple(map.begin(), e.begin()));
  Ints out(5);
  thrust::transform(both, both + 5, out.begin(), thrust::make_zip_function([](int x, int y) { return x + y; }));
  check_all("zip_function takes a tuple apart", host(out), vector<int>{12, 2, 20, 2, 30});
  check("replace_copy", thrust::replace_copy(map.begin(), map.end(), out.begin(), 1, -1) == out.end());
  check_all("... leaves what it copies", host(out), vector<int>{3, -1, 4, -1, 5});
  thrust::replace_copy_if(map.begin(), map.end(), out.begin(), [](int x) { return x > 3; }, 0);
  check_all("replace_copy_if", host(out), vector<int>{3, 1, 0, 1, 0});
  thrust::reverse_copy(map.begin(), map.end(), out.begin());
  check_all("reverse_copy", host(out), vector<int>{5, 1, 4, 1, 3});
  thrust::uninitialized_fill_n(out.begin(), 2, 8), thrust::uninitialized_copy_n(map.begin(), 2, out.begin() + 3);
  check_all("uninitialized_fill_n uninitialized_copy_n", host(out), vector<int>{8, 8, 4, 3, 1});
  e = vector<int>{30, 10, 40, 10, 50};
  using namespace thrust::placeholders;
  thrust::transform(map.begin(), map.end(), e.begin(), e.begin(), 2 * _1 + _2);
  check_all("placeholders", host(e), vector<int>{36, 12, 48, 12, 60});
}

int main() {
  element_by_element();
  sums();
  order();
  parts();
  fancy();
}
