// bfloat16.
#define EMU_BF16 @{__nv_bfloat16|__mt_bfloat16}
#define EMU_BF162 @{__nv_bfloat162|__mt_bfloat162}
#define EMU_BF16_RAW @{__nv_bfloat16_raw|__mt_bfloat16_raw}
#define EMU_BF162_RAW @{__nv_bfloat162_raw|emu_bfloat162_raw}
#include "musify_emu/bfloat16.h"
#undef EMU_BF16
#undef EMU_BF162
#undef EMU_BF16_RAW
#undef EMU_BF162_RAW
typedef @{__nv_bfloat16|__mt_bfloat16} @{nv_bfloat16|mt_bfloat16};
typedef @{__nv_bfloat162|__mt_bfloat162} @{nv_bfloat162|mt_bfloat162};
@cuda
#define __CUDA_BF16_TYPES_EXIST__
@end
@export __hadd __hsub __hmul __hdiv __hneg __habs __hisnan __hisinf __hfma __heq __hne __hlt __hle __hgt __hge __hmax __hmin
@export __hadd2 __hsub2 __hmul2 __h2div __hfma2 __hneg2 __habs2 __hisnan2 __hmax2 __hmin2
@export __heq2 __hne2 __hlt2 __hle2 __hgt2 __hge2 __hbeq2 __hbne2 __hblt2 __hble2 __hbgt2 __hbge2
@export hexp h2exp hexp2 h2exp2 hlog h2log hlog2 h2log2 hsqrt h2sqrt hrsqrt h2rsqrt hrcp h2rcp hsin h2sin hcos h2cos
@export hfloor h2floor hceil h2ceil htrunc h2trunc hrint h2rint
@export __float2bfloat16 __float2bfloat16_rn __float2bfloat16_rz __double2bfloat16 __bfloat162float __bfloat1622float2
@export __float22bfloat162_rn __floats2bfloat162_rn __float2bfloat162_rn __halves2bfloat162 __bfloat162bfloat162
@export __low2bfloat16 __high2bfloat16 __low2float __high2float __low2bfloat162 __high2bfloat162 __lowhigh2highlow
@export __bfloat16_as_short __bfloat16_as_ushort __short_as_bfloat16 __ushort_as_bfloat16
@export __int2bfloat16_rn __bfloat162int_rn __bfloat162int_rz __uint2bfloat16_rn __bfloat162uint_rn __bfloat162uint_rz
@export __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __shfl __shfl_up __shfl_down __shfl_xor atomicAdd
@cuda
@export __float2bfloat16_ru __float2bfloat16_rd __hadd_rn __hsub_rn __hmul_rn __hadd2_rn __hsub2_rn __hmul2_rn
@export __hadd2_sat __hsub2_sat __hmul2_sat __hadd_sat __hsub_sat __hmul_sat __hfma_sat __hfma_relu __hfma2_relu __hmax_nan __hmin_nan htanh h2tanh
@export make_bfloat162 __int2bfloat16_rz __uint2bfloat16_rz __short2bfloat16_rn __bfloat162short_rn __ushort2bfloat16_rn
@export __bfloat162ushort_rn __ll2bfloat16_rn __bfloat162ll_rn __ull2bfloat16_rn __bfloat162ull_rn
@end
