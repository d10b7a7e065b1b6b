#include <cuda_runtime.h>
#include <cstdint>
// A number of several words: its carry flag goes from one function to the next.
template <int N>
struct number {
  uint32_t word[N];
  static __device__ void add_words(uint32_t* sum, const uint32_t* other, int n = N) {
    asm("add.cc.u32 %0, %0, %1;" : "+r"(sum[0]) : "r"(other[0]));
    for (int i = 1; i < n; i++) asm("addc.cc.u32 %0, %0, %1;" : "+r"(sum[i]) : "r"(other[i]));
  }
  __device__ void reduce(const uint32_t* modulus) {
    uint32_t carry, rest[N];
    asm("addc.u32 %0, 0, 0;" : "=r"(carry));
    asm("sub.cc.u32 %0, %1, %2;" : "=r"(rest[0]) : "r"(word[0]), "r"(modulus[0]));
    for (int i = 1; i < N; i++) asm("subc.cc.u32 %0, %1, %2;" : "=r"(rest[i]) : "r"(word[i]), "r"(modulus[i]));
    asm("subc.u32 %0, %0, 0;" : "+r"(carry));
    for (int i = 0; i < N; i++) word[i] = carry == 0 ? rest[i] : word[i];
  }
  __device__ number& operator+=(const number& other) {
    add_words(word, other.word);
    reduce(other.word);
    return *this;
  }
};
__global__ void numbers(uint32_t* v, const uint32_t* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  number<4> x, y;
  for (int k = 0; k < 4; k++) x.word[k] = v[i] * (k + 7) - a[i], y.word[k] = a[i] - k * 77;
  x += y;
  x += x;
  uint32_t top;
  number<4>::add_words(x.word, y.word, 3);
  asm("addc.u32 %0, 0, 0;" : "=r"(top));
  v[i] = x.word[0] ^ x.word[1] * 3 ^ x.word[2] * 5 ^ x.word[3] * 7 ^ top;
}
// Shared memory by number, plain, in vectors, and by atomics.
__global__ void shared_numbers(uint32_t* v, const uint32_t* a, int n) {
  __shared__ uint32_t part[256];
  __shared__ uint32_t sum;
  const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(part)), t = threadIdx.x & 63;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t mine = i < n ? a[i] : 5;
  if (threadIdx.x < 256) part[threadIdx.x] = 0;
  if (threadIdx.x == 0) sum = 0;
  asm volatile("bar.sync 0;" ::: "memory");
  if (threadIdx.x < 128)
    asm volatile("st.shared.u32 [%0 + 4], %1;" :: "r"(at + 4 * threadIdx.x), "r"(threadIdx.x * 3) : "memory");
  uint64_t wide;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(wide) : "l"(&sum));
  asm volatile("red.shared.add.u32 [%0], %1;" :: "r"((uint32_t)wide), "r"(mine) : "memory");
  __syncthreads();
  uint32_t x, y, z, w, p;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "r"(at + 16 * (t & 15)));
  asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2 + 8];" : "=r"(p), "=r"(w) : "r"(at + 8 * (t & 7)));
  asm volatile("atom.shared.max.u32 %0, [%1], %2;" : "=r"(z) : "r"((uint32_t)wide), "r"(0));
  if (i < n) v[i] = x + 3 * y + z + w * p;
}
// Global memory in vectors of every width, hinted, volatile and ordered.
__global__ void vectors(uint4* v, const uint4* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 t;
  asm volatile("ld.volatile.global.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(t.x), "=r"(t.y), "=r"(t.z), "=r"(t.w)
               : "l"(a + i));
  unsigned short h0, h1, h2, h3;
  asm volatile("ld.relaxed.gpu.global.v4.u16 {%0, %1, %2, %3}, [%4];" : "=h"(h0), "=h"(h1), "=h"(h2), "=h"(h3)
               : "l"(a + i));
  unsigned b0, b1;
  asm("ld.global.nc.v2.s8 {%0, %1}, [%2 + 6];" : "=r"(b0), "=r"(b1) : "l"(a + i));
  unsigned long long p, q;
  asm volatile("ld.acquire.gpu.global.v2.b64 {%0, %1}, [%2];" : "=l"(p), "=l"(q) : "l"(a + i) : "memory");
  float f, g;
  asm volatile("ld.volatile.global.v2.f32 {%0, %1}, [%2];" : "=f"(f), "=f"(g) : "l"(a + i));
  t.x += h0 ^ h1 << 3 ^ h2 << 5 ^ h3 << 7;
  t.y += b0 * 3 + b1;
  t.z ^= (unsigned)(p >> 32) + (unsigned)q + __float_as_uint(f) + __float_as_uint(g);
  asm volatile("st.release.gpu.global.v4.b32 [%0], {%1, %2, %3, %4};"
               :: "l"(v + i), "r"(t.x), "r"(t.y), "r"(t.z), "r"(t.w) : "memory");
  asm volatile("st.volatile.global.v4.u16 [%0 + 8], {%1, %2, %3, %4};"
               :: "l"(v + i), "h"(h3), "h"(h2), "h"(h1), "h"(h0));
  asm volatile("{ .reg .u8 c; cvt.u8.u16 c, %1; st.cg.u8 [%0 + 1], c; }" :: "l"(v + i), "h"(h1) : "memory");
}
// Shuffles whose segments are known when they run, lane registers, and a leader.
__global__ void segments(unsigned* v, const unsigned* a, int width, int n) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x, full = 0xffffffffu;
  unsigned x = a[t % n], up, down, to, r, lt, ge, warp, lane;
  const int w = 1 << (width & 3) << 2 > 32 ? 32 : 4 << (width & 3);
  const unsigned flags = (32 - w) << 8;
  asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;" : "=r"(up) : "r"(x), "r"(1), "r"(flags), "r"(full));
  asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, %4;" : "=r"(down) : "r"(x), "r"(2), "r"(flags | 31), "r"(full));
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;" : "=r"(to) : "r"(x), "r"(t & 31), "r"(flags | 31), "r"(full));
  asm volatile("{ .reg .u32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, %1, %2, %3, %5; @p add.u32 r0, r0, %4; "
               "mov.u32 %0, r0; }" : "=r"(r) : "r"(x), "r"(1), "r"((t & 31) | flags), "r"(x), "r"(full));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(warp) : "r"(0xffffffff));
  if (t < n) v[t] = up + 3 * down + 5 * to + 7 * r + (lt ^ ge * 3) + lane + warp * 1000;
}
// Halves in a file that has no half type, f32 with halves, and roundings in a direction.
__global__ void rounded(unsigned* v, const unsigned* a, const float* f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned r = v[i], s = a[i], d;
  float x = f[i], y = f[(i + 1) % n], z;
  asm("fma.rn.bf16x2 %0, %1, %2, %1;" : "=r"(d) : "r"(r), "r"(s));
  r ^= d;
  asm("add.f16x2 %0, %1, %2;" : "=r"(d) : "r"(v[i]), "r"(s));
  r += d;
  asm("max.xorsign.abs.bf16x2 %0, %1, %2;" : "=r"(d) : "r"(v[i]), "r"(s));
  r ^= d * 3;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(x), "f"(y));
  r += d;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(*(unsigned short*)&d) : "f"(y));
  r ^= d & 0xffff;
  asm("mul.rz.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
  asm("fma.rm.f32 %0, %1, %2, %0;" : "+f"(z) : "f"(x), "f"(y));
  r += __float_as_uint(z);
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %0;" : "+r"(r) : "r"(s), "r"(d));
  asm("{ .reg .pred p; setp.gt.u32 p, %1, 5; @p add.u32 %0, %0, %1; }" : "+r"(r) : "r"(s));
  v[i] = r;
}
// Atomics as loops, and text that a macro makes.
#define LOADED(modifier) \
  asm volatile("ld."#modifier".u32 %0, [%1];" : "=r"(x) : "l"(a + i)); \
  v[i] += x;
__global__ void looped(unsigned* v, const unsigned* a, unsigned* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x, old;
  LOADED(cg)
  LOADED(cv)
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(old) : "l"(count), "r"(2) : "memory");
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" :: "l"(v + i), "r"(a[i]) : "memory");
  asm volatile("red.global.add.noftz.bf16 [%0], %1;" :: "l"((unsigned short*)(v + i) + 1), "h"((unsigned short)3));
  v[i] += old > 2;
}
#undef LOADED
