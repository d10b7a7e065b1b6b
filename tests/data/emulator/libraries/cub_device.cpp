// CUB's device-wide algorithms and iterators.
#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

#include "check.h"

// The two calls that each algorithm takes: for the size, for the work.
#define DEVICE(...)                                          \
  {                                                          \
    size_t bytes = 0;                                        \
    void* temp = nullptr;                                    \
    CubDebugExit((__VA_ARGS__));                             \
    API(Malloc)(&temp, bytes);                               \
    CubDebugExit((__VA_ARGS__));                             \
    API(Free)(temp);                                         \
  }
using std::vector;
struct Even {
  bool operator()(int i) const { return i % 2 == 0; }
};
struct Square {
  int operator()(int i) const { return i * i; }
};
int value(int i) { return i * 7 % 31 - 9; }

int main() {
  const int n = 200;
  vector<int> h = made(n, value);
  Buffer<int> in(h), out(n), other(n), count(1);
  int sum = std::accumulate(h.begin(), h.end(), 0);

  DEVICE(cub::DeviceReduce::Sum(temp, bytes, (int*)in, (int*)out, n));
  check("DeviceReduce Sum", out.read(1)[0] == sum);
  DEVICE(cub::DeviceReduce::Min(temp, bytes, (int*)in, (int*)out, n));
  check("DeviceReduce Min", out.read(1)[0] == -9);
  DEVICE(cub::DeviceReduce::Max(temp, bytes, (int*)in, (int*)out, n));
  check("DeviceReduce Max", out.read(1)[0] == 21);
  DEVICE(cub::DeviceReduce::Reduce(temp, bytes, (int*)in, (int*)out, n, cub::Max(), 1000));
  check("DeviceReduce Reduce takes the initial value in", out.read(1)[0] == 1000);
  Buffer<cub::KeyValuePair<int, int>> pair(1);
  DEVICE(cub::DeviceReduce::ArgMin(temp, bytes, (int*)in, (cub::KeyValuePair<int, int>*)pair, n));
  check("DeviceReduce ArgMin gives the first", pair.read()[0].key == 0 && pair.read()[0].value == -9);
  DEVICE(cub::DeviceReduce::ArgMax(temp, bytes, (int*)in, (cub::KeyValuePair<int, int>*)pair, n));
  check("DeviceReduce ArgMax", pair.read()[0].key == 22 && pair.read()[0].value == 21);
  Buffer<float> ones(vector<float>(20'000'000, 1.0f)), total(1);
  DEVICE(cub::DeviceReduce::Sum(temp, bytes, (float*)ones, (float*)total, 20'000'000));
  check("a long sum of floats does not stop at 2^24", total.read()[0] == 2e7f);
  cub::CountingInputIterator<int> counting(1);
  cub::TransformInputIterator<int, Square, cub::CountingInputIterator<int>> squares(counting, Square());
  DEVICE(cub::DeviceReduce::Sum(temp, bytes, squares, (int*)out, 10));
  check("CountingInputIterator and TransformInputIterator", out.read(1)[0] == 385);
  DEVICE(cub::DeviceReduce::Sum(temp, bytes, cub::ConstantInputIterator<int>(3), (int*)out, 10));
  check("ConstantInputIterator", out.read(1)[0] == 30);
  size_t size = 1;
  check("a workspace that is too small is refused", int(cub::DeviceReduce::Sum(out, size, (int*)in, (int*)out, n)) == 1);

  DEVICE(cub::DeviceScan::ExclusiveSum(temp, bytes, (int*)in, (int*)out, n));
  check_all("DeviceScan ExclusiveSum", out.read(), made(n, [&](int i) { return std::accumulate(&h[0], &h[i], 0); }));
  DEVICE(cub::DeviceScan::InclusiveSum(temp, bytes, (int*)in, (int*)out, n));
  check_all("DeviceScan InclusiveSum", out.read(), made(n, [&](int i) { return std::accumulate(&h[0], &h[i] + 1, 0); }));
  DEVICE(cub::DeviceScan::ExclusiveScan(temp, bytes, (int*)in, (int*)out, cub::Max(), -5, n));
  check_all("DeviceScan ExclusiveScan", out.read(),
            made(n, [&](int i) { return i ? std::max(-5, *std::max_element(&h[0], &h[i])) : -5; }));
  DEVICE(cub::DeviceScan::InclusiveScan(temp, bytes, (int*)in, (int*)out, cub::Min(), n));
  check_all("DeviceScan InclusiveScan", out.read(), made(n, [&](int i) { return *std::min_element(&h[0], &h[i] + 1); }));

  vector<int> kept, dropped;
  for (int v : h) (v % 2 == 0 ? kept : dropped).push_back(v);
  DEVICE(cub::DeviceSelect::If(temp, bytes, (int*)in, (int*)out, (int*)count, n, Even()));
  check_all("DeviceSelect If", out.read(size_t(count.read()[0])), kept);
  Buffer<char> flags(made(n, [](int i) { return char(i % 3 == 1); }));
  DEVICE(cub::DeviceSelect::Flagged(temp, bytes, (int*)in, (char*)flags, (int*)out, (int*)count, n));
  check_all("DeviceSelect Flagged", out.read(size_t(count.read()[0])), made((n + 1) / 3, [](int i) { return value(3 * i + 1); }));
  Buffer<int> runs(made(n, [](int i) { return i / 7 % 2 ? i / 7 : i / 14 * 2; }));
  DEVICE(cub::DeviceSelect::Unique(temp, bytes, (int*)runs, (int*)out, (int*)count, n));
  check_all("DeviceSelect Unique", out.read(size_t(count.read()[0])), made((n + 6) / 7, [](int i) { return i; }));
  vector<int> split = kept;
  split.insert(split.end(), dropped.rbegin(), dropped.rend());
  DEVICE(cub::DevicePartition::If(temp, bytes, (int*)in, (int*)out, (int*)count, n, Even()));
  check_all("DevicePartition If: the rest stands in reverse order", out.read(), split);
  check("DevicePartition counts those selected", count.read()[0] == int(kept.size()));
  DEVICE(cub::DeviceRunLengthEncode::Encode(temp, bytes, (int*)runs, (int*)out, (int*)other, (int*)count, n));
  check_all("DeviceRunLengthEncode Encode", other.read(size_t(count.read()[0])), made(29, [](int i) { return i < 28 ? 7 : 4; }));
  DEVICE(cub::DeviceReduce::ReduceByKey(temp, bytes, (int*)runs, (int*)out, (int*)in, (int*)other, (int*)count, cub::Sum(), n));
  check_all("DeviceReduce ReduceByKey", other.read(size_t(count.read()[0])), made(29, [&](int i) {
              return std::accumulate(&h[0] + 7 * i, &h[0] + std::min(7 * i + 7, n), 0);
            }));

  vector<int> order = made(n, [](int i) { return i; }), sorted = h;
  Buffer<int> indices(order);
  std::sort(sorted.begin(), sorted.end());
  DEVICE(cub::DeviceRadixSort::SortKeys(temp, bytes, (int*)in, (int*)out, n));
  check_all("DeviceRadixSort SortKeys", out.read(), sorted);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[a] > h[b]; });
  DEVICE(cub::DeviceRadixSort::SortPairsDescending(temp, bytes, (int*)in, (int*)out, (int*)indices, (int*)other, n));
  check_all("DeviceRadixSort SortPairsDescending is stable", other.read(), order);
  vector<unsigned> bits = made(n, [](int i) { return unsigned(i) * 2654435761u; });
  Buffer<unsigned> ubits(bits), usorted(n);
  std::stable_sort(bits.begin(), bits.end(), [](unsigned a, unsigned b) { return (a >> 4 & 0xff) < (b >> 4 & 0xff); });
  DEVICE(cub::DeviceRadixSort::SortKeys(temp, bytes, (unsigned*)ubits, (unsigned*)usorted, n, 4, 12));
  check_all("DeviceRadixSort by bits 4 to 12 only", usorted.read(), bits);
  Buffer<float> reals(vector<float>{2.5f, -0.0f, -1e30f, 0.0f, INFINITY, -INFINITY, 1e-40f}), rsorted(7);
  DEVICE(cub::DeviceRadixSort::SortKeys(temp, bytes, (float*)reals, (float*)rsorted, 7));
  auto real = rsorted.read();
  check_all("DeviceRadixSort of floats", real, vector<float>{-INFINITY, -1e30f, -0.0f, 0.0f, 1e-40f, 2.5f, INFINITY});
  check("the two zeros are equal", std::signbit(real[2]) && !std::signbit(real[3]));
  in = h;
  cub::DoubleBuffer<int> keys(in, out), values(indices, other);
  DEVICE(cub::DeviceRadixSort::SortPairs(temp, bytes, keys, values, n));
  check("DoubleBuffer turns to what was written", keys.selector == 1 && keys.Current() == (int*)out);
  check_all("DeviceRadixSort with DoubleBuffer", out.read(), sorted);
  in = h;
  vector<int> offsets{0, 50, 50, 130, 200}, parts = h;
  Buffer<int> bounds(offsets);
  for (int i = 0; i < 4; i++) std::sort(&parts[0] + offsets[i], &parts[0] + offsets[i + 1]);
  DEVICE(cub::DeviceSegmentedRadixSort::SortKeys(temp, bytes, (int*)in, (int*)out, n, 4, (int*)bounds, (int*)bounds + 1));
  check_all("DeviceSegmentedRadixSort", out.read(), parts);
  DEVICE(cub::DeviceSegmentedReduce::Sum(temp, bytes, (int*)in, (int*)out, 4, (int*)bounds, (int*)bounds + 1));
  check_all("DeviceSegmentedReduce Sum, with an empty segment", out.read(4), made(4, [&](int i) {
              return std::accumulate(&h[0] + offsets[i], &h[0] + offsets[i + 1], 0);
            }));

  Buffer<float> samples(made(n, [](int i) { return i / 128.0f; }));
  DEVICE(cub::DeviceHistogram::HistogramEven(temp, bytes, (float*)samples, (int*)out, 5, 0.0f, 1.0f, n));
  check_all("DeviceHistogram HistogramEven leaves out what lies outside", out.read(4), vector<int>{32, 32, 32, 32});
  Buffer<float> levels(vector<float>{0.0f, 0.125f, 0.5f, 1.5f});
  DEVICE(cub::DeviceHistogram::HistogramRange(temp, bytes, (float*)samples, (int*)out, 4, (float*)levels, n));
  check_all("DeviceHistogram HistogramRange", out.read(3), vector<int>{16, 48, 128});
  Buffer<unsigned char> pixels(made(n, [](int i) { return (unsigned char)(i % 4 * 64 + i % 3); }));
  int* histograms[3] = {out, (int*)out + 4, (int*)out + 8};
  int level_counts[3] = {5, 5, 5}, lowers[3] = {0, 0, 0}, uppers[3] = {256, 256, 256};
  DEVICE(cub::DeviceHistogram::MultiHistogramEven<4, 3>(temp, bytes, (unsigned char*)pixels, histograms, level_counts, lowers,
                                                        uppers, n / 4));
  check_all("DeviceHistogram MultiHistogramEven", out.read(12), vector<int>{50, 0, 0, 0, 0, 50, 0, 0, 0, 0, 50, 0});
  Buffer<int> tenths(made(10, [](int i) { return i; }));
  DEVICE(cub::DeviceHistogram::HistogramEven(temp, bytes, (int*)tenths, (int*)out, 4, 0, 8, 10));
