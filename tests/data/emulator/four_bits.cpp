// e2m1 and e8m0: all codes, and floats at and around every boundary between two codes. CUDA's side only.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_fp4.h>
#include <cmath>
#include <cstdio>

static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 64 && sizeof(PFN_cuTensorMapEncodeTiled) == 8, "");
static_assert(sizeof(__nv_fp4x4_e2m1) == 2 && sizeof(__nv_fp4x2_e2m1) == 1, "");

static float half_value(__half_raw raw) { return static_cast<float>(__half(raw)); }
static void one(float x) {
  const auto near = cudaRoundNearest;
  const __half_raw as_half = __half_raw(__float2half_rn(x));
  const __nv_bfloat16_raw as_bf16 = __nv_bfloat16_raw(__float2bfloat16(x));
  const float2 two = make_float2(x, -x);
  const __half2_raw halves = {as_half.x, as_half.x};
  const __nv_bfloat162_raw brains = {as_bf16.x, as_bf16.x};
  printf("code %.9g %x %x %x %x %x\n", x, __nv_fp4_e2m1(x).__x, __nv_cvt_float_to_fp4(x, __NV_E2M1, near),
         __nv_cvt_double_to_fp4(x, __NV_E2M1, near), __nv_cvt_halfraw_to_fp4(as_half, __NV_E2M1, near),
         __nv_cvt_bfloat16raw_to_fp4(as_bf16, __NV_E2M1, near));
  printf("two %.9g %x %x %x %x\n", x, __nv_cvt_float2_to_fp4x2(two, __NV_E2M1, near),
         __nv_cvt_double2_to_fp4x2(make_double2(x, -x), __NV_E2M1, near),
         __nv_cvt_halfraw2_to_fp4x2(halves, __NV_E2M1, near), __nv_cvt_bfloat16raw2_to_fp4x2(brains, __NV_E2M1, near));
}

int main() {
  for (unsigned code = 0; code < 16; code++) {
    __nv_fp4_e2m1 v;
    v.__x = static_cast<unsigned char>(code);
    __nv_fp4x2_e2m1 pair;
    pair.__x = static_cast<unsigned char>(code << 4 | (15 - code));
    const float2 parts = static_cast<float2>(pair);
    const __half2_raw halves = __nv_cvt_fp4x2_to_halfraw2(pair.__x, __NV_E2M1);
    const float4 four = static_cast<float4>(__nv_fp4x4_e2m1(make_float4(parts.x, parts.y, parts.y, parts.x)));
    printf("value %u %g %g %g %g %g %g %g\n", code, static_cast<float>(v),
           half_value(__nv_cvt_fp4_to_halfraw(v.__x, __NV_E2M1)), parts.x, parts.y, half_value(__half_raw{halves.x}), four.z,
           four.w);
  }
  for (float edge : {0.f, 0.25f, 0.5f, 0.75f, 1.f, 1.25f, 1.5f, 1.75f, 2.f, 2.5f, 3.f, 3.5f, 4.f, 5.f, 6.f, 7.f, 8.f, 1e30f})
    for (float x : {edge, std::nextafter(edge, -1e38f), std::nextafter(edge, 1e38f)}) one(x), one(-x);
  one(INFINITY), one(NAN);
  for (float x : {0.f, 1.f, 1.5f, 0.75f, -3.f, 1e-45f, 1e-38f, 3e38f, INFINITY, NAN}) {
    const unsigned char up = __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf);
    const unsigned char down = __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundZero);
    printf("power %.9g %u %u %u %.9g %.9g\n", x, __nv_fp8_e8m0(x).__x, up, down, static_cast<float>(__nv_fp8_e8m0(x)),
           static_cast<float>(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(down))));
  }
  puts("done");
}
