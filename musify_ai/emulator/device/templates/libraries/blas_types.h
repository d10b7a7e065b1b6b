// ---- types, handles and settings
typedef enum @{cublasStatus_t|mublasStatus_t} {
  @{CU|MU}BLAS_STATUS_SUCCESS = 0,
  @{CU|MU}BLAS_STATUS_NOT_INITIALIZED = 1,
  @{CU|MU}BLAS_STATUS_ALLOC_FAILED = 3,
  @{CU|MU}BLAS_STATUS_INVALID_VALUE = 7,
  @{CU|MU}BLAS_STATUS_ARCH_MISMATCH = 8,
  @{CU|MU}BLAS_STATUS_MAPPING_ERROR = 11,
  @{CU|MU}BLAS_STATUS_EXECUTION_FAILED = 13,
  @{CU|MU}BLAS_STATUS_INTERNAL_ERROR = 14,
  @{CU|MU}BLAS_STATUS_NOT_SUPPORTED = 15,
  @{CU|MU}BLAS_STATUS_LICENSE_ERROR = 16
} @{cu|mu}blasStatus_t;
typedef enum @{cublasOperation_t|mublasOperation_t} {
  @{CU|MU}BLAS_OP_N = 0,
  @{CU|MU}BLAS_OP_T = 1,
  @{CU|MU}BLAS_OP_C = 2
} @{cu|mu}blasOperation_t;
typedef enum @{cublasFillMode_t|mublasFillMode_t} {
  @{CU|MU}BLAS_FILL_MODE_LOWER = 0,
  @{CU|MU}BLAS_FILL_MODE_UPPER = 1,
  @{CU|MU}BLAS_FILL_MODE_FULL = 2
} @{cu|mu}blasFillMode_t;
typedef enum @{cublasDiagType_t|mublasDiagType_t} {
  @{CU|MU}BLAS_DIAG_NON_UNIT = 0,
  @{CU|MU}BLAS_DIAG_UNIT = 1
} @{cu|mu}blasDiagType_t;
typedef enum @{cublasSideMode_t|mublasSideMode_t} {
  @{CU|MU}BLAS_SIDE_LEFT = 0,
  @{CU|MU}BLAS_SIDE_RIGHT = 1
} @{cu|mu}blasSideMode_t;
typedef enum @{cublasPointerMode_t|mublasPointerMode_t} {
  @{CU|MU}BLAS_POINTER_MODE_HOST = 0,
  @{CU|MU}BLAS_POINTER_MODE_DEVICE = 1
} @{cu|mu}blasPointerMode_t;
typedef enum @{cublasAtomicsMode_t|mublasAtomicsMode_t} {
  @{CU|MU}BLAS_ATOMICS_NOT_ALLOWED = 0,
  @{CU|MU}BLAS_ATOMICS_ALLOWED = 1
} @{cu|mu}blasAtomicsMode_t;
typedef enum @{cublasMath_t|mublasMath_t} {
  @{CU|MU}BLAS_DEFAULT_MATH = 0,
  @{CU|MU}BLAS_TENSOR_OP_MATH = 1,
  @{CU|MU}BLAS_PEDANTIC_MATH = 2,
@cuda
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
@end
  @{CU|MU}BLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} @{cu|mu}blasMath_t;
