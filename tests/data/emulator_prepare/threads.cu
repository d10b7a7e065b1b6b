// Memory, atomics, warps, barriers and special registers by way of inline PTX, on the real device. Each kernel writes
// what the closed form says; the host compares.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static int failures = 0;
static void expect(const char* what, long long at, long long got, long long want) {
  if (got != want && ++failures < 20) printf("%s [%lld]: %lld instead of %lld\n", what, at, got, want);
}

__global__ void memory(unsigned* out, const unsigned* in, unsigned char* bytes) {
  unsigned a, b, c, d;
  asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4 + 16];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in));
  asm volatile("st.global.cs.v2.b32 [%0], {%1, %2};" ::"l"(out), "r"(a + b), "r"(c + d) : "memory");
  int narrow; unsigned wide;
  asm volatile("ld.s8 %0, [%1];" : "=r"(narrow) : "l"(bytes));
  asm volatile("ld.u8 %0, [%1+-1];" : "=r"(wide) : "l"(bytes + 1));
  out[2] = narrow; out[3] = wide;
  asm volatile("st.u8 [%0], %1;" ::"l"(bytes + 1), "r"(0x1ff) : "memory");
  float f; double g;
  asm("ld.global.f32 %0, [%1];" : "=f"(f) : "l"(in + 8));
  asm("ld.global.f64 %0, [%1];" : "=d"(g) : "l"(in + 10));
  out[4] = f * 2; out[5] = g * 2;
}

__global__ void shared_memory(unsigned* out) {
  __shared__ unsigned tile[64];
  extern __shared__ unsigned char raw[];
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(threadIdx.x * 3) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  unsigned other = static_cast<unsigned>(__cvta_generic_to_shared(&tile[63 - threadIdx.x])), value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(other));
  unsigned long long wide, generic; int is_shared, is_global;
  asm("{ .reg .u64 s; cvta.to.shared.u64 s, %1; ld.shared.u32 %0, [s]; }" : "=r"(other) : "l"(&tile[threadIdx.x]));
  asm("cvta.to.shared.u64 %0, %2; cvta.shared.u64 %1, %0;" : "=&l"(wide), "=l"(generic) : "l"(&raw[5]));
  asm("{ .reg .pred p; isspacep.shared p, %2; selp.s32 %0, 1, 0, p; isspacep.global p, %3; selp.s32 %1, 1, 0, p; }"
      : "=r"(is_shared), "=r"(is_global) : "l"(&raw[5]), "l"(out));
  out[threadIdx.x] = value + other + (generic == (unsigned long long)&raw[5] ? 1000 : 0) + is_shared * 2000 + is_global * 4000;
  if (threadIdx.x < 4) {
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(raw + 16 * threadIdx.x));
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(to), "l"(out + 64), "n"(16) : "memory");
    asm volatile("cp.async.commit_group; cp.async.wait_group %0;" ::"n"(0) : "memory");
    out[72 + threadIdx.x] = reinterpret_cast<unsigned*>(raw)[4 * threadIdx.x + threadIdx.x];
  }
}

__global__ void atomics(unsigned* u, int* s, float* f, unsigned long long* l, unsigned short* h) {
  unsigned old, t = threadIdx.x;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(u), "r"(2u) : "memory");
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(u + 1), "r"(t) : "memory");
  asm volatile("atom.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(u + 2) : "memory");
  asm volatile("atom.dec.u32 %0, [%1], 9;" : "=r"(old) : "l"(u + 3) : "memory");
  asm volatile("red.max.s32 [%0], %1; red.min.s32 [%2], %1;" ::"l"(s), "r"((int)t - 20), "l"(s + 1) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(f), "f"(0.5f) : "memory");
  unsigned long long seen = *l, expected;
  do {
    expected = seen;
    asm volatile("atom.cas.b64 %0, [%1], %2, %3;" : "=l"(seen) : "l"(l), "l"(expected), "l"(expected + 1) : "memory");
  } while (seen != expected);
  asm volatile("red.or.b32 [%0], %1; red.and.b32 [%2], %3; red.xor.b32 [%4], %1;" ::"l"(u + 4), "r"(1u << (t & 31)), "l"(u + 5),
               "r"(~(1u << (t & 31))), "l"(u + 6) : "memory");
  asm volatile("{ .reg .f16 o; atom.add.noftz.f16 o, [%0], %1; }" ::"l"(h), "h"((unsigned short)0x3800) : "memory");  // 0.5
  asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(u + 7), "r"(t) : "memory");
}

