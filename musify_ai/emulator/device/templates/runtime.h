// The @rt@ runtime: host calls and what every unit may use without an include. Each pair of names stands here once;
// the words between at signs are replaced for each side.
// Guards of the real headers, by which other headers see what has been included (muThrust asks for the third on MUSA).
#define __@RT@_RUNTIME_H__
#define __@RT@_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
@cuda
#define __CUDACC__ 1
#define __NVCC__ 1
#define __VECTOR_TYPES_H__
#define __HOST_DEFINES_H__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 93
#define __CUDA_ARCH__ MUSIFY_EMU_ARCH
#define __CUDA_ARCH_HAS_FEATURE__(FEATURE) 0  // a device of its arch alone (sm_90a) has more; ours is compiled for none
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
@end
@musa
#define __MUSACC__ 1
#define __MUSA__ 1
#define __MUSACC_VER_MAJOR__ 5
#define __MUSACC_VER_MINOR__ 2
#define __MUSA_ARCH__ MUSIFY_EMU_ARCH
#define MUSART_VERSION 50200
#define MUSA_VERSION 50200
@end
// The .h forms: with them `abs(-2.5f)`, `signbit` and the like stand in the global namespace for every type.
#include "musify_emu/c_math.h"
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "musify_emu/arithmetic.h"
#include "musify_emu/special.h"
#include "musify_emu/simd.h"
#include "musify_emu/atomics.h"
@cuda
#include "musify_emu/scoped_atomics.h"
@end
#include "musify_emu/host.h"
#include "musify_emu/threads.h"
#include "musify_emu/vectors.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
// No always_inline: g++ refuses it for a function that is also called through a pointer, or by itself.
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#ifndef __restrict__
#define __restrict__ __restrict__
#endif
@cuda
#define __cluster_dims__(...)
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define __NV_SILENCE_DEPRECATION_BEGIN
@end
@musa
#define MUSART_CB
@end

// The C library declares these itself.
@rename __expf emu_fast_expf
@rename __exp10f emu_fast_exp10f
@rename __logf emu_fast_logf
@rename __log2f emu_fast_log2f
@rename __log10f emu_fast_log10f
@rename __sinf emu_fast_sinf
@rename __cosf emu_fast_cosf
@rename __tanf emu_fast_tanf
@rename __powf emu_fast_powf
@rename __sincosf emu_fast_sincosf
@musa
@rename __isnanf emu_is_nan
@end

