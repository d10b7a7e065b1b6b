// The sparse library: descriptions of matrices, and their products with vectors and dense matrices.
#include "@{cu|mu}Complex.h"
#include "musify_emu/sparse.h"
#define @{CU|MU}SPARSEAPI
@cuda
#define CUSPARSE_H_
#define CUSPARSE_VERSION 12507
@end
typedef enum @{cusparseStatus|emu_sparse_status} {
  @{CU|MU}SPARSE_STATUS_SUCCESS = 0,
  @{CU|MU}SPARSE_STATUS_NOT_INITIALIZED = 1,
  @{CU|MU}SPARSE_STATUS_ALLOC_FAILED = 2,
  @{CU|MU}SPARSE_STATUS_INVALID_VALUE = 3,
  @{CU|MU}SPARSE_STATUS_ARCH_MISMATCH = 4,
  @{CU|MU}SPARSE_STATUS_MAPPING_ERROR = 5,
  @{CU|MU}SPARSE_STATUS_EXECUTION_FAILED = 6,
  @{CU|MU}SPARSE_STATUS_INTERNAL_ERROR = 7,
  @{CU|MU}SPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  @{CU|MU}SPARSE_STATUS_NOT_SUPPORTED = 10
} @{cu|mu}sparseStatus_t;
typedef enum { @{CU|MU}SPARSE_OPERATION_NON_TRANSPOSE = 0, @{CU|MU}SPARSE_OPERATION_TRANSPOSE = 1,
               @{CU|MU}SPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2 } @{cu|mu}sparseOperation_t;
typedef enum { @{CU|MU}SPARSE_INDEX_BASE_ZERO = 0, @{CU|MU}SPARSE_INDEX_BASE_ONE = 1 } @{cu|mu}sparseIndexBase_t;
typedef enum { @{CU|MU}SPARSE_INDEX_16U = 1, @{CU|MU}SPARSE_INDEX_32I = 2, @{CU|MU}SPARSE_INDEX_64I = 3 } @{cu|mu}sparseIndexType_t;
typedef enum { @{CU|MU}SPARSE_ORDER_COL = 1, @{CU|MU}SPARSE_ORDER_ROW = 2 } @{cu|mu}sparseOrder_t;
typedef enum { @{CU|MU}SPARSE_POINTER_MODE_HOST = 0, @{CU|MU}SPARSE_POINTER_MODE_DEVICE = 1 } @{cu|mu}sparsePointerMode_t;
typedef enum { @{CU|MU}SPARSE_MATRIX_TYPE_GENERAL = 0, @{CU|MU}SPARSE_MATRIX_TYPE_SYMMETRIC = 1 } @{cu|mu}sparseMatrixType_t;
typedef enum {
  @{CU|MU}SPARSE_SPMV_ALG_DEFAULT = 0,
@cuda
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4
@end
} @{cu|mu}sparseSpMVAlg_t;
typedef enum {
  @{CU|MU}SPARSE_SPMM_ALG_DEFAULT = 0,
@cuda
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12
@end
} @{cu|mu}sparseSpMMAlg_t;
typedef enum { @{CU|MU}SPARSE_SDDMM_ALG_DEFAULT = 0 } @{cu|mu}sparseSDDMMAlg_t;

struct @{cusparseContext|EmuSparse} : ::emu::sparse::Handle {};
typedef struct @{cusparseContext|EmuSparse}* @{cu|mu}sparseHandle_t;
typedef ::emu::sparse::Matrix* @{cu|mu}sparseSpMatDescr_t;
typedef ::emu::sparse::Dense* @{cu|mu}sparseDnVecDescr_t;
typedef ::emu::sparse::Dense* @{cu|mu}sparseDnMatDescr_t;
typedef ::emu::sparse::Description* @{cu|mu}sparseMatDescr_t;
@cuda
typedef const ::emu::sparse::Matrix* cusparseConstSpMatDescr_t;
typedef const ::emu::sparse::Dense *cusparseConstDnVecDescr_t, *cusparseConstDnMatDescr_t;
@end
namespace emu {
namespace sparse {
inline @{cu|mu}sparseStatus_t ended(int error) {
  return error ? @{CU|MU}SPARSE_STATUS_EXECUTION_FAILED : @{CU|MU}SPARSE_STATUS_SUCCESS;
}
}  // namespace sparse
}  // namespace emu

