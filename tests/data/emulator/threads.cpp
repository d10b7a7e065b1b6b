// Barriers with their reductions, atomics, locks, waiting for other blocks, grid barriers, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <vector>

#include "api.h"
namespace cg = cooperative_groups;

__device__ int lock = 0;
__device__ unsigned long long wide;
__device__ volatile int flags[64];

__global__ void barriers(int* out) {
  int t = threadIdx.x;
  int count = __syncthreads_count(t % 3 == 0), every = __syncthreads_and(t < 96), some = __syncthreads_or(t == 95);
  int not_every = __syncthreads_and(t < 95), none = __syncthreads_or(0);
  if (t == 0) {
    int r[] = {count, every, some, not_every, none};
    for (int i = 0; i < 5; i++) out[i] = r[i];
  }
}
__global__ void atomics(int* i, unsigned* u, float* f, double* d, unsigned long long* w) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(i, (int)t);
  atomicSub(i + 1, 1);
  atomicMin(i + 2, -(int)t);
  atomicMax(i + 3, (int)t);
  atomicExch_block(i + 4, 7);
  atomicAdd_system(i + 5, 2);
  atomicCAS(i + 6, (int)t, (int)t + 1);
  atomicAnd(u, ~(1u << (t % 32)));
  atomicOr(u + 1, 1u << (t % 16));
  atomicXor(u + 2, t);
  atomicInc(u + 3, 6);
  atomicDec(u + 4, 9);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  atomicAdd(w, 1ull << 33);
  atomicMax(w + 1, 1ull << (t % 40));
}
__global__ void short_cas(unsigned short* p) {
  unsigned short old, seen = *p;
  do {
    old = seen;
    seen = atomicCAS(p, old, (unsigned short)(old + 1));
  } while (seen != old);
}
__global__ void locked(int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      int v = *counter;
      __threadfence();
      *counter = v + 1;
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
// Each block waits for the one before it, whatever order they start in.
__global__ void chained(int* sum) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (atomicAdd((int*)&flags[blockIdx.x - 1], 0) == 0) __threadfence();
    sum[blockIdx.x] = (blockIdx.x ? sum[blockIdx.x - 1] : 0) + blockIdx.x;
    __threadfence();
    atomicExch((int*)&flags[blockIdx.x], 1);
  }
}
__global__ void gridwise(int* data, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  typedef int mine_t[64];
  SHARED(mine_t, mine);
  mine[threadIdx.x] = i;
  for (int r = 0; r < rounds; r++) {
    int next = data[(i + 1) % n];
    grid.sync();
    data[i] = next + 1;
    grid.sync();
  }
  data[i] += mine[threadIdx.x] - i;
}
struct Pair {
  float sum;
  double most;
  int count;
};
__device__ __forceinline__ int larger(int a, int b) { return a < b ? b : a; }
__global__ void groups(int* out) {
  int t = threadIdx.x;
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int* mine = out + 8 * t;
  mine[0] = cg::reduce(tile, t, cg::plus<int>());
  if (cg::reduce(tile, t, larger) != t / 8 * 8 + 7) mine[0] = -2;  // an inline function by its address
  mine[1] = tile.shfl(t, 3);
  mine[2] = tile.shfl_down(t, 2);
  mine[3] = tile.ballot(t % 4 == 1);
  mine[4] = tile.thread_rank() * 100 + tile.meta_group_rank();
  mine[5] = tile.any(t == 9) * 2 + tile.all(t < 90);
  Pair all = cg::reduce(tile, Pair{(float)t, (double)t, 1},
                        [](Pair a, Pair b) { return Pair{a.sum + b.sum, a.most < b.most ? b.most : a.most, a.count + b.count}; });
  if (all.sum != mine[0] || all.most != t / 8 * 8 + 7 || all.count != 8) mine[0] = -1;
  if (t % 3 == 0) {
    cg::coalesced_group few = cg::coalesced_threads();
    mine[6] = few.shfl(t, 1) * 1000 + few.size() * 20 + few.thread_rank();
  }
  int inclusive = cg::inclusive_scan(tile, t), exclusive = cg::exclusive_scan(tile, t, cg::plus<int>());
  cg::thread_block_tile<16> plain = cg::tiled_partition<16>(block);
  cg::thread_group chosen = cg::tiled_partition(block, 4);
  chosen.sync();
  block.sync();
  mine[7] = block.thread_rank() + block.size() + 1000 * (inclusive - exclusive == t) * (inclusive - t / 8 * 8 * (t % 8 + 1)) +
            10000 * (plain.size() + chosen.size() * 100 + chosen.thread_rank());
}
struct Largest {
  int where;
  double value;
  char mark;
};
__global__ void groups_of_structs(int* out) {
  int t = threadIdx.x;
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
  Largest mine = {t, (t * 37) % 101 + 0.5, static_cast<char>('a' + t % 26)};
  Largest top = cg::reduce(tile, mine, [](Largest a, Largest b) { return a.value > b.value ? a : b; });
  out[2 * t] = top.where;
  out[2 * t + 1] = tile.shfl_down(mine, 1).mark;
}

