// ---- batches of small matrices, by an array of pointers or by strides
#define EMU_BLAS_GEMM_BATCHED(NAME, T)                                                                                \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op_a, @{cu|mu}blasOperation_t op_b, int m, int n, int k,\
                       const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta, T* const c[],\
                       int ldc, int count, EMU_SITE) {                                                                \
    EMU_BLAS_NEEDS(m >= 0 && n >= 0 && k >= 0 && count >= 0)                                                          \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    auto be = ::emu::blas::scalar(handle, beta);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::gemm", emu_site, [=] {                                       \
      for (int i = 0; i < count; i++)                                                                                 \
        ::emu::blas::multiply(op_a, op_b, m, n, k, al.get(), ::emu::blas::operand(a[i], lda), ::emu::blas::operand(b[i], ldb),\
                              be.get(), ::emu::blas::operand(c[i], ldc));                                             \
    }));                                                                                                              \
  }
EMU_BLAS_GEMM_BATCHED(@{cu|mu}blasSgemmBatched, float)
EMU_BLAS_GEMM_BATCHED(@{cu|mu}blasDgemmBatched, double)
EMU_BLAS_GEMM_BATCHED(@{cu|mu}blasCgemmBatched, @{cu|mu}Complex)
EMU_BLAS_GEMM_BATCHED(@{cu|mu}blasZgemmBatched, @{cu|mu}DoubleComplex)
EMU_BLAS_GEMM_BATCHED(@{cu|mu}blasHgemmBatched, __half)
#define EMU_BLAS_GEMM_STRIDED(NAME, T)                                                                                \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op_a, @{cu|mu}blasOperation_t op_b, int m, int n, int k,\
                       const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb, long long stride_b,\
                       const T* beta, T* c, int ldc, long long stride_c, int count, EMU_SITE) {                       \
    EMU_BLAS_NEEDS(m >= 0 && n >= 0 && k >= 0 && count >= 0)                                                          \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    auto be = ::emu::blas::scalar(handle, beta);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::gemm", emu_site, [=] {                                       \
      for (int i = 0; i < count; i++)                                                                                 \
        ::emu::blas::multiply(op_a, op_b, m, n, k, al.get(), ::emu::blas::operand(a + i * stride_a, lda),             \
                              ::emu::blas::operand(b + i * stride_b, ldb), be.get(), ::emu::blas::operand(c + i * stride_c, ldc));\
    }));                                                                                                              \
  }
EMU_BLAS_GEMM_STRIDED(@{cu|mu}blasSgemmStridedBatched, float)
EMU_BLAS_GEMM_STRIDED(@{cu|mu}blasDgemmStridedBatched, double)
EMU_BLAS_GEMM_STRIDED(@{cu|mu}blasCgemmStridedBatched, @{cu|mu}Complex)
EMU_BLAS_GEMM_STRIDED(@{cu|mu}blasZgemmStridedBatched, @{cu|mu}DoubleComplex)
EMU_BLAS_GEMM_STRIDED(@{cu|mu}blasHgemmStridedBatched, __half)
#define EMU_BLAS_TRSM_BATCHED(NAME, T)                                                                                \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasSideMode_t side, @{cu|mu}blasFillMode_t part, @{cu|mu}blasOperation_t op,\
                       @{cu|mu}blasDiagType_t diagonal, int m, int n, const T* alpha, const T* const a[], int lda, T* const b[],\
                       int ldb, int count, EMU_SITE) {                                                                \
    EMU_BLAS_NEEDS(m >= 0 && n >= 0 && count >= 0)                                                                    \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::trsm", emu_site, [=] {                                       \
      for (int i = 0; i < count; i++)                                                                                 \
        ::emu::blas::solve_triangular(side == @{CU|MU}BLAS_SIDE_LEFT, part, op, diagonal == @{CU|MU}BLAS_DIAG_UNIT, m, n,\
                                      al.get(), ::emu::blas::operand(a[i], lda), ::emu::blas::operand(b[i], ldb));    \
    }));                                                                                                              \
  }
EMU_BLAS_TRSM_BATCHED(@{cu|mu}blasStrsmBatched, float)
EMU_BLAS_TRSM_BATCHED(@{cu|mu}blasDtrsmBatched, double)
EMU_BLAS_TRSM_BATCHED(@{cu|mu}blasCtrsmBatched, @{cu|mu}Complex)
EMU_BLAS_TRSM_BATCHED(@{cu|mu}blasZtrsmBatched, @{cu|mu}DoubleComplex)
#define EMU_BLAS_FACTORS(GETRF, GETRS, GETRI, MATINV, GELS, T)                                                        \
  EMU_BLAS_STATUS GETRF(@{cu|mu}blasHandle_t handle, int n, T* const a[], int lda, int* pivots, int* info, int count, EMU_SITE) {\
    EMU_BLAS_NEEDS(n >= 0 && count >= 0)                                                                              \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::getrf", emu_site, [=] {                                      \
      for (int i = 0; i < count; i++)                                                                                 \
        info[i] = ::emu::blas::factor_lu(n, ::emu::blas::operand(a[i], lda), pivots ? pivots + i * n : nullptr);      \
    }));                                                                                                              \
  }                                                                                                                   \
  EMU_BLAS_STATUS GETRS(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op, int n, int columns, const T* const a[], int lda,\
                        const int* pivots, T* const b[], int ldb, int* info, int count, EMU_SITE) {                   \
    EMU_BLAS_NEEDS(n >= 0 && count >= 0)                                                                              \
    *info = 0;                                                                                                        \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::getrs", emu_site, [=] {                                      \
      for (int i = 0; i < count; i++)                                                                                 \
        ::emu::blas::solve_lu(op, n, columns, ::emu::blas::operand(a[i], lda), pivots ? pivots + i * n : nullptr,     \
                              ::emu::blas::operand(b[i], ldb));                                                       \
    }));                                                                                                              \
  }                                                                                                                   \
  EMU_BLAS_STATUS GETRI(@{cu|mu}blasHandle_t handle, int n, const T* const a[], int lda, const int* pivots, T* const c[], int ldc,\
                        int* info, int count, EMU_SITE) {                                                             \
    EMU_BLAS_NEEDS(n >= 0 && count >= 0)                                                                              \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::getri", emu_site, [=] {                                      \
      for (int i = 0; i < count; i++) {                                                                               \
        info[i] = 0;                                                                                                  \
        ::emu::blas::invert_lu(n, ::emu::blas::operand(a[i], lda), pivots ? pivots + i * n : nullptr, ::emu::blas::operand(c[i], ldc));\
      }                                                                                                               \
    }));                                                                                                              \
  }                                                                                                                   \
  EMU_BLAS_STATUS MATINV(@{cu|mu}blasHandle_t handle, int n, const T* const a[], int lda, T* const c[], int ldc, int* info, int count,\
                         EMU_SITE) {                                                                                  \
    EMU_BLAS_NEEDS(n >= 0 && n <= 32 && count >= 0)                                                                   \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::matinv", emu_site, [=] {                                     \
      std::vector<int> pivots(static_cast<size_t>(n));                                                                \
      for (int i = 0; i < count; i++) {                                                                               \
        ::emu::blas::Full work(n, ::emu::blas::type_of<T>::value);                                                    \
        ::emu::blas::complete(n, ::emu::blas::operand(a[i], lda), ::emu::blas::whole, false, work);                   \
        info[i] = ::emu::blas::factor_lu(n, work, pivots.data());                                                     \
        if (!info[i]) ::emu::blas::invert_lu(n, work, pivots.data(), ::emu::blas::operand(c[i], ldc));                \
      }                                                                                                               \
    }));                                                                                                              \
  }                                                                                                                   \
  EMU_BLAS_STATUS GELS(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op, int m, int n, int columns, T* const a[], int lda, T* const c[],\
                       int ldc, int* info, int* infos, int count, EMU_SITE) {                                         \
    EMU_BLAS_NEEDS(n >= 0 && count >= 0)                                                                              \
    *info = 0;                                                                                                        \
    if (op || m < n) return @{CU|MU}BLAS_STATUS_NOT_SUPPORTED;                                                        \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::gels", emu_site, [=] {                                       \
      for (int i = 0; i < count; i++) {                                                                               \
        int error = ::emu::blas::least_squares(m, n, columns, ::emu::blas::operand(a[i], lda), ::emu::blas::operand(c[i], ldc));\
        if (infos) infos[i] = error;                                                                                  \
      }                                                                                                               \
    }));                                                                                                              \
  }
EMU_BLAS_FACTORS(@{cu|mu}blasSgetrfBatched, @{cu|mu}blasSgetrsBatched, @{cu|mu}blasSgetriBatched,
                 @{cu|mu}blasSmatinvBatched, @{cu|mu}blasSgelsBatched, float)
EMU_BLAS_FACTORS(@{cu|mu}blasDgetrfBatched, @{cu|mu}blasDgetrsBatched, @{cu|mu}blasDgetriBatched,
                 @{cu|mu}blasDmatinvBatched, @{cu|mu}blasDgelsBatched, double)
EMU_BLAS_FACTORS(@{cu|mu}blasCgetrfBatched, @{cu|mu}blasCgetrsBatched, @{cu|mu}blasCgetriBatched,
                 @{cu|mu}blasCmatinvBatched, @{cu|mu}blasCgelsBatched, @{cu|mu}Complex)
EMU_BLAS_FACTORS(@{cu|mu}blasZgetrfBatched, @{cu|mu}blasZgetrsBatched, @{cu|mu}blasZgetriBatched,
                 @{cu|mu}blasZmatinvBatched, @{cu|mu}blasZgelsBatched, @{cu|mu}DoubleComplex)
