// One closed-form check each for functions that no other program calls: "ok NAME" or "WRONG NAME".
#include <cmath>

#include "api.h"
#include "libraries/check.h"

#ifdef __MUSACC__
#include <musa_bf16.h>
#include <musa_fp16.h>
typedef __mt_bfloat16 bf16;
typedef __mt_bfloat162 bf162;
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef __nv_bfloat16 bf16;
typedef __nv_bfloat162 bf162;
#endif

static float plain(__half v) { return __half2float(v); }
static float plain(bf16 v) { return __bfloat162float(v); }
static float plain(float v) { return v; }
static double plain(double v) { return v; }
template <class I, class = std::enable_if_t<std::is_integral<I>::value>>
static long long plain(I v) { return (long long)v; }
static bool pair(__half2 v, float x, float y) { return __low2float(v) == x && __high2float(v) == y; }
static bool pair(bf162 v, float x, float y) { return __low2float(v) == x && __high2float(v) == y; }
static bool near(double got, double want) { return std::fabs(got - want) <= 1e-6 * (1 + std::fabs(want)); }
#define IS(want, F, ...) check(#F, plain(F(__VA_ARGS__)) == want)
#define ARE(x, y, F, ...) check(#F, pair(F(__VA_ARGS__), x, y))
#define NEAR(want, F, ...) check(#F, near(F(__VA_ARGS__), want))

template <class H>
static void bounded(H (*of)(float)) {
  const H two = of(2), three = of(3), minus = of(-1.5f), none = of(NAN), one = of(1);
  check("__hmax_nan", std::isnan(plain(__hmax_nan(none, three))) && plain(__hmax_nan(two, three)) == 3);
  check("__hmin_nan", std::isnan(plain(__hmin_nan(none, three))) && plain(__hmin_nan(two, three)) == 2);
  IS(1, __hadd_sat, two, three), IS(0, __hsub_sat, two, three), IS(0, __hmul_sat, minus, two), IS(1, __hfma_sat, two, three, one);
}
template <class H, class H2>
static void tens(H (*of)(float), H2 (*both)(float, float)) {
  IS(100, hexp10, of(2)), IS(2, hlog10, of(100)), ARE(1, 100, h2exp10, both(0, 2)), ARE(1, 2, h2log10, both(10, 100));
}
template <class H, class H2>
static void halves(H (*of)(float), H2 (*both)(float, float)) {
  const H two = of(2), three = of(3), minus = of(-1.5f), none = of(NAN), zero = of(0), one = of(1);
  IS(-3, __hmul, two, minus), IS(-1, __hsub, two, three), IS(1.5f, __habs, minus), IS(1.5f, __hneg, minus), IS(1.5f, __hdiv, three, two);
  IS(3, __hmax, two, three), IS(2, __hmin, two, three), IS(3, __hmax, none, three), IS(3, __hmin, three, none);
  const H2 a = both(2, -1.5f), b = both(3, 4);
#ifndef __MUSACC__
  ARE(1, 1, __hadd2_sat, a, b), ARE(0, 0, __hsub2_sat, a, b), ARE(1, 0, __hmul2_sat, a, b);
  constexpr bool full = true;
#else
  constexpr bool full = std::is_same<H, __half>::value;
#endif
  if constexpr (full) bounded<H>(of);
  if constexpr (std::is_same<H, __half>::value) tens<H, H2>(of, both);
  check("__hlt __hle __hgt __hge __hne", __hlt(two, three) && __hle(two, two) && !__hgt(two, three) && __hge(two, two) &&
        __hne(two, three) && !__hlt(none, two) && !__hge(none, two) && !__hne(none, two));
  check("__hisinf", __hisinf(of(INFINITY)) == 1 && __hisinf(of(-INFINITY)) == -1 && !__hisinf(two));
  IS(1, hexp, zero), IS(0, hlog, one), IS(8, hexp2, three), IS(3, hlog2, of(8));
  IS(3, hsqrt, of(9)), IS(0.5f, hrsqrt, of(4)), IS(0.25f, hrcp, of(4)), IS(0, hsin, zero), IS(1, hcos, zero);
  IS(-1, hceil, minus), IS(-2, hfloor, minus), IS(-1, htrunc, minus), IS(-2, hrint, minus), IS(2, hrint, of(2.5f));
  ARE(2, 1.5f, __habs2, a), ARE(-2, 1.5f, __hneg2, a), ARE(-1, -5.5f, __hsub2, a, b), ARE(6, -6, __hmul2, a, b);
  ARE(2.0f / 4, -1.5f / 4, __h2div, a, both(4, 4)), ARE(3, 4, __hmax2, a, b), ARE(2, -1.5f, __hmin2, a, b);
  ARE(1, 1, __heq2, a, a), ARE(1, 0, __hgt2, b, both(2, 5)), ARE(0, 1, __hlt2, b, both(2, 5)), ARE(1, 0, __hge2, b, both(3, 5));
  ARE(1, 1, __hle2, b, both(3, 5)), ARE(0, 1, __hne2, b, both(3, 5)), ARE(0, 1, __hisnan2, both(2, NAN));
  check("__hbeq2 __hbne2", __hbeq2(a, a) && !__hbeq2(a, b) && __hbne2(a, b) && !__hbne2(a, both(2, 7)));
  check("__hbgt2 __hbge2", __hbgt2(b, a) && !__hbgt2(b, both(2, 4)) && __hbge2(b, both(3, 4)));
  check("__hblt2 __hble2", __hblt2(a, b) && !__hblt2(both(2, 4), b) && __hble2(both(3, 4), b));
  ARE(1, 8, h2exp2, both(0, 3)), ARE(1, 1, h2exp, both(0, 0));
  ARE(0, 3, h2log2, both(1, 8)), ARE(0, 0, h2log, both(1, 1));
  ARE(3, 2, h2sqrt, both(9, 4)), ARE(0.5f, 1, h2rsqrt, both(4, 1)), ARE(0.25f, 1, h2rcp, both(4, 1));
  ARE(0, 0, h2sin, both(0, 0)), ARE(1, 1, h2cos, both(0, 0)), ARE(2, -1, h2ceil, a), ARE(2, -2, h2floor, a);
  ARE(2, -1, h2trunc, a), ARE(2, -2, h2rint, a);
}

