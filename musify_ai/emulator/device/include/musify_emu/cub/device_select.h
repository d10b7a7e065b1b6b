// CUB: device-wide selection, partition and run-length encoding.
#pragma once
#include "device_scan.h"

namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count>
  static Status Flagged(void* temp, size_t& bytes, In in, Flags flags, Out out, Count count, long long n, Stream_t stream = 0,
                        bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceSelect::Flagged", stream, s, [=] {
      keep(in, out, count, n, [&](size_t i) { return static_cast<bool>(detail::get(flags, i)); });
    });
  }
  template <class In, class Out, class Count, class Select>
  static Status If(void* temp, size_t& bytes, In in, Out out, Count count, long long n, Select select, Stream_t stream = 0,
                   bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceSelect::If", stream, s, [=] {
      auto chosen = select;
      keep(in, out, count, n, [&](size_t i) { return static_cast<bool>(chosen(static_cast<detail::value_t<In>>(detail::get(in, i)))); });
    });
  }
  template <class In, class Out, class Count>
  static Status Unique(void* temp, size_t& bytes, In in, Out out, Count count, long long n, Stream_t stream = 0, bool = false,
                       emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceSelect::Unique", stream, s, [=] {
      keep(in, out, count, n, [&](size_t i) { return i == 0 || !(detail::get(in, i - 1) == detail::get(in, i)); });
    });
  }
#ifdef __CUDACC__
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Count>
  static Status UniqueByKey(void* temp, size_t& bytes, Keys keys, Values values, KeysOut keys_out, ValuesOut values_out,
                            Count count, long long n, Stream_t stream = 0, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceSelect::UniqueByKey", stream, s, [=] {
      auto first = [&](size_t i) { return i == 0 || !(detail::get(keys, i - 1) == detail::get(keys, i)); };
      keep(values, values_out, count, n, first);
      keep(keys, keys_out, count, n, first);
    });
  }
#endif

 private:
  // In order, and safe where the output lies over the input: what is kept never overtakes what is read.
  template <class In, class Out, class Count, class Chosen>
  static void keep(In in, Out out, Count count, long long n, const Chosen& chosen) {
    std::vector<size_t> kept;
    for (size_t i = 0; i < static_cast<size_t>(n); i++)
      if (chosen(i)) kept.push_back(i);
    for (size_t i = 0; i < kept.size(); i++) detail::put(out, i, static_cast<detail::value_t<In>>(detail::get(in, kept[i])));
    *count = static_cast<detail::value_t<Count>>(kept.size());
  }
};

struct DevicePartition {
  // Those selected in order from the front, the others in reverse order from the back.
  template <class In, class Flags, class Out, class Count>
  static Status Flagged(void* temp, size_t& bytes, In in, Flags flags, Out out, Count count, long long n, Stream_t stream = 0,
                        bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DevicePartition::Flagged", stream, s, [=] {
      split(in, out, count, n, [&](size_t i) { return static_cast<bool>(detail::get(flags, i)); });
    });
  }
  template <class In, class Out, class Count, class Select>
  static Status If(void* temp, size_t& bytes, In in, Out out, Count count, long long n, Select select, Stream_t stream = 0,
                   bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DevicePartition::If", stream, s, [=] {
      auto chosen = select;
      split(in, out, count, n, [&](size_t i) { return static_cast<bool>(chosen(static_cast<detail::value_t<In>>(detail::get(in, i)))); });
    });
  }

 private:
  template <class In, class Out, class Count, class Chosen>
  static void split(In in, Out out, Count count, long long n, const Chosen& chosen) {
    size_t front = 0, back = static_cast<size_t>(n);
    for (size_t i = 0; i < static_cast<size_t>(n); i++)
      detail::put(out, chosen(i) ? front++ : --back, static_cast<detail::value_t<In>>(detail::get(in, i)));
    *count = static_cast<detail::value_t<Count>>(front);
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Count>
  static Status Encode(void* temp, size_t& bytes, In in, Unique unique, Lengths lengths, Count count, long long n,
                       Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceRunLengthEncode::Encode", stream, s, [=] {
      size_t runs = 0;
      detail::for_runs(in, static_cast<size_t>(n), Equality(), [&](size_t from, size_t to) {
        detail::put(unique, runs, static_cast<detail::value_t<In>>(detail::get(in, from)));
        detail::put(lengths, runs++, static_cast<int>(to - from));
      });
      *count = static_cast<detail::value_t<Count>>(runs);
    });
  }
  template <class In, class Offsets, class Lengths, class Count>
  static Status NonTrivialRuns(void* temp, size_t& bytes, In in, Offsets offsets, Lengths lengths, Count count, long long n,
                               Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {
    return detail::two_phase(temp, bytes, "cub::DeviceRunLengthEncode::NonTrivialRuns", stream, s, [=] {
      size_t runs = 0;
      detail::for_runs(in, static_cast<size_t>(n), Equality(), [&](size_t from, size_t to) {
        if (to - from < 2) return;
        detail::put(offsets, runs, static_cast<int>(from));
        detail::put(lengths, runs++, static_cast<int>(to - from));
      });
      *count = static_cast<detail::value_t<Count>>(runs);
    });
  }
};

}  // namespace cub
