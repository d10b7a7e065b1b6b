// The BLAS library. Both types of small floats come along with it, as CUDA has it; that MUSA's header brings them too is
// taken on trust.
#include "@rt@_bf16.h"
#include "@rt@_fp16.h"
#include "@{cu|mu}Complex.h"
#include "musify_emu/blas.h"
#define @{CU|MU}BLAS_API_H_
@cuda
#define CUBLAS_V2_H_
#define CUBLASWINAPI
#define CUBLASAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 8
#define CUBLAS_VER_PATCH 4
#define CUBLAS_VER_BUILD 1
#define CUBLAS_VERSION 120804
@end
@include libraries/blas_types.h
@include libraries/blas_vectors.h
@include libraries/blas_vector_matrix.h
@include libraries/blas_matrices.h
@include libraries/blas_any.h
@include libraries/blas_batches.h