static __half half_of(float v) { return __float2half_rn(v); }
static bf16 brain_of(float v) { return __float2bfloat16_rn(v); }
static __half2 two_halves(float x, float y) { return __floats2half2_rn(x, y); }
static bf162 two_brains(float x, float y) { return __floats2bfloat162_rn(x, y); }

#ifdef __MUSACC__
__global__ void turned(int* p) {
  const int i = threadIdx.x, mine = p[i];
  __syncthreads_lm();
  p[63 - i] = mine;
}
#endif
__global__ void memory(unsigned* p, float* out) {
  __stcg(p, 1u), __stcs(p + 1, 2u), __stwb(p + 2, 3u), __stwt(p + 3, 4u);
  out[0] = __ldg(p), out[1] = __ldca(p + 1), out[2] = __ldcg(p + 2), out[3] = __ldcs(p + 3), out[4] = __ldlu(p), out[5] = __ldcv(p);
  __threadfence_block(), __threadfence_system(), __syncwarp();
  out[6] = clock64() <= clock64();
  SHARED(unsigned, cell);
  cell = 9;
  out[7] = __cvta_generic_to_shared(&cell) < 1 << 20 ? 9 : 0;
  out[8] = 4;
#ifndef __MUSACC__
  out[7] = *(unsigned*)__cvta_shared_to_generic(__cvta_generic_to_shared(&cell));
  out[8] = *(unsigned*)__cvta_generic_to_global(p + 3);
#endif
}
#define BOTH(F, a, b, left) old[n] = F##_block(p, a), old[n + 1] = *p, *p = b, old[n + 2] = F##_system(p, a), old[n + 3] = *p, *p = b, n += 4;
__global__ void atomics(int* p, int* old) {
  int n = 0;
  *p = 12;
  BOTH(atomicAdd, 3, 12, 15) BOTH(atomicSub, 3, 12, 9) BOTH(atomicAnd, 10, 12, 8) BOTH(atomicOr, 3, 12, 15)
  BOTH(atomicXor, 5, 12, 9) BOTH(atomicMax, 20, 12, 20) BOTH(atomicMin, 5, 12, 5) BOTH(atomicExch, 7, 12, 7)
  unsigned* u = (unsigned*)p;
  old[n++] = atomicInc_block(u, 12), old[n++] = *p, *p = 12, old[n++] = atomicInc_system(u, 20), old[n++] = *p, *p = 12;
  old[n++] = atomicDec_block(u, 20), old[n++] = *p, *p = 12, old[n++] = atomicDec_system(u, 5), old[n++] = *p, *p = 12;
  old[n++] = atomicCAS_block(p, 12, 4), old[n++] = *p, *p = 12, old[n++] = atomicCAS_system(p, 11, 4), old[n++] = *p;
}

