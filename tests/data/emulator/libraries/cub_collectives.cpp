// CUB's collectives of a block and of a warp, each against the plain loop that says what it should give.
#include <cub/cub.cuh>

#include <algorithm>

#include "check.h"

constexpr int N = 72;  // two whole warps and a quarter of one
constexpr int ITEMS = 3;
int value(int t) { return t * 7 % 31 - 9; }
struct Concatenate {  // associative, not commutative: shows the order
  long long operator()(long long a, long long b) const { return (a * 10 + b) % 1000003; }
};
struct Affine {  // composition of x -> m x + c, by value
  int m, c;
};
struct Compose {
  Affine operator()(const Affine& f, const Affine& g) const { return {f.m * g.m % 97, (g.m * f.c + g.c) % 97}; }
};
Affine affine(int t) { return {t % 5 + 1, t % 7}; }
struct Running {
  int total;
  int operator()(int block) {
    int old = total;
    total += block;
    return old;
  }
};

__global__ void reductions(int* out, int valid) {
  using Reduce = cub::BlockReduce<int, N>;
  using Raking = cub::BlockReduce<Affine, 36, cub::BLOCK_REDUCE_RAKING, 2>;
  SHARED(Reduce::TempStorage, storage);
  SHARED(Raking::TempStorage, raking);
  int t = threadIdx.x + 36 * threadIdx.y;
  int items[ITEMS] = {value(t), value(t + 100), value(t + 200)};
  int sum = Reduce(storage).Sum(value(t));
  __syncthreads();
  int least = Reduce(storage).Reduce(value(t), cub::Min());
  __syncthreads();
  int some = Reduce(storage).Sum(value(t), valid);
  __syncthreads();
  int all = Reduce(storage).Sum(items);
  __syncthreads();
  int most = Reduce(storage).Reduce(value(t), cub::Max(), valid);
  Affine composed = Raking(raking).Reduce(affine(t), Compose());
  int own = cub::BlockReduce<int, N>().Sum(1);
  if (t == 0) {
    int results[] = {sum, least, some, all, most, composed.m, composed.c, own};
    for (int i = 0; i < 8; i++) out[i] = results[i];
  }
}

__global__ void scans(int* out) {
  using Scan = cub::BlockScan<int, N>;
  SHARED(Scan::TempStorage, storage);
  int t = threadIdx.x;
  int results[10], total, items[ITEMS] = {value(t * 3), value(t * 3 + 1), value(t * 3 + 2)}, many[ITEMS];
  Scan(storage).ExclusiveSum(value(t), results[0]);
  __syncthreads();
  Scan(storage).InclusiveSum(value(t), results[1], total);
  __syncthreads();
  Scan(storage).ExclusiveScan(value(t), results[2], -100, cub::Max());
  __syncthreads();
  Scan(storage).InclusiveScan(value(t), results[3], cub::Min());
  __syncthreads();
  Scan(storage).ExclusiveSum(items, many);
  for (int i = 0; i < ITEMS; i++) results[4 + i] = many[i];
  __syncthreads();
  Running running{1000};
  Scan(storage).InclusiveSum(items, many, running);
  results[7] = many[ITEMS - 1];
  __syncthreads();
  Scan(storage).ExclusiveSum(value(t), results[8], running);
  results[9] = total;
  for (int i = 0; i < 10; i++) out[t * 10 + i] = results[i];
}

template <cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S>
__global__ void moves(const int* in, int* out, int valid) {
  using Load = cub::BlockLoad<int, N, ITEMS, L>;
  using Store = cub::BlockStore<int, N, ITEMS, S>;
  SHARED(typename Load::TempStorage, load);
  SHARED(typename Store::TempStorage, store);
  int items[ITEMS];
  Load(load).Load(in, items, valid, -1);
  for (int& item : items) item = item * 2 + 1;
  Store(store).Store(out, items);
}

