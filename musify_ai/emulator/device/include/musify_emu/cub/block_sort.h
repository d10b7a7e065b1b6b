// CUB: sorting a block's items, and counting them.
#pragma once
#include "block_exchange.h"
#include "block_scan.h"
#include "radix.h"

namespace cub {

namespace detail {
// Keys and values in shared memory: thread 0 works out an order of them, and each thread fetches its own.
template <class Key, class Value, int THREADS, int ITEMS>
struct SharedSort {
  static constexpr bool keys_only = std::is_same<Value, NullType>::value;
  emu::Room<Key, THREADS * ITEMS> keys;
  emu::Room<Value, keys_only ? 1 : THREADS * ITEMS> values;
  emu::Room<int, THREADS * ITEMS> order;

  template <class Order, class Place>
  void sort(Key (&k)[ITEMS], Value (*v)[ITEMS], const Order& make_order, const Place& place, emu::Site s) {
    unsigned rank = emu::thread_rank();
    for (unsigned i = 0; i < ITEMS; i++) {
      new (&keys[rank * ITEMS + i]) Key(k[i]);
      if (!keys_only) new (&values[rank * ITEMS + i]) Value((*v)[i]);
    }
    emu::barrier(emu::Barrier::plain, 0, s);
    if (rank == 0) {
      std::vector<size_t> sorted = make_order();
      for (size_t i = 0; i < sorted.size(); i++) order[i] = static_cast<int>(sorted[i]);
    }
    emu::barrier(emu::Barrier::plain, 0, s);
    for (unsigned i = 0; i < ITEMS; i++) {
      size_t from = static_cast<size_t>(order[place(rank, i)]);
      k[i] = keys[from];
      if (!keys_only) (*v)[i] = values[from];
    }
  }
};
}  // namespace detail

template <class KeyT, int BLOCK_DIM_X, int ITEMS, class ValueT = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 1, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int = 0>
class BlockRadixSort {
  enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, BITS = 8 * sizeof(KeyT) };
  using Here = emu::Site;

 public:
  using TempStorage = detail::SharedSort<KeyT, ValueT, THREADS, ITEMS>;
  BlockRadixSort() : storage(emu::private_storage<TempStorage>()) {}
  BlockRadixSort(TempStorage& s) : storage(s) {}
  void Sort(KeyT (&keys)[ITEMS], int begin = 0, int end = BITS, Here s = Here::here()) {
    sort(keys, nullptr, begin, end, false, blocked, s);
  }
  void Sort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], int begin = 0, int end = BITS, Here s = Here::here()) {
    sort(keys, &values, begin, end, false, blocked, s);
  }
  void SortDescending(KeyT (&keys)[ITEMS], int begin = 0, int end = BITS, Here s = Here::here()) {
    sort(keys, nullptr, begin, end, true, blocked, s);
  }
  void SortDescending(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], int begin = 0, int end = BITS, Here s = Here::here()) {
    sort(keys, &values, begin, end, true, blocked, s);
  }
  void SortBlockedToStriped(KeyT (&keys)[ITEMS], int begin = 0, int end = BITS, Here s = Here::here()) {
    sort(keys, nullptr, begin, end, false, striped, s);
  }
  void SortBlockedToStriped(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], int begin = 0, int end = BITS,
                            Here s = Here::here()) {
    sort(keys, &values, begin, end, false, striped, s);
  }
  void SortDescendingBlockedToStriped(KeyT (&keys)[ITEMS], int begin = 0, int end = BITS, Here s = Here::here()) {
    sort(keys, nullptr, begin, end, true, striped, s);
  }
  void SortDescendingBlockedToStriped(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], int begin = 0, int end = BITS,
                                      Here s = Here::here()) {
    sort(keys, &values, begin, end, true, striped, s);
  }

 private:
  static size_t blocked(unsigned rank, unsigned i) { return rank * ITEMS + i; }
  static size_t striped(unsigned rank, unsigned i) { return i * THREADS + rank; }
  void sort(KeyT (&keys)[ITEMS], ValueT (*values)[ITEMS], int begin, int end, bool descending,
            size_t (*place)(unsigned, unsigned), Here s) {
    auto order = [&] {
      return detail::radix_order<KeyT>(THREADS * ITEMS, [&](size_t i) { return storage.keys[i]; }, begin, end, descending);
    };
    storage.sort(keys, values, order, place, s);
  }
  TempStorage& storage;
};