#ifdef __MUSACC__
#define EXTENT make_musaExtent
#else
#define EXTENT make_cudaExtent
#endif
#define GOOD(F, ...) check(#F, API(F)(__VA_ARGS__) == 0)
// The values are mpmath's, to 17 digits.
static bool exact(double got, double want) { return std::fabs(got - want) <= 4e-16 * std::fabs(want); }
#define EXACT(want, F, ...) check(#F, exact(F(__VA_ARGS__), want) && exact(F##f(__VA_ARGS__), (float)(want)))
static void special() {
  EXACT(0.47693627620446987, erfinv, 0.5), EXACT(-0.47693627620446987, erfinv, -0.5), EXACT(0.47693627620446987, erfcinv, 0.5);
  check("erfinv", exact(erfinv(-0.999), -2.3267537655135246) && erfinv(1.0) == INFINITY && erfinv(0.0) == 0 && std::isnan(erfinv(1.5)));
  check("erfcinv", exact(erfcinv(1e-10), 4.5728249673894853) && erfcinv(2.0) == -INFINITY && erfcinv(1.0) == 0 && std::isnan(erfcinv(-0.1)));
  check("normcdfinv", exact(normcdfinv(0.975), 1.9599639845400543) && exact(normcdfinv(1e-10), -6.3613409024040562) && normcdfinv(0.5) == 0 && normcdfinvf(0.0f) == -INFINITY);
  EXACT(0.42758357615580700, erfcx, 1.0), EXACT(5.0089800807622834, erfcx, -1.0), EXACT(0.018795888861416751, erfcx, 30.0), EXACT(0.0094018542751763886, erfcx, 60.0);
  EXACT(1.2660658777520084, cyl_bessel_i0, 1.0), EXACT(2815.7166284662545, cyl_bessel_i0, 10.0), EXACT(0.56515910399248503, cyl_bessel_i1, 1.0), EXACT(-3.9533702174026093, cyl_bessel_i1, -3.0);
  const double box[] = {2, 3, 6, 24}, great[] = {3e200, 4e200};
  const float floats[] = {2, 3, 6};
  EXACT(25, norm4d, 2, 3, 6, 24), EXACT(0.04, rnorm4d, 2, 3, 6, 24), EXACT(1.0 / 7, rnorm3d, 2, 3, 6);
  check("normf rnormf rnorm", normf(3, floats) == 7 && exact(rnormf(3, floats), 1.0f / 7) && exact(rnorm(4, box), 0.04) && exact(rnorm(2, great), 2e-201));
  check("single and double by the argument", sizeof(erfinv(0.5f)) == 4 && sizeof(normcdf(0.5f)) == 4 && sizeof(sinpi(0.5f)) == 4 && sizeof(rcbrt(8.0f)) == 4 && sizeof(rhypot(3.0f, 4.0f)) == 4 && sizeof(erfinv(0.5)) == 8);
  check("sinpi and cospi at the quarters", sinpi(1.0) == 0 && sinpi(-7.0) == 0 && cospi(0.5) == 0 && cospi(3.0) == -1 && sinpi(2.5) == 1 && cospi(1e15 + 0.5) == 0 && sinpif(-0.5f) == -1 && near(cospi(0.7), -0.58778525229247313) && near(sinpi(1.2), -0.58778525229247313));
#ifndef __MUSACC__
  check("norm", norm(4, box) == 25 && exact(norm(2, great), 5e200));
#endif
}

