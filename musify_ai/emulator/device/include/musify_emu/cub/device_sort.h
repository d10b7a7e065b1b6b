// CUB: device-wide sorts, by the bits of keys and by comparison, whole and by segment.
#pragma once
#include "device_call.h"
#include "radix.h"

namespace cub {

namespace detail {
// Moves keys, and values if there are any, in the order that `order` gives for [from, to).
template <class KeyIn, class KeyOut, class ValueIn, class ValueOut>
void reorder(const std::vector<size_t>& order, size_t from, KeyIn keys_in, KeyOut keys_out, ValueIn values_in,
             ValueOut values_out) {
  using K = value_t<KeyIn>;
  std::vector<K> keys;
  for (size_t i : order) keys.push_back(get(keys_in, from + i));
  if constexpr (!std::is_same<ValueIn, NullType*>::value) {
    using V = value_t<ValueIn>;
    std::vector<V> values;
    for (size_t i : order) values.push_back(get(values_in, from + i));
    for (size_t i = 0; i < values.size(); i++) put(values_out, from + i, static_cast<V>(values[i]));
  }
  for (size_t i = 0; i < keys.size(); i++) put(keys_out, from + i, static_cast<K>(keys[i]));
}
template <class K, class V>
void radix_sort(const K* keys_in, K* keys_out, V* values_in, V* values_out, size_t from, size_t to, int begin, int end,
                bool descending) {
  auto order = radix_order<K>(to - from, [&](size_t i) { return keys_in[from + i]; }, begin, end, descending);
  reorder(order, from, const_cast<K*>(keys_in), keys_out, values_in, values_out);
}
}  // namespace detail

#define EMU_CUB_RADIX(NAME, DESCENDING)                                                                              \
  template <class K, class V, class N>                                                                               \
  static Status SortPairs##NAME(void* temp, size_t& bytes, const K* keys_in, K* keys_out, const V* values_in,       \
                                V* values_out, N n, int begin = 0, int end = sizeof(K) * 8, Stream_t stream = 0,    \
                                bool = false, emu::Site s = emu::Site::here()) {                                    \
    return sort(temp, bytes, keys_in, keys_out, const_cast<V*>(values_in), values_out, n, begin, end, DESCENDING,   \
                stream, s);                                                                                          \
  }                                                                                                                  \
  template <class K, class V, class N>                                                                               \
  static Status SortPairs##NAME(void* temp, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values, N n,     \
                                int begin = 0, int end = sizeof(K) * 8, Stream_t stream = 0, bool = false,          \
                                emu::Site s = emu::Site::here()) {                                                   \
    Status status = sort(temp, bytes, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), n,    \
                         begin, end, DESCENDING, stream, s);                                                         \
    if (temp) keys.selector ^= 1, values.selector ^= 1;                                                              \
    return status;                                                                                                   \
  }                                                                                                                  \
  template <class K, class N>                                                                                        \
  static Status SortKeys##NAME(void* temp, size_t& bytes, const K* keys_in, K* keys_out, N n, int begin = 0,        \
                               int end = sizeof(K) * 8, Stream_t stream = 0, bool = false,                          \
                               emu::Site s = emu::Site::here()) {                                                    \
    return sort(temp, bytes, keys_in, keys_out, static_cast<NullType*>(nullptr), static_cast<NullType*>(nullptr), n,\
                begin, end, DESCENDING, stream, s);                                                                  \
  }                                                                                                                  \
  template <class K, class N>                                                                                        \
  static Status SortKeys##NAME(void* temp, size_t& bytes, DoubleBuffer<K>& keys, N n, int begin = 0,                \
                               int end = sizeof(K) * 8, Stream_t stream = 0, bool = false,                          \
                               emu::Site s = emu::Site::here()) {                                                    \
    Status status = SortKeys##NAME(temp, bytes, static_cast<const K*>(keys.Current()), keys.Alternate(), n, begin,  \
                                   end, stream, false, s);                                                           \
    if (temp) keys.selector ^= 1;                                                                                    \
    return status;                                                                                                   \
  }

struct DeviceRadixSort {
  EMU_CUB_RADIX(, false)
  EMU_CUB_RADIX(Descending, true)