template <class T> struct Buffer {
  T* p;
  int n;
  explicit Buffer(int count) : n(count) {
    API(Malloc)(&p, count * sizeof(T));
    API(Memset)(p, 0, count * sizeof(T));
  }
  std::vector<T> read() {
    std::vector<T> h(n);
    API(Memcpy)(h.data(), p, n * sizeof(T), API(MemcpyDeviceToHost));
    return h;
  }
};
template <class T> void show(const char* name, std::vector<T> v) {
  printf("%s", name);
  for (auto x : v) printf(" %.17g", (double)x);
  printf("\n");
}

int main() {
  Buffer<int> out(5);
  LAUNCH(barriers, 1, 96, 0, out.p);
  show("barriers", out.read());
  Buffer<int> i(7);
  Buffer<unsigned> u(5);
  Buffer<float> f(1);
  Buffer<double> d(1);
  Buffer<unsigned long long> w(2);
  API(Memset)(u.p, 0xff, 4);
  LAUNCH(atomics, 4, 50, 0, i.p, u.p, f.p, d.p, w.p);
  auto ints = i.read();
  ints[6] = ints[6] > 0 && ints[6] <= 200;
  show("atomics_int", ints);
  show("atomics_unsigned", u.read());
  show("atomics_float", f.read());
  show("atomics_double", d.read());
  show("atomics_wide", w.read());
  Buffer<unsigned short> s(1);
  LAUNCH(short_cas, 3, 70, 0, s.p);
  show("short_cas", s.read());
  Buffer<int> counter(1);
  LAUNCH(locked, 4, 64, 0, counter.p);
  show("locked", counter.read());
  Buffer<int> sums(40);
  LAUNCH(chained, 40, 32, 0, sums.p);
  printf("chained %d\n", sums.read()[39]);
  Buffer<int> data(8 * 64);
  COOPERATIVE(gridwise, 8, 64, data.p, 5);
  auto g = data.read();
  bool good = true;
  for (int x : g) good = good && x == 5;
  printf("gridwise %d\n", good);
  void* arguments[2];
  int rounds = 2;
  arguments[0] = &data.p;
  arguments[1] = &rounds;
  API(Error_t) e = API(LaunchCooperativeKernel)(gridwise, 8, 64, arguments, 0, 0);
  g = data.read();
  good = true;
  for (int x : g) good = good && x == 7;
  printf("gridwise_call %d %d\n", good, (int)e);
  int blocks = 0;
  API(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, gridwise, 64, 0);
  API(DeviceProp) p;
  API(GetDeviceProperties)(&p, 0);
  e = API(LaunchCooperativeKernel)(gridwise, blocks * p.multiProcessorCount + 1, 64, arguments, 0, 0);
  printf("too_many %d %s\n", (int)e, API(GetErrorString)(API(GetLastError)()));
  Buffer<int> gr(8 * 96);
  LAUNCH(groups, 1, 96, 0, gr.p);
  show("groups", gr.read());
  Buffer<int> structs(2 * 96);
  LAUNCH(groups_of_structs, 1, 96, 0, structs.p);
  show("groups_of_structs", structs.read());
}
