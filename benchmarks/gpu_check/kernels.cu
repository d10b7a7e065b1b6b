// Small kernels whose answers differ where a device does not do what CUDA's manuals say. Each fills `out` with 64
// words; a line of output is the kernel's name and its words. Lines that begin with ~ hold floats that may be off a
// little. Built without contraction of products and sums (nvcc -fmad=false).
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;
constexpr unsigned kAll = 0xffffffffu;
#define LANE threadIdx.x
#define MADE(i) ((i) * 2654435761u + 12345u)
#include "tensor.h"

__constant__ int table[64];
__device__ int counter;
__device__ unsigned marks[64];

// ---- warps
__global__ void shuffle_index(unsigned* out) { out[LANE] = __shfl_sync(kAll, MADE(LANE), LANE * 7 + 3, 8) ^ __shfl_sync(kAll, LANE, 33); }
__global__ void shuffle_up(unsigned* out) { out[LANE] = __shfl_up_sync(kAll, MADE(LANE), 3, 16) + __shfl_up_sync(kAll, LANE, 31); }
__global__ void shuffle_down(unsigned* out) { out[LANE] = __shfl_down_sync(kAll, MADE(LANE), 5, 16) + __shfl_down_sync(kAll, LANE, 17); }
__global__ void shuffle_xor(unsigned* out) { out[LANE] = __shfl_xor_sync(kAll, MADE(LANE), 9, 8) + __shfl_xor_sync(kAll, LANE, 21); }
__global__ void shuffle_wide(unsigned* out) {
  double d = __shfl_sync(kAll, LANE * 1.25, LANE ^ 3);
  long long l = __shfl_down_sync(kAll, (long long)LANE << 35, 2);
  out[LANE] = (unsigned)(d * 4) + (unsigned)(l >> 33);
}
__global__ void votes(unsigned* out) {
  unsigned b = __ballot_sync(kAll, LANE % 3 == 0);
  out[LANE] = b + __any_sync(kAll, LANE == 40) * 2 + __all_sync(kAll, LANE < 32);
}
__global__ void part_of_a_warp(unsigned* out) {
  out[LANE] = 7;
  if (LANE % 2) {
    out[LANE] = __ballot_sync(0xaaaaaaaau, LANE > 9) ^ __shfl_xor_sync(0xaaaaaaaau, LANE, 6);
  }
}
__global__ void matches(unsigned* out) {
  int all = 0;
  unsigned same = __match_any_sync(kAll, LANE / 5), every = __match_all_sync(kAll, LANE / 32, &all);
  out[LANE] = same ^ (every >> 1) ^ all;
}
__global__ void warp_reductions(unsigned* out) {
#if __CUDA_ARCH__ >= 800
  out[LANE] = __reduce_add_sync(kAll, MADE(LANE)) ^ __reduce_min_sync(kAll, (int)MADE(LANE)) ^ __reduce_max_sync(kAll, MADE(LANE)) ^
              __reduce_xor_sync(kAll, MADE(LANE)) ^ __reduce_and_sync(kAll, LANE | 32) ^ __reduce_or_sync(kAll, LANE << 6);
#endif
}
// ---- blocks
__global__ void barriers(unsigned* out) {
  __shared__ unsigned s[64];
  s[LANE] = MADE(LANE);
  int n = __syncthreads_count(LANE % 5 == 1), a = __syncthreads_and(LANE < 63), o = __syncthreads_or(LANE == 63);
  out[LANE] = s[63 - LANE] + n * 100 + a * 10 + o;
}
__global__ void reduced(unsigned* out) {
  extern __shared__ unsigned dynamic[];
  dynamic[LANE] = MADE(LANE);
  __syncthreads();
  for (unsigned d = 32; d; d /= 2) {
    if (LANE < d) dynamic[LANE] += dynamic[LANE + d];
    __syncthreads();
  }
  out[LANE] = dynamic[0] + LANE;
}
__global__ void grid_barrier(unsigned* out) {
  cg::grid_group grid = cg::this_grid();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  marks[i] = i * 3;
  grid.sync();
  out[i] = marks[63 - i];
}
// ---- groups
__global__ void tiles(unsigned* out) {
  auto t = cg::tiled_partition<8>(cg::this_thread_block());
  out[LANE] = cg::reduce(t, MADE(LANE), cg::plus<unsigned>()) ^ cg::inclusive_scan(t, LANE) ^ (t.meta_group_rank() << 20) ^ t.ballot(LANE % 3);
}
__global__ void coalesced(unsigned* out) {
  out[LANE] = 0;
  if (LANE % 3 == 1) {
    cg::coalesced_group g = cg::coalesced_threads();
    out[LANE] = g.size() * 1000 + g.thread_rank() * 10 + g.shfl(LANE, 2) + cg::reduce(g, (int)LANE, cg::less<int>());
  }
}
__global__ void partitions(unsigned* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::coalesced_group l = cg::labeled_partition(warp, (int)LANE % 5), b = cg::binary_partition(warp, LANE % 4 == 0);
  out[LANE] = l.size() * 10000 + l.thread_rank() * 100 + b.size() + b.thread_rank() * 1000000;
}
// ---- atomics
__global__ void atomics(unsigned* out) {
  int* i = (int*)out;
  atomicAdd(i, (int)LANE);
  atomicSub(i + 1, 3);
  atomicMin(i + 2, -(int)LANE);
  atomicMax(i + 3, (int)LANE);
  atomicAnd(out + 4, ~(1u << LANE % 32));
  atomicOr(out + 5, 1u << LANE % 7);
  atomicXor(out + 6, LANE * 5);
  atomicInc(out + 7, 6);
  atomicDec(out + 8, 9);
  atomicAdd((float*)out + 9, 0.5f);
  atomicAdd((double*)(out + 10), 0.25);
  atomicAdd((unsigned long long*)(out + 12), 1ull << 33);
}
__global__ void compare_and_swap(unsigned* out) {
  unsigned seen = out[0], old;
  do {
    old = seen;
    seen = atomicCAS(out, old, old + 3);
  } while (seen != old);
  __syncthreads();
  if (LANE) out[LANE] = out[0] + LANE;
}
__global__ void locked(unsigned* out) {
  for (bool done = false; !done;)
    if (atomicCAS(&counter, 0, 1) == 0) {
      *(volatile unsigned*)out = *(volatile unsigned*)out + 3 + blockIdx.x;
      __threadfence();
      atomicExch(&counter, 0);
      done = true;
    }
}
// ---- integers
__global__ void bits(unsigned* out) {
  unsigned x = MADE(LANE);
  out[LANE] = __popc(x) + 100 * __clz(x) + 10000 * __ffs(x) + __brev(x) + (unsigned)__clzll((long long)x << 7) + (unsigned)__popcll((unsigned long long)x * x);
}
__global__ void products(unsigned* out) {
  unsigned x = MADE(LANE), y = MADE(LANE + 99);
  out[LANE] = __umulhi(x, y) ^ (unsigned)__mulhi((int)x, (int)y) ^ __umul24(x, y) ^ (unsigned)__mul24((int)x, (int)y) ^
              (unsigned)__umul64hi((unsigned long long)x << 20, (unsigned long long)y << 15) ^ __usad(x, y, 5) ^ __sad((int)x, (int)y, 6);
}
__global__ void permuted(unsigned* out) {
  unsigned x = MADE(LANE), y = MADE(LANE + 7);
  out[LANE] = __byte_perm(x, y, 0x6f21) ^ __funnelshift_l(x, y, LANE) ^ __funnelshift_rc(x, y, LANE) ^ __funnelshift_lc(y, x, LANE) ^ __funnelshift_r(y, x, LANE);
}
__global__ void dot_products(unsigned* out) { out[LANE] = __dp4a((int)MADE(LANE), (int)MADE(LANE + 5), 7) ^ __dp4a(MADE(LANE), MADE(LANE + 3), 9u); }
__global__ void packed(unsigned* out) {
  unsigned x = MADE(LANE), y = MADE(LANE + 31);
  out[LANE] = __vadd4(x, y) ^ __vabsdiffu4(x, y) ^ __vmaxs2(x, y) ^ __vcmpgts4(x, y) ^ __vsadu4(x, y) ^ __vaddss2(x, y) ^ __vavgu4(x, y) ^ __vsubus2(x, y);
}
__global__ void divided(unsigned* out) {
  int x = (int)MADE(LANE), y = (int)MADE(LANE + 3) >> (LANE % 28);
  if (!y) y = 3;
  out[LANE] = (unsigned)(x / y) ^ (unsigned)(x % y) ^ (MADE(LANE) / (LANE + 1)) ^ (unsigned)(((long long)x << 21) / y);
}
// ---- floats, exact
__device__ unsigned as(float f) { return __float_as_uint(f); }
__global__ void rounded(unsigned* out) {
  float a = __uint_as_float(0x3f800000u | (MADE(LANE) >> 9)), b = __uint_as_float(0x40000000u | (MADE(LANE + 1) >> 9));
  out[LANE] = as(__fadd_rz(a, b)) ^ as(__fadd_ru(a, b)) ^ as(__fmul_rd(a, b)) ^ as(__fdiv_ru(a, b)) ^ as(__fsqrt_rz(a)) ^ as(__fmaf_rd(a, b, -a)) ^ as(__frcp_ru(b)) ^ as(__fsub_rn(a, b));
}
__global__ void converted(unsigned* out) {
  float f = (float)(int)MADE(LANE) * (LANE % 2 ? 1e-6f : 4.0f);
  out[LANE] = (unsigned)__float2int_rn(f) ^ (unsigned)__float2int_ru(f) ^ __float2uint_rz(f) ^ (unsigned)__float2ll_rd(f) ^
              as(__int2float_rz((int)MADE(LANE))) ^ as(__uint2float_ru(MADE(LANE))) ^ as(__double2float_rd(f * 1.0000001)) ^ (unsigned)__double2int_rn(f / 3.0);
}
__global__ void extremes(unsigned* out) {
  const float special[] = {0.0f, -0.0f, CUDART_INF_F, -CUDART_INF_F, CUDART_NAN_F, 1e-40f, -1e-40f, 3e38f};
  float a = special[LANE % 8], b = special[LANE / 8];
  float m = fminf(a, b), n = fmaxf(a, b), s = a * b + 1.0f, q = a / b;
  out[LANE] = (isnan(m) ? 1 : m == 0 ? 2 : as(m)) ^ (isnan(n) ? 3 : n == 0 ? 5 : as(n) >> 1) ^ (isnan(s) ? 7 : as(s) >> 2) ^ (isnan(q) ? 9 : as(q) >> 3);
}
__global__ void doubles(unsigned* out) {
  double a = 1.0 + MADE(LANE) / 4294967296.0, b = 2.0 + MADE(LANE + 2) / 4294967296.0;
  double r = __dadd_ru(a, b) * __dmul_rz(a, b) + __ddiv_rd(a, b) - __dsqrt_ru(b) + fma(a, b, -a);
  out[LANE] = (unsigned)__double2hiint(r) ^ (unsigned)__double2loint(r);
}
__global__ void halves(unsigned* out) {
  __half a = __float2half((int)LANE * 0.37f - 9), b = __float2half_rz((MADE(LANE) >> 20) * 0.01f);
  __half c = __hadd(a, b), d = __hmul(a, b), e = __hfma(a, b, c), f = __hsub(a, __hmul(b, c));
  out[LANE] = __half_as_ushort(c) ^ __half_as_ushort(d) << 3 ^ __half_as_ushort(e) << 7 ^ __half_as_ushort(f) << 11 ^ (unsigned)__hgt(a, b);
}
__global__ void half_pairs(unsigned* out) {
  __half2 a = __floats2half2_rn(LANE * 0.5f, -1.25f * LANE), b = __float2half2_rn(0.3f);
  __half2 c = __hfma2(a, b, __hadd2(a, b));
  out[LANE] = __half_as_ushort(__low2half(c)) | (unsigned)__half_as_ushort(__high2half(c)) << 16;
}
__global__ void brain_floats(unsigned* out) {
  __nv_bfloat16 a = __float2bfloat16(LANE * 0.37f - 9), b = __float2bfloat16_rn((MADE(LANE) >> 20) * 0.01f);
  out[LANE] = __bfloat16_as_ushort(__hadd(a, b)) ^ __bfloat16_as_ushort(__hmul(a, b)) << 5 ^ __bfloat16_as_ushort(__hfma(a, b, a)) << 11;
}
// ---- floats, near
__global__ void functions(float* out) {
  float x = 0.03f + LANE * 0.11f;
  out[LANE] = expf(-x) + logf(x) + sinf(x) * cosf(x) + tanhf(x) + erff(x) + powf(x, 1.7f) + cbrtf(x) + rsqrtf(x) + atan2f(x, 2) + lgammaf(x + 1);
}
__global__ void fast_functions(float* out) {
  float x = 0.03f + LANE * 0.04f;
  out[LANE] = __expf(-x) + __logf(x + 1) + __sinf(x) + __cosf(x) + __powf(x, 1.7f) + __fdividef(x, 3) + __saturatef(x - 1) + exp2f(x);
}
__global__ void double_functions(float* out) {
  double x = 0.03 + LANE * 0.11;
  out[LANE] = (float)(exp(-x) + log(x) + sin(x) * cos(x) + tanh(x) + erf(x) + pow(x, 1.7) + cbrt(x) + sinpi(x) + tgamma(x / 3 + 1));
}
// ---- PTX
__global__ void ptx_logic(unsigned* out) {
  unsigned x = MADE(LANE), y = MADE(LANE + 1), z = MADE(LANE + 2), a, b, c, d;
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(a) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(b) : "r"(x), "r"(y), "r"(z & 0xffff));
  asm("bfe.s32 %0, %1, 5, 11;" : "=r"(c) : "r"(x));
  asm("bfi.b32 %0, %1, %2, 9, 13;" : "=r"(d) : "r"(x), "r"(y));
  out[LANE] = a ^ b ^ c ^ d;
}
__global__ void ptx_arithmetic(unsigned* out) {
  unsigned x = MADE(LANE), y = MADE(LANE + 1), a, b, c;
  asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(a) : "r"(x), "r"(y), "r"(77u));
  asm("{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, t, 3; }" : "=r"(b) : "r"(x), "r"(y));
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(c) : "r"(x), "r"(y), "r"(LANE));
  out[LANE] = a ^ b ^ c;
}
// ---- memory
__global__ void constants(unsigned* out) { out[LANE] = table[LANE ^ 5] + table[(LANE * 7) % 64]; }
__global__ void point_texture(float* out, cudaTextureObject_t t) { out[LANE] = tex2D<float>(t, LANE * 0.07f - 1.03f, LANE * 0.031f - 0.52f); }
__global__ void linear_texture(float* out, cudaTextureObject_t t) { out[LANE] = tex2D<float>(t, LANE * 0.17f - 1.03f, LANE * 0.09f - 0.52f); }
__global__ void surface(unsigned* out, cudaSurfaceObject_t s) {
  surf2Dwrite((int)MADE(LANE), s, (int)(LANE % 8) * 4, (int)(LANE / 8));
  __syncthreads();
  out[LANE] = surf2Dread<int>(s, (int)((LANE + 3) % 8) * 4, (int)(7 - LANE / 8)) + surf2Dread<int>(s, -4, 0, cudaBoundaryModeZero);
}

