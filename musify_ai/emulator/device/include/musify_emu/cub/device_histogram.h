// CUB: device-wide histograms. Which bin of even width a sample falls into is as each vendor's version computes it:
// with integers, the older one (MUSA) divides by the width of a bin, cut to a whole number, the newer one does not.
#pragma once
#include "device_call.h"

namespace cub {

struct DeviceHistogram {
  template <class In, class Counter, class Level>
  static Status HistogramEven(void* temp, size_t& bytes, In samples, Counter* histogram, int levels, Level lower, Level upper,
                              long long n, Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {
    return HistogramEven(temp, bytes, samples, histogram, levels, lower, upper, n, 1ll,
                         sizeof(detail::value_t<In>) * static_cast<size_t>(n), stream, false, s);
  }
  template <class In, class Counter, class Level>
  static Status HistogramEven(void* temp, size_t& bytes, In samples, Counter* histogram, int levels, Level lower, Level upper,
                              long long row, long long rows, size_t stride, Stream_t stream = 0, bool = false,
                              emu::Site s = emu::Site::here()) {
    Counter* histograms[1] = {histogram};
    int counts[1] = {levels};
    Level lowers[1] = {lower}, uppers[1] = {upper};
    return MultiHistogramEven<1, 1>(temp, bytes, samples, histograms, counts, lowers, uppers, row, rows, stride, stream, false, s);
  }
  template <int CHANNELS, int ACTIVE, class In, class Counter, class Level>
  static Status MultiHistogramEven(void* temp, size_t& bytes, In samples, Counter* histograms[ACTIVE], const int levels[ACTIVE],
                                   const Level lower[ACTIVE], const Level upper[ACTIVE], long long pixels, Stream_t stream = 0,
                                   bool = false, emu::Site s = emu::Site::here()) {
    return MultiHistogramEven<CHANNELS, ACTIVE>(temp, bytes, samples, histograms, levels, lower, upper, pixels, 1ll,
                                                sizeof(detail::value_t<In>) * CHANNELS * static_cast<size_t>(pixels), stream,
                                                false, s);
  }
  template <int CHANNELS, int ACTIVE, class In, class Counter, class Level>
  static Status MultiHistogramEven(void* temp, size_t& bytes, In samples, Counter* histograms[ACTIVE], const int levels[ACTIVE],
                                   const Level lower[ACTIVE], const Level upper[ACTIVE], long long row, long long rows,
                                   size_t stride, Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {
    Channels<Counter, Level, ACTIVE> c;
    for (int i = 0; i < ACTIVE; i++) c.set(i, histograms[i], levels[i]), c.lower[i] = lower[i], c.upper[i] = upper[i];
    return count<CHANNELS, ACTIVE>(temp, bytes, "cub::DeviceHistogram::HistogramEven", samples, c, row, rows, stride, stream, s,
                                   [c](int i, const auto& sample) { return even(sample, c.bins[i], c.lower[i], c.upper[i]); });
  }
  template <class In, class Counter, class Level>
  static Status HistogramRange(void* temp, size_t& bytes, In samples, Counter* histogram, int levels, const Level* bounds,
                               long long n, Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {
    return HistogramRange(temp, bytes, samples, histogram, levels, bounds, n, 1ll,
                          sizeof(detail::value_t<In>) * static_cast<size_t>(n), stream, false, s);
  }
  template <class In, class Counter, class Level>
  static Status HistogramRange(void* temp, size_t& bytes, In samples, Counter* histogram, int levels, const Level* bounds,
                               long long row, long long rows, size_t stride, Stream_t stream = 0, bool = false,
                               emu::Site s = emu::Site::here()) {
    Counter* histograms[1] = {histogram};
    int counts[1] = {levels};
    const Level* all[1] = {bounds};
    return MultiHistogramRange<1, 1>(temp, bytes, samples, histograms, counts, all, row, rows, stride, stream, false, s);
  }
  template <int CHANNELS, int ACTIVE, class In, class Counter, class Level>
  static Status MultiHistogramRange(void* temp, size_t& bytes, In samples, Counter* histograms[ACTIVE], const int levels[ACTIVE],
                                    const Level* const bounds[ACTIVE], long long pixels, Stream_t stream = 0, bool = false,
                                    emu::Site s = emu::Site::here()) {
    return MultiHistogramRange<CHANNELS, ACTIVE>(temp, bytes, samples, histograms, levels, bounds, pixels, 1ll,
                                                 sizeof(detail::value_t<In>) * CHANNELS * static_cast<size_t>(pixels), stream,
                                                 false, s);
  }
  template <int CHANNELS, int ACTIVE, class In, class Counter, class Level>
  static Status MultiHistogramRange(void* temp, size_t& bytes, In samples, Counter* histograms[ACTIVE], const int levels[ACTIVE],
                                    const Level* const bounds[ACTIVE], long long row, long long rows, size_t stride,
                                    Stream_t stream = 0, bool = false, emu::Site s = emu::Site::here()) {
    Channels<Counter, Level, ACTIVE> c;
    for (int i = 0; i < ACTIVE; i++) c.set(i, histograms[i], levels[i]), c.bounds[i] = bounds[i];
    return count<CHANNELS, ACTIVE>(temp, bytes, "cub::DeviceHistogram::HistogramRange", samples, c, row, rows, stride, stream, s,
                                   [c](int i, const auto& sample) {
                                     Level value = static_cast<Level>(sample);
                                     int bin = -1;
                                     while (bin < c.bins[i] && c.bounds[i][bin + 1] <= value) bin++;
                                     return bin < c.bins[i] ? bin : -1;
                                   });
  }

 private:
  template <class Counter, class Level, int ACTIVE>
  struct Channels {
    Counter* histogram[ACTIVE];
    int bins[ACTIVE];
    Level lower[ACTIVE] = {}, upper[ACTIVE] = {};
    const Level* bounds[ACTIVE] = {};
    void set(int i, Counter* h, int levels) { histogram[i] = h, bins[i] = levels - 1; }
  };
  // The bin of a sample, or -1.
  template <class Sample, class Level>
  static int even(const Sample& sample, int bins, Level lower, Level upper) {
    Level value = static_cast<Level>(sample);
    if (!(value >= lower) || !(value < upper)) return -1;
    if constexpr (std::is_floating_point<Level>::value) {
      Level scale = static_cast<Level>((upper - lower) / static_cast<Level>(bins));
      return static_cast<int>((value - lower) * (Level(1) / scale));
    } else {
#ifdef __CUDACC__
      return static_cast<int>(static_cast<unsigned long long>(value - lower) * static_cast<unsigned long long>(bins) /
                              static_cast<unsigned long long>(upper - lower));
#else
      return static_cast<int>((value - lower) / static_cast<Level>((upper - lower) / static_cast<Level>(bins)));
#endif
    }
  }
  template <int CHANNELS, int ACTIVE, class In, class C, class Bin>
  static Status count(void* temp, size_t& bytes, const char* name, In samples, C c, long long row, long long rows, size_t stride,
                      Stream_t stream, emu::Site s, Bin bin) {
    return detail::two_phase(temp, bytes, name, stream, s, [=] {
      for (int i = 0; i < ACTIVE; i++)
        for (int b = 0; b < c.bins[i]; b++) c.histogram[i][b] = 0;
      for (long long y = 0; y < rows; y++)
        for (long long x = 0; x < row; x++)
          for (int i = 0; i < ACTIVE; i++) {
            size_t at = static_cast<size_t>(y) * (stride / sizeof(detail::value_t<In>)) + static_cast<size_t>(x) * CHANNELS +
                        static_cast<size_t>(i);
            int b = bin(i, static_cast<detail::value_t<In>>(detail::get(samples, at)));
            // the older version's cut width can lead past the last bin, where it writes out of bounds
            if (b >= c.bins[i])
              emu::finding("out-of-bounds", nullptr, s, "a sample falls into bin %d of %d: the range is no multiple of its bins", b,
                           c.bins[i]);
            else if (b >= 0)
              c.histogram[i][b] = c.histogram[i][b] + 1;
          }
    });
  }
};

}  // namespace cub
