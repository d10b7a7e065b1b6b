// CUB: device-wide reductions, of the whole input, by segment and by key.
#pragma once
#include "device_call.h"
#include "iterators.h"

namespace cub {

namespace detail {
template <class T, class In, class Op>
T reduce_range(In in, size_t from, size_t to, Op op, T initial) {
  if (to <= from) return initial;
  auto read = [&](size_t i) { return static_cast<T>(get(in, i)); };
  auto combine = [&](const T& a, const T& b) { return static_cast<T>(op(a, b)); };
  return combine(initial, emu::combined<T>(from, to - from, read, combine));
}
// The first of the least (or greatest) elements, and where it stands.
template <bool Greatest, class V, class In>
KeyValuePair<int, V> arg_range(In in, size_t from, size_t to) {
  KeyValuePair<int, V> best(1, Greatest ? std::numeric_limits<V>::lowest() : std::numeric_limits<V>::max());
  for (size_t i = from; i < to; i++) {
    V value = get(in, i);
    if (i == from || (Greatest ? best.value < value : value < best.value)) best = {static_cast<int>(i - from), value};
  }
  return best;
}
}  // namespace detail

struct DeviceReduce {
  template <class In, class Out, class Op, class T>
  static Status Reduce(void* temp, size_t& bytes, In in, Out out, long long n, Op op, T initial, Stream_t stream = 0, bool = false,
                       emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceReduce::Reduce", stream, s,
                             [=] { *out = detail::reduce_range<T>(in, 0, static_cast<size_t>(n), op, initial); });
  }
  template <class In, class Out>
  static Status Sum(void* temp, size_t& bytes, In in, Out out, long long n, Stream_t stream = 0, bool = false,
                    emu::Site s = emu::Site::here()) {
    return Reduce(temp, bytes, in, out, n, cub::Sum(), detail::output_t<Out, In>(0), stream, false, s);
  }
  template <class In, class Out>
  static Status Min(void* temp, size_t& bytes, In in, Out out, long long n, Stream_t stream = 0, bool = false,
                    emu::Site s = emu::Site::here()) {
    using T = detail::value_t<In>;
    return Reduce(temp, bytes, in, out, n, cub::Min(), std::numeric_limits<T>::max(), stream, false, s);
  }
  template <class In, class Out>
  static Status Max(void* temp, size_t& bytes, In in, Out out, long long n, Stream_t stream = 0, bool = false,
                    emu::Site s = emu::Site::here()) {
    using T = detail::value_t<In>;
    return Reduce(temp, bytes, in, out, n, cub::Max(), std::numeric_limits<T>::lowest(), stream, false, s);
  }
  template <class In, class Out>
  static Status ArgMin(void* temp, size_t& bytes, In in, Out out, long long n, Stream_t stream = 0, bool = false,
                       emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceReduce::ArgMin", stream, s, [=] {
      *out = detail::arg_range<false, detail::value_t<In>>(in, 0, static_cast<size_t>(n));
    });
  }
  template <class In, class Out>
  static Status ArgMax(void* temp, size_t& bytes, In in, Out out, long long n, Stream_t stream = 0, bool = false,
                       emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceReduce::ArgMax", stream, s, [=] {
      *out = detail::arg_range<true, detail::value_t<In>>(in, 0, static_cast<size_t>(n));
    });
  }
  template <class Keys, class UniqueOut, class Values, class Out, class Count, class Op>
  static Status ReduceByKey(void* temp, size_t& bytes, Keys keys, UniqueOut unique, Values values, Out out, Count count, Op op,
                            long long n, Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceReduce::ReduceByKey", stream, s, [=] {
      using K = detail::value_t<Keys>;
      using V = detail::output_t<Out, Values>;
      size_t runs = 0;
      for (size_t i = 0; i < static_cast<size_t>(n); runs++) {
        K key = detail::get(keys, i);
        size_t from = i++;
        while (i < static_cast<size_t>(n) && static_cast<K>(detail::get(keys, i)) == key) i++;
        detail::put(unique, runs, key);
        auto read = [&](size_t at) { return static_cast<V>(detail::get(values, at)); };
        detail::put(out, runs, emu::combined<V>(from, i - from, read, op));
      }
      *count = static_cast<detail::output_t<Count, int*>>(runs);
    });
  }