static unsigned* out;
#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t error = (call);                                                                  \
    if (error != cudaSuccess) {                                                                  \
      printf("error %s line %d: %s\n", #call, __LINE__, cudaGetErrorString(error));               \
      return 1;                                                                                  \
    }                                                                                            \
  } while (0)
static int report(const char* name, bool near) {
  unsigned h[64];
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(out, 0, sizeof h));
  printf("%s%s", near ? "~" : "", name);
  for (unsigned v : h) {
    float f;
    memcpy(&f, &v, 4);
    if (near) printf(" %.9g", f);
    else printf(" %08x", v);
  }
  printf("\n");
  return 0;
}
#define RUN(kernel, ...)                     \
  kernel<<<1, 64, 256>>>(__VA_ARGS__);       \
  if (report(#kernel, false)) return 1
#define RUN_NEAR(kernel, ...)                \
  kernel<<<1, 64>>>(__VA_ARGS__);            \
  if (report(#kernel, true)) return 1

int main() {
  int h[64];
  for (int i = 0; i < 64; i++) h[i] = i * i - 7;
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemset(out, 0, sizeof h));
  CHECK(cudaMemcpyToSymbol(table, h, sizeof h));
  RUN(shuffle_index, out);
  RUN(shuffle_up, out);
  RUN(shuffle_down, out);
  RUN(shuffle_xor, out);
  RUN(shuffle_wide, out);
  RUN(votes, out);
  RUN(part_of_a_warp, out);
  RUN(matches, out);
  RUN(warp_reductions, out);
  RUN(barriers, out);
  RUN(reduced, out);
  void* values[] = {&out};
  CHECK(cudaLaunchCooperativeKernel((void*)grid_barrier, dim3(4), dim3(16), values, 0, 0));
  if (report("grid_barrier", false)) return 1;
  RUN(tiles, out);
  RUN(coalesced, out);
  RUN(partitions, out);
  RUN(atomics, out);
  RUN(compare_and_swap, out);
  locked<<<4, 1>>>(out);
  if (report("locked", false)) return 1;
  RUN(bits, out);
  RUN(products, out);
  RUN(permuted, out);
  RUN(dot_products, out);
  RUN(packed, out);
  RUN(divided, out);
  RUN(rounded, out);
  RUN(converted, out);
  RUN(extremes, out);
  RUN(doubles, out);
  RUN(halves, out);
  RUN(half_pairs, out);
  RUN(brain_floats, out);
  RUN(ptx_logic, out);
  RUN(ptx_arithmetic, out);
  RUN(constants, out);
  RUN_NEAR(functions, (float*)out);
  RUN_NEAR(fast_functions, (float*)out);
  RUN_NEAR(double_functions, (float*)out);
  float texels[12];
  for (int i = 0; i < 12; i++) texels[i] = i * i * 0.5f;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), d = cudaCreateChannelDesc<int>();
  cudaArray_t a, b;
  CHECK(cudaMallocArray(&a, &f, 4, 3));
  CHECK(cudaMemcpy2DToArray(a, 0, 0, texels, 16, 16, 3, cudaMemcpyHostToDevice));
  CHECK(cudaMallocArray(&b, &d, 8, 8, cudaArraySurfaceLoadStore));
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc t;
  memset(&t, 0, sizeof t);
  t.addressMode[0] = cudaAddressModeWrap;
  t.addressMode[1] = cudaAddressModeMirror;
  t.normalizedCoords = 1;
  cudaTextureObject_t point, linear;
  CHECK(cudaCreateTextureObject(&point, &r, &t, nullptr));
  t.addressMode[0] = t.addressMode[1] = cudaAddressModeClamp;
  t.normalizedCoords = 0;
  t.filterMode = cudaFilterModeLinear;
  CHECK(cudaCreateTextureObject(&linear, &r, &t, nullptr));
  RUN_NEAR(point_texture, (float*)out, point);
  RUN_NEAR(linear_texture, (float*)out, linear);
  r.res.array.array = b;
  cudaSurfaceObject_t s;
  CHECK(cudaCreateSurfaceObject(&s, &r));
  RUN(surface, out, s);
  unsigned *in, words[64];
  for (unsigned i = 0; i < 64; i++) words[i] = MADE(i);
  CHECK(cudaMalloc(&in, sizeof words));
  CHECK(cudaMemcpy(in, words, sizeof words, cudaMemcpyHostToDevice));
  RUN(mma_half, out);
  RUN(mma_brain_and_tf32, out);
  RUN(mma_bytes, out);
  RUN(mma_doubles, out);
  RUN(matrix_loads, out);
  RUN(copies, out, in);
  RUN(handed_over, out);
  RUN(numbered_barriers, out);
  RUN(wmma_half, out);
  RUN(wmma_bytes, out);
  RUN(eight_bit_floats, out);
  return 0;
}
