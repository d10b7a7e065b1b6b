// The light BLAS library: its handle. Descriptions of products, and products, are not here.
#include "@{cublas_v2|mublas}.h"
typedef struct @{cublasLtContext|EmuBlasLt}* @{cublasLtHandle_t|mublasLtHandle_t};
struct @{cublasLtContext|EmuBlasLt} {};
inline @{cublasStatus_t|mublasStatus_t} @{cublasLtCreate|mublasLtCreate}(@{cublasLtHandle_t|mublasLtHandle_t}* handle) {
  *handle = new @{cublasLtContext|EmuBlasLt}();
  return @{CUBLAS_STATUS_SUCCESS|MUBLAS_STATUS_SUCCESS};
}
inline @{cublasStatus_t|mublasStatus_t} @{cublasLtDestroy|mublasLtDestroy}(@{cublasLtHandle_t|mublasLtHandle_t} handle) {
  delete handle;
  return @{CUBLAS_STATUS_SUCCESS|MUBLAS_STATUS_SUCCESS};
}
