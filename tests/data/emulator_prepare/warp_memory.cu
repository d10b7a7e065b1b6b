// ldmatrix, stmatrix, movmatrix, cp.async, mbarrier and barriers by number, on the real device. The host compares with
// the closed form; "last" asks for what a kernel must be found at fault for.
#include <cuda_fp16.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static int failures = 0;
static void expect(const char* what, long long at, long long got, long long want) {
  if (got != want && ++failures < 20) printf("%s [%lld]: %lld instead of %lld\n", what, at, got, want);
}
__device__ unsigned to_shared(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// Element (row, column) of matrix i is 1000 i + 10 row + column; its rows lie 48 bytes apart, the matrices out of order.
constexpr int kStride = 24;
__device__ void fill(unsigned short* tile) {
  for (int e = threadIdx.x; e < 256; e += 32) {
    int i = e / 64, row = e / 8 % 8, column = e % 8;
    tile[((3 - i) * 8 + row) * kStride + column] = static_cast<unsigned short>(1000 * i + 10 * row + column);
  }
}
__device__ unsigned row_of(unsigned short* tile, int lane) {
  return to_shared(tile + ((3 - lane / 8) * 8 + lane % 8) * kStride);
}

__global__ void loads(unsigned* out) {
  __shared__ __align__(16) unsigned short tile[32 * kStride];
  fill(tile);
  __syncthreads();
  unsigned at = row_of(tile, threadIdx.x), r[14];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[1]), "=r"(r[2]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[7]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r[8]), "=r"(r[9]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[10]), "=r"(r[11]), "=r"(r[12]), "=r"(r[13]) : "r"(at));
  for (int i = 0; i < 14; ++i) out[threadIdx.x * 14 + i] = r[i];
}

// Register i of lane l becomes elements 2 (l mod 4) and the next of row l / 4 of matrix i.
__global__ void stores(unsigned short* out, unsigned* moved) {
  __shared__ __align__(16) unsigned short tile[32 * kStride];
  unsigned row = threadIdx.x / 4, pair = threadIdx.x % 4 * 2, r[4], at = row_of(tile, threadIdx.x);
  for (unsigned i = 0; i < 4; ++i) r[i] = (1000 * i + 10 * row + pair) | (1000 * i + 10 * row + pair + 1) << 16;
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]),
               "r"(r[3]) : "memory");
  __syncthreads();
  for (int e = threadIdx.x; e < 256; e += 32) out[e] = tile[((3 - e / 64) * 8 + e / 8 % 8) * kStride + e % 8];
  __syncthreads();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(r[0]), "r"(r[1]) : "memory");
  __syncthreads();
  for (int e = threadIdx.x; e < 128; e += 32) out[256 + e] = tile[((3 - e / 64) * 8 + e / 8 % 8) * kStride + e % 8];
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved[threadIdx.x]) : "r"(r[0]));
}

// Two stages in flight; the second may still be on its way when the first is read.
__global__ void copies(const unsigned* in, unsigned* out, int skip) {
  __shared__ __align__(16) unsigned a[128], b[32], c[64];
  unsigned t = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to_shared(a + 4 * t)), "l"(in + 4 * t) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;" ::"r"(to_shared(b + t)), "l"(in + t), "n"(4) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to_shared(c + 2 * t)), "l"(in + 2 * t), "r"(t % 9) : "memory");
  asm volatile("cp.async.commit_group;");
  if (!skip) asm volatile("cp.async.wait_group 1;");
  for (int i = 0; i < 4; ++i) out[4 * t + i] = a[4 * t + i];
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[128 + t] = b[31 - t];
  out[160 + t] = c[2 * t];
  out[192 + t] = c[2 * t + 1];
}

// Producers hand tiles to consumers through a full and an empty barrier, four times.
__global__ void handed_over(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  __shared__ __align__(8) unsigned long long full, empty;
  unsigned f = to_shared(&full), e = to_shared(&empty), t = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(f));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(e), "r"(32));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  for (unsigned round = 0; round < 4; ++round) {
    if (threadIdx.x < 32) {
      asm volatile("{ .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1; @P1 bra DONE; bra LAB_WAIT; DONE: }"
                   ::"r"(e), "r"((round & 1) ^ 1) : "memory");
      tile[t] = in[32 * round + t];
      asm volatile("{ .reg .b64 state; mbarrier.arrive.release.cta.shared::cta.b64 state, [%0]; }" ::"r"(f) : "memory");
    } else {
      unsigned done = 0;
      while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done)
                     : "r"(f), "r"(round & 1) : "memory");
      out[32 * round + t] = tile[31 - t];
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(e) : "memory");
    }
  }
}