// What shfl says of its c operand, lane by lane: (segment mask << 8) | clamp.
__device__ unsigned shuffled(int mode, unsigned v, unsigned by, unsigned c, int* inside) {
  unsigned out;
#define SHFL(NAME)                                                                                            \
  asm volatile("{ .reg .pred p; shfl.sync." NAME ".b32 %0|p, %2, %3, %4, %5; selp.s32 %1, 1, 0, p; }"         \
               : "=r"(out), "=r"(*inside) : "r"(v), "r"(by), "r"(c), "r"(0xffffffff))
  if (mode == 0) SHFL("idx");
  else if (mode == 1) SHFL("up");
  else if (mode == 2) SHFL("down");
  else SHFL("bfly");
  return out;
}
__global__ void shuffles(unsigned* out, int* inside, int mode, unsigned by, unsigned c) {
  out[threadIdx.x] = shuffled(mode, threadIdx.x + 100, by, c, &inside[threadIdx.x]);
}

__global__ void votes(unsigned* out) {
  unsigned t = threadIdx.x, ballot, active, same, all, sum, leader, red; int any, every, uniform, elected; unsigned long long key = t / 8;
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %4, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; vote.sync.any.pred q, p, -1;"
               " selp.s32 %1, 1, 0, q; vote.sync.all.pred q, !p, -1; selp.s32 %2, 1, 0, q; vote.sync.uni.pred q, p, -1;"
               " selp.s32 %3, 1, 0, q; }" : "=r"(ballot), "=r"(any), "=r"(every), "=r"(uniform) : "r"(t));
  asm volatile("activemask.b32 %0;" : "=r"(active));
  asm volatile("match.any.sync.b64 %0, %1, 0xffffffff;" : "=r"(same) : "l"(key));
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, 7, 0xffffffff; @!p mov.u32 %0, 1; }" : "=r"(all));
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"((int)t - 3));
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(red) : "r"(t));
  leader = 4; elected = 0;
  if (t >= 4)
    asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.s32 %1, 1, 0, p; }" : "=r"(leader), "=r"(elected) : "r"(0xfffffff0));
  asm volatile("bar.warp.sync 0xffffffff;");
  unsigned row[] = {ballot, (unsigned)any, (unsigned)every, (unsigned)uniform, active, same, all, sum, red, leader, (unsigned)elected};
  for (int i = 0; i < 11; ++i) out[i * 32 + t] = row[i];
}

__global__ void registers(unsigned* out) {
  unsigned r[16];
  asm("mov.u32 %0, %%tid.x; mov.u32 %1, %%tid.y; mov.u32 %2, %%ntid.x; mov.u32 %3, %%ctaid.x; mov.u32 %4, %%nctaid.x;"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]));
  asm("mov.u32 %0, %%laneid;" : "=r"(r[5])); asm("mov.u32 %0, %%warpid;" : "=r"(r[6])); asm("mov.u32 %0, %%nwarpid;" : "=r"(r[7]));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r[8])); asm("mov.u32 %0, %%lanemask_le;" : "=r"(r[9]));
  asm("mov.u32 %0, %lanemask_eq;" : "=r"(r[10])); asm("mov.u32 %0, %%lanemask_ge;" : "=r"(r[11])); asm("mov.u32 %0, %%lanemask_gt;" : "=r"(r[12]));
  unsigned long long before, after; unsigned popc;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(before)); asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %%tid.x, 7; bar.red.popc.u32 %0, 0, p; }" : "=r"(popc));
  r[13] = popc; r[14] = after >= before; asm("mov.u32 %0, WARP_SZ;" : "=r"(r[15]));
  unsigned at = (blockIdx.x * blockDim.y * blockDim.x + threadIdx.y * blockDim.x + threadIdx.x) * 16;
  for (int i = 0; i < 16; ++i) out[at + i] = r[i];
}