#define EMU_SPARSE_NEEDS(CONDITION)                                       \
  if (!handle) return @{CU|MU}SPARSE_STATUS_NOT_INITIALIZED;             \
  if (!(CONDITION)) return @{CU|MU}SPARSE_STATUS_INVALID_VALUE;
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseCreate(@{cu|mu}sparseHandle_t* handle) {
  *handle = new @{cusparseContext|EmuSparse}();
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseDestroy(@{cu|mu}sparseHandle_t handle) {
  delete handle;
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseSetStream(@{cu|mu}sparseHandle_t handle, @rt@Stream_t stream) {
  EMU_SPARSE_NEEDS(true)
  handle->stream = stream;
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseSetPointerMode(@{cu|mu}sparseHandle_t handle, @{cu|mu}sparsePointerMode_t mode) {
  EMU_SPARSE_NEEDS(mode == @{CU|MU}SPARSE_POINTER_MODE_HOST || mode == @{CU|MU}SPARSE_POINTER_MODE_DEVICE)
  handle->scalars_on_device = mode == @{CU|MU}SPARSE_POINTER_MODE_DEVICE;
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline const char* @{cu|mu}sparseGetErrorString(@{cu|mu}sparseStatus_t status) {
  return status == @{CU|MU}SPARSE_STATUS_SUCCESS ? "success" : status == @{CU|MU}SPARSE_STATUS_NOT_SUPPORTED ? "operation not supported"
         : status == @{CU|MU}SPARSE_STATUS_INVALID_VALUE ? "invalid value" : "execution failed";
}
inline const char* @{cu|mu}sparseGetErrorName(@{cu|mu}sparseStatus_t status) {
  return status == @{CU|MU}SPARSE_STATUS_SUCCESS ? "@{CU|MU}SPARSE_STATUS_SUCCESS" : status == @{CU|MU}SPARSE_STATUS_NOT_SUPPORTED
         ? "@{CU|MU}SPARSE_STATUS_NOT_SUPPORTED" : status == @{CU|MU}SPARSE_STATUS_INVALID_VALUE
         ? "@{CU|MU}SPARSE_STATUS_INVALID_VALUE" : "@{CU|MU}SPARSE_STATUS_EXECUTION_FAILED";
}

// ---- descriptions
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseCreateMatDescr(@{cu|mu}sparseMatDescr_t* d) {
  if (!d) return @{CU|MU}SPARSE_STATUS_INVALID_VALUE;
  *d = new ::emu::sparse::Description();
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseDestroyMatDescr(@{cu|mu}sparseMatDescr_t d) {
  delete d;
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseSetMatType(@{cu|mu}sparseMatDescr_t d, @{cu|mu}sparseMatrixType_t type) {
  const int number = type;  // also of the hermitian and the triangular ones
  if (!d || number < 0 || number > 3) return @{CU|MU}SPARSE_STATUS_INVALID_VALUE;
  d->type = type;
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseSetMatIndexBase(@{cu|mu}sparseMatDescr_t d, @{cu|mu}sparseIndexBase_t base) {
  if (!d || (base != @{CU|MU}SPARSE_INDEX_BASE_ZERO && base != @{CU|MU}SPARSE_INDEX_BASE_ONE)) return @{CU|MU}SPARSE_STATUS_INVALID_VALUE;
  d->base = base;
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseCreateCsr(@{cu|mu}sparseSpMatDescr_t* m, long long rows, long long columns, long long count,
                                               void* offsets, void* indices, void* values, @{cu|mu}sparseIndexType_t offset_type,
                                               @{cu|mu}sparseIndexType_t index_type, @{cu|mu}sparseIndexBase_t base, @rt@DataType_t type) {
  *m = new ::emu::sparse::Matrix{::emu::sparse::Format::rows, rows, columns, count, offsets, indices, values, offset_type,
                                  index_type, base, type};
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseCreateCoo(@{cu|mu}sparseSpMatDescr_t* m, long long rows, long long columns, long long count,
                                               void* row_indices, void* column_indices, void* values,
                                               @{cu|mu}sparseIndexType_t index_type, @{cu|mu}sparseIndexBase_t base, @rt@DataType_t type) {
  *m = new ::emu::sparse::Matrix{::emu::sparse::Format::coordinates, rows, columns, count, row_indices, column_indices, values,
                                  index_type, index_type, base, type};
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
@cuda
inline cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* m, long long rows, long long columns, long long count,
                                          void* offsets, void* indices, void* values, cusparseIndexType_t offset_type,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType_t type) {
  *m = new ::emu::sparse::Matrix{::emu::sparse::Format::columns, rows, columns, count, offsets, indices, values, offset_type,
                                 index_type, base, type};
  return CUSPARSE_STATUS_SUCCESS;
}
@end
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseDestroySpMat(@{cu|mu}sparseSpMatDescr_t m) {
  delete m;
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseCreateDnVec(@{cu|mu}sparseDnVecDescr_t* v, long long size, void* values, @rt@DataType_t type) {
  *v = new ::emu::sparse::Dense{size, 1, size, values, type, 1};
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseDestroyDnVec(@{cu|mu}sparseDnVecDescr_t v) {
  delete v;
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseCreateDnMat(@{cu|mu}sparseDnMatDescr_t* m, long long rows, long long columns, long long step,
                                                 void* values, @rt@DataType_t type, @{cu|mu}sparseOrder_t order) {
  *m = new ::emu::sparse::Dense{rows, columns, step, values, type, order};
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseDestroyDnMat(@{cu|mu}sparseDnMatDescr_t m) {
  delete m;
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}

// ---- products; `compute` is the type of alpha and beta
#define EMU_SPARSE_SIZE(NAME, A, B, C, ALGORITHM)                                                                      \
  inline @{cu|mu}sparseStatus_t NAME(@{cu|mu}sparseHandle_t, @{cu|mu}sparseOperation_t EMU_SPARSE_OP_B, const void*, A, B,   \
                                     const void*, C, @rt@DataType_t, ALGORITHM, size_t* size) {                        \
    *size = 0;                                                                                                         \
    return @{CU|MU}SPARSE_STATUS_SUCCESS;                                                                              \
  }
#define EMU_SPARSE_OP_B
EMU_SPARSE_SIZE(@{cu|mu}sparseSpMV_bufferSize, @{cu|mu}sparseSpMatDescr_t, @{cu|mu}sparseDnVecDescr_t, @{cu|mu}sparseDnVecDescr_t,
                @{cu|mu}sparseSpMVAlg_t)
#undef EMU_SPARSE_OP_B
#define EMU_SPARSE_OP_B , @{cu|mu}sparseOperation_t
EMU_SPARSE_SIZE(@{cu|mu}sparseSpMM_bufferSize, @{cu|mu}sparseSpMatDescr_t, @{cu|mu}sparseDnMatDescr_t, @{cu|mu}sparseDnMatDescr_t,
                @{cu|mu}sparseSpMMAlg_t)
EMU_SPARSE_SIZE(@{cu|mu}sparseSDDMM_bufferSize, @{cu|mu}sparseDnMatDescr_t, @{cu|mu}sparseDnMatDescr_t, @{cu|mu}sparseSpMatDescr_t,
                @{cu|mu}sparseSDDMMAlg_t)
#undef EMU_SPARSE_OP_B
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseSpMV(@{cu|mu}sparseHandle_t handle, @{cu|mu}sparseOperation_t op, const void* alpha,
                                          @{cu|mu}sparseSpMatDescr_t a, @{cu|mu}sparseDnVecDescr_t x, const void* beta,
                                          @{cu|mu}sparseDnVecDescr_t y, @rt@DataType_t compute, @{cu|mu}sparseSpMVAlg_t, void*, EMU_SITE) {
  EMU_SPARSE_NEEDS(alpha && a && x && beta && y)
  if (!::emu::blas::known(a->type) || !::emu::blas::known(x->type) || !::emu::blas::known(compute))
    return @{CU|MU}SPARSE_STATUS_NOT_SUPPORTED;
  auto al = ::emu::blas::scalar(handle, alpha, compute), be = ::emu::blas::scalar(handle, beta, compute);
  ::emu::sparse::Matrix matrix = *a;
  ::emu::sparse::Dense from = *x, to = *y;
  if (from.rows != (op ? a->rows : a->columns) || to.rows != (op ? a->columns : a->rows))
    return @{CU|MU}SPARSE_STATUS_INVALID_VALUE;
  return ::emu::sparse::ended(::emu::blas::run(handle, "sparse::SpMV", emu_site, [=] { ::emu::sparse::multiply(op, 0, al.get(), matrix, from, be.get(), to); }));
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseSpMM(@{cu|mu}sparseHandle_t handle, @{cu|mu}sparseOperation_t op_a, @{cu|mu}sparseOperation_t op_b,
                                          const void* alpha, @{cu|mu}sparseSpMatDescr_t a, @{cu|mu}sparseDnMatDescr_t b, const void* beta,
                                          @{cu|mu}sparseDnMatDescr_t c, @rt@DataType_t compute, @{cu|mu}sparseSpMMAlg_t, void*, EMU_SITE) {
  EMU_SPARSE_NEEDS(alpha && a && b && beta && c)
  if (!::emu::blas::known(a->type) || !::emu::blas::known(b->type) || !::emu::blas::known(compute))
    return @{CU|MU}SPARSE_STATUS_NOT_SUPPORTED;
  auto al = ::emu::blas::scalar(handle, alpha, compute), be = ::emu::blas::scalar(handle, beta, compute);
  ::emu::sparse::Matrix matrix = *a;
  ::emu::sparse::Dense from = *b, to = *c;
  if (to.rows != (op_a ? a->columns : a->rows) || to.columns != (op_b ? from.rows : from.columns))
    return @{CU|MU}SPARSE_STATUS_INVALID_VALUE;
  return ::emu::sparse::ended(::emu::blas::run(handle, "sparse::SpMM", emu_site, [=] { ::emu::sparse::multiply(op_a, op_b, al.get(), matrix, from, be.get(), to); }));
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseSDDMM_preprocess(@{cu|mu}sparseHandle_t handle, @{cu|mu}sparseOperation_t, @{cu|mu}sparseOperation_t, const void*,
                                                      @{cu|mu}sparseDnMatDescr_t, @{cu|mu}sparseDnMatDescr_t, const void*,
                                                      @{cu|mu}sparseSpMatDescr_t, @rt@DataType_t, @{cu|mu}sparseSDDMMAlg_t, void*) {
  EMU_SPARSE_NEEDS(true)
  return @{CU|MU}SPARSE_STATUS_SUCCESS;
}
inline @{cu|mu}sparseStatus_t @{cu|mu}sparseSDDMM(@{cu|mu}sparseHandle_t handle, @{cu|mu}sparseOperation_t op_a, @{cu|mu}sparseOperation_t op_b,
                                           const void* alpha, @{cu|mu}sparseDnMatDescr_t a, @{cu|mu}sparseDnMatDescr_t b, const void* beta,
                                           @{cu|mu}sparseSpMatDescr_t c, @rt@DataType_t compute, @{cu|mu}sparseSDDMMAlg_t, void*, EMU_SITE) {
  EMU_SPARSE_NEEDS(alpha && a && b && beta && c)
  if (!::emu::blas::known(a->type) || !::emu::blas::known(c->type) || !::emu::blas::known(compute))
    return @{CU|MU}SPARSE_STATUS_NOT_SUPPORTED;
  auto al = ::emu::blas::scalar(handle, alpha, compute), be = ::emu::blas::scalar(handle, beta, compute);
  ::emu::sparse::Dense left = *a, right = *b;
  ::emu::sparse::Matrix to = *c;
  return ::emu::sparse::ended(::emu::blas::run(handle, "sparse::SDDMM", emu_site, [=] { ::emu::sparse::sampled(op_a, op_b, al.get(), left, right, be.get(), to); }));
}
@cuda
inline cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t, const void*, cusparseSpMatDescr_t,
                                                cusparseDnVecDescr_t, const void*, cusparseDnVecDescr_t, cudaDataType_t,
                                                cusparseSpMVAlg_t, void*) {
  EMU_SPARSE_NEEDS(true)
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t, const void*,
                                                cusparseSpMatDescr_t, cusparseDnMatDescr_t, const void*, cusparseDnMatDescr_t,
                                                cudaDataType_t, cusparseSpMMAlg_t, void*) {
  EMU_SPARSE_NEEDS(true)
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows, int count, int m, int* offsets,
                                         cusparseIndexBase_t base, EMU_SITE) {
  EMU_SPARSE_NEEDS(count >= 0 && m >= 0)
  return ::emu::sparse::ended(::emu::blas::run(handle, "sparse::Xcoo2csr", emu_site, [=] {
    for (int row = 0, i = 0; row <= m; row++) {
      while (i < count && rows[i] - base < row) i++;
      offsets[row] = i + base;
    }
  }));
}
@end