__device__ int symbol;
static void called(API(Stream_t), API(Error_t), void* count) { ++*(int*)count; }
static void host() {
  unsigned char *p, *q, h[64];
  size_t pitch, value;
  API(MallocPitch)(&p, &pitch, 10, 3), API(Malloc)(&q, 64);
  API(Stream_t) s;
  int low, high, got, count = 0;
  GOOD(DeviceGetStreamPriorityRange, &low, &high), GOOD(StreamCreateWithPriority, &s, API(StreamNonBlocking), high);
  unsigned flags;
  check("StreamGetFlags", API(StreamGetFlags)(s, &flags) == 0 && flags == API(StreamNonBlocking));
  check("StreamGetPriority", API(StreamGetPriority)(s, &got) == 0 && got == high);
  API(Memset)(p, 0, pitch * 3);
  GOOD(Memset2D, p, pitch, 7, 10, 2), GOOD(Memset2DAsync, p, pitch, 8, 4, 1, s);
  API(StreamSynchronize)(s);
  API(Memcpy2D)(h, 10, p, pitch, 10, 3, API(MemcpyDeviceToHost));
  check("Memset2D", h[0] == 8 && h[3] == 8 && h[4] == 7 && h[9] == 7 && h[10] == 7 && h[19] == 7 && h[20] == 0);
  struct API(PitchedPtr) box;
  GOOD(Malloc3D, &box, EXTENT(4, 3, 2)), GOOD(Memset3D, box, 5, EXTENT(4, 3, 2)), GOOD(Memset3DAsync, box, 6, EXTENT(2, 1, 1), s);
  API(StreamSynchronize)(s);
  API(Memcpy)(h, box.ptr, 4, API(MemcpyDeviceToHost));
  check("Memset3D", h[0] == 6 && h[1] == 6 && h[2] == 5 && h[3] == 5);
  const int five = 5;
  int back = 0;
  GOOD(MemcpyToSymbolAsync, symbol, &five, 4, 0, API(MemcpyHostToDevice), s), GOOD(MemcpyFromSymbolAsync, &back, symbol, 4, 0, API(MemcpyDeviceToHost), s);
  API(StreamSynchronize)(s);
  check("symbols in a stream", back == 5);
  GOOD(MemcpyPeerAsync, q, 0, p, 0, 10, s), GOOD(StreamAddCallback, s, called, &count, 0), GOOD(StreamSynchronize, s);
  API(Memcpy)(h, q, 10, API(MemcpyDeviceToHost));
  check("MemcpyPeerAsync StreamAddCallback", h[0] == 8 && h[9] == 7 && count == 1);
  API(Event_t) e;
  API(EventCreate)(&e);
  GOOD(EventRecordWithFlags, e, s, 0), GOOD(EventSynchronize, e), GOOD(EventQuery, e), GOOD(EventDestroy, e);
  GOOD(DeviceGetLimit, &value, API(LimitStackSize)), GOOD(DeviceSetLimit, API(LimitStackSize), 2048), GOOD(ProfilerStart), GOOD(ProfilerStop);
  GOOD(DeviceSetCacheConfig, API(FuncCachePreferShared)), GOOD(SetDeviceFlags, API(DeviceScheduleAuto));
  API(GetLastError)();
  API(Malloc)(nullptr, 4);
  check("PeekAtLastError", API(PeekAtLastError)() == API(ErrorInvalidValue) && API(PeekAtLastError)() && API(GetLastError)() && !API(PeekAtLastError)());
  GOOD(StreamDestroy, s), GOOD(ThreadSynchronize), GOOD(DeviceReset);
}