typedef enum @{cublasComputeType_t|mublasComputeType_t} {
  @{CU|MU}BLAS_COMPUTE_16F = 64,
  @{CU|MU}BLAS_COMPUTE_16F_PEDANTIC = 65,
  @{CU|MU}BLAS_COMPUTE_32F = 68,
  @{CU|MU}BLAS_COMPUTE_32F_PEDANTIC = 69,
  @{CU|MU}BLAS_COMPUTE_64F = 70,
  @{CU|MU}BLAS_COMPUTE_64F_PEDANTIC = 71,
  @{CU|MU}BLAS_COMPUTE_32I = 72,
  @{CU|MU}BLAS_COMPUTE_32I_PEDANTIC = 73,
  @{CU|MU}BLAS_COMPUTE_32F_FAST_16F = 74,
  @{CU|MU}BLAS_COMPUTE_32F_FAST_16BF = 75,
  @{CU|MU}BLAS_COMPUTE_32F_FAST_TF32 = 77
} @{cu|mu}blasComputeType_t;
typedef enum @{cublasGemmAlgo_t|mublasGemmAlgo_t} {
  @{CU|MU}BLAS_GEMM_DEFAULT = -1,
@cuda
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
@end
  @{CU|MU}BLAS_GEMM_DEFAULT_TENSOR_OP = 99
} @{cu|mu}blasGemmAlgo_t;

struct @{cublasContext|EmuBlas} : ::emu::blas::Handle {};
typedef struct @{cublasContext|EmuBlas}* @{cu|mu}blasHandle_t;
#define EMU_BLAS_STATUS inline @{cu|mu}blasStatus_t
#define EMU_BLAS_DONE(ERROR) (ERROR ? @{CU|MU}BLAS_STATUS_EXECUTION_FAILED : @{CU|MU}BLAS_STATUS_SUCCESS)
#define EMU_BLAS_NEEDS(CONDITION)                                 \
  if (!handle) return @{CU|MU}BLAS_STATUS_NOT_INITIALIZED;        \
  if (!(CONDITION)) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;