// A flag that another thread raises: the waiting loop lets it run.
__global__ void waiting(unsigned* flag, unsigned* out) {
  if (threadIdx.x == 0) {
    asm volatile("{ .reg .pred p; .reg .u32 v; wait: ld.acquire.gpu.u32 v, [%1]; setp.eq.u32 p, v, 0; @p bra wait; mov.u32 %0, v; }"
                 : "=r"(out[0]) : "l"(flag) : "memory");
  } else if (threadIdx.x == 40) {
    asm volatile("st.release.gpu.u32 [%0], 9; membar.gl; fence.acq_rel.gpu;" ::"l"(flag) : "memory");
  }
}

// One warp arrives and goes on, the other waits for what it wrote.
__global__ void named_barrier(unsigned* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = threadIdx.x + 1;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("barrier.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = out[63 - threadIdx.x] * 2;
  }
}
__global__ void tensor_cores(unsigned* out) {
  asm volatile("wgmma.fence.sync.aligned;");
  *out = 1;
}
__global__ void not_reached(unsigned* out, int never) {
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p wgmma.fence.sync.aligned; }" ::"r"(never));
  *out = 5;
}
__global__ void traps(int yes) { asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p trap; }" ::"r"(yes)); }

template <class T> static T* make(size_t n, int fill = 0) {
  T* p; cudaMalloc(&p, n * sizeof(T)); cudaMemset(p, fill, n * sizeof(T)); return p;
}
template <class T> static std::vector<T> read(const T* p, size_t n) {
  cudaDeviceSynchronize();
  std::vector<T> v(n); cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost); return v;
}