__global__ void exchanges(int* out) {
  using Exchange = cub::BlockExchange<int, N, ITEMS>;
  using Heads = cub::BlockDiscontinuity<int, N>;
  using Shuffle = cub::BlockShuffle<int, N>;
  SHARED(Exchange::TempStorage, storage);
  SHARED(Heads::TempStorage, heads);
  SHARED(Shuffle::TempStorage, shuffle);
  int t = threadIdx.x, a[ITEMS], b[ITEMS], ranks[ITEMS], flags[ITEMS], tails[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    a[i] = i * N + t;
    ranks[i] = N * ITEMS - 1 - (t * ITEMS + i);
    b[i] = (t * ITEMS + i) / 5;
  }
  Exchange(storage).StripedToBlocked(a);
  for (int i = 0; i < ITEMS; i++) out[t * ITEMS + i] = a[i];
  __syncthreads();
  Exchange(storage).ScatterToBlocked(a, ranks);
  for (int i = 0; i < ITEMS; i++) out[N * ITEMS + t * ITEMS + i] = a[i];
  Heads(heads).FlagHeadsAndTails(flags, tails, b, cub::Inequality());
  for (int i = 0; i < ITEMS; i++) out[2 * N * ITEMS + t * ITEMS + i] = flags[i] * 2 + tails[i];
  int other = -5;
  Shuffle(shuffle).Offset(t, other, -2);
  __syncthreads();
  int rotated;
  Shuffle(shuffle).Rotate(t, rotated, 5);
  out[3 * N * ITEMS + t] = other * 1000 + rotated;
}

__global__ void sorts(int* out, float* floats) {
  using Sort = cub::BlockRadixSort<int, N, ITEMS>;
  using Pairs = cub::BlockRadixSort<float, N, ITEMS, int>;
  using Histogram = cub::BlockHistogram<unsigned char, N, ITEMS, 16>;
  typedef int bins_t[16];
  SHARED(Sort::TempStorage, storage);
  SHARED(Pairs::TempStorage, pairs);
  SHARED(Histogram::TempStorage, histogram);
  SHARED(bins_t, bins);
  int t = threadIdx.x, keys[ITEMS], values[ITEMS];
  float real[ITEMS];
  unsigned char small[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    keys[i] = value(t * ITEMS + i) * 1000;
    values[i] = t * ITEMS + i;
    real[i] = value(t * ITEMS + i) * 0.5f;
    small[i] = static_cast<unsigned char>((t * ITEMS + i) % 13);
  }
  Sort(storage).Sort(keys);
  for (int i = 0; i < ITEMS; i++) out[t * ITEMS + i] = keys[i];
  Pairs(pairs).SortDescendingBlockedToStriped(real, values);
  for (int i = 0; i < ITEMS; i++) {
    floats[i * N + t] = real[i];
    out[N * ITEMS + i * N + t] = values[i];
  }
  Histogram(histogram).Histogram(small, bins);
  __syncthreads();
  if (t < 16) out[2 * N * ITEMS + t] = bins[t];
}

