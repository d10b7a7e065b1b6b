// Floating types of 4 bits: CUDA has them, of MUSA nobody has published any.
#include "cuda_fp16.h"
#include "cuda_bf16.h"
#include "cuda_fp8.h"
typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
typedef ::emu::Four __nv_fp4_interpretation_t;
constexpr ::emu::Four __NV_E2M1 = ::emu::Four::e2m1;
@names __NV_E2M1 __nv_fp4_e2m1 __nv_fp4x2_e2m1 __nv_fp4x4_e2m1
struct __nv_fp4_e2m1 {
  __nv_fp4_storage_t __x;
  __nv_fp4_e2m1() = default;
  explicit __nv_fp4_e2m1(float v) : __x(::emu::four_bits(v)) {}
  explicit __nv_fp4_e2m1(double v) : __x(::emu::four_bits(v)) {}
  explicit __nv_fp4_e2m1(__half v) : __x(::emu::four_bits(static_cast<float>(v))) {}
  explicit __nv_fp4_e2m1(__nv_bfloat16 v) : __x(::emu::four_bits(static_cast<float>(v))) {}
  template <class I, class = std::enable_if_t<std::is_integral<I>::value>>
  explicit __nv_fp4_e2m1(I v) : __x(::emu::four_bits(static_cast<double>(v))) {}
  explicit operator float() const { return static_cast<float>(::emu::four_value(__x & 15)); }
  explicit operator double() const { return ::emu::four_value(__x & 15); }
  explicit operator __half() const { return __half::of(::emu::half_of_four_bits(__x)); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); }
  explicit operator bool() const { return (__x & 7) != 0; }
};
struct __nv_fp4x2_e2m1 {
  __nv_fp4x2_storage_t __x;
  __nv_fp4x2_e2m1() = default;
  explicit __nv_fp4x2_e2m1(float2 v) : __x(::emu::two_of_four(v.x, v.y)) {}
  explicit __nv_fp4x2_e2m1(double2 v) : __x(::emu::two_of_four(v.x, v.y)) {}
  explicit __nv_fp4x2_e2m1(__half2 v) : __nv_fp4x2_e2m1(make_float2(float(v.x), float(v.y))) {}
  explicit __nv_fp4x2_e2m1(__nv_bfloat162 v) : __nv_fp4x2_e2m1(make_float2(float(v.x), float(v.y))) {}
  explicit operator float2() const {
    return make_float2(static_cast<float>(::emu::four_value(__x & 15)), static_cast<float>(::emu::four_value(__x >> 4)));
  }
  explicit operator __half2() const {
    return {__half::of(::emu::half_of_four_bits(__x)), __half::of(::emu::half_of_four_bits(__x >> 4))};
  }
};
struct alignas(2) __nv_fp4x4_e2m1 {
  __nv_fp4x4_storage_t __x;
  __nv_fp4x4_e2m1() = default;
  explicit __nv_fp4x4_e2m1(float4 v)
      : __x(static_cast<unsigned short>(::emu::two_of_four(v.x, v.y) | ::emu::two_of_four(v.z, v.w) << 8)) {}
  explicit __nv_fp4x4_e2m1(double4 v)
      : __x(static_cast<unsigned short>(::emu::two_of_four(v.x, v.y) | ::emu::two_of_four(v.z, v.w) << 8)) {}
  explicit __nv_fp4x4_e2m1(__half2 low, __half2 high)
      : __nv_fp4x4_e2m1(make_float4(float(low.x), float(low.y), float(high.x), float(high.y))) {}
  explicit __nv_fp4x4_e2m1(__nv_bfloat162 low, __nv_bfloat162 high)
      : __nv_fp4x4_e2m1(make_float4(float(low.x), float(low.y), float(high.x), float(high.y))) {}
  float part(int i) const { return static_cast<float>(::emu::four_value(__x >> (4 * i) & 15)); }
  explicit operator float4() const { return make_float4(part(0), part(1), part(2), part(3)); }
};
EMU_INLINE unsigned char __nv_cvt_double_to_fp4(double x, ::emu::Four, cudaRoundMode) { return ::emu::four_bits(x); }
EMU_INLINE unsigned char __nv_cvt_float_to_fp4(float x, ::emu::Four, cudaRoundMode) { return ::emu::four_bits(x); }
EMU_INLINE unsigned char __nv_cvt_halfraw_to_fp4(__half_raw x, ::emu::Four, cudaRoundMode) {
  return ::emu::four_bits(::emu::Half16::decode(x.x));
}
EMU_INLINE unsigned char __nv_cvt_bfloat16raw_to_fp4(__nv_bfloat16_raw x, ::emu::Four, cudaRoundMode) {
  return ::emu::four_bits(::emu::BFloat16::decode(x.x));
}
EMU_INLINE unsigned char __nv_cvt_double2_to_fp4x2(double2 x, ::emu::Four, cudaRoundMode) {
  return ::emu::two_of_four(x.x, x.y);
}
EMU_INLINE unsigned char __nv_cvt_float2_to_fp4x2(float2 x, ::emu::Four, cudaRoundMode) {
  return ::emu::two_of_four(x.x, x.y);
}
EMU_INLINE unsigned char __nv_cvt_halfraw2_to_fp4x2(__half2_raw x, ::emu::Four, cudaRoundMode) {
  return ::emu::two_of_four(::emu::Half16::decode(x.x), ::emu::Half16::decode(x.y));
}
EMU_INLINE unsigned char __nv_cvt_bfloat16raw2_to_fp4x2(__nv_bfloat162_raw x, ::emu::Four, cudaRoundMode) {
  return ::emu::two_of_four(::emu::BFloat16::decode(x.x), ::emu::BFloat16::decode(x.y));
}
EMU_INLINE __half_raw __nv_cvt_fp4_to_halfraw(unsigned char x, ::emu::Four) { return {::emu::half_of_four_bits(x)}; }
EMU_INLINE __half2_raw __nv_cvt_fp4x2_to_halfraw2(unsigned char x, ::emu::Four) {
  return {::emu::half_of_four_bits(x), ::emu::half_of_four_bits(x >> 4)};
}
