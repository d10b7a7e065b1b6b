// Floating types of 8 bits. MUSA has them from mp_31 on (sglang builds them for that arch only, torch_musa tests them
// there only); on older ones a kernel that computes with them ends by name.
#include "@rt@_fp16.h"
#include "@rt@_bf16.h"
#define EMU_FP8_e4m3 @{__nv_fp8_e4m3|__mt_fp8_e4m3}
#define EMU_FP8_e5m2 @{__nv_fp8_e5m2|__mt_fp8_e5m2}
#define EMU_FP8X2_e4m3 @{__nv_fp8x2_e4m3|__mt_fp8x2_e4m3}
#define EMU_FP8X2_e5m2 @{__nv_fp8x2_e5m2|__mt_fp8x2_e5m2}
#define EMU_FP8X4_e4m3 @{__nv_fp8x4_e4m3|__mt_fp8x4_e4m3}
#define EMU_FP8X4_e5m2 @{__nv_fp8x4_e5m2|__mt_fp8x4_e5m2}
#define EMU_BF16 @{__nv_bfloat16|__mt_bfloat16}
#define EMU_BF162 @{__nv_bfloat162|__mt_bfloat162}
@musa
#define EMU_EIGHT_FROM 310
@end
#include "musify_emu/eight_bits.h"
#undef EMU_FP8_e4m3
#undef EMU_FP8_e5m2
#undef EMU_FP8X2_e4m3
#undef EMU_FP8X2_e5m2
#undef EMU_FP8X4_e4m3
#undef EMU_FP8X4_e5m2
#undef EMU_BF16
#undef EMU_BF162
@names @{__nv_fp8_e4m3|__mt_fp8_e4m3} @{__nv_fp8_e5m2|__mt_fp8_e5m2} @{__nv_fp8x2_e4m3|__mt_fp8x2_e4m3}
@names @{__nv_fp8x2_e5m2|__mt_fp8x2_e5m2} @{__nv_fp8x4_e4m3|__mt_fp8x4_e4m3} @{__nv_fp8x4_e5m2|__mt_fp8x4_e5m2}
typedef unsigned char @{__nv_fp8_storage_t|__mt_fp8_storage_t};
typedef unsigned short @{__nv_fp8x2_storage_t|__mt_fp8x2_storage_t};
typedef unsigned @{__nv_fp8x4_storage_t|__mt_fp8x4_storage_t};
typedef ::emu::Eight @{__nv_fp8_interpretation_t|__mt_fp8_interpretation_t};
constexpr ::emu::Eight @{__NV_E4M3|__MT_E4M3} = ::emu::Eight::e4m3, @{__NV_E5M2|__MT_E5M2} = ::emu::Eight::e5m2;
constexpr ::emu::Saturation @{__NV_SATFINITE|__MT_SATFINITE} = ::emu::Saturation::finite;
@names @{__NV_E4M3|__MT_E4M3} @{__NV_E5M2|__MT_E5M2} @{__NV_SATFINITE|__MT_SATFINITE}
@cuda
typedef ::emu::Saturation __nv_saturation_t;
constexpr ::emu::Saturation __NV_NOSAT = ::emu::Saturation::none;
@end
@names @{__nv_cvt_float_to_fp8|__musa_cvt_float_to_fp8} @{__nv_cvt_float2_to_fp8x2|__musa_cvt_float2_to_fp8x2}
@names @{__nv_cvt_bfloat16raw_to_fp8|__musa_cvt_bfloat16raw_to_fp8} @{__nv_cvt_fp8_to_halfraw|__musa_cvt_fp8_to_halfraw}
@names @{__nv_cvt_fp8x2_to_halfraw2|__musa_cvt_fp8x2_to_halfraw2}
EMU_INLINE unsigned char @{__nv_cvt_float_to_fp8|__musa_cvt_float_to_fp8}(float x, ::emu::Saturation s, ::emu::Eight k) {
  return ::emu::own_eight::eight_bits(x, s, k);
}
EMU_INLINE unsigned short @{__nv_cvt_float2_to_fp8x2|__musa_cvt_float2_to_fp8x2}(float2 x, ::emu::Saturation s, ::emu::Eight k) {
  return ::emu::own_eight::two_of_eight(x.x, x.y, s, k);
}
EMU_INLINE unsigned char @{__nv_cvt_bfloat16raw_to_fp8|__musa_cvt_bfloat16raw_to_fp8}(
    @{__nv_bfloat16_raw|__mt_bfloat16_raw} x, ::emu::Saturation s, ::emu::Eight k) {
  return ::emu::own_eight::eight_bits(::emu::BFloat16::decode(x.x), s, k);
}
EMU_INLINE __half_raw @{__nv_cvt_fp8_to_halfraw|__musa_cvt_fp8_to_halfraw}(unsigned char x, ::emu::Eight k) {
  return {::emu::own_eight::half_of_eight_bits(x, k)};
}
EMU_INLINE __half2_raw @{__nv_cvt_fp8x2_to_halfraw2|__musa_cvt_fp8x2_to_halfraw2}(unsigned short x, ::emu::Eight k) {
  return {::emu::own_eight::half_of_eight_bits(static_cast<unsigned char>(x), k),
          ::emu::own_eight::half_of_eight_bits(static_cast<unsigned char>(x >> 8), k)};
}
@cuda
EMU_INLINE unsigned char __nv_cvt_double_to_fp8(double x, ::emu::Saturation s, ::emu::Eight k) {
  return ::emu::own_eight::eight_bits_of_double(x, s, k);
}
EMU_INLINE unsigned short __nv_cvt_double2_to_fp8x2(double2 x, ::emu::Saturation s, ::emu::Eight k) {
  return static_cast<unsigned short>(::emu::own_eight::eight_bits_of_double(x.x, s, k) | ::emu::own_eight::eight_bits_of_double(x.y, s, k) << 8);
}
EMU_INLINE unsigned char __nv_cvt_halfraw_to_fp8(__half_raw x, ::emu::Saturation s, ::emu::Eight k) {
  return ::emu::own_eight::eight_bits(::emu::Half16::decode(x.x), s, k);
}
EMU_INLINE unsigned short __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, ::emu::Saturation s, ::emu::Eight k) {
  return ::emu::own_eight::two_of_eight(::emu::Half16::decode(x.x), ::emu::Half16::decode(x.y), s, k);
}
EMU_INLINE unsigned short __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, ::emu::Saturation s, ::emu::Eight k) {
  return ::emu::own_eight::two_of_eight(::emu::BFloat16::decode(x.x), ::emu::BFloat16::decode(x.y), s, k);
}
@end
@musa
@names __musa_cvt_float4_to_fp8x4
EMU_INLINE unsigned __musa_cvt_float4_to_fp8x4(float4 x, ::emu::Saturation s, ::emu::Eight k) {
  return ::emu::own_eight::two_of_eight(x.x, x.y, s, k) | unsigned(::emu::own_eight::two_of_eight(x.z, x.w, s, k)) << 16;
}
@end
@cuda
#include "musify_emu/four_bits.h"
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  explicit __nv_fp8_e8m0(float v) : __x(::emu::power_bits(v, ::emu::Saturation::finite, true)) {}
  explicit __nv_fp8_e8m0(double v) : __x(::emu::power_bits(v, ::emu::Saturation::finite, true)) {}
  explicit __nv_fp8_e8m0(__half v) : __nv_fp8_e8m0(static_cast<float>(v)) {}
  explicit __nv_fp8_e8m0(__nv_bfloat16 v) : __nv_fp8_e8m0(static_cast<float>(v)) {}
  explicit operator float() const { return ::emu::power_value(__x); }
  explicit operator double() const { return ::emu::power_value(__x); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(::emu::power_value(__x)); }
};
EMU_INLINE unsigned char __nv_cvt_float_to_e8m0(float x, ::emu::Saturation s, cudaRoundMode mode) {
  return ::emu::power_bits(x, s, mode != cudaRoundZero);
}
EMU_INLINE __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(unsigned char x) {
  return {::emu::BFloat16::encode(::emu::power_value(x))};
}
@end
