// Kernels that race, and kernels that look as if they did. A line that an expected race is about carries a mark:
// "first" for the earlier access, "second" for the later one (in the order in which the device runs threads).
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__device__ int counter;
__device__ int tickets;
__device__ volatile int ready;

template <typename T, int N, bool Synced>
__global__ void multiply(const T* a, const T* b, T* c, int n) {
  __shared__ T left[N][N];
  __shared__ T right[N][N];
  const int row = blockIdx.y * N + threadIdx.y, column = blockIdx.x * N + threadIdx.x;
  T sum = 0;
  for (int t = 0; t < n; t += N) {
    left[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];        // left first
    right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];  // right first
    if (Synced) __syncthreads();
    for (int k = 0; k < N; k++)
      sum += left[threadIdx.y][k] *   // left second
             right[k][threadIdx.x];   // right second
    __syncthreads();
  }
  c[row * n + column] = sum;
}

template <int Threads, bool Synced>
__global__ void reduce(const int* in, int* out) {
  __shared__ int part[Threads];
  const int i = threadIdx.x;
  part[i] = in[blockIdx.x * Threads + i];
  __syncthreads();
  for (int step = Threads / 2; step > 0; step /= 2) {
    if (i < step) part[i] += part[i + step];  // part first, part second
    if (Synced) __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = part[0];
}

__global__ void warp_synchronous(const int* in, int* out) {
  __shared__ volatile int lane_sums[32];
  const int i = threadIdx.x;
  lane_sums[i] = in[i];                           // lane_sums second
  if (i < 16) lane_sums[i] += lane_sums[i + 16];  // lane_sums first
  if (i < 8) lane_sums[i] += lane_sums[i + 8];
  if (i == 0) out[0] = lane_sums[0];
}

__global__ void warp_synced(const int* in, int* out) {
  __shared__ int lane_sums[32];
  const int i = threadIdx.x;
  lane_sums[i] = in[i];
  for (int step = 16; step > 0; step /= 2) {
    __syncwarp();
    int other = i < step ? lane_sums[i + step] : 0;
    __syncwarp();
    lane_sums[i] += other;
  }
  if (i == 0) out[0] = lane_sums[0];
}

// A __syncwarp of some lanes orders nothing for the others.
__global__ void half_synced(const int* in, int* out) {
  __shared__ int half[32];
  const int i = threadIdx.x;
  half[i] = in[i];                            // half first
  if (i < 16) __syncwarp(0x0000ffffu);
  if (i < 16) out[i] = half[i ^ 1];
  else out[i] = half[i ^ 1] + 1;              // half second
}

__global__ void count_plainly(const int* in, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] >= 0) *total += 1;  // total first, total second
}
__global__ void count_symbol(const int* in) {
  if (in[threadIdx.x] >= 0) counter += 1;  // counter first, counter second
}
__global__ void count_atomically(const int* in, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] >= 0) atomicAdd(total, 1);
}

__global__ void histogram_unsynced(const int* in, int* out) {
  __shared__ int bins[32];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[(in[threadIdx.x] + 1) & 31], 1);  // bins first
  out[threadIdx.x] = bins[threadIdx.x];       // bins second
}

__device__ float add_by_exchange(float* address, float value) {
  int* bits = (int*)address;
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value + __int_as_float(assumed)));
  } while (assumed != old);
  return __int_as_float(old);
}
__global__ void exchange(const int* in, float* total) { add_by_exchange(total, (float)in[threadIdx.x]); }

__global__ void same_value(int* flag) { *flag = 1; }

// The last block to come adds up what the others left, after a fence and an atomic.
__global__ void last_block(const int* in, int* parts, int* total, int fence) {
  __shared__ int last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = in[blockIdx.x];  // parts first
    if (fence) __threadfence();
    last = atomicAdd(&tickets, 1) % gridDim.x == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(total, parts[threadIdx.x]);  // parts second
}