#ifdef __CUDACC__
  template <class In, class Out, class Op, class Transform, class T>
  static Status TransformReduce(void* temp, size_t& bytes, In in, Out out, long long n, Op op, Transform transform, T initial,
                                Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    using From = TransformInputIterator<T, Transform, In>;
    return Reduce(temp, bytes, From(in, transform), out, n, op, initial, stream, false, s);
  }
#endif
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Op, class T>
  static Status Reduce(void* temp, size_t& bytes, In in, Out out, int segments, Begin begin, End end, Op op, T initial,
                       Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceSegmentedReduce::Reduce", stream, s, [=] {
      for (size_t i = 0; i < static_cast<size_t>(segments); i++)
        detail::put(out, i, detail::reduce_range<T>(in, static_cast<size_t>(detail::get(begin, i)),
                                                    static_cast<size_t>(detail::get(end, i)), op, initial));
    });
  }
  template <class In, class Out, class Begin, class End>
  static Status Sum(void* temp, size_t& bytes, In in, Out out, int segments, Begin begin, End end, Stream_t stream = 0,
                    bool = false, emu::Site s = emu::Site::here()) {
    return Reduce(temp, bytes, in, out, segments, begin, end, cub::Sum(), detail::output_t<Out, In>(0), stream, false, s);
  }
  template <class In, class Out, class Begin, class End>
  static Status Min(void* temp, size_t& bytes, In in, Out out, int segments, Begin begin, End end, Stream_t stream = 0,
                    bool = false, emu::Site s = emu::Site::here()) {
    using T = detail::value_t<In>;
    return Reduce(temp, bytes, in, out, segments, begin, end, cub::Min(), std::numeric_limits<T>::max(), stream, false, s);
  }
  template <class In, class Out, class Begin, class End>
  static Status Max(void* temp, size_t& bytes, In in, Out out, int segments, Begin begin, End end, Stream_t stream = 0,
                    bool = false, emu::Site s = emu::Site::here()) {
    using T = detail::value_t<In>;
    return Reduce(temp, bytes, in, out, segments, begin, end, cub::Max(), std::numeric_limits<T>::lowest(), stream, false, s);
  }
  template <class In, class Out, class Begin, class End>
  static Status ArgMin(void* temp, size_t& bytes, In in, Out out, int segments, Begin begin, End end, Stream_t stream = 0,
                       bool = false, emu::Site s = emu::Site::here()) {
    return arg<false>(temp, bytes, "cub::DeviceSegmentedReduce::ArgMin", in, out, segments, begin, end, stream, s);
  }
  template <class In, class Out, class Begin, class End>
  static Status ArgMax(void* temp, size_t& bytes, In in, Out out, int segments, Begin begin, End end, Stream_t stream = 0,
                       bool = false, emu::Site s = emu::Site::here()) {
    return arg<true>(temp, bytes, "cub::DeviceSegmentedReduce::ArgMax", in, out, segments, begin, end, stream, s);
  }

 private:
  template <bool Greatest, class In, class Out, class Begin, class End>
  static Status arg(void* temp, size_t& bytes, const char* name, In in, Out out, int segments, Begin begin, End end,
                    Stream_t stream, emu::Site s) {
    return detail::two_phase(temp, bytes, name, stream, s, [=] {
      for (size_t i = 0; i < static_cast<size_t>(segments); i++)
        detail::put(out, i, detail::arg_range<Greatest, detail::value_t<In>>(
                                in, static_cast<size_t>(detail::get(begin, i)), static_cast<size_t>(detail::get(end, i))));
    });
  }
};

}  // namespace cub