#ifdef __CUDACC__
template <class KeyT, int BLOCK_DIM_X, int ITEMS, class ValueT = NullType, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockMergeSort {
  enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
  using Here = emu::Site;

 public:
  using TempStorage = detail::SharedSort<KeyT, ValueT, THREADS, ITEMS>;
  BlockMergeSort() : storage(emu::private_storage<TempStorage>()) {}
  BlockMergeSort(TempStorage& s) : storage(s) {}
  template <class Less>
  void Sort(KeyT (&keys)[ITEMS], Less less, Here s = Here::here()) { sort(keys, nullptr, less, THREADS * ITEMS, s); }
  template <class Less>
  void Sort(KeyT (&keys)[ITEMS], Less less, int valid, KeyT, Here s = Here::here()) { sort(keys, nullptr, less, valid, s); }
  template <class Less>
  void Sort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], Less less, Here s = Here::here()) {
    sort(keys, &values, less, THREADS * ITEMS, s);
  }
  template <class Less>
  void Sort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], Less less, int valid, KeyT, Here s = Here::here()) {
    sort(keys, &values, less, valid, s);
  }
  template <class Less>
  void StableSort(KeyT (&keys)[ITEMS], Less less, Here s = Here::here()) { Sort(keys, less, s); }
  template <class Less>
  void StableSort(KeyT (&keys)[ITEMS], ValueT (&values)[ITEMS], Less less, Here s = Here::here()) { Sort(keys, values, less, s); }

 private:
  template <class Less>
  void sort(KeyT (&keys)[ITEMS], ValueT (*values)[ITEMS], Less less, int valid, Here s) {
    auto order = [&] {
      std::vector<size_t> sorted(THREADS * ITEMS);
      for (size_t i = 0; i < sorted.size(); i++) sorted[i] = i;
      std::stable_sort(sorted.begin(), sorted.begin() + valid,
                       [&](size_t a, size_t b) { return less(storage.keys[a], storage.keys[b]); });
      return sorted;
    };
    storage.sort(keys, values, order, [](unsigned rank, unsigned i) { return static_cast<size_t>(rank * ITEMS + i); }, s);
  }
  TempStorage& storage;
};
#endif

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int BLOCK_DIM_X, int ITEMS, int BINS, BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int = 0>
class BlockHistogram {
  enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
  using Here = emu::Site;

 public:
  struct TempStorage {};
  BlockHistogram() {}
  BlockHistogram(TempStorage&) {}
  template <class Counter>
  void InitHistogram(Counter (&bins)[BINS]) {
    for (int i = static_cast<int>(emu::thread_rank()); i < BINS; i += THREADS) bins[i] = Counter(0);
  }
  template <class Counter>
  void Histogram(T (&items)[ITEMS], Counter (&bins)[BINS], Here s = Here::here()) {
    InitHistogram(bins);
    emu::barrier(emu::Barrier::plain, 0, s);
    Composite(items, bins, s);
  }
  template <class Counter>
  void Composite(T (&items)[ITEMS], Counter (&bins)[BINS], Here s = Here::here()) {
    // the sorting form has barriers before it counts, the atomic one has none; whoever reads the bins needs one more
    if (ALGORITHM == BLOCK_HISTO_SORT) emu::barrier(emu::Barrier::plain, 0, s);
    for (int i = 0; i < ITEMS; i++) {
      emu::Atomically here(&bins[items[i]], sizeof(Counter));
      bins[items[i]] = Counter(bins[items[i]] + 1);
    }
  }
};

}  // namespace cub
