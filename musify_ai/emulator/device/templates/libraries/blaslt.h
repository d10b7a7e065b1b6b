// The light BLAS library: products with what is done to their results.
#include "@{cublas_v2|mublas}.h"
#include "musify_emu/blaslt.h"
typedef enum @{cublasLtMatmulDescAttributes_t|mublasLtMatmulDescAttributes_t} {
  @{CU|MU}BLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  @{CU|MU}BLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  @{CU|MU}BLASLT_MATMUL_DESC_POINTER_MODE = 2,
  @{CU|MU}BLASLT_MATMUL_DESC_TRANSA = 3,
  @{CU|MU}BLASLT_MATMUL_DESC_TRANSB = 4,
  @{CU|MU}BLASLT_MATMUL_DESC_TRANSC = 5,
  @{CU|MU}BLASLT_MATMUL_DESC_FILL_MODE = 6,
  @{CU|MU}BLASLT_MATMUL_DESC_EPILOGUE = 7,
  @{CU|MU}BLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  @{CU|MU}BLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  @{CU|MU}BLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  @{CU|MU}BLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  @{CU|MU}BLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
@cuda
  CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,
  CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
@end
} @{cu|mu}blasLtMatmulDescAttributes_t;
typedef enum @{cublasLtEpilogue_t|mublasLtEpilogue_t} {
  @{CU|MU}BLASLT_EPILOGUE_DEFAULT = 1,
  @{CU|MU}BLASLT_EPILOGUE_RELU = 2,
  @{CU|MU}BLASLT_EPILOGUE_RELU_AUX = 130,
  @{CU|MU}BLASLT_EPILOGUE_BIAS = 4,
  @{CU|MU}BLASLT_EPILOGUE_RELU_BIAS = 6,
  @{CU|MU}BLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  @{CU|MU}BLASLT_EPILOGUE_DRELU = 136,
  @{CU|MU}BLASLT_EPILOGUE_DRELU_BGRAD = 152,
  @{CU|MU}BLASLT_EPILOGUE_GELU = 32,
  @{CU|MU}BLASLT_EPILOGUE_GELU_AUX = 160,
  @{CU|MU}BLASLT_EPILOGUE_GELU_BIAS = 36,
  @{CU|MU}BLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  @{CU|MU}BLASLT_EPILOGUE_DGELU = 192,
  @{CU|MU}BLASLT_EPILOGUE_DGELU_BGRAD = 208,
  @{CU|MU}BLASLT_EPILOGUE_BGRADA = 256,
  @{CU|MU}BLASLT_EPILOGUE_BGRADB = 512
} @{cu|mu}blasLtEpilogue_t;
typedef enum @{cublasLtMatrixLayoutAttribute_t|mublasLtMatrixLayoutAttribute_t} {
  @{CU|MU}BLASLT_MATRIX_LAYOUT_TYPE = 0,
  @{CU|MU}BLASLT_MATRIX_LAYOUT_ORDER = 1,
  @{CU|MU}BLASLT_MATRIX_LAYOUT_ROWS = 2,
  @{CU|MU}BLASLT_MATRIX_LAYOUT_COLS = 3,
  @{CU|MU}BLASLT_MATRIX_LAYOUT_LD = 4,
  @{CU|MU}BLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  @{CU|MU}BLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
} @{cu|mu}blasLtMatrixLayoutAttribute_t;
typedef enum @{cublasLtOrder_t|mublasLtOrder_t} {
  @{CU|MU}BLASLT_ORDER_COL = 0,
  @{CU|MU}BLASLT_ORDER_ROW = 1,
  @{CU|MU}BLASLT_ORDER_COL32 = 2
} @{cu|mu}blasLtOrder_t;
typedef enum @{cublasLtPointerMode_t|mublasLtPointerMode_t} {
  @{CU|MU}BLASLT_POINTER_MODE_HOST = 0,
  @{CU|MU}BLASLT_POINTER_MODE_DEVICE = 1
} @{cu|mu}blasLtPointerMode_t;
typedef enum @{cublasLtMatmulPreferenceAttributes_t|mublasLtMatmulPreferenceAttributes_t} {
  @{CU|MU}BLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
} @{cu|mu}blasLtMatmulPreferenceAttributes_t;

struct @{cublasLtContext|EmuBlasLt} {};
typedef struct @{cublasLtContext|EmuBlasLt}* @{cu|mu}blasLtHandle_t;
typedef ::emu::blaslt::Product @{cu|mu}blasLtMatmulDescOpaque_t, *@{cu|mu}blasLtMatmulDesc_t;
typedef ::emu::blaslt::Layout @{cu|mu}blasLtMatrixLayoutOpaque_t, *@{cu|mu}blasLtMatrixLayout_t;
typedef ::emu::blaslt::Preference @{cu|mu}blasLtMatmulPreferenceOpaque_t, *@{cu|mu}blasLtMatmulPreference_t;
typedef struct @{cublasLtMatmulAlgo_t|mublasLtMatmulAlgo_t} {
  unsigned long long data[8];
} @{cu|mu}blasLtMatmulAlgo_t;
typedef struct @{cublasLtMatmulHeuristicResult_t|mublasLtMatmulHeuristicResult_t} {
  @{cu|mu}blasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  @{cu|mu}blasStatus_t state;
  float wavesCount;
  int reserved[4];
} @{cu|mu}blasLtMatmulHeuristicResult_t;