// Tokens, counts, bytes that are expected, arrivals by copies, and the end of a barrier.
__global__ void tokens(const unsigned* in, unsigned* out) {
  __shared__ __align__(8) unsigned long long bar;
  __shared__ __align__(16) unsigned tile[128];
  unsigned at = to_shared(&bar);
  unsigned long long state;
  auto passed = [&](unsigned long long token) {
    unsigned yes;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(yes) : "r"(at), "l"(token) : "memory");
    return yes;
  };
  if (threadIdx.x == 0) {
    unsigned pending;
    asm volatile("mbarrier.init.shared.b64 [%0], 3;" ::"r"(at));
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 2;" : "=l"(state) : "r"(at) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
    out[0] = pending; out[1] = passed(state);                       // 3 before it, not over
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    out[2] = passed(state);                                        // over; the next phase expects 2
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 64;" : "=l"(state) : "r"(at) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    out[3] = pending; out[4] = passed(state);                       // all have come, 64 bytes have not
    asm volatile("mbarrier.complete_tx.shared::cta.relaxed.cta.b64 [%0], 64;" ::"r"(at) : "memory");
    out[5] = passed(state);
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at));
  }
  __syncthreads();
  unsigned t = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to_shared(tile + 4 * t)), "l"(in + 4 * t) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
  asm volatile("{ .reg .pred p; wait: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra wait; }" ::"r"(at) : "memory");
  for (int i = 0; i < 4; ++i) out[8 + 4 * t + i] = tile[127 - (4 * t + i)];
}

// Barrier 3 counts among the first two warps, barrier 4 asks the third.
__global__ void reduced(unsigned* out) {
  unsigned t = threadIdx.x, n = 0, every = 0, any = 0;
  if (t < 64) {
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 41; bar.red.popc.u32 %0, 3, 64, p; }" : "=r"(n) : "r"(t));
  } else {
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %2, 80; barrier.cta.red.and.pred q, 4, 32, p; selp.u32 %0, 1, 0, q;"
                 " barrier.cta.red.or.pred q, 4, 32, p; selp.u32 %1, 1, 0, q; }" : "=r"(every), "=r"(any) : "r"(t));
  }
  out[t] = n * 100 + every * 10 + any;
}

// All pairs of a code and another one, to halves and back by both ways; then two numbers, the first in the upper byte.
__global__ void eights(unsigned* out) {
  unsigned wrong = 0;
  for (unsigned code = threadIdx.x; code < 256; code += 32) {
    unsigned short pair = code << 8 | (255 - code) % 0x7c, back, again;
    unsigned halves;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(pair));
    asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(back) : "r"(halves));
    float high = __half2float(__ushort_as_half(halves >> 16)), low = __half2float(__ushort_as_half(halves & 0xffff));
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(again) : "f"(high), "f"(low));
    if ((code & 0x7f) == 0x7f) pair = 0x7f00 | (pair & 0xff);
    wrong += back != pair || again != pair;
  }
  out[threadIdx.x] = wrong;
  unsigned short d, e, f;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(d) : "f"(1.0f), "f"(-2.0f));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(e) : "f"(1e9f), "f"(1.0f));
  asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(f) : "f"(-1.0f), "f"(1e9f));
  out[32] = d; out[33] = e; out[34] = f;
}

__global__ void part_of_a_warp(unsigned* out) {
  float d[4] = {0, 0, 0, 0};
  if (threadIdx.x < 31)
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0));
  out[threadIdx.x] = d[0];
}
__global__ void misaligned(unsigned* out) {
  __shared__ __align__(16) unsigned tile[64];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(out[threadIdx.x]) : "r"(to_shared(tile + threadIdx.x % 8)));
}
__global__ void never_made(unsigned* out) {
  __shared__ __align__(8) unsigned long long bar;
  if (threadIdx.x == 0) bar = 0;
  __syncthreads();
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(to_shared(&bar)) : "memory");
  out[0] = 1;
}
__global__ void nobody_arrives(unsigned* out) {
  __shared__ __align__(8) unsigned long long bar;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(to_shared(&bar)));
  __syncthreads();
  if (threadIdx.x == 0) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(to_shared(&bar)) : "memory");
  asm volatile("{ .reg .pred p; wait: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra wait; }" ::"r"(to_shared(&bar)) : "memory");
  out[0] = 1;
}

template <class T> static T* make(size_t n) {
  T* p; cudaMalloc(&p, n * sizeof(T)); cudaMemset(p, 0, n * sizeof(T)); return p;
}
template <class T> static std::vector<T> read(const T* p, size_t n) {
  cudaDeviceSynchronize();
  std::vector<T> v(n); cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost); return v;
}