@export __syncthreads __syncthreads_count __syncthreads_and __syncthreads_or __syncwarp
@export __threadfence __threadfence_block __threadfence_system __nanosleep clock64 __trap
@export __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __shfl __shfl_up __shfl_down __shfl_xor
@export __ballot_sync __any_sync __all_sync __ballot __any __all __activemask __match_any_sync __match_all_sync
@export __reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync
@export atomicAdd atomicSub atomicMin atomicMax atomicAnd atomicOr atomicXor atomicInc atomicDec atomicExch atomicCAS
@export atomicAdd_block atomicSub_block atomicMin_block atomicMax_block atomicAnd_block atomicOr_block atomicXor_block
@export atomicInc_block atomicDec_block atomicExch_block atomicCAS_block
@export atomicAdd_system atomicSub_system atomicMin_system atomicMax_system atomicAnd_system atomicOr_system
@export atomicXor_system atomicInc_system atomicDec_system atomicExch_system atomicCAS_system
@cuda
@export __nv_atomic_load __nv_atomic_load_n __nv_atomic_store __nv_atomic_store_n __nv_atomic_exchange __nv_atomic_exchange_n
@export __nv_atomic_compare_exchange __nv_atomic_compare_exchange_n __nv_atomic_thread_fence
@export __nv_atomic_fetch_add __nv_atomic_fetch_sub __nv_atomic_fetch_and __nv_atomic_fetch_or __nv_atomic_fetch_xor
@export __nv_atomic_fetch_min __nv_atomic_fetch_max __nv_atomic_add __nv_atomic_sub __nv_atomic_and __nv_atomic_or
@export __nv_atomic_xor __nv_atomic_min __nv_atomic_max
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4
@end
@export min max __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __mul24 __umul24 __mulhi __umulhi
@export __umul64hi __mul64hi __sad __usad __hadd __rhadd __uhadd __urhadd __byte_perm __dp4a
@cuda
@export __vabs2 __vabs4 __vabsss2 __vabsss4 __vneg2 __vneg4 __vnegss2 __vnegss4 __vadd2 __vadd4 __vaddss2 __vaddss4
@export __vaddus2 __vaddus4 __vsub2 __vsub4 __vsubss2 __vsubss4 __vsubus2 __vsubus4 __vabsdiffs2 __vabsdiffs4
@export __vabsdiffu2 __vabsdiffu4 __vavgu2 __vavgu4 __vhaddu2 __vhaddu4 __vmaxs2 __vmaxs4 __vmaxu2 __vmaxu4 __vmins2
@export __vmins4 __vminu2 __vminu4 __vsads2 __vsads4 __vsadu2 __vsadu4 __vcmpeq2 __vcmpeq4 __vcmpne2 __vcmpne4
@export __vcmpges2 __vcmpges4 __vcmpgeu2 __vcmpgeu4 __vcmpgts2 __vcmpgts4 __vcmpgtu2 __vcmpgtu4 __vcmples2 __vcmples4
@export __vcmpleu2 __vcmpleu4 __vcmplts2 __vcmplts4 __vcmpltu2 __vcmpltu4 __vseteq2 __vseteq4 __vsetne2 __vsetne4
@export __vsetges2 __vsetges4 __vsetgeu2 __vsetgeu4 __vsetgts2 __vsetgts4 __vsetgtu2 __vsetgtu4 __vsetles2 __vsetles4
@export __vsetleu2 __vsetleu4 __vsetlts2 __vsetlts4 __vsetltu2 __vsetltu4
@end
@export __funnelshift_l __funnelshift_r __funnelshift_lc __funnelshift_rc
@export __float_as_int __float_as_uint __int_as_float __uint_as_float __double_as_longlong __longlong_as_double
@export __double2hiint __double2loint __hiloint2double
@export __fadd_rn __fadd_rz __fadd_ru __fadd_rd __fsub_rn __fsub_rz __fsub_ru __fsub_rd
@export __fmul_rn __fmul_rz __fmul_ru __fmul_rd __fdiv_rn __fdiv_rz __fdiv_ru __fdiv_rd
@export __frcp_rn __frcp_rz __frcp_ru __frcp_rd __fsqrt_rn __fsqrt_rz __fsqrt_ru __fsqrt_rd __frsqrt_rn
@export __fmaf_rn __fmaf_rz __fmaf_ru __fmaf_rd
@export __dadd_rn __dadd_rz __dadd_ru __dadd_rd __dsub_rn __dsub_rz __dsub_ru __dsub_rd
@export __dmul_rn __dmul_rz __dmul_ru __dmul_rd __ddiv_rn __ddiv_rz __ddiv_ru __ddiv_rd
@export __drcp_rn __drcp_rz __drcp_ru __drcp_rd __dsqrt_rn __dsqrt_rz __dsqrt_ru __dsqrt_rd
@export __fma_rn __fma_rz __fma_ru __fma_rd
@export __float2int_rn __float2int_rz __float2int_ru __float2int_rd
@export __float2uint_rn __float2uint_rz __float2uint_ru __float2uint_rd
@export __float2ll_rn __float2ll_rz __float2ll_ru __float2ll_rd __float2ull_rn __float2ull_rz __float2ull_ru __float2ull_rd
@export __double2int_rn __double2int_rz __double2int_ru __double2int_rd
@export __double2uint_rn __double2uint_rz __double2uint_ru __double2uint_rd
@export __double2ll_rn __double2ll_rz __double2ll_ru __double2ll_rd
@export __double2ull_rn __double2ull_rz __double2ull_ru __double2ull_rd
@export __double2float_rn __double2float_rz __double2float_ru __double2float_rd
@cuda
@export __ll2float_ru __ll2float_rd __ll2double_ru __ll2double_rd __ull2float_ru __ull2float_rd __ull2double_ru __ull2double_rd
@end
@export __int2float_rn __int2float_rz __int2float_ru __int2float_rd __uint2float_rn __uint2float_rz __uint2float_ru __uint2float_rd
@export __ll2float_rn __ll2float_rz __ull2float_rn __ull2float_rz __int2double_rn __uint2double_rn
@export __ll2double_rn __ll2double_rz __ull2double_rn __ull2double_rz
@export __fdividef fdividef __saturatef saturate rsqrtf rsqrt rcbrtf rcbrt sinpi cospi sinpif cospif sincospi sincospif
@export normcdf normcdff norm3df norm3d rnorm3df rhypotf rhypot
@export erfinv erfinvf erfcinv erfcinvf erfcx erfcxf normcdfinv normcdfinvf cyl_bessel_i0 cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f
@export norm4d norm4df rnorm4d rnorm4df rnorm3d normf rnorm rnormf
@cuda
@export norm
@end
@export __ldg __ldca __ldcg __ldcs __ldlu __ldcv __stcg __stcs __stwb __stwt
@export __cvta_generic_to_shared
@cuda
@export __brkpt umin umax llmin llmax ullmin ullmax __cvta_generic_to_global __cvta_shared_to_generic
@end
@musa
@export __syncthreads_lm
@end
@names dim3 uint3 threadIdx blockIdx blockDim gridDim warpSize @vectors

#define @RT@RT_INF_F ::emu::device::__int_as_float(0x7f800000)
#define @RT@RT_NAN_F ::emu::device::__int_as_float(0x7fffffff)
#define @RT@RT_MAX_NORMAL_F ::emu::device::__int_as_float(0x7f7fffff)
#define @RT@RT_INF ::emu::device::__longlong_as_double(0x7ff0000000000000ll)
#define @RT@RT_NAN ::emu::device::__longlong_as_double(static_cast<long long>(0xfff8000000000000ull))
@include constants.h

@include types.h

#define EMU_SITE ::emu::Site emu_site = ::emu::Site::here()
#define EMU_ERROR(E) static_cast<@rt@Error_t>(E)

@include textures.h
@include memory.h
@include devices.h
@include streams.h
@include kernels.h
@include pools.h
@include graphs.h