EMU_BLAS_STATUS @{cu|mu}blasLtCreate(@{cu|mu}blasLtHandle_t* handle) {
  *handle = new @{cublasLtContext|EmuBlasLt}();
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtDestroy(@{cu|mu}blasLtHandle_t handle) {
  delete handle;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmulDescInit(@{cu|mu}blasLtMatmulDesc_t desc, @{cu|mu}blasComputeType_t compute,
                                             @rt@DataType_t scale) {
  if (!desc) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
  *desc = {};
  desc->compute = compute;
  desc->scale = scale;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmulDescCreate(@{cu|mu}blasLtMatmulDesc_t* desc, @{cu|mu}blasComputeType_t compute,
                                               @rt@DataType_t scale) {
  *desc = new @{cu|mu}blasLtMatmulDescOpaque_t();
  return @{cu|mu}blasLtMatmulDescInit(*desc, compute, scale);
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmulDescDestroy(@{cu|mu}blasLtMatmulDesc_t desc) {
  delete desc;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmulDescSetAttribute(@{cu|mu}blasLtMatmulDesc_t desc,
                                                     @{cu|mu}blasLtMatmulDescAttributes_t attribute, const void* value, size_t size,
                                                     EMU_SITE) {
  if (!desc || !value) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
  auto take = [&](auto* to) {
    if (size < sizeof *to) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
    memcpy(to, value, sizeof *to);
    return @{CU|MU}BLAS_STATUS_SUCCESS;
  };
@cuda
  signed char ignored;
@end
  switch (attribute) {
    case @{CU|MU}BLASLT_MATMUL_DESC_COMPUTE_TYPE: return take(&desc->compute);
    case @{CU|MU}BLASLT_MATMUL_DESC_SCALE_TYPE: return take(&desc->scale);
    case @{CU|MU}BLASLT_MATMUL_DESC_POINTER_MODE: return take(&desc->pointers);
    case @{CU|MU}BLASLT_MATMUL_DESC_TRANSA: return take(&desc->op_a);
    case @{CU|MU}BLASLT_MATMUL_DESC_TRANSB: return take(&desc->op_b);
    case @{CU|MU}BLASLT_MATMUL_DESC_EPILOGUE: return take(&desc->epilogue);
    case @{CU|MU}BLASLT_MATMUL_DESC_BIAS_POINTER: return take(&desc->bias);
    case @{CU|MU}BLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE: return take(&desc->bias_stride);
    case @{CU|MU}BLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return take(&desc->aux);
    case @{CU|MU}BLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return take(&desc->aux_step);
    case @{CU|MU}BLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE: return take(&desc->aux_stride);
@cuda
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return take(&ignored);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: return take(&desc->aux_type);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return take(&desc->bias_type);
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET: return take(&ignored);
@end
    default: ::emu::host::not_emulated("@{cu|mu}blasLtMatmulDescSetAttribute of this attribute", emu_site);
  }
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatrixLayoutInit(@{cu|mu}blasLtMatrixLayout_t layout, @rt@DataType_t type, unsigned long long rows,
                                               unsigned long long columns, long long step) {
  if (!layout) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
  *layout = {};
  layout->type = type;
  layout->rows = rows;
  layout->columns = columns;
  layout->step = step;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatrixLayoutCreate(@{cu|mu}blasLtMatrixLayout_t* layout, @rt@DataType_t type, unsigned long long rows,
                                                 unsigned long long columns, long long step) {
  *layout = new @{cu|mu}blasLtMatrixLayoutOpaque_t();
  return @{cu|mu}blasLtMatrixLayoutInit(*layout, type, rows, columns, step);
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatrixLayoutDestroy(@{cu|mu}blasLtMatrixLayout_t layout) {
  delete layout;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatrixLayoutSetAttribute(@{cu|mu}blasLtMatrixLayout_t layout,
                                                       @{cu|mu}blasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                       size_t size, EMU_SITE) {
  if (!layout || !value) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
  auto take = [&](auto* to) {
    if (size < sizeof *to) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
    memcpy(to, value, sizeof *to);
    return @{CU|MU}BLAS_STATUS_SUCCESS;
  };
  switch (attribute) {
    case @{CU|MU}BLASLT_MATRIX_LAYOUT_TYPE: return take(&layout->type);
    case @{CU|MU}BLASLT_MATRIX_LAYOUT_ORDER: return take(&layout->order);
    case @{CU|MU}BLASLT_MATRIX_LAYOUT_ROWS: return take(&layout->rows);
    case @{CU|MU}BLASLT_MATRIX_LAYOUT_COLS: return take(&layout->columns);
    case @{CU|MU}BLASLT_MATRIX_LAYOUT_LD: return take(&layout->step);
    case @{CU|MU}BLASLT_MATRIX_LAYOUT_BATCH_COUNT: return take(&layout->batches);
    case @{CU|MU}BLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return take(&layout->stride);
    default: ::emu::host::not_emulated("@{cu|mu}blasLtMatrixLayoutSetAttribute of this attribute", emu_site);
  }
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmulPreferenceInit(@{cu|mu}blasLtMatmulPreference_t preference) {
  if (!preference) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
  *preference = {};
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmulPreferenceCreate(@{cu|mu}blasLtMatmulPreference_t* preference) {
  *preference = new @{cu|mu}blasLtMatmulPreferenceOpaque_t();
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmulPreferenceDestroy(@{cu|mu}blasLtMatmulPreference_t preference) {
  delete preference;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmulPreferenceSetAttribute(@{cu|mu}blasLtMatmulPreference_t preference,
                                                           @{cu|mu}blasLtMatmulPreferenceAttributes_t attribute, const void* value, size_t size) {
  const bool known = attribute == @{CU|MU}BLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
  if (!preference || !value || size < sizeof(size_t) || !known) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
  memcpy(&preference->workspace, value, sizeof preference->workspace);
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmulAlgoGetHeuristic(@{cu|mu}blasLtHandle_t handle, @{cu|mu}blasLtMatmulDesc_t,
                                                     @{cu|mu}blasLtMatrixLayout_t, @{cu|mu}blasLtMatrixLayout_t,
                                                     @{cu|mu}blasLtMatrixLayout_t, @{cu|mu}blasLtMatrixLayout_t,
                                                     @{cu|mu}blasLtMatmulPreference_t, int wanted,
                                                     @{cu|mu}blasLtMatmulHeuristicResult_t results[], int* found) {
  EMU_BLAS_NEEDS(wanted > 0 && results && found)
  results[0] = {};
  *found = 1;
  return @{CU|MU}BLAS_STATUS_SUCCESS;
}
EMU_BLAS_STATUS @{cu|mu}blasLtMatmul(@{cu|mu}blasLtHandle_t handle, @{cu|mu}blasLtMatmulDesc_t desc, const void* alpha, const void* a,
                                     @{cu|mu}blasLtMatrixLayout_t layout_a, const void* b, @{cu|mu}blasLtMatrixLayout_t layout_b,
                                     const void* beta, const void* c, @{cu|mu}blasLtMatrixLayout_t layout_c, void* d,
                                     @{cu|mu}blasLtMatrixLayout_t layout_d, const @{cu|mu}blasLtMatmulAlgo_t*, void*, size_t,
                                     @rt@Stream_t stream, EMU_SITE) {
  EMU_BLAS_NEEDS(desc && layout_a && layout_b && layout_d)
  ::emu::blaslt::Product p = *desc;
  ::emu::blaslt::Layout la = *layout_a, lb = *layout_b, lc = layout_c ? *layout_c : *layout_d, ld = *layout_d;
  bool types = ::emu::blas::known(la.type) && ::emu::blas::known(lb.type) && ::emu::blas::known(lc.type) &&
               ::emu::blas::known(ld.type) && la.order < 2 && lb.order < 2 && lc.order < 2 && ld.order < 2;
  if (!types || p.pointers > 1 || !::emu::blaslt::known(p.epilogue) || (p.epilogue != 1 && ::emu::blas::is_complex(ld.type)))
    ::emu::host::not_emulated("@{cu|mu}blasLtMatmul of these types, order, pointer mode or epilogue", emu_site);
  ::emu::blas::Handle scalars{stream, 0, p.pointers == 1, 0};
  auto al = ::emu::blas::scalar(&scalars, alpha, p.scale), be = ::emu::blas::scalar(&scalars, beta, p.scale);
  bool shapes = ld.rows == (p.op_a ? la.columns : la.rows) && ld.columns == (p.op_b ? lb.rows : lb.columns) &&
                (p.op_a ? la.rows : la.columns) == (p.op_b ? lb.columns : lb.rows);
  if (!shapes) return @{CU|MU}BLAS_STATUS_INVALID_VALUE;
  return EMU_BLAS_DONE(::emu::blas::run(&scalars, "blas::matmul", emu_site, [=] {
    for (int i = 0; i < ld.batches; i++)
      ::emu::blaslt::run(p, al.get(), a, la, b, lb, be.get(), c, lc, d, ld, i);
  }));
}