template <int LANES>
__global__ void warps(int* out) {
  using Reduce = cub::WarpReduce<int, LANES>;
  using Scan = cub::WarpScan<int, LANES>;
  typedef typename Reduce::TempStorage reduce_t[N / LANES + 1];
  typedef typename Scan::TempStorage scan_t[N / LANES + 1];
  SHARED(reduce_t, reduce);
  SHARED(scan_t, scan);
  int t = threadIdx.x, w = t / LANES, total, inclusive, exclusive;
  int sum = Reduce(reduce[w]).Sum(value(t));
  int most = Reduce(reduce[w]).Reduce(value(t), cub::Max(), LANES / 2 + 1);
  int head = Reduce(reduce[w]).HeadSegmentedSum(value(t), t % LANES % 3 == 0);
  int tail = Reduce(reduce[w]).TailSegmentedSum(value(t), t % LANES % 4 == 3);
  Scan(scan[w]).InclusiveSum(value(t), inclusive, total);
  Scan(scan[w]).ExclusiveScan(value(t), exclusive, 50, cub::Min());
  int sent = Scan(scan[w]).Broadcast(value(t), LANES / 2);
  int results[] = {sum, most, head, tail, inclusive, total, exclusive, sent};
  for (int i = 0; i < 8; i++) out[t * 8 + i] = results[i];
}
struct Wide {  // more than one shuffle moves
  int part[20];
};
struct AddWide {
  Wide operator()(Wide a, const Wide& b) const {
    for (int i = 0; i < 20; i++) a.part[i] += b.part[i];
    return a;
  }
};
__global__ void wide(int* out) {
  using Reduce = cub::WarpReduce<Wide>;
  SHARED(Reduce::TempStorage, storage);
  Wide w;
  for (int i = 0; i < 20; i++) w.part[i] = i * static_cast<int>(threadIdx.x);
  w = Reduce(storage).Reduce(w, AddWide());
  if (threadIdx.x == 0)
    for (int i = 0; i < 20; i++) out[i] = w.part[i];
}

int sum_of(int from, int to) {
  int sum = 0;
  for (int t = from; t < to; t++) sum += value(t);
  return sum;
}

template <int LANES>
void check_warps(const char* name) {
  Buffer<int> out(N * 8);
  LAUNCH(warps<LANES>, 1, N, 0, (int*)out);
  auto got = out.read();
  bool good = true;
  for (int t = 0; t < N; t++) {
    int first = t / LANES * LANES, last = std::min(first + LANES, N), lane = t - first;
    const int* r = &got[t * 8];
    if (lane == 0) {
      int most = value(first);
      for (int u = first; u < std::min(first + LANES / 2 + 1, last); u++) most = std::max(most, value(u));
      good = good && r[0] == sum_of(first, last) && r[1] == most;
    }
    if (lane % 3 == 0) good = good && r[2] == sum_of(t, std::min(t + 3, last));
    if (lane % 4 == 0) good = good && r[3] == sum_of(t, std::min(t + 4, last));
    int least = 50;
    for (int u = first; u < t; u++) least = std::min(least, value(u));
    good = good && r[4] == sum_of(first, t + 1) && r[5] == sum_of(first, last) && r[6] == least;
    if (first + LANES / 2 < N) good = good && r[7] == value(first + LANES / 2);
  }
  check(name, good);
}

