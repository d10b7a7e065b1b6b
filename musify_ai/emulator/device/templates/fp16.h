// Half precision.
#include "musify_emu/half.h"
typedef __half half;
typedef __half2 half2;
@cuda
typedef __half __nv_half;
typedef __half nv_half;
typedef __half2 __nv_half2;
typedef __half2 nv_half2;
#define __CUDA_FP16_TYPES_EXIST__
@end
@names __half __half2 half half2 __half_raw __half2_raw
@export __hadd __hsub __hmul __hdiv __hneg __habs __hisnan __hisinf __hfma __hadd_sat __hsub_sat __hmul_sat __hfma_sat
@export __heq __hne __hlt __hle __hgt __hge __hmax __hmin __hmax_nan __hmin_nan
@export __hadd2 __hsub2 __hmul2 __h2div __hfma2 __hneg2 __habs2 __hisnan2 __hmax2 __hmin2
@export __heq2 __hne2 __hlt2 __hle2 __hgt2 __hge2 __hbeq2 __hbne2 __hblt2 __hble2 __hbgt2 __hbge2
@export hexp h2exp hexp2 h2exp2 hexp10 h2exp10 hlog h2log hlog2 h2log2 hlog10 h2log10 hsqrt h2sqrt hrsqrt h2rsqrt
@export hrcp h2rcp hsin h2sin hcos h2cos hfloor h2floor hceil h2ceil htrunc h2trunc hrint h2rint
@export __float2half __float2half_rn __float2half_rz __float2half_ru __float2half_rd __double2half __half2float
@export __half22float2 __float22half2_rn __floats2half2_rn __float2half2_rn __halves2half2 make_half2 __half2half2
@export __low2half __high2half __low2float __high2float __low2half2 __high2half2 __lowhigh2highlow __lows2half2 __highs2half2
@export __half_as_short __half_as_ushort __short_as_half __ushort_as_half
@export __int2half_rn __int2half_rz __half2int_rn __half2int_rz __uint2half_rn __uint2half_rz __half2uint_rn __half2uint_rz
@export __short2half_rn __half2short_rn __ushort2half_rn __half2ushort_rn __ll2half_rn __half2ll_rn __ull2half_rn __half2ull_rn
@export __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __shfl __shfl_up __shfl_down __shfl_xor atomicAdd
@cuda
@export __hadd_rn __hsub_rn __hmul_rn __hadd2_rn __hsub2_rn __hmul2_rn __hadd2_sat __hsub2_sat __hmul2_sat __hfma_relu __hfma2_relu
@export htanh h2tanh
@export __int2half_ru __int2half_rd __half2int_ru __half2int_rd __uint2half_ru __uint2half_rd __half2uint_ru __half2uint_rd
@export __short2half_rz __half2short_rz __ushort2half_rz __half2ushort_rz __ll2half_rz __half2ll_rz __ull2half_rz __half2ull_rz
@end
