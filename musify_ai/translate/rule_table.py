"""The rules: code, module, and the words without which a rule has nothing to say of a file.

The table is static, so that asking it imports no rule; a test holds it against the modules. The code is the rule's
name in findings, edits and suppressions, and never changes its meaning.
"""

from __future__ import annotations

from typing import NamedTuple

_PACKAGE = "musify_ai.translate."
BUILD = _PACKAGE + "build."  # rules over build files, which are no translation units
PYTHON = _PACKAGE + "python."  # rules over Python files


class RuleEntry(NamedTuple):
    """One rule. ``late`` rules run after the others, because they ask what was left unsettled."""

    code: str
    module: str
    triggers: frozenset[bytes]
    late: bool = False


def _entry(code: str, module: str, triggers: str, *, late: bool = False) -> RuleEntry:
    return RuleEntry(code, _PACKAGE + module, frozenset(triggers.encode("ascii").split()), late)


_ASM = "asm __asm__ __asm"
_NEWER_FORMS = (  # of the run time and of the driver
    "GraphAddDependencies GraphRemoveDependencies GraphGetEdges GraphNodeGetDependencies GraphNodeGetDependentNodes "
    "GraphAddNode StreamUpdateCaptureDependencies StreamGetCaptureInfo MemPrefetchAsync MemAdvise"
)