__global__ void flag(int* data) {
  if (threadIdx.x == 0) {
    data[0] = 7;
    __threadfence();
    ready = 1;
  } else {
    while (!ready) {
    }
    data[1] = data[0];
  }
}

__global__ void bytes_apart(char* out) { out[threadIdx.x] = (char)threadIdx.x; }
__global__ void bytes_overlap(char* out) {
  char* at = out + threadIdx.x;
  at[0] = (char)threadIdx.x;       // bytes second
  at[1] = (char)(threadIdx.x + 64);  // bytes first
}

// Two readers in two warps, then a writer that is one of them.
__global__ void read_then_written(const int* in, int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = in[0];
  __syncthreads();
  out[threadIdx.x] = word;              // word first
  if (threadIdx.x == 63) word = in[1];  // word second
}

__global__ void copies(const int* in, int* out) {
  __shared__ int buffer[64];
  memcpy(&buffer[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __syncthreads();
  memcpy(&out[threadIdx.x], &buffer[63 - threadIdx.x], sizeof(int));
}

__global__ void neighbours(int* out) {
  extern __shared__ int window[];
  window[threadIdx.x] = threadIdx.x;              // window first
  out[threadIdx.x] = window[threadIdx.x ^ 1];     // window second
}

__device__ unsigned on_shared(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
// What a thread waited for has come for that thread only.
template <bool sync>
__global__ void staged(const int* in, int* out) {
  __shared__ __align__(16) int stage[256];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(on_shared(stage + 4 * threadIdx.x)), "l"(in + 4 * threadIdx.x) : "memory");  // stage first
  asm volatile("cp.async.wait_all;" ::: "memory");
  if (sync) __syncthreads();
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(out[threadIdx.x]) : "r"(on_shared(stage + 4 * threadIdx.x)));  // stage second
}
// Handed over through an mbarrier.
__global__ void handed(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ __align__(8) unsigned long long full;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(on_shared(&full)));
  __syncthreads();
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = in[threadIdx.x];
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(on_shared(&full)) : "memory");
  } else {
    asm volatile("{ .reg .pred p; wait: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra wait; }" ::"r"(on_shared(&full)) : "memory");
    out[threadIdx.x] = tile[63 - threadIdx.x];
  }
}

int main() {
  const int n = 32;
  int *in, *out;
  int host[n * n];
  for (int i = 0; i < n * n; i++) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  auto clean = [&] { cudaMemset(out, 0, sizeof host); };
  dim3 grid(2, 2), block(16, 16);
  multiply<float, 16, false><<<grid, block>>>((float*)in, (float*)in, (float*)out, n);
  multiply<float, 16, true><<<grid, block>>>((float*)in, (float*)in, (float*)out, n);
  reduce<128, false><<<4, 128>>>(in, out);
  reduce<128, true><<<4, 128>>>(in, out);
  warp_synchronous<<<1, 32>>>(in, out);
  warp_synced<<<1, 32>>>(in, out);
  half_synced<<<1, 32>>>(in, out);
  clean();
  count_plainly<<<2, 64>>>(in, out);
  count_symbol<<<1, 64>>>(in);
  clean();
  count_atomically<<<2, 64>>>(in, out);
  histogram_unsynced<<<1, 32>>>(in, out);
  clean();
  exchange<<<1, 64>>>(in, (float*)out);
  same_value<<<2, 64>>>(out);
  clean();
  last_block<<<4, 32>>>(in, out, out + 64, 1);
  clean();
  last_block<<<4, 32>>>(in, out, out + 64, 0);
  flag<<<1, 2>>>(out);
  bytes_apart<<<1, 64>>>((char*)out);
  bytes_overlap<<<1, 64>>>((char*)out);
  read_then_written<<<1, 64>>>(in, out);
  copies<<<1, 64>>>(in, out);
  neighbours<<<1, 64, 64 * sizeof(int)>>>(out);
  staged<false><<<1, 64>>>(in, out);
  staged<true><<<1, 64>>>(in, out);
  handed<<<1, 64>>>(in, out);
  printf("%d\n", (int)cudaDeviceSynchronize());
}
