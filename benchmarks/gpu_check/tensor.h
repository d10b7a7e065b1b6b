// Kernels of kernels.cu that need mma.h, cuda_fp8.h or the PTX of a warp's matrices. Whole numbers throughout: no order
// of sums could round anything, so the words are exact. Each of the two warps works on data of its own.
#pragma once
#include <cuda_fp8.h>
#include <mma.h>

#define WARP_LANE (LANE % 32)
__device__ unsigned on_shared(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
// Two halves, bf16s or four bytes of small whole numbers, which differ from lane to lane and place to place.
__device__ int small(int i) { return (int)(MADE(LANE * 131 + i) >> 24) % 7 - 3; }
__device__ unsigned two_halves(int i) {
  return __half_as_ushort(__int2half_rn(small(i))) | (unsigned)__half_as_ushort(__int2half_rn(small(i + 50))) << 16;
}
__device__ unsigned two_brains(int i) {
  return __bfloat16_as_ushort(__float2bfloat16(small(i))) | (unsigned)__bfloat16_as_ushort(__float2bfloat16(small(i + 50))) << 16;
}
__device__ unsigned mixed(float a, float b, float c, float d) {
  return (unsigned)((int)a * 7 + (int)b * 1009 + (int)c * 65537 + (int)d * 16777259);
}
#define PRODUCT(TEXT, NUMBER, A0, A1, A2, A3, B0, B1)                                                                    \
  asm volatile(TEXT " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                                              \
               : NUMBER(c[0]), NUMBER(c[1]), NUMBER(c[2]), NUMBER(c[3])                                                  \
               : "r"(A0), "r"(A1), "r"(A2), "r"(A3), "r"(B0), "r"(B1))

__global__ void mma_half(unsigned* out) {
  float c[4] = {1.f * LANE, 2.f, 3.f, 4.f};
  PRODUCT("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "+f", two_halves(0), two_halves(1), two_halves(2), two_halves(3),
          two_halves(4), two_halves(5));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(two_halves(6)), "r"(two_halves(7)), "r"(two_halves(8)));
  unsigned d[2] = {two_halves(9), two_halves(10)};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" : "+r"(d[0]), "+r"(d[1])
               : "r"(two_halves(0)), "r"(two_halves(1)), "r"(two_halves(2)), "r"(two_halves(3)), "r"(two_halves(4)), "r"(two_halves(5)));
  out[LANE] = mixed(c[0], c[1], c[2], c[3]) ^ d[0] ^ d[1] * 3;
}
__global__ void mma_brain_and_tf32(unsigned* out) {
  float c[4] = {1.f * LANE, 2.f, 3.f, 4.f};
  PRODUCT("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "+f", two_brains(0), two_brains(1), two_brains(2), two_brains(3),
          two_brains(4), two_brains(5));
#define TF32(i) __float_as_uint((float)small(i))
  PRODUCT("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "+f", TF32(0), TF32(1), TF32(2), TF32(3), TF32(4), TF32(5));
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(TF32(6)), "r"(TF32(7)), "r"(TF32(8)));
  out[LANE] = mixed(c[0], c[1], c[2], c[3]);
}
__global__ void mma_bytes(unsigned* out) {
#define BYTES(i) MADE(LANE * 77 + i)
  int c[4] = {0x7fffff00, -0x7fffff00, (int)LANE, 4}, d[4] = {0x7fffff00, -0x7fffff00, 1, 2};
  PRODUCT("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", "+r", BYTES(0), BYTES(1), BYTES(2), BYTES(3), BYTES(4), BYTES(5));
  unsigned first = c[0] ^ c[1] * 3 ^ c[2] * 5 ^ c[3] * 7;
  for (int i = 0; i < 4; i++) c[i] = d[i];
  PRODUCT("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32", "+r", BYTES(0), BYTES(1), BYTES(2), BYTES(3), BYTES(4), BYTES(5));
  PRODUCT("mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32", "+r", BYTES(0), BYTES(1), BYTES(2), BYTES(3), BYTES(4), BYTES(5));
  PRODUCT("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", "+r", BYTES(0), BYTES(1), BYTES(2), BYTES(3), BYTES(4), BYTES(5));
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+r"(c[0]), "+r"(c[3]) : "r"(BYTES(6)), "r"(BYTES(7)));
  out[LANE] = first ^ (c[0] + c[1] * 3 + c[2] * 5 + c[3] * 7);
}
__global__ void mma_doubles(unsigned* out) {
  double c[2] = {1.0 * LANE, 100000.0};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(c[0]), "+d"(c[1])
               : "d"(1000.0 * small(0)), "d"(1000.0 * small(1) + LANE));
  out[LANE] = (unsigned)(long long)c[0] ^ (unsigned)(long long)c[1] * 31;
}
__global__ void matrix_loads(unsigned* out) {
  __shared__ __align__(16) unsigned short tile[64][24];
  for (int i = 0; i < 8; i++) tile[LANE][i] = MADE(LANE * 8 + i) >> 16;
  __syncthreads();
  unsigned r[7], moved, at = on_shared(&tile[(LANE * 5) % 64][0]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[4]), "=r"(r[5]) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[6]) : "r"(at));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(r[2]));
  out[LANE] = r[0] + r[1] * 3 + r[2] * 5 + r[3] * 7 + r[4] * 11 + r[5] * 13 + r[6] * 17 + moved * 19;
}
__global__ void copies(unsigned* out, const unsigned* in) {
  __shared__ __align__(16) unsigned a[64], b[128], c[256];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(on_shared(a + LANE)), "l"(in + LANE) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(on_shared(b + 2 * LANE)), "l"(in + 2 * (LANE % 32)), "r"(LANE % 9) : "memory");
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(on_shared(c + 4 * LANE)), "l"(in + 4 * (LANE % 16)) : "memory");
  asm volatile("cp.async.commit_group; cp.async.wait_group 1;" ::: "memory");
  unsigned mine = a[LANE];
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[LANE] = mine ^ a[63 - LANE] * 3 ^ b[127 - LANE] * 5 ^ b[LANE] * 7 ^ c[255 - 3 * LANE] * 11;
}
__global__ void handed_over(unsigned* out) {
  __shared__ unsigned tile[32];
  __shared__ __align__(8) unsigned long long full, empty;
  unsigned f = on_shared(&full), e = on_shared(&empty), sum = 0;
  if (LANE == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32; mbarrier.init.shared.b64 [%1], 32;" ::"r"(f), "r"(e) : "memory");
  __syncthreads();
  for (unsigned round = 0; round < 4; round++) {
    if (LANE < 32) {
      asm volatile("{ .reg .pred p; again: mbarrier.test_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }" ::"r"(e), "r"((round & 1) ^ 1) : "memory");
      tile[LANE] = MADE(round * 32 + LANE);
      asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(f) : "memory");
    } else {
      asm volatile("{ .reg .pred p; again: mbarrier.test_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }" ::"r"(f), "r"(round & 1) : "memory");
      sum = sum * 3 + tile[63 - LANE];
      asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(e) : "memory");
    }
  }
  out[LANE] = sum;
}
__global__ void numbered_barriers(unsigned* out) {
  unsigned n, warp = LANE / 32;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40; bar.red.popc.u32 %0, %2, 32, p; }" : "=r"(n) : "r"(LANE), "r"(3 + warp) : "memory");
  out[LANE] = n * 100 + warp;
}
template <class T, class C, int M, int N, int K>
__device__ void fragments(T* a, T* b, C* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::load_matrix_sync(fa, a, M);
  wmma::load_matrix_sync(fb, b, N);
  wmma::fill_fragment(fc, C(5));
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] += C(2);
  wmma::store_matrix_sync(c, fc, M, wmma::mem_col_major);
}
__global__ void wmma_half(unsigned* out) {
  __shared__ __align__(32) __half a[512], b[512];
  __shared__ __align__(32) float c[256];
  for (int i = LANE; i < 512; i += 64) a[i] = __int2half_rn(small(i)), b[i] = __int2half_rn(small(i + 900));
  __syncthreads();
  if (LANE < 32) fragments<__half, float, 32, 8, 16>(a, b, c);
  __syncthreads();
  out[LANE] = mixed(c[LANE], c[LANE + 64], c[LANE + 128], c[LANE + 192]);
}
__global__ void wmma_bytes(unsigned* out) {
  __shared__ __align__(32) signed char a[256], b[256];
  __shared__ __align__(32) int c[256];
  for (int i = LANE; i < 256; i += 64) a[i] = MADE(i) >> 24, b[i] = MADE(i + 900) >> 24;
  __syncthreads();
  if (LANE < 32) fragments<signed char, int, 16, 16, 16>(a, b, c);
  __syncthreads();
  out[LANE] = c[LANE] + c[LANE + 64] * 3 + c[LANE + 128] * 5 + c[LANE + 192] * 7;
}
__global__ void eight_bit_floats(unsigned* out) {
  float x = (int)(MADE(LANE) >> 8) * (LANE % 2 ? 1e-4f : 1e-9f) - 3.f;
  unsigned r = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3) | __nv_cvt_float_to_fp8(-x, __NV_SATFINITE, __NV_E5M2) << 8;
  __nv_fp8_e4m3 four;
  __nv_fp8_e5m2 five;
  four.__x = five.__x = (unsigned char)(LANE * 4 + 1);
  if (LANE == 31 || LANE == 63) five.__x = 0;  // a NaN's bits are nobody's promise
  out[LANE] = r ^ __float_as_uint((float)four) ^ (unsigned)__half_as_ushort((__half)five) << 3;
}