int main() {
  halves<__half, __half2>(half_of, two_halves);
  halves<bf16, bf162>(brain_of, two_brains);
  const __half2 h = __halves2half2(half_of(1), half_of(2)), g = make_half2(half_of(3), half_of(4));
  const bf162 b = __halves2bfloat162(brain_of(1), brain_of(2));
  ARE(1, 1, __low2half2, h), ARE(2, 2, __high2half2, h), ARE(2, 1, __lowhigh2highlow, h), ARE(2, 1, __lowhigh2highlow, b);
  ARE(1, 3, __lows2half2, h, g), ARE(2, 4, __highs2half2, h, g), IS(1, __low2half, h), IS(2, __high2half, h);
  IS(1, __low2bfloat16, b), IS(2, __high2bfloat16, b), ARE(1, 1, __low2bfloat162, b), ARE(2, 2, __high2bfloat162, b);
  ARE(7, 7, __bfloat162bfloat162, brain_of(7)), ARE(7, 7, __float2bfloat162_rn, 7.0f), ARE(7, 7, __float2half2_rn, 7.0f);
  ARE(1, 2, __float22half2_rn, make_float2(1, 2)), ARE(1, 2, __float22bfloat162_rn, make_float2(1, 2));
  check("__bfloat1622float2", __bfloat1622float2(b).x == 1 && __bfloat1622float2(b).y == 2);
  IS(0x3c00, __half_as_short, half_of(1)), IS(1, __short_as_half, (short)0x3c00), IS(0x3f80, __bfloat16_as_short, brain_of(1));
  IS(1, __short_as_bfloat16, (short)0x3f80), IS(0x3f800000, __float_as_int, 1.0f), IS(1, __int_as_float, 0x3f800000), IS(-2, __uint_as_float, 0xc0000000u), IS(1.0, __longlong_as_double, 0x3ff0000000000000ll);
  IS(2, __float2half_rn, 2.0f), IS(2, __urhadd, 1u, 2u);
  const double e = 2.718281828459045, pi = 3.141592653589793;
  NEAR(e, __expf, 1.0f), NEAR(1000, __exp10f, 3.0f), NEAR(1, __logf, (float)e), NEAR(3, __log2f, 8.0f), NEAR(3, __log10f, 1000.0f);
  NEAR(1, __sinf, (float)(pi / 2)), NEAR(1, __cosf, 0.0f), NEAR(1, __tanf, (float)(pi / 4)), NEAR(8, __powf, 2.0f, 3.0f);
  float s, c;
  __sincosf((float)(pi / 6), &s, &c);
  check("__sincosf", near(s, 0.5) && near(c, std::sqrt(0.75)));
  NEAR(0.5, rsqrtf, 4.0f), NEAR(0.5, rsqrt, 4.0), NEAR(0.5, rcbrtf, 8.0f), NEAR(0.5, rcbrt, 8.0), NEAR(1, saturate, 3.0f);
  NEAR(1, sinpi, 0.5), NEAR(-1, cospi, 1.0), NEAR(1, sinpif, 0.5f), NEAR(-1, cospif, 1.0f);
  double ds, dc;
  sincospi(1.0 / 6, &ds, &dc), sincospif(1.0f / 6, &s, &c);
  check("sincospi sincospif", near(ds, 0.5) && near(dc, std::sqrt(0.75)) && near(s, 0.5) && near(c, std::sqrt(0.75)));
  NEAR(0.5, normcdf, 0.0), NEAR(0.5, normcdff, 0.0f), NEAR(0.8413447460685429, normcdf, 1.0), NEAR(3, norm3d, 1.0, 2.0, 2.0);
  NEAR(3, norm3df, 1.0f, 2.0f, 2.0f), NEAR(1.0 / 3, rnorm3df, 1.0f, 2.0f, 2.0f), NEAR(0.2, rhypot, 3.0, 4.0), NEAR(0.2, rhypotf, 3.0f, 4.0f);

  special();
#ifdef __MUSACC__
  check("__isnanf", __isnanf(NAN) && !__isnanf(1.0f) && !__isnanf(INFINITY));
#endif
#ifndef __MUSACC__
  const __half x = half_of(2), y = half_of(-3);
  const __half2 xs = two_halves(2, -3);
  IS(-1, __hadd_rn, x, y), IS(5, __hsub_rn, x, y), IS(-6, __hmul_rn, x, y), IS(0, __hfma_relu, x, y, half_of(1)), IS(7, __hfma_relu, x, half_of(3), half_of(1));
  ARE(4, -6, __hadd2_rn, xs, xs), ARE(0, 0, __hsub2_rn, xs, xs), ARE(4, 9, __hmul2_rn, xs, xs), ARE(5, 6, __hfma2_relu, xs, xs, two_halves(1, -3));
  IS(0, htanh, half_of(0)), IS(1, htanh, half_of(20)), ARE(0, -1, h2tanh, two_halves(0, -20)), ARE(1, 2, make_bfloat162, brain_of(1), brain_of(2));
  IS(4000000000u, umax, 4000000000u, 3u), IS(3, umin, 4000000000u, 3u), IS(3, llmax, -4ll, 3ll), IS(-4, llmin, -4ll, 3ll), IS(7, ullmax, 7ull, 3ull), IS(3, ullmin, 7ull, 3ull);
  int word = 12, other = 3, was = 0;
  check("__nv_atomic_exchange_n", __nv_atomic_exchange_n(&word, 10, __NV_ATOMIC_RELAXED) == 12 && word == 10);
  __nv_atomic_exchange(&word, &other, &was, __NV_ATOMIC_RELAXED);
  check("__nv_atomic_exchange", was == 10 && word == 3);
  __nv_atomic_store(&word, &was, __NV_ATOMIC_RELAXED);
  check("__nv_atomic_store", word == 10);
  check("__nv_atomic_fetch_and", __nv_atomic_fetch_and(&word, 6, __NV_ATOMIC_RELAXED) == 10 && word == 2);
  check("__nv_atomic_fetch_xor", __nv_atomic_fetch_xor(&word, 7, __NV_ATOMIC_RELAXED) == 2 && word == 5);
  check("__nv_atomic_fetch_max", __nv_atomic_fetch_max(&word, 9, __NV_ATOMIC_RELAXED) == 5 && word == 9);
  __nv_atomic_or(&word, 6, __NV_ATOMIC_RELAXED);
  check("__nv_atomic_or", word == 15);
  __nv_atomic_min(&word, 4, __NV_ATOMIC_RELAXED);
  check("__nv_atomic_min", word == 4);
#endif
  host();

  unsigned* p;
  float* out;
  API(MallocManaged)(&p, 64), API(MallocManaged)(&out, 64);
  LAUNCH(memory, 1, 1, 0, p, out);
  const float want[] = {1, 2, 3, 4, 1, 1, 1, 9, 4};
  check("cached loads and stores, fences, clock64, __cvta", API(DeviceSynchronize)() == 0 && !memcmp(out, want, sizeof want));
#ifdef __MUSACC__
  int* row;
  API(MallocManaged)(&row, 256);
  for (int i = 0; i < 64; i++) row[i] = i;
  LAUNCH(turned, 1, 64, 0, row);
  check("__syncthreads_lm", API(DeviceSynchronize)() == 0 && row[0] == 63 && row[63] == 0 && row[20] == 43);
#endif
  int *cell, *old;
  API(MallocManaged)(&cell, 4), API(MallocManaged)(&old, 1000);
  LAUNCH(atomics, 1, 1, 0, cell, old);
  check("atomics launched", API(DeviceSynchronize)() == 0);
  const char* names[] = {"Add", "Sub", "And", "Or", "Xor", "Max", "Min", "Exch"};
  const int after[] = {15, 9, 8, 15, 9, 20, 5, 7};
  for (int i = 0; i < 8; i++)
    check(names[i], old[4 * i] == 12 && old[4 * i + 1] == after[i] && old[4 * i + 2] == 12 && old[4 * i + 3] == after[i]);
  const int rest[] = {12, 0, 12, 13, 12, 11, 12, 5, 12, 4, 12, 12};
  check("Inc Dec CAS", !memcmp(old + 32, rest, sizeof rest));
  return 0;
}