int main() {
  Buffer<int> out(N * ITEMS * 4);
  LAUNCH(reductions, 1, dim3(36, 2), 0, (int*)out, 40);
  int least = 99, most = -99, all = 0;
  Affine composed = affine(0);
  for (int t = 0; t < N; t++) {
    least = std::min(least, value(t));
    if (t < 40) most = std::max(most, value(t));
    all += value(t) + value(t + 100) + value(t + 200);
    if (t) composed = Compose()(composed, affine(t));
  }
  check_all("BlockReduce Sum, Reduce, valid items, arrays, order, private storage", out.read(8),
            std::vector<int>{sum_of(0, N), least, sum_of(0, 40), all, most, composed.m, composed.c, N});

  Buffer<int> scanned(N * 10);
  LAUNCH(scans, 1, N, 0, (int*)scanned);
  auto got = scanned.read();
  bool good[9] = {true, true, true, true, true, true, true, true, true};
  int running = 1000 + sum_of(0, N * 3);
  for (int t = 0, high = -100, low = 99; t < N; high = std::max(high, value(t)), t++) {
    low = std::min(low, value(t));
    const int* r = &got[t * 10];
    good[0] &= r[0] == sum_of(0, t);
    good[1] &= r[1] == sum_of(0, t + 1) && r[9] == sum_of(0, N);
    good[2] &= r[2] == high;
    good[3] &= r[3] == low;
    for (int i = 0; i < ITEMS; i++) good[4] &= r[4 + i] == sum_of(0, t * 3 + i);
    good[5] &= r[7] == 1000 + sum_of(0, t * 3 + 3);
    good[6] &= t >= 32 || r[8] == running + sum_of(0, t);
  }
  check("BlockScan ExclusiveSum", good[0]);
  check("BlockScan InclusiveSum with the total", good[1]);
  check("BlockScan ExclusiveScan with an initial value", good[2]);
  check("BlockScan InclusiveScan", good[3]);
  check("BlockScan ExclusiveSum of arrays", good[4]);
  check("BlockScan InclusiveSum of arrays with a prefix callback", good[5]);
  check("BlockScan's prefix callback keeps its state in the first warp", good[6]);

  Buffer<int> in(made(N * ITEMS, [](int i) { return value(i); }));
  auto doubled = made(N * ITEMS, [](int i) { return (i < 200 ? value(i) : -1) * 2 + 1; });
  LAUNCH((moves<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_TRANSPOSE>), 1, N, 0, (int*)in, (int*)out, 200);
  check_all("BlockLoad DIRECT, BlockStore TRANSPOSE", out.read(N * ITEMS), doubled);
  LAUNCH((moves<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_DIRECT>), 1, N, 0, (int*)in, (int*)out, 200);
  check_all("BlockLoad TRANSPOSE, BlockStore DIRECT", out.read(N * ITEMS), doubled);
  LAUNCH((moves<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>), 1, N, 0, (int*)in, (int*)out, 200);
  check_all("BlockLoad and BlockStore VECTORIZE", out.read(N * ITEMS), doubled);

  LAUNCH(exchanges, 1, N, 0, (int*)out);
  auto moved = out.read();
  bool straight = true, backwards = true, flags = true, shifted = true;
  for (int i = 0; i < N * ITEMS; i++) {
    straight &= moved[i] == i;
    backwards &= moved[N * ITEMS + i] == N * ITEMS - 1 - i;
    flags &= moved[2 * N * ITEMS + i] == (i % 5 == 0) * 2 + (i % 5 == 4 || i == N * ITEMS - 1);
  }
  for (int t = 0; t < N; t++) shifted &= moved[3 * N * ITEMS + t] == (t >= 2 ? t - 2 : -5) * 1000 + (t + 5) % N;
  check("BlockExchange StripedToBlocked", straight);
  check("BlockExchange ScatterToBlocked", backwards);
  check("BlockDiscontinuity FlagHeadsAndTails", flags);
  check("BlockShuffle Offset and Rotate", shifted);

  Buffer<float> floats(N * ITEMS);
  LAUNCH(sorts, 1, N, 0, (int*)out, (float*)floats);
  auto keys = made(N * ITEMS, [](int i) { return value(i) * 1000; });
  std::sort(keys.begin(), keys.end());
  check_all("BlockRadixSort Sort", out.read(N * ITEMS), keys);
  auto order = made(N * ITEMS, [](int i) { return i; });
  std::stable_sort(order.begin(), order.end(), [](int a, int b) { return value(a) > value(b); });
  std::vector<int> values = out.read(), bins(values.begin() + 2 * N * ITEMS, values.begin() + 2 * N * ITEMS + 16);
  check_all("BlockRadixSort SortDescendingBlockedToStriped, stable",
            std::vector<int>(values.begin() + N * ITEMS, values.begin() + 2 * N * ITEMS), order);
  check_all("BlockRadixSort of floats", floats.read(), made(N * ITEMS, [&](int i) { return value(order[i]) * 0.5f; }));
  check_all("BlockHistogram", bins, made(16, [](int b) { return b < 13 ? (N * ITEMS + 12 - b) / 13 : 0; }));

  check_warps<32>("WarpReduce and WarpScan of 32");
  check_warps<16>("WarpReduce and WarpScan of 16");
  check_warps<8>("WarpReduce and WarpScan of 8");
  LAUNCH(wide, 1, 32, 0, (int*)out);
  check_all("WarpReduce of 80 bytes", out.read(20), made(20, [](int i) { return i * 496; }));
}
