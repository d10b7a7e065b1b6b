// Cooperative groups beyond tiles of a segment: partitions, tiles larger than a warp, scans, copies by a group.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#ifndef __MUSACC__
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#endif

#include <cstdio>
#include <vector>

#include "api.h"
namespace cg = cooperative_groups;

constexpr int kThreads = 256;

__global__ void partitions(int* out) {
  int t = threadIdx.x;
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int* mine = out + 12 * t;
  cg::coalesced_group same = cg::labeled_partition(warp, t % 5);
  mine[0] = same.size();
  mine[1] = same.thread_rank();
  mine[2] = cg::reduce(same, t, cg::plus<int>());
  cg::coalesced_group half = cg::binary_partition(warp, t % 4 == 0);
  mine[3] = half.size() * 1000 + half.thread_rank() * 10 + half.meta_group_rank();
  mine[4] = half.shfl(t, 1);
  if (t % 2) {
    cg::coalesced_group odd = cg::coalesced_threads();
    cg::coalesced_group four = cg::tiled_partition(odd, 4);
    mine[5] = four.size() * 1000 + four.thread_rank() * 100 + four.meta_group_rank() * 10 + four.meta_group_size();
    mine[6] = cg::inclusive_scan(four, t);
    mine[7] = four.shfl_xor(t, 1);
    mine[8] = odd.match_any(t / 8 % 2);
  } else {
    for (int i = 5; i < 9; i++) mine[i] = -1;
  }
  auto inner = cg::tiled_partition<8>(warp);
  mine[9] = inner.meta_group_rank() * 10 + inner.meta_group_size();
  int chosen = 0;
  cg::invoke_one(inner, [&] { chosen = 1; });
  mine[10] = chosen + 10 * cg::invoke_one_broadcast(inner, [&] { return t; });
  auto token = block.barrier_arrive();
  block.barrier_wait(static_cast<decltype(token)&&>(token));
  mine[11] = cg::this_multi_grid().num_grids() * 10 + cg::this_grid().thread_index().x / kThreads;
}
template <int Size>
__global__ void large(int* out, float* sums) {
  int t = threadIdx.x;
  typedef cg::block_tile_memory<kThreads> memory_t;
  SHARED(memory_t, memory);
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block(memory));
  int* mine = out + 7 * t;
  mine[0] = tile.size() * 10000 + tile.thread_rank() * 10 + tile.meta_group_rank();
  mine[1] = cg::reduce(tile, t, cg::plus<int>());
  mine[2] = cg::inclusive_scan(tile, 1 + t % 3);
  mine[3] = cg::exclusive_scan(tile, t, cg::greater<int>());
  mine[4] = tile.shfl(t, 5);
  mine[5] = tile.any(t == 70) * 2 + tile.all(t < 200);
  sums[t] = cg::reduce(tile, t ? 1.0f / t : 1e8f, [](float a, float b) { return a + b; });
  tile.sync();
  mine[6] = t % Size == 0 ? 0 : out[7 * (t - 1)] / 10000;
}
#ifndef __MUSACC__
__global__ void copied(const int* in, int* out, int n, bool wait) {
  typedef int buffer_t[kThreads];
  SHARED(buffer_t, buffer);
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, in, sizeof(int) * n);
  if (wait) cg::wait(block);
  else block.sync();
  out[threadIdx.x] = buffer[threadIdx.x];
}
__global__ void piped(const int* in, int* out) {
  typedef int buffer_t[3 * kThreads];
  SHARED(buffer_t, buffer);
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    __pipeline_memcpy_async(&buffer[i * kThreads + t], &in[i * kThreads + t], 4, i == 2 ? 4 : 0);
    __pipeline_commit();
  }
  __pipeline_wait_prior(2);
  int first = buffer[t], poison = buffer[kThreads + t];
  __pipeline_wait_prior(0);
  out[t] = (first == in[t]) + 2 * (poison == -1) + 4 * (buffer[kThreads + t] == in[kThreads + t]) + 8 * (buffer[2 * kThreads + t] == 0);
}
#endif

template <class T> std::vector<T> back(const T* p, int n) {
  std::vector<T> h(n);
  API(Memcpy)(h.data(), p, n * sizeof(T), API(MemcpyDeviceToHost));
  return h;
}
template <class T> void show(const char* name, std::vector<T> v) {
  printf("%s", name);
  for (auto x : v) printf(" %.9g", (double)x);
  printf("\n");
}

int main() {
  int *out, *in;
  float* sums;
  API(Malloc)(&out, 12 * kThreads * sizeof(int));
  API(Malloc)(&in, 3 * kThreads * sizeof(int));
  API(Malloc)(&sums, kThreads * sizeof(float));
  LAUNCH(partitions, 1, kThreads, 0, out);
  show("partitions", back(out, 12 * kThreads));
  LAUNCH(large<64>, 1, kThreads, 0, out, sums);
  show("large64", back(out, 7 * kThreads));
  show("sums64", back(sums, kThreads));
  LAUNCH(large<256>, 1, kThreads, 0, out, sums);
  show("large256", back(out, 7 * kThreads));
#ifndef __MUSACC__
  std::vector<int> h(3 * kThreads);
  for (int i = 0; i < 3 * kThreads; i++) h[i] = 5 * i + 1;
  API(Memcpy)(in, h.data(), h.size() * 4, API(MemcpyHostToDevice));
  LAUNCH(copied, 1, kThreads, 0, in, out, kThreads, true);
  show("copied", back(out, kThreads));
  LAUNCH(copied, 1, kThreads, 0, in, out, kThreads, false);
  show("not_waited", back(out, kThreads));
  LAUNCH(piped, 1, kThreads, 0, in, out);
  show("piped", back(out, kThreads));
#endif
}