int main(int arguments, char** argument) {
  std::vector<unsigned> host(16); for (int i = 0; i < 8; ++i) host[i] = i * i;
  float f = 1.5f; double g = 2.5; memcpy(&host[8], &f, 4); memcpy(&host[10], &g, 8);
  unsigned *out = make<unsigned>(4096), *in = make<unsigned>(16); unsigned char* bytes = make<unsigned char>(4, 0x80);
  cudaMemcpy(in, host.data(), 64, cudaMemcpyHostToDevice);
  memory<<<1, 1>>>(out, in, bytes);
  auto u = read(out, 6); unsigned want[] = {16 + 25, 36 + 49, (unsigned)-128, 0x80, 3, 5};
  for (int i = 0; i < 6; ++i) expect("memory", i, u[i], want[i]);
  auto b = read(bytes, 3); expect("st.u8", 0, b[1], 0xff); expect("st.u8", 1, b[2], 0x80);

  unsigned ramp[8] = {1, 2, 3, 4, 5, 6, 7, 8}; cudaMemcpy(out + 64, ramp, 32, cudaMemcpyHostToDevice);
  shared_memory<<<1, 64, 256>>>(out); u = read(out, 80);
  for (int i = 0; i < 64; ++i) expect("shared", i, u[i], (63 - i) * 3 + i * 3 + 7000);
  for (int i = 0; i < 4; ++i) expect("cp.async", i, u[72 + i], i + 1);

  unsigned* au = make<unsigned>(8); int* as = make<int>(2); float* af = make<float>(1);
  auto* al = make<unsigned long long>(1); unsigned short* ah = make<unsigned short>(1);
  cudaMemset(au + 5, 0xff, 4);
  atomics<<<1, 64>>>(au, as, af, al, ah);
  auto vu = read(au, 8); unsigned wu[] = {128, 2016, 64 % 10, 0, 0xffffffff, 0, 0, 0};
  for (unsigned i = 0, v = 0; i < 64; ++i) wu[3] = v = v == 0 || v > 9 ? 9 : v - 1;
  for (int i = 0; i < 7; ++i) expect("atomics", i, vu[i], wu[i]);
  expect("exch", 0, vu[7] < 64, 1);
  auto vs = read(as, 2); expect("max", 0, vs[0], 43); expect("min", 0, vs[1], -20);
  expect("f32", 0, read(af, 1)[0] * 2, 64); expect("f16", 0, read(ah, 1)[0], 0x5000);  // 32.0
  expect("cas", 0, read(al, 1)[0], 64);

  int* inside = make<int>(32);
  struct { unsigned by, c; } settings[] = {{1, 31}, {3, 31}, {1, 0}, {2, 0x1807}, {5, 0x181f}, {9, 0x101f}, {40, 31}, {1, 0x1c1f}, {2, 0x1c00}};
  for (int mode = 0; mode < 4; ++mode)
    for (auto s : settings) {
      shuffles<<<1, 32>>>(out, inside, mode, s.by, s.c);
      u = read(out, 32); auto p = read(inside, 32);
      for (int lane = 0; lane < 32; ++lane) {
        int segment = s.c >> 8 & 31, clamp = s.c & 31, by = s.by & 31, low = lane & segment, high = low | (clamp & ~segment & 31);
        int j = mode == 0 ? low | (by & ~segment & 31) : mode == 1 ? lane - by : mode == 2 ? lane + by : lane ^ by;
        bool in_range = mode == 1 ? j >= high : j <= high;
        expect("shfl", mode * 1000000 + s.c * 100 + lane, u[lane], 100 + (in_range ? j : lane));
        expect("shfl predicate", mode * 1000000 + s.c * 100 + lane, p[lane], in_range);
      }
    }

  votes<<<1, 32>>>(out); u = read(out, 11 * 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned row[] = {31, 1, 0, 0, 0xffffffff, 0xffu << (lane / 8 * 8), 0xffffffff, 496 - 96, 31, 4, lane == 4};
    for (int i = 0; i < 11; ++i) expect("votes", i * 100 + lane, u[i * 32 + lane], row[i]);
  }

  registers<<<2, dim3(8, 9)>>>(out); u = read(out, 2 * 72 * 16 > 1024 ? 1024 : 2 * 72 * 16);
  for (unsigned rank = 0; rank < 64; ++rank) {
    unsigned lane = rank % 32, bit = 1u << lane;
    unsigned row[] = {rank % 8, rank / 8, 8, 0, 2, lane, rank / 32, 3, bit - 1, bit | (bit - 1), bit, ~(bit - 1), ~(bit | (bit - 1)), 63, 1, 32};
    for (int i = 0; i < 16; ++i) expect("registers", rank * 100 + i, u[rank * 16 + i], row[i]);
  }

  unsigned* flag = make<unsigned>(1); waiting<<<1, 64>>>(flag, out); expect("waiting", 0, read(out, 1)[0], 9);
  named_barrier<<<1, 64>>>(out); u = read(out, 64);
  for (int i = 32; i < 64; ++i) expect("bar.arrive", i, u[i], 2 * (64 - i));
  cudaMemset(out, 0, 4); not_reached<<<1, 1>>>(out, 0); expect("not reached", 0, read(out, 1)[0], 5);
  expect("no error so far", 0, cudaGetLastError(), 0);
  puts(failures ? "failed" : "ok");
  const char* last = arguments > 1 ? argument[1] : nullptr;
  if (last && !strcmp(last, "wgmma")) tensor_cores<<<1, 1>>>(out);
  if (last && !strcmp(last, "trap")) traps<<<1, 1>>>(1);
  return cudaDeviceSynchronize() != cudaSuccess ? 3 : 0;
}
