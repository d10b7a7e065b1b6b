// libcu++: atomics, barriers and pipelines between threads, and what cuda::std has. On the CUDA side only.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <nvtx3/nvToolsExt.h>

#include "check.h"

using std::vector;
const int N = 96;

__global__ void counts(int* plain, cuda::atomic<int, cuda::thread_scope_device>* counter, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(plain[0]), most(plain[1]), bits(plain[2]);
  int t = threadIdx.x;
  sum.fetch_add(t, cuda::memory_order_relaxed);
  most.fetch_max(t);
  bits.fetch_or(1 << t % 8);
  out[(*counter)++] = 1;
}
// One thread tells the others that something is there.
__global__ void message(int* data, cuda::atomic<int, cuda::thread_scope_device>* flag, int* out) {
  if (threadIdx.x == N - 1) {
    data[0] = 42;
    flag->store(1, cuda::std::memory_order_release);
  }
  while (flag->load(cuda::memory_order_acquire) == 0) {
  }
  out[threadIdx.x] = data[0];
}
__global__ void turns(int* out) {
  typedef cuda::barrier<cuda::thread_scope_block> barrier_t;
  typedef int row_t[N];
  SHARED(barrier_t, bar);
  SHARED(row_t, row);
  int t = threadIdx.x, sum = 0;
  if (t == 0) init(&bar, N);
  __syncthreads();
  for (int turn = 0; turn < 3; turn++) {
    row[t] = t + turn;
    auto token = bar.arrive();
    bar.wait(std::move(token));
    sum += row[(t + 1) % N];
    bar.arrive_and_wait();
  }
  out[t] = sum;
}
__global__ void copies(const int* in, int* out, int rows) {
  typedef cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state_t;
  typedef int stage_t[2][N];
  SHARED(state_t, state);
  SHARED(stage_t, stage);
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int t = threadIdx.x, sum = 0;
  for (int next = 0, row = 0; row < rows; row++) {
    for (; next < rows && next < row + 2; next++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stage[next % 2], in + next * N, sizeof(int) * N, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 2 + stage[row % 2][(t + 7) % N];
    pipe.consumer_release();
  }
  out[t] = sum;
}
__global__ void latched(int* out) {
  typedef cuda::latch<cuda::thread_scope_block> latch_t;
  typedef cuda::binary_semaphore<cuda::thread_scope_block> semaphore_t;
  typedef int one_t[1];
  SHARED(latch_t, latch);
  SHARED(semaphore_t, lock);
  SHARED(one_t, count);
  if (threadIdx.x == 0) new (&latch) latch_t(N), new (&lock) semaphore_t(1), count[0] = 0;
  __syncthreads();
  lock.acquire();
  count[0]++;
  lock.release();
  latch.arrive_and_wait();
  out[threadIdx.x] = count[0];
}
__global__ void too_many() {
  typedef cuda::barrier<cuda::thread_scope_block> barrier_t;
  SHARED(barrier_t, bar);
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  (void)bar.arrive(2);
}

int main() {
  Buffer<int> plain(vector<int>(3)), out(N), in(made(N * 5, [](int i) { return i; }));
  Buffer<cuda::atomic<int, cuda::thread_scope_device>> counter(1);
  API(Memset)(counter.p, 0, sizeof(int));
  LAUNCH(counts, 1, N, 0, (int*)plain, counter.p, (int*)out);
  check_all("atomic_ref adds, takes the greatest, sets bits", plain.read(), vector<int>{N * (N - 1) / 2, N - 1, 255});
  check_all("atomic counts", out.read(), vector<int>(N, 1));
  API(Memset)(counter.p, 0, sizeof(int));
  LAUNCH(message, 1, N, 0, (int*)plain, counter.p, (int*)out);
  check_all("release and acquire", out.read(), vector<int>(N, 42));
  LAUNCH(turns, 1, N, 0, (int*)out);
  check_all("barrier, arrival and wait apart", out.read(), made(N, [](int t) { return 3 * ((t + 1) % N) + 3; }));
  LAUNCH(copies, 1, N, 0, (const int*)(int*)in, (int*)out, 5);
  check_all("pipeline of two stages", out.read(), made(N, [](int t) {
              int sum = 0;
              for (int row = 0; row < 5; row++) sum = sum * 2 + row * N + (t + 7) % N;
              return sum;
            }));
  LAUNCH(latched, 1, N, 0, (int*)out);
  check_all("latch and semaphore", out.read(), vector<int>(N, N));
  ::emu::Launcher("too_many", __FILE__, __LINE__, ::emu::Config(1, 1))([] { too_many(); });
  check("too many arrivals end the kernel", API(DeviceSynchronize)() != API(Success));
  cuda::std::array<int, 3> a{1, 2, 3};
  cuda::std::tuple<int, double> t(1, 2.5);
  cuda::std::complex<float> z(1, 2);
  check("cuda::std", a[2] == 3 && cuda::std::get<1>(t) == 2.5 && z.imag() == 2 && cuda::std::numeric_limits<int>::max() == INT_MAX &&
                         cuda::std::is_same_v<cuda::std::remove_cvref_t<const int&>, int> && cuda::maximum<>()(3, 4) == 4 &&
                         cuda::std::identity()(5) == 5);
  nvtxRangePushA("nothing");
  nvtxRangePop();
}