int main(int arguments, char** argument) {
  unsigned* out = make<unsigned>(1024);
  const char* last = arguments > 1 ? argument[1] : "";
  if (!strcmp(last, "part")) part_of_a_warp<<<1, 32>>>(out);
  if (!strcmp(last, "misaligned")) misaligned<<<1, 32>>>(out);
  if (!strcmp(last, "never made")) never_made<<<1, 32>>>(out);
  if (!strcmp(last, "nobody arrives")) nobody_arrives<<<1, 32>>>(out);
  if (*last) return cudaDeviceSynchronize() != cudaSuccess ? 3 : 0;

  loads<<<1, 32>>>(out);
  auto u = read(out, 32 * 14);
  const int matrix[] = {0, 0, 1, 0, 1, 2, 3};
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < 14; ++r) {
      int row = lane / 4, pair = lane % 4 * 2, base = 1000 * matrix[r % 7];
      int low = r < 7 ? base + 10 * row + pair : base + 10 * pair + row;
      int high = r < 7 ? low + 1 : low + 10;
      expect("ldmatrix", lane * 100 + r, u[lane * 14 + r], low | high << 16);
    }

  auto* halves = make<unsigned short>(384);
  stores<<<1, 32>>>(halves, out);
  auto h = read(halves, 384);
  for (int e = 0; e < 256; ++e) expect("stmatrix", e, h[e], 1000 * (e / 64) + 10 * (e / 8 % 8) + e % 8);
  for (int e = 0; e < 128; ++e) expect("stmatrix.trans", e, h[256 + e], 1000 * (e / 64) + 10 * (e % 8) + e / 8 % 8);
  u = read(out, 32);
  for (int lane = 0; lane < 32; ++lane)
    expect("movmatrix", lane, u[lane], (10 * (lane % 4 * 2) + lane / 4) | (10 * (lane % 4 * 2 + 1) + lane / 4) << 16);

  std::vector<unsigned> ramp(128);
  for (unsigned i = 0; i < 128; ++i) ramp[i] = 0x01010101u * (i + 1);
  unsigned* in = make<unsigned>(128);
  cudaMemcpy(in, ramp.data(), 512, cudaMemcpyHostToDevice);
  copies<<<1, 32>>>(in, out, 0);
  u = read(out, 224);
  auto part = [](unsigned v, int bytes) { return bytes >= 4 ? v : bytes <= 0 ? 0 : v & ((1u << (8 * bytes)) - 1); };
  for (int t = 0; t < 32; ++t) {
    for (int i = 0; i < 4; ++i) expect("cp.async", 4 * t + i, u[4 * t + i], ramp[4 * t + i]);
    expect("cp.async 4", t, u[128 + t], ramp[31 - t]);
    expect("cp.async 8", t, u[160 + t], part(ramp[2 * t], t % 9));
    expect("cp.async 8+", t, u[192 + t], part(ramp[2 * t + 1], t % 9 - 4));
  }
  handed_over<<<1, 64>>>(in, out);
  u = read(out, 128);
  for (int i = 0; i < 128; ++i) expect("mbarrier", i, u[i], ramp[i / 32 * 32 + 31 - i % 32]);
  tokens<<<1, 32>>>(in, out);
  u = read(out, 136);
  const unsigned want[] = {3, 0, 1, 2, 0, 1};
  for (int i = 0; i < 6; ++i) expect("tokens", i, u[i], want[i]);
  for (int i = 0; i < 128; ++i) expect("cp.async.mbarrier", i, u[8 + i], ramp[127 - i]);
  reduced<<<1, 96>>>(out);
  u = read(out, 96);
  for (int t = 0; t < 96; ++t) expect("bar.red", t, u[t], t < 64 ? 4100 : 1);
  eights<<<1, 32>>>(out);
  u = read(out, 35);
  for (int t = 0; t < 32; ++t) expect("cvt of e4m3x2", t, u[t], 0);
  expect("e4m3x2", 0, u[32], 0x38c0); expect("e5m2x2", 0, u[33], 0x7b3c); expect("relu", 0, u[34], 0x007e);
  expect("no error so far", 0, cudaGetLastError(), 0);

  // A missing wait: what is read is not what was copied, whichever the poison.
  copies<<<1, 32>>>(in, out, 1);
  u = read(out, 128);
  int same = 0;
  for (int i = 0; i < 128; ++i) same += u[i] == ramp[i];
  expect("without its wait", 0, same, 0);
  puts(failures ? "failed" : "ok");
}