EMU_BLAS_STATUS @{cu|mu}blasCreate(@{cu|mu}blasHandle_t* handle) {
  *handle = new @{cublasContext|EmuBlas}();
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasDestroy(@{cu|mu}blasHandle_t handle) {
  EMU_BLAS_NEEDS(true)
  delete handle;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasSetStream(@{cu|mu}blasHandle_t handle, @rt@Stream_t stream) {
  EMU_BLAS_NEEDS(true)
  handle->stream = stream;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasGetStream(@{cu|mu}blasHandle_t handle, @rt@Stream_t* stream) {
  EMU_BLAS_NEEDS(stream)
  *stream = handle->stream;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasSetMathMode(@{cu|mu}blasHandle_t handle, @{cu|mu}blasMath_t math) {
  EMU_BLAS_NEEDS(true)
  handle->math = math;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasGetMathMode(@{cu|mu}blasHandle_t handle, @{cu|mu}blasMath_t* math) {
  EMU_BLAS_NEEDS(math)
  *math = static_cast<@{cu|mu}blasMath_t>(handle->math);
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasSetPointerMode(@{cu|mu}blasHandle_t handle, @{cu|mu}blasPointerMode_t mode) {
  EMU_BLAS_NEEDS(true)
  handle->scalars_on_device = mode == @{CU|MU}BLAS_POINTER_MODE_DEVICE;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasGetPointerMode(@{cu|mu}blasHandle_t handle, @{cu|mu}blasPointerMode_t* mode) {
  EMU_BLAS_NEEDS(mode)
  *mode = handle->scalars_on_device ? @{CU|MU}BLAS_POINTER_MODE_DEVICE : @{CU|MU}BLAS_POINTER_MODE_HOST;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasSetAtomicsMode(@{cu|mu}blasHandle_t handle, @{cu|mu}blasAtomicsMode_t mode) {
  EMU_BLAS_NEEDS(true)
  handle->atomics = mode;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasSetWorkspace(@{cu|mu}blasHandle_t handle, void* p, size_t) {
  EMU_BLAS_NEEDS(reinterpret_cast<uintptr_t>(p) % 256 == 0)
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasGetVersion(@{cu|mu}blasHandle_t, int* version) {
  if (!version) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
  *version = @{120804|50200};
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
inline const char* @{cu|mu}blasGetStatusName(@{cu|mu}blasStatus_t status) {
  switch (status) {
    case @{CU|MU}BLAS_STATUS_SUCCESS: return "@{CU|MU}BLAS_STATUS_SUCCESS";
    case @{CU|MU}BLAS_STATUS_NOT_INITIALIZED: return "@{CU|MU}BLAS_STATUS_NOT_INITIALIZED";
    case @{CU|MU}BLAS_STATUS_INVALID_VALUE: return "@{CU|MU}BLAS_STATUS_INVALID_VALUE";
    case @{CU|MU}BLAS_STATUS_EXECUTION_FAILED: return "@{CU|MU}BLAS_STATUS_EXECUTION_FAILED";
    case @{CU|MU}BLAS_STATUS_NOT_SUPPORTED: return "@{CU|MU}BLAS_STATUS_NOT_SUPPORTED";
    default: return "@{CU|MU}BLAS_STATUS_INTERNAL_ERROR";
  }
}
inline const char* @{cu|mu}blasGetStatusString(@{cu|mu}blasStatus_t status) {
  switch (status) {
    case @{CU|MU}BLAS_STATUS_SUCCESS: return "success";
    case @{CU|MU}BLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
    case @{CU|MU}BLAS_STATUS_INVALID_VALUE: return "an unsupported value or parameter was passed to the function";
    case @{CU|MU}BLAS_STATUS_EXECUTION_FAILED: return "the function failed to launch on the GPU";
    case @{CU|MU}BLAS_STATUS_NOT_SUPPORTED: return "the functionality requested is not supported";
    default: return "an internal operation failed";
  }
}

// ---- copies
#define EMU_BLAS_COPIED(CONDITION, COPY)                               \
  if (!(CONDITION)) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;          \
  return COPY ? @{CU|MU}BLAS_STATUS_MAPPING_ERROR : @{CU|MU}BLAS_STATUS_SUCCESS;
EMU_BLAS_STATUS @{cu|mu}blasSetVector(int n, int size, const void* x, int incx, void* y, int incy, EMU_SITE) {
  size_t one = static_cast<size_t>(size), count = static_cast<size_t>(n);
  EMU_BLAS_COPIED(n >= 0 && size > 0 && incx > 0 && incy > 0,
                  ::emu::host::copy_2d(y, one * static_cast<size_t>(incy), x, one * static_cast<size_t>(incx), one, count, 1,
                                       "blas::SetVector", emu_site))
}
EMU_BLAS_STATUS @{cu|mu}blasGetVector(int n, int size, const void* x, int incx, void* y, int incy, EMU_SITE) {
  size_t one = static_cast<size_t>(size), count = static_cast<size_t>(n);
  EMU_BLAS_COPIED(n >= 0 && size > 0 && incx > 0 && incy > 0,
                  ::emu::host::copy_2d(y, one * static_cast<size_t>(incy), x, one * static_cast<size_t>(incx), one, count, 2,
                                       "blas::GetVector", emu_site))
}
EMU_BLAS_STATUS @{cu|mu}blasSetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb, EMU_SITE) {
  size_t one = static_cast<size_t>(size), count = static_cast<size_t>(columns);
  EMU_BLAS_COPIED(rows >= 0 && columns >= 0 && size > 0 && lda > 0 && ldb > 0,
                  ::emu::host::copy_2d(b, one * static_cast<size_t>(ldb), a, one * static_cast<size_t>(lda),
                                       one * static_cast<size_t>(rows), count, 1, "blas::SetMatrix", emu_site))
}
EMU_BLAS_STATUS @{cu|mu}blasGetMatrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb, EMU_SITE) {
  size_t one = static_cast<size_t>(size), count = static_cast<size_t>(columns);
  EMU_BLAS_COPIED(rows >= 0 && columns >= 0 && size > 0 && lda > 0 && ldb > 0,
                  ::emu::host::copy_2d(b, one * static_cast<size_t>(ldb), a, one * static_cast<size_t>(lda),
                                       one * static_cast<size_t>(rows), count, 2, "blas::GetMatrix", emu_site))
}