 private:
  template <class K, class V, class N>
  static Status sort(void* temp, size_t& bytes, const K* keys_in, K* keys_out, V* values_in, V* values_out, N n, int begin,
                     int end, bool descending, Stream_t stream, emu::Site s) {
    const char* name = std::is_same<V, NullType>::value ? "cub::DeviceRadixSort::SortKeys" : "cub::DeviceRadixSort::SortPairs";
    return detail::two_phase(temp, bytes, name, stream, s, [=] {
      detail::radix_sort(keys_in, keys_out, values_in, values_out, 0, static_cast<size_t>(n), begin, end, descending);
    });
  }
};
#undef EMU_CUB_RADIX

#define EMU_CUB_SEGMENTED(NAME, DESCENDING, BITS, LAST)                                                              \
  template <class K, class V, class Begin, class End>                                                                \
  static Status NAME##Pairs##LAST(void* temp, size_t& bytes, const K* keys_in, K* keys_out, const V* values_in,     \
                                  V* values_out, long long n, int segments, Begin begins, End ends EMU_CUB_##BITS,  \
                                  Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {             \
    return sort(temp, bytes, keys_in, keys_out, const_cast<V*>(values_in), values_out, segments, begins, ends,      \
                EMU_CUB_USE_##BITS, DESCENDING, stream, s);                                                          \
  }                                                                                                                  \
  template <class K, class V, class Begin, class End>                                                                \
  static Status NAME##Pairs##LAST(void* temp, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values,        \
                                  long long n, int segments, Begin begins, End ends EMU_CUB_##BITS,                 \
                                  Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {             \
    Status status = sort(temp, bytes, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(),       \
                         segments, begins, ends, EMU_CUB_USE_##BITS, DESCENDING, stream, s);                         \
    if (temp) keys.selector ^= 1, values.selector ^= 1;                                                              \
    return status;                                                                                                   \
  }                                                                                                                  \
  template <class K, class Begin, class End>                                                                         \
  static Status NAME##Keys##LAST(void* temp, size_t& bytes, const K* keys_in, K* keys_out, long long n, int segments,\
                                 Begin begins, End ends EMU_CUB_##BITS, Stream_t stream = 0, bool = false,          \
                                 emu::Site s = emu::Site::here()) {                                                  \
    return sort(temp, bytes, keys_in, keys_out, static_cast<NullType*>(nullptr), static_cast<NullType*>(nullptr),   \
                segments, begins, ends, EMU_CUB_USE_##BITS, DESCENDING, stream, s);                                  \
  }                                                                                                                  \
  template <class K, class Begin, class End>                                                                         \
  static Status NAME##Keys##LAST(void* temp, size_t& bytes, DoubleBuffer<K>& keys, long long n, int segments,       \
                                 Begin begins, End ends EMU_CUB_##BITS, Stream_t stream = 0, bool = false,          \
                                 emu::Site s = emu::Site::here()) {                                                  \
    Status status = sort(temp, bytes, static_cast<const K*>(keys.Current()), keys.Alternate(),                      \
                         static_cast<NullType*>(nullptr), static_cast<NullType*>(nullptr), segments, begins, ends,  \
                         EMU_CUB_USE_##BITS, DESCENDING, stream, s);                                                 \
    if (temp) keys.selector ^= 1;                                                                                    \
    return status;                                                                                                   \
  }
#define EMU_CUB_SOME_BITS , int begin = 0, int end = sizeof(K) * 8
#define EMU_CUB_USE_SOME_BITS begin, end
#define EMU_CUB_ALL_BITS
#define EMU_CUB_USE_ALL_BITS 0, static_cast<int>(sizeof(K) * 8)

namespace detail {
struct SegmentedSort {
  template <class K, class V, class Begin, class End>
  static Status sort(void* temp, size_t& bytes, const K* keys_in, K* keys_out, V* values_in, V* values_out, int segments,
                     Begin begins, End ends, int begin, int end, bool descending, Stream_t stream, emu::Site s) {
    return two_phase(temp, bytes, "cub::DeviceSegmentedSort", stream, s, [=] {
      for (size_t i = 0; i < static_cast<size_t>(segments); i++) {
        size_t from = static_cast<size_t>(get(begins, i)), to = static_cast<size_t>(get(ends, i));
        if (from < to) radix_sort(keys_in, keys_out, values_in, values_out, from, to, begin, end, descending);
      }
    });
  }
};
}  // namespace detail

struct DeviceSegmentedRadixSort : private detail::SegmentedSort {
  EMU_CUB_SEGMENTED(Sort, false, SOME_BITS, )
  EMU_CUB_SEGMENTED(Sort, true, SOME_BITS, Descending)
};
#ifdef __CUDACC__
struct DeviceSegmentedSort : private detail::SegmentedSort {
  EMU_CUB_SEGMENTED(Sort, false, ALL_BITS, )
  EMU_CUB_SEGMENTED(Sort, true, ALL_BITS, Descending)
  EMU_CUB_SEGMENTED(StableSort, false, ALL_BITS, )
  EMU_CUB_SEGMENTED(StableSort, true, ALL_BITS, Descending)
};

struct DeviceMergeSort {
  template <class Keys, class Less>
  static Status SortKeys(void* temp, size_t& bytes, Keys keys, long long n, Less less, Stream_t stream = 0,
                         emu::Site s = emu::Site::here()) {
    NullType* none = nullptr;
    return sort(temp, bytes, "cub::DeviceMergeSort::SortKeys", keys, keys, none, none, n, less, stream, s);
  }
  template <class Keys, class Values, class Less>
  static Status SortPairs(void* temp, size_t& bytes, Keys keys, Values values, long long n, Less less, Stream_t stream = 0,
                          emu::Site s = emu::Site::here()) {
    return sort(temp, bytes, "cub::DeviceMergeSort::SortPairs", keys, keys, values, values, n, less, stream, s);
  }
  template <class Keys, class Less>
  static Status StableSortKeys(void* temp, size_t& bytes, Keys keys, long long n, Less less, Stream_t stream = 0,
                               emu::Site s = emu::Site::here()) {
    return SortKeys(temp, bytes, keys, n, less, stream, s);
  }
  template <class Keys, class Values, class Less>
  static Status StableSortPairs(void* temp, size_t& bytes, Keys keys, Values values, long long n, Less less,
                                Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return SortPairs(temp, bytes, keys, values, n, less, stream, s);
  }
  template <class In, class Out, class Less>
  static Status SortKeysCopy(void* temp, size_t& bytes, In in, Out out, long long n, Less less, Stream_t stream = 0,
                             emu::Site s = emu::Site::here()) {
    NullType* none = nullptr;
    return sort(temp, bytes, "cub::DeviceMergeSort::SortKeysCopy", in, out, none, none, n, less, stream, s);
  }
  template <class In, class ValuesIn, class Out, class ValuesOut, class Less>
  static Status SortPairsCopy(void* temp, size_t& bytes, In in, ValuesIn values_in, Out out, ValuesOut values_out, long long n,
                              Less less, Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return sort(temp, bytes, "cub::DeviceMergeSort::SortPairsCopy", in, out, values_in, values_out, n, less, stream, s);
  }

 private:
  template <class In, class Out, class ValuesIn, class ValuesOut, class Less>
  static Status sort(void* temp, size_t& bytes, const char* name, In in, Out out, ValuesIn values_in, ValuesOut values_out,
                     long long n, Less less, Stream_t stream, emu::Site s) {
    return detail::two_phase(temp, bytes, name, stream, s, [=]() mutable {
      std::vector<size_t> order(static_cast<size_t>(n));
      for (size_t i = 0; i < order.size(); i++) order[i] = i;
      std::stable_sort(order.begin(), order.end(),
                       [&](size_t a, size_t b) { return less(detail::get(in, a), detail::get(in, b)); });
      detail::reorder(order, 0, in, out, values_in, values_out);
    });
  }
};
#endif
#undef EMU_CUB_SEGMENTED
#undef EMU_CUB_SOME_BITS
#undef EMU_CUB_USE_SOME_BITS
#undef EMU_CUB_ALL_BITS
#undef EMU_CUB_USE_ALL_BITS

}  // namespace cub