#ifdef __MUSACC__  // bins of 8 / 3 = 2, and what would be the fourth is reported
  check_all("integer bins: CUB 1.12 cuts their width", out.read(3), vector<int>{2, 2, 2});
#else
  check_all("integer bins: CUB 2.7 does not cut their width", out.read(3), vector<int>{3, 3, 2});
#endif

  Buffer<int> rows(vector<int>{0, 2, 3}), columns(vector<int>{0, 2, 1});
  Buffer<double> entries(vector<double>{1, 2, 3}), x(vector<double>{10, 20, 30}), y(2);
  DEVICE(cub::DeviceSpmv::CsrMV(temp, bytes, (double*)entries, (int*)rows, (int*)columns, (double*)x, (double*)y, 2, 3, 3));
  check_all("DeviceSpmv CsrMV", y.read(), vector<double>{70, 60});

  cub::CachingDeviceAllocator allocator;
  void *first, *second;
  allocator.DeviceAllocate(&first, 1000);
  allocator.DeviceFree(first);
  allocator.DeviceAllocate(&second, 900);
  check("CachingDeviceAllocator gives a block again", first == second);
  allocator.DeviceFree(second);

#ifdef __CUDACC__
  in = h;
  DEVICE(cub::DeviceMergeSort::SortKeys(temp, bytes, (int*)in, n, [](int a, int b) { return a > b; }));
  check_all("DeviceMergeSort SortKeys", in.read(), vector<int>(sorted.rbegin(), sorted.rend()));
  in = h;
  DEVICE(cub::DeviceAdjacentDifference::SubtractLeftCopy(temp, bytes, (int*)in, (int*)out, n));
  check_all("DeviceAdjacentDifference", out.read(), made(n, [&](int i) { return i ? h[i] - h[i - 1] : h[0]; }));
  DEVICE(cub::DeviceScan::ExclusiveSumByKey(temp, bytes, (int*)runs, (int*)in, (int*)out, n));
  check_all("DeviceScan ExclusiveSumByKey", out.read(),
            made(n, [&](int i) { return std::accumulate(&h[i / 7 * 7], &h[i], 0); }));
  DEVICE(cub::DeviceSegmentedSort::SortKeysDescending(temp, bytes, (int*)in, (int*)out, n, 4, (int*)bounds, (int*)bounds + 1));
  for (int i = 0; i < 4; i++) std::reverse(&parts[0] + offsets[i], &parts[0] + offsets[i + 1]);
  check_all("DeviceSegmentedSort", out.read(), parts);
  int* raw = out;
  cub::DeviceFor::Bulk(n, [raw](int i) { raw[i] = i * 3; });
  check_all("DeviceFor Bulk", out.read(), made(n, [](int i) { return i * 3; }));
#endif
}