RULES: tuple[RuleEntry, ...] = (
    _entry(
        "MUS115",
        "guards.header_guards",
        "__CUDA_RUNTIME_H__ __CUDA_RUNTIME_API_H__ __DRIVER_TYPES_H__ __VECTOR_TYPES_H__ "
        "__VECTOR_FUNCTIONS_H__ __DEVICE_LAUNCH_PARAMETERS_H__ __DEVICE_TYPES_H__ __DEVICE_FUNCTIONS_H__ "
        "__HOST_DEFINES_H__ __BUILTIN_TYPES_H__ __MATH_FUNCTIONS_H__ __SURFACE_TYPES_H__ __TEXTURE_TYPES_H__ "
        "__LIBRARY_TYPES_H__ __cuda_cuda_h__ __CUDA_FP16_H__ __CUDA_BF16_H__ __CUDA_FP8_H__ "
        "__CUDA_PROFILER_API_H__ __CUDA_GL_INTEROP_H__ _COOPERATIVE_GROUPS_H_ _CUDA_PIPELINE_H_ "
        "_CUDA_AWBARRIER_H_ CU_COMPLEX_H_ CUBLAS_H_ CUBLAS_API_H_ CUBLAS_V2_H_ CUBLAS_XT_H_ CUBLASAPI "
        "_CUFFT_H_ _CUFFTXT_H_ CUFFTAPI CURAND_H_ CURAND_KERNEL_H_ CURANDAPI CUSPARSE_H_ CUSPARSEAPI "
        "CUSOLVER_COMMON_H_ CUSOLVERDN_H_ CUSOLVERSP_H_ CUSOLVERAPI CUDNN_H_ NV_NPPIDEFS_H NV_NPP_H NCCL_H_ "
        "__NVRTC_H__ NVTOOLSEXT_H_ NVTX3_H __nvml_nvml_h__",
    ),
    _entry("MUS201", "guards.arch_threshold", "__CUDA_ARCH__", late=True),
    _entry("MUS202", "guards.arch_open", "__CUDA_ARCH__"),
    _entry("MUS203", "guards.device_pass", "__CUDA_ARCH__"),
    _entry(
        "MUS204",
        "guards.library_versions",
        "CUDA_VERSION CUDART_VERSION CUDNN_VERSION CUDNN_MAJOR CUDNN_MINOR CUDNN_PATCHLEVEL CUBLAS_VERSION "
        "CUBLAS_VER_MAJOR CUSPARSE_VERSION CUSPARSE_VER_MAJOR CUSOLVER_VERSION CUSOLVER_VER_MAJOR "
        "CUFFT_VERSION NCCL_VERSION_CODE NCCL_MAJOR NPP_VERSION_MAJOR NPP_VERSION_MINOR NPP_VER_MAJOR CURAND_VERSION "
        "CUTENSOR_VERSION CUSPARSELT_VERSION",
    ),
    _entry("MUS205", "guards.compiler", "__CUDACC__ __NVCC__"),
    _entry("MUS206", "guards.clang_cuda", "__CUDA__"),
    _entry(
        "MUS207",
        "guards.compiler_features",
        "__CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ __CUDACC_VER_BUILD__ __CUDACC_VER__ __CUDACC_RTC__ "
        "__CUDACC_RDC__ __CUDACC_EXTENDED_LAMBDA__ __CUDACC_RELAXED_CONSTEXPR__ __CUDACC_DEBUG__ "
        "__CUDACC_DEVICE_ATOMIC_BUILTINS__ __CUDA_ARCH_LIST__ __CUDA_ARCH_FEAT_SM90_ALL "
        "__CUDA_ARCH_FEAT_SM100_ALL __CUDA_ARCH_SPECIFIC__ __CUDA_ARCH_FAMILY_SPECIFIC__ "
        "__NVCC_DIAG_PRAGMA_SUPPORT__ __CUDACC_RTC_INT128__ __CUDACC_EWP__ __CUDACC_TILE__ __CUDABE__ "
        "__CUDA_ARCH_HAS_FEATURE__ __CUDA_ARCH_FEAT_SM101_ALL __CUDA_ARCH_FEAT_SM103_ALL __CUDA_ARCH_FEAT_SM120_ALL "
        "__NVCOMPILER_CUDA__ __NVCOMPILER_CUDA_ARCH__ _NVHPC_CUDA",
    ),
    _entry("MUS208", "guards.arch_in_code", "__CUDA_ARCH__"),
    _entry(
        "MUS209",
        "guards.compute_capability",
        "cudaDeviceProp cudaGetDeviceProperties cudaDevAttrComputeCapabilityMajor getCurrentDeviceProperties "
        "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR "
        "getDeviceProperties CUdevice sm sm_ sm_version sm_version_ smVersion smVersion_ sm_arch smArch sm_arch_ "
        "compute_capability computeCapability compute_capability_ gpu_arch cuda_arch arch_ cc",
    ),
    _entry("MUS210", "guards.musa_number", "__MUSA_ARCH__ MUSA_VERSION MUSART_VERSION"),
    _entry("MUS211", "guards.arch_alias", "__CUDA_ARCH__ CUB_PTX_ARCH"),
    _entry(
        "MUS212",
        "guards.code_version",
        "ptxVersion binaryVersion CU_FUNC_ATTRIBUTE_PTX_VERSION CU_FUNC_ATTRIBUTE_BINARY_VERSION",
    ),
    _entry("MUS213", "guards.old_versions", "CUDART_VERSION CUDA_VERSION", late=True),
    _entry("MUS301", "warps.builtin_width", "warpSize"),
    _entry(
        "MUS302",
        "warps.shuffle_width",
        "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __shfl __shfl_up __shfl_down __shfl_xor "
        "WARP_SHFL WARP_SHFL_UP WARP_SHFL_DOWN WARP_SHFL_XOR",
    ),
    _entry(
        "MUS303",
        "warps.votes",
        "__ballot_sync __ballot __activemask __match_any_sync __match_all_sync __reduce_add_sync "
        "__reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync __any_sync "
        "__all_sync __any __all",
    ),
    _entry("MUS304", "warps.lane_arithmetic", "threadIdx tid tidx thread_id threadId laneid lane lane_id laneId"),
    _entry("MUS305", "warps.host_width", "warpSize cudaDevAttrWarpSize CU_DEVICE_ATTRIBUTE_WARP_SIZE"),
    _entry("MUS306", "warps.groups_of_32", "__global__ __device__ __shared__ __launch_bounds__ blockDim dim3"),
    _entry("MUS307", "warps.lanes_counted", "__global__ __device__ __shared__ threadIdx dim3"),
    _entry(
        "MUS308",
        "warps.partial_masks",
        "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync __syncwarp "
        "__match_any_sync __match_all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync "
        "__reduce_or_sync __reduce_xor_sync",
    ),
    _entry("MUS401", "ptx.lowered", _ASM),
    _entry("MUS402", "ptx.other", _ASM),
    _entry("MUS403", "ptx.lanes", _ASM),
    _entry("MUS404", "ptx.tensor_cores", _ASM),
    _entry("MUS405", "ptx.asynchronous", _ASM),
    _entry("MUS406", "ptx.memory_access", _ASM),
    _entry("MUS407", "ptx.barriers", _ASM),
    _entry("MUS408", "ptx.noted", _ASM),
    _entry(
        "MUS409",
        "ptx.modules",
        "cuModuleLoad cuModuleLoadData cuModuleLoadDataEx cuModuleLoadFatBinary cuLinkAddData cuLinkAddData_v2 "
        "cuLinkAddFile cuLinkAddFile_v2 cuLibraryLoadData cuLibraryLoadFromFile cudaLibraryLoadData "
        "cudaLibraryLoadFromFile address_size",
    ),
    _entry(
        "MUS501",
        "memory.system_atomics",
        "atomicAdd_system atomicSub_system atomicExch_system atomicMin_system atomicMax_system "
        "atomicInc_system atomicDec_system atomicCAS_system atomicAnd_system atomicOr_system atomicXor_system",
    ),
    _entry(
        "MUS502",
        "memory.grid_sync",
        "this_grid grid_group this_multi_grid multi_grid_group cudaLaunchCooperativeKernel "
        "cuLaunchCooperativeKernel cudaLaunchCooperativeKernelMultiDevice",
    ),
    _entry(
        "MUS503",
        "memory.shared_memory_limit",
        "cudaFuncAttributeMaxDynamicSharedMemorySize CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES "
        "cudaFuncAttributePreferredSharedMemoryCarveout",
    ),
    _entry("MUS504", "memory.matrix_units", "nvcuda wmma"),
    _entry(
        "MUS505",
        "memory.asynchronous_copy",
        "__pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior __pipeline_arrive_on memcpy_async "
        "make_pipeline pipeline_shared_state",
    ),
    _entry(
        "MUS506",
        "memory.clusters",
        "__cluster_dims__ this_cluster cluster_group map_shared_rank cluster_sync cluster_arrive "
        "cluster_arrive_relaxed cluster_wait ClusterLauncher cudaLaunchAttributeClusterDimension "
        "cudaLaunchAttributePreferredClusterDimension cudaLaunchAttributeClusterSchedulingPolicyPreference "
        "cudaOccupancyMaxActiveClusters cudaOccupancyMaxPotentialClusterSize "
        "cudaFuncAttributeNonPortableClusterSizeAllowed cudaFuncAttributeClusterDimMustBeSet "
        "cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion "
        "cudaLaunchAttributeProgrammaticStreamSerialization cudaLaunchAttributeProgrammaticEvent "
        "cudaLaunchAttributeLaunchCompletionEvent launch_dependent_grids wait_on_dependent_grids",
    ),
    _entry(
        "MUS507",
        "memory.tensor_maps",
        "CUtensorMap CUtensorMap_st cuTensorMapEncodeTiled cuTensorMapEncodeIm2col cuTensorMapEncodeIm2colWide "
        "cuTensorMapReplaceAddress CUtensorMapDataType CUtensorMapSwizzle CUtensorMapInterleave "
        "CUtensorMapL2promotion CUtensorMapFloatOOBfill",
    ),
    _entry(
        "MUS508",
        "memory.textures",
        "texture tex1Dfetch tex1D tex2D tex3D tex1DLayered tex2DLayered texCubemap tex2Dgather tex1DLod tex2DLod "
        "tex3DLod cudaBindTexture cudaBindTexture2D cudaBindTextureToArray cudaUnbindTexture surf1Dread surf1Dwrite "
        "surf2Dread surf2Dwrite surf3Dread surf3Dwrite cudaTextureObject_t cudaSurfaceObject_t "
        "cudaCreateTextureObject cudaDestroyTextureObject cudaCreateSurfaceObject cudaDestroySurfaceObject "
        "CUtexObject cuTexObjectCreate",
    ),
    _entry("MUS509", "memory.vector_volatile", "volatile"),
    _entry("MUS510", "memory.graphs", "cudaGraphInstantiate"),
    _entry("MUS511", "memory.dynamic_parallelism", "__global__"),
    _entry(
        "MUS512",
        "memory.runtime_differences",
        "cudaGetErrorName cudaGetErrorString cuGetErrorName cuGetErrorString cuStreamGetId cudaStreamGetId "
        "texturePitchAlignment cudaDevAttrTexturePitchAlignment "
        "cudaHostAllocMapped cudaHostRegisterMapped cudaDeviceMapHost "
        "cudaRuntimeGetVersion cudaDriverGetVersion cuDriverGetVersion cublasGetVersion cublasGetVersion_v2 "
        "cublasLtGetVersion cusparseGetVersion cusolverGetVersion cufftGetVersion curandGetVersion ncclGetVersion",
    ),
    _entry("MUS513", "memory.cooperative_attribute", "cudaLaunchAttributeCooperative CU_LAUNCH_ATTRIBUTE_COOPERATIVE"),
    _entry("MUS514", "memory.static_arrays", "__shared__"),
    _entry("MUS515", "memory.shared_memory_budget", "48 48u 48U 48UL 49152 49152u"),
    _entry("MUS516", "memory.barriers_across_gpus", "__syncthreads"),
    _entry(
        "MUS517",
        "memory.ordered_allocation",
        "cudaMallocAsync cudaMallocFromPoolAsync cuMemAllocAsync cuMemAllocFromPoolAsync",
    ),
    _entry("MUS518", "memory.warp_synchronous", "volatile"),
    _entry(
        "MUS519",
        "memory.newer_forms",
        " ".join(
            api + name + to for name in _NEWER_FORMS.split() for api in ("cuda", "cu") for to in ("", "_v2", "_v3")
        )
        + " cuCtxCreate cuCtxCreate_v4 cudaGraphExecUpdate",
    ),
    _entry(
        "MUS601",
        "numerics.fp8",
        "__nv_fp8_storage_t __nv_fp8x2_storage_t __nv_fp8x4_storage_t __nv_fp8_interpretation_t __nv_fp8_e4m3 "
        "__nv_fp8x2_e4m3 __nv_fp8x4_e4m3 __nv_fp8_e5m2 __nv_fp8x2_e5m2 __nv_fp8x4_e5m2 __nv_fp8_e8m0 __nv_fp8x2_e8m0 "
        "__nv_fp8x4_e8m0 __nv_fp6_storage_t __nv_fp6x2_storage_t __nv_fp6x4_storage_t __nv_fp6_interpretation_t "
        "__nv_fp6_e2m3 __nv_fp6x2_e2m3 __nv_fp6x4_e2m3 __nv_fp6_e3m2 __nv_fp6x2_e3m2 __nv_fp6x4_e3m2 "
        "__nv_fp4_storage_t __nv_fp4x2_storage_t __nv_fp4x4_storage_t __nv_fp4_interpretation_t __nv_fp4_e2m1 "
        "__nv_fp4x2_e2m1 __nv_fp4x4_e2m1 __nv_cvt_float_to_fp8 __nv_cvt_double_to_fp8 __nv_cvt_halfraw_to_fp8 "
        "__nv_cvt_bfloat16raw_to_fp8 __nv_cvt_float2_to_fp8x2 __nv_cvt_double2_to_fp8x2 __nv_cvt_halfraw2_to_fp8x2 "
        "__nv_cvt_bfloat16raw2_to_fp8x2 __nv_cvt_fp8_to_halfraw __nv_cvt_fp8x2_to_halfraw2 __nv_cvt_float_to_fp6 "
        "__nv_cvt_double_to_fp6 __nv_cvt_halfraw_to_fp6 __nv_cvt_bfloat16raw_to_fp6 __nv_cvt_float2_to_fp6x2 "
        "__nv_cvt_double2_to_fp6x2 __nv_cvt_halfraw2_to_fp6x2 __nv_cvt_bfloat16raw2_to_fp6x2 __nv_cvt_fp6_to_halfraw "
        "__nv_cvt_fp6x2_to_halfraw2 __nv_cvt_float_to_fp4 __nv_cvt_double_to_fp4 __nv_cvt_halfraw_to_fp4 "
        "__nv_cvt_bfloat16raw_to_fp4 __nv_cvt_float2_to_fp4x2 __nv_cvt_double2_to_fp4x2 __nv_cvt_halfraw2_to_fp4x2 "
        "__nv_cvt_bfloat16raw2_to_fp4x2 __nv_cvt_fp4_to_halfraw __nv_cvt_fp4x2_to_halfraw2 __nv_cvt_float_to_e8m0 "
        "__nv_cvt_float2_to_e8m0x2 __nv_cvt_double_to_e8m0 __nv_cvt_bfloat16raw_to_e8m0 "
        "__nv_cvt_bfloat162raw_to_e8m0x2 __nv_cvt_e8m0_to_bf16raw __nv_cvt_e8m0x2_to_bf162raw",
    ),
    _entry("MUS602", "numerics.wide_integers", "__int128 __int128_t __uint128_t uint128_t"),
    _entry("MUS603", "numerics.signed_atomics", "atomicAdd atomicMin atomicMax"),
    _entry(
        "MUS604",
        "numerics.bfloat16",
        "__nv_bfloat16 __nv_bfloat162 nv_bfloat16 nv_bfloat162 __nv_bfloat16_raw __nv_bfloat162_raw __float2bfloat16 "
        "__float2bfloat16_rn __float2bfloat16_rz __float2bfloat162_rn __floats2bfloat162_rn __float22bfloat162_rn "
        "__bfloat162float __bfloat1622float2 __bfloat162bfloat162 __halves2bfloat162 __low2bfloat16 __high2bfloat16 "
        "__low2bfloat162 __high2bfloat162 __ushort_as_bfloat16 __bfloat16_as_ushort __double2bfloat16 "
        "__int2bfloat16_rn __bfloat162int_rn",
    ),
    _entry("MUS605", "numerics.loads", "__ldg"),
    _entry(
        "MUS606",
        "numerics.half_functions",
        "hexp h2exp hexp2 h2exp2 hexp10 h2exp10 hlog h2log hlog2 h2log2 hlog10 h2log10 hsqrt h2sqrt hrsqrt h2rsqrt "
        "hrcp h2rcp hsin h2sin hcos h2cos htanh h2tanh htanh_approx h2tanh_approx",
    ),
    _entry(
        "MUS607",
        "numerics.half_masks",
        "__heq2_mask __hne2_mask __hlt2_mask __hle2_mask __hgt2_mask __hge2_mask __hequ2_mask __hneu2_mask "
        "__hltu2_mask __hleu2_mask __hgtu2_mask __hgeu2_mask",
    ),
    _entry("MUS608", "numerics.double_precision", "double double2 double3 double4"),
    _entry("MUS609", "numerics.long_double", "long"),
    _entry("MUS610", "numerics.narrow_atomics", "atomicAdd"),
    _entry("MUS621", "front_end.noreturn", "__trap"),
    _entry("MUS622", "front_end.extern_templates", "extern"),
    _entry("MUS623", "front_end.restrict_arrays", "__restrict__ __restrict"),
    _entry("MUS624", "front_end.host_units", "__global__ __device__ cuda_fp16 cuda_bf16 cuda_fp8"),
    _entry("MUS625", "front_end.header_order", "cuda cuda_runtime cuda_runtime_api cuda_fp16 cuda_bf16"),
    _entry("MUS702", "libraries.libcudacxx", "cuda NV_IF_TARGET NV_IF_ELSE_TARGET NV_DISPATCH_TARGET"),
    _entry("MUS706", "libraries.cub_in_kernels", "cub"),
    _entry("MUS707", "libraries.cutlass", "cutlass"),
    _entry(
        "MUS708",
        "libraries.cusolver",
        "cusolverDnXtrtri cusolverDnXgetrf cusolverDnXgetrs cusolverDnXpotrf cusolverDnXpotrs "
        "cusolverDnXgeqrf cusolverDnXsyevd cusolverDnXsyevdx cusolverDnXgesvd cusolverDnSsyevjBatched "
        "cusolverDnDsyevjBatched",
    ),
    _entry(
        "MUS709",
        "libraries.batched_pointers",
        "cublasGemmBatchedEx cublasSgemmBatched cublasHgemmBatched cublasDgemmBatched cublasCgemmBatched "
        "cublasZgemmBatched",
    ),
    _entry(
        "MUS710",
        "libraries.cutlass_names",
        "cutlass cute CUTLASS_DEVICE CUTLASS_HOST_DEVICE CUTLASS_PRAGMA_UNROLL CUTE_DEVICE CUTE_HOST_DEVICE "
        "CUTE_STATIC_ASSERT CUTE_STATIC_ASSERT_V CUTE_UNROLL CUTLASS_CHECK",
    ),
    _entry(
        "MUS711",
        "libraries.sparse_products",
        "cusparseSpMM cusparseSpMM_bufferSize cusparseSpMM_preprocess cusparseSpGEMM_workEstimation "
        "cusparseSpGEMM_compute cusparseSpGEMM_copy cusparseSpGEMMreuse_compute cusparseSpGEMMreuse_copy "
        "cusparseSpGEMMreuse_nnz cusparseSDDMM cusparseScsrgemm2 cusparseDcsrgemm2 cusparseXcsrgemm2Nnz "
        "cusparseSpSM_solve",
    ),
    _entry(
        "MUS712",
        "libraries.newer_cub",
        "DeviceMergeSort DeviceSegmentedSort DeviceAdjacentDifference DeviceMemcpy DeviceCopy DeviceFor "
        "DeviceTransform DeviceTopK DeviceMerge DeviceFind UniqueByKey BlockMergeSort WarpMergeSort WarpExchange "
        "WarpLoad WarpStore BlockRunLengthDecode FutureValue par_nosync zip_function make_zip_function "
        "universal_host_pinned_vector tabulate_output_iterator make_tabulate_output_iterator",
    ),
    _entry(
        "MUS713",
        "libraries.nccl_by_arch",
        "ncclBfloat16 ncclFloat8e4m3 ncclFloat8e5m2 ncclCommInitRank ncclCommInitAll ncclGroupStart ncclAllReduce "
        "ncclGetUniqueId",
    ),
    _entry(
        "MUS714",
        "libraries.shared_heap",
        "nvshmem nvshmemx nvshmem_barrier_all nvshmem_quiet nvshmem_fence nvshmem_signal_wait_until nvshmem_my_pe "
        "nvshmem_n_pes nvshmem_sync_all nvshmem_team_t nvshmemx_barrier_all_on_stream nvshmemx_barrier_all_block "
        "nvshmem_ptr nvshmem_align nvshmem_team_my_pe nvshmem_team_n_pes",
    ),
    _entry(
        "MUS715",
        "libraries.installation",
        "usr opt nvidia nvprof nsys ncu nvcc cuobjdump CUDA_HOME CUDA_PATH CUDA_ROOT CUDA_VISIBLE_DEVICES "
        "CUDA_LAUNCH_BLOCKING CUDA_DEVICE_ORDER CUDA_DEVICE_MAX_CONNECTIONS",
    ),
    _entry("MUS801", "build.files", "CUDA cuda nvcc NVCC cudart CUDAExtension cu nvidia"),
    _entry(
        "MUS802",
        "libraries.pytorch",
        "is_cuda kCUDA cuda DeviceType TORCH_LIBRARY_IMPL PhiloxCudaState CUDAGeneratorImpl philox_cuda_state CUDA "
        "AutogradCUDA AutocastCUDA QuantizedCUDA SparseCUDA SparseCsrCUDA NestedTensorCUDA hasCUDA hasCuDNN hasCUDART "
        "hasCuSOLVER hasCuBLASLt lazyInitCUDA getCUDAHooks userEnabledCuDNN setUserEnabledCuDNN benchmarkCuDNN "
        "setBenchmarkCuDNN deterministicCuDNN setDeterministicCuDNN allowTF32CuDNN setAllowTF32CuDNN allowTF32CuBLAS "
        "setAllowTF32CuBLAS allowFP16ReductionCuBLAS setAllowFP16ReductionCuBLAS allowBF16ReductionCuBLAS "
        "setAllowBF16ReductionCuBLAS versionCuDNN",
    ),
    _entry("MUS803", "build.cmake_language", "CUDA CUDAToolkit"),
    _entry(
        "MUS804",
        "build.cmake_targets",
        "cu CUDA cuda_add_executable cuda_add_library cuda_include_directories cuda_compile",
    ),
    _entry(
        "MUS805",
        "build.cmake_limits",
        "CUDA cu cuda_compile_ptx cuda_select_nvcc_arch_flags cuda_wrap_srcs CUDA_SEPARABLE_COMPILATION "
        "CUDA_RESOLVE_DEVICE_SYMBOLS CUDA_ARCHITECTURES CUDA_RUNTIME_LIBRARY CUDA_PTX_COMPILATION CUDA_STANDARD",
    ),
    _entry("MUS806", "build.names", "CUDA cuda cudart cublas CUDA_HOME CUDA_PATH CUDA_FOUND"),
    _entry(
        "MUS807",
        "build.flags",
        "CUDA nvcc NVCC Xcompiler use_fast_math expt lineinfo Xptxas maxrregcount CUDA_NVCC_FLAGS CMAKE_CUDA_FLAGS "
        "NVCCFLAGS",
    ),
    _entry("MUS808", "build.archs", "gencode arch CMAKE_CUDA_ARCHITECTURES CUDA code nvcc"),
    _entry(
        "MUS809",
        "build.versions",
        "CUDA CUDAToolkit CMAKE_CUDA_COMPILER_VERSION CUDAToolkit_VERSION CUDAToolkit_VERSION_MAJOR "
        "CUDAToolkit_VERSION_MINOR CUDA_VERSION CUDA_VERSION_MAJOR CUDA_VERSION_MINOR CUDA_VERSION_STRING nvcc NVCC",
    ),
    _entry("MUS810", "build.make_compiler", "nvcc NVCC cu CUDACC CUDA_CC CUDA_NVCC"),
    _entry("MUS811", "build.extensions", "CUDAExtension cpp_extension nvcc nvcc_dlink CUDA_HOME"),
    _entry("MUS812", "build.leftover", "nvcc CUDA sm_60 Xcompiler cuda cuda_runtime cublas_v2"),
    _entry("MUS814", "build.tools", "nvprof nsys ncu nvidia cuobjdump memcheck sanitizer"),
    _entry("MUS815", "build.packages", "apex cu121 cuda cupy flash nvidia torch triton"),
    _entry("MUS816", "build.cmake_probes", "CUDA cu cuda_runtime cudaMalloc __global__"),
    _entry("MUS820", "python.torch_module", "_C cuda"),
    _entry("MUS821", "python.device_strings", "cuda"),
    _entry("MUS822", "python.methods", "cuda cuda_event cuda_stream is_cuda"),
    _entry("MUS823", "python.backends", "backends cudnn"),
    _entry("MUS824", "python.communication", "NCCL ProcessGroupNCCL is_nccl_available nccl"),
    _entry(
        "MUS825",
        "python.environment",
        "CUBLAS_WORKSPACE_CONFIG CUDA_CACHE_PATH CUDA_DEVICE_MAX_CONNECTIONS CUDA_DEVICE_ORDER CUDA_HOME "
        "CUDA_LAUNCH_BLOCKING CUDA_MODULE_LOADING CUDA_PATH CUDA_VISIBLE_DEVICES NCCL_ALGO "
        "NCCL_ASYNC_ERROR_HANDLING NCCL_AVOID_RECORD_STREAMS NCCL_BLOCKING_WAIT NCCL_BUFFSIZE "
        "NCCL_CHECK_POINTERS NCCL_CUMEM_ENABLE NCCL_DEBUG NCCL_DEBUG_SUBSYS NCCL_GRAPH_REGISTER "
        "NCCL_IB_DISABLE NCCL_IB_GID_INDEX NCCL_IB_HCA NCCL_IB_SL NCCL_IB_TIMEOUT NCCL_LAUNCH_MODE "
        "NCCL_MAX_NCHANNELS NCCL_MIN_NCHANNELS NCCL_NET NCCL_NTHREADS NCCL_NVLS_ENABLE NCCL_P2P_DISABLE "
        "NCCL_PROTO NCCL_SHM_DISABLE NCCL_SOCKET_IFNAME NCCL_TIMEOUT NCCL_TOPO_DUMP_FILE NCCL_TOPO_FILE "
        "PYTORCH_CUDA_ALLOC_CONF TORCH_CUDA_ARCH_LIST TORCH_NCCL_ASYNC_ERROR_HANDLING "
        "TORCH_NCCL_AVOID_RECORD_STREAMS TORCH_NCCL_BLOCKING_WAIT",
    ),
    _entry(
        "MUS826",
        "python.capability",
        "get_arch_list get_device_capability get_device_properties major version",
    ),
    _entry(
        "MUS827",
        "python.other_libraries",
        "cucim cuda cudf cugraph cuml cupy cuspatial numba nvidia nvidia_smi nvmath nvtx py3nvml pycuda "
        "pynvml rmm skcuda tensorrt",
    ),
    _entry("MUS828", "python.registration", "CUDA ProfilerActivity"),
    _entry("MUS829", "python.reading", "CUDA cuda cudnn is_cuda nccl"),
    _entry("MUS830", "python.triton_limits", "num_stages num_warps"),
    _entry("MUS831", "python.operators", "out_dtype"),
    _entry("MUS832", "python.loading", "cuda is_cuda nccl"),
    _entry("MUS833", "python.shim", "is_available"),
    _entry(
        "MUS834", "python.installation", "usr opt nvidia nvprof nsys ncu cuobjdump memcheck sanitizer nvdisasm nvcc"
    ),
    _entry("MUS835", "python.jit_extensions", "cpp_extension"),
    _entry("MUS836", "python.compiling", "compile script"),
)

# The findings of the name tier, which makes them all in one pass; `triggered` never names these.
NAME_RULES: tuple[RuleEntry, ...] = (
    _entry("MUS101", "names.rules.no_counterpart", ""),
    _entry("MUS102", "names.rules.table_only", ""),
    _entry("MUS103", "names.rules.derived", ""),
    _entry("MUS104", "names.rules.pasted", ""),
    _entry("MUS105", "names.rules.stringised", ""),
    _entry("MUS106", "names.rules.spliced", ""),
    _entry("MUS107", "names.rules.own_symbol", ""),
    _entry("MUS108", "names.rules.no_header", ""),
    _entry("MUS109", "names.rules.name_in_string", ""),
    _entry("MUS110", "names.rules.unproven", ""),
    _entry("MUS111", "names.rules.differs", ""),
    _entry("MUS112", "names.rules.library_version", ""),
    _entry("MUS116", "names.rules.misspelt", ""),
    _entry("MUS701", "names.rules.cudnn", ""),
    _entry("MUS703", "names.rules.nvtx", ""),
    _entry("MUS704", "names.rules.nvrtc", ""),
    _entry("MUS705", "names.rules.nvml", ""),
)
