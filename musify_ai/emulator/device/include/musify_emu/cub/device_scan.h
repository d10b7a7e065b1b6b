// CUB: device-wide prefix sums.
#pragma once
#include "device_call.h"

namespace cub {

namespace detail {
template <class T, class In, class Out, class Op>
void exclusive(In in, Out out, size_t from, size_t to, Op op, T running) {
  for (size_t i = from; i < to; i++) {
    T item = get(in, i);
    put(out, i, running);
    running = op(running, item);
  }
}
template <class T, class In, class Out, class Op>
void inclusive(In in, Out out, size_t from, size_t to, Op op) {
  if (to <= from) return;
  T running = get(in, from);
  put(out, from, running);
  for (size_t i = from + 1; i < to; i++) {
    running = op(running, static_cast<T>(get(in, i)));
    put(out, i, running);
  }
}
// Calls `f(from, to)` for each run of equal keys.
template <class Keys, class Same, class F>
void for_runs(Keys keys, size_t n, Same same, F f) {
  for (size_t i = 0; i < n;) {
    size_t from = i++;
    while (i < n && same(get(keys, i - 1), get(keys, i))) i++;
    f(from, i);
  }
}
}  // namespace detail

struct DeviceScan {
  template <class In, class Out>
  static Status ExclusiveSum(void* temp, size_t& bytes, In in, Out out, long long n, Stream_t stream = 0, bool = false,
                             emu::Site s = emu::Site::here()) {
    return ExclusiveScan(temp, bytes, in, out, cub::Sum(), detail::value_t<In>(0), n, stream, false, s);
  }
  template <class In, class Out, class Op, class T>
  static Status ExclusiveScan(void* temp, size_t& bytes, In in, Out out, Op op, T initial, long long n, Stream_t stream = 0,
                              bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceScan::ExclusiveScan", stream, s,
                             [=] { detail::exclusive<T>(in, out, 0, static_cast<size_t>(n), op, initial); });
  }
  template <class In, class Out>
  static Status InclusiveSum(void* temp, size_t& bytes, In in, Out out, long long n, Stream_t stream = 0, bool = false,
                             emu::Site s = emu::Site::here()) {
    return InclusiveScan(temp, bytes, in, out, cub::Sum(), n, stream, false, s);
  }
  template <class In, class Out, class Op>
  static Status InclusiveScan(void* temp, size_t& bytes, In in, Out out, Op op, long long n, Stream_t stream = 0, bool = false,
                              emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceScan::InclusiveScan", stream, s, [=] {
      detail::inclusive<detail::value_t<In>>(in, out, 0, static_cast<size_t>(n), op);
    });
  }
#ifdef __CUDACC__
  template <class T>
  static Status ExclusiveSum(void* temp, size_t& bytes, T* data, long long n, Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return ExclusiveSum(temp, bytes, data, data, n, stream, false, s);
  }
  template <class T>
  static Status InclusiveSum(void* temp, size_t& bytes, T* data, long long n, Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return InclusiveSum(temp, bytes, data, data, n, stream, false, s);
  }
  template <class Keys, class In, class Out, class Op, class T, class Same = Equality>
  static Status ExclusiveScanByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, Op op, T initial, long long n,
                                   Same same = Same(), Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceScan::ExclusiveScanByKey", stream, s, [=] {
      detail::for_runs(keys, static_cast<size_t>(n), same,
                       [&](size_t from, size_t to) { detail::exclusive<T>(in, out, from, to, op, initial); });
    });
  }
  template <class Keys, class In, class Out, class Op, class Same = Equality>
  static Status InclusiveScanByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, Op op, long long n, Same same = Same(),
                                   Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceScan::InclusiveScanByKey", stream, s, [=] {
      detail::for_runs(keys, static_cast<size_t>(n), same, [&](size_t from, size_t to) {
        detail::inclusive<detail::value_t<In>>(in, out, from, to, op);
      });
    });
  }
  template <class Keys, class In, class Out, class Same = Equality>
  static Status ExclusiveSumByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, long long n, Same same = Same(),
                                  Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return ExclusiveScanByKey(temp, bytes, keys, in, out, cub::Sum(), detail::value_t<In>(0), n, same, stream, s);
  }
  template <class Keys, class In, class Out, class Same = Equality>
  static Status InclusiveSumByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, long long n, Same same = Same(),
                                  Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return InclusiveScanByKey(temp, bytes, keys, in, out, cub::Sum(), n, same, stream, s);
  }
#endif
};

}  // namespace cub
