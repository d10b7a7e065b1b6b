// The BLAS library: handles and settings are kept, what computes ends the program with its name. Both types of small
// floats come along with it, as CUDA has it; that MUSA's header brings them too is taken on trust.
#include "@rt@_bf16.h"
#include "@rt@_fp16.h"
typedef enum @{cublasStatus_t|mublasStatus_t} {
  @{CUBLAS_STATUS_SUCCESS|MUBLAS_STATUS_SUCCESS} = 0,
@cuda
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_LICENSE_ERROR = 16,
@end
  @{CUBLAS_STATUS_INVALID_VALUE|MUBLAS_STATUS_INVALID_VALUE} = 7,
  @{CUBLAS_STATUS_INTERNAL_ERROR|MUBLAS_STATUS_INTERNAL_ERROR} = 14,
  @{CUBLAS_STATUS_NOT_SUPPORTED|MUBLAS_STATUS_NOT_SUPPORTED} = 15
} @{cublasStatus_t|mublasStatus_t};
typedef enum @{cublasOperation_t|mublasOperation_t} {
  @{CUBLAS_OP_N|MUBLAS_OP_N} = 0,
  @{CUBLAS_OP_T|MUBLAS_OP_T} = 1,
  @{CUBLAS_OP_C|MUBLAS_OP_C} = 2
} @{cublasOperation_t|mublasOperation_t};
typedef enum @{cublasMath_t|mublasMath_t} {
  @{CUBLAS_DEFAULT_MATH|MUBLAS_DEFAULT_MATH} = 0,
@cuda
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
@end
  @{CUBLAS_TENSOR_OP_MATH|MUBLAS_TENSOR_OP_MATH} = 1
} @{cublasMath_t|mublasMath_t};
typedef enum @{cublasComputeType_t|mublasComputeType_t} {
  @{CUBLAS_COMPUTE_16F|MUBLAS_COMPUTE_16F} = 64,
  @{CUBLAS_COMPUTE_32F|MUBLAS_COMPUTE_32F} = 68,
  @{CUBLAS_COMPUTE_32F_FAST_TF32|MUBLAS_COMPUTE_32F_FAST_TF32} = 77,
  @{CUBLAS_COMPUTE_64F|MUBLAS_COMPUTE_64F} = 70,
  @{CUBLAS_COMPUTE_32I|MUBLAS_COMPUTE_32I} = 72
} @{cublasComputeType_t|mublasComputeType_t};
typedef enum @{cublasGemmAlgo_t|mublasGemmAlgo_t} {
  @{CUBLAS_GEMM_DEFAULT|MUBLAS_GEMM_DEFAULT} = -1,
  @{CUBLAS_GEMM_DEFAULT_TENSOR_OP|MUBLAS_GEMM_DEFAULT_TENSOR_OP} = 99
} @{cublasGemmAlgo_t|mublasGemmAlgo_t};

typedef struct @{cublasContext|EmuBlas}* @{cublasHandle_t|mublasHandle_t};
struct @{cublasContext|EmuBlas} {
  @rt@Stream_t stream;
  @{cublasMath_t|mublasMath_t} math;
};
inline @{cublasStatus_t|mublasStatus_t} @{cublasCreate|mublasCreate}(@{cublasHandle_t|mublasHandle_t}* handle) {
  *handle = new @{cublasContext|EmuBlas}();
  return @{CUBLAS_STATUS_SUCCESS|MUBLAS_STATUS_SUCCESS};
}
inline @{cublasStatus_t|mublasStatus_t} @{cublasDestroy|mublasDestroy}(@{cublasHandle_t|mublasHandle_t} handle) {
  delete handle;
  return @{CUBLAS_STATUS_SUCCESS|MUBLAS_STATUS_SUCCESS};
}
inline @{cublasStatus_t|mublasStatus_t} @{cublasSetStream|mublasSetStream}(@{cublasHandle_t|mublasHandle_t} handle, @rt@Stream_t stream) {
  handle->stream = stream;
  return @{CUBLAS_STATUS_SUCCESS|MUBLAS_STATUS_SUCCESS};
}
inline @{cublasStatus_t|mublasStatus_t} @{cublasSetMathMode|mublasSetMathMode}(@{cublasHandle_t|mublasHandle_t} handle, @{cublasMath_t|mublasMath_t} math) {
  handle->math = math;
  return @{CUBLAS_STATUS_SUCCESS|MUBLAS_STATUS_SUCCESS};
}

inline @{cublasStatus_t|mublasStatus_t} @{cublasSgemm|mublasSgemm}(
    @{cublasHandle_t|mublasHandle_t}, @{cublasOperation_t|mublasOperation_t}, @{cublasOperation_t|mublasOperation_t}, int, int, int, const float*,
    const float*, int, const float*, int, const float*, float*, int, ::emu::Site site = ::emu::Site::here()) {
  ::emu::host::not_emulated("@{cublasSgemm|mublasSgemm}", site);
}
inline @{cublasStatus_t|mublasStatus_t} @{cublasSgemmStridedBatched|mublasSgemmStridedBatched}(
    @{cublasHandle_t|mublasHandle_t}, @{cublasOperation_t|mublasOperation_t}, @{cublasOperation_t|mublasOperation_t}, int, int, int, const float*,
    const float*, int, long long, const float*, int, long long, const float*, float*, int, long long, int,
    ::emu::Site site = ::emu::Site::here()) {
  ::emu::host::not_emulated("@{cublasSgemmStridedBatched|mublasSgemmStridedBatched}", site);
}
