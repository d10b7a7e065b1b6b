// ---- matrices
#define EMU_BLAS_GEMM(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op_a, @{cu|mu}blasOperation_t op_b, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc, EMU_SITE) {\
    EMU_BLAS_NEEDS(m >= 0 && n >= 0 && k >= 0 && lda >= (op_a ? k : m) && ldb >= (op_b ? n : k) && ldc >= m)          \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    auto be = ::emu::blas::scalar(handle, beta);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::gemm", emu_site, [=] { ::emu::blas::multiply(op_a, op_b, m, n, k, al.get(), ::emu::blas::operand(a, lda), ::emu::blas::operand(b, ldb), be.get(), ::emu::blas::operand(c, ldc)); }));\
  }
EMU_BLAS_GEMM(@{cu|mu}blasSgemm, float)
EMU_BLAS_GEMM(@{cu|mu}blasDgemm, double)
EMU_BLAS_GEMM(@{cu|mu}blasCgemm, @{cu|mu}Complex)
EMU_BLAS_GEMM(@{cu|mu}blasZgemm, @{cu|mu}DoubleComplex)
EMU_BLAS_GEMM(@{cu|mu}blasHgemm, __half)
#define EMU_BLAS_SYMM(NAME, T, HERMITIAN)                                                                             \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasSideMode_t side, @{cu|mu}blasFillMode_t part, int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc, EMU_SITE) {\
    EMU_BLAS_NEEDS(m >= 0 && n >= 0)                                                                                  \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    auto be = ::emu::blas::scalar(handle, beta);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::symm", emu_site, [=] {                                       \
      bool left = side == @{CU|MU}BLAS_SIDE_LEFT;                                                                     \
      ::emu::blas::Full full(left ? m : n, ::emu::blas::type_of<T>::value);                                           \
      ::emu::blas::complete(left ? m : n, ::emu::blas::operand(a, lda), part, HERMITIAN, full);                       \
      ::emu::blas::Operand first = left ? ::emu::blas::Operand(full) : ::emu::blas::operand(b, ldb), second = left ? ::emu::blas::operand(b, ldb) : ::emu::blas::Operand(full);\
      ::emu::blas::multiply(::emu::blas::plain, ::emu::blas::plain, m, n, left ? m : n, al.get(), first, second, be.get(), ::emu::blas::operand(c, ldc));\
    }));                                                                                                              \
  }
EMU_BLAS_SYMM(@{cu|mu}blasSsymm, float, false)
EMU_BLAS_SYMM(@{cu|mu}blasDsymm, double, false)
EMU_BLAS_SYMM(@{cu|mu}blasCsymm, @{cu|mu}Complex, false)
EMU_BLAS_SYMM(@{cu|mu}blasZsymm, @{cu|mu}DoubleComplex, false)
EMU_BLAS_SYMM(@{cu|mu}blasChemm, @{cu|mu}Complex, true)
EMU_BLAS_SYMM(@{cu|mu}blasZhemm, @{cu|mu}DoubleComplex, true)
#define EMU_BLAS_SYRK(NAME, T, S, HERMITIAN)                                                                          \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasFillMode_t part, @{cu|mu}blasOperation_t op, int n, int k, const S* alpha, const T* a, int lda, const S* beta, T* c, int ldc, EMU_SITE) {\
    EMU_BLAS_NEEDS(n >= 0 && k >= 0)                                                                                  \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    auto be = ::emu::blas::scalar(handle, beta);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::syrk", emu_site, [=] {                                       \
      int other = HERMITIAN ? ::emu::blas::conjugated : ::emu::blas::transposed;                                      \
      ::emu::blas::multiply(op ? other : ::emu::blas::plain, op ? ::emu::blas::plain : other, n, n, k, al.get(), ::emu::blas::operand(a, lda), ::emu::blas::operand(a, lda), be.get(), ::emu::blas::operand(c, ldc), part);\
    }));                                                                                                              \
  }
EMU_BLAS_SYRK(@{cu|mu}blasSsyrk, float, float, false)
EMU_BLAS_SYRK(@{cu|mu}blasDsyrk, double, double, false)
EMU_BLAS_SYRK(@{cu|mu}blasCsyrk, @{cu|mu}Complex, @{cu|mu}Complex, false)
EMU_BLAS_SYRK(@{cu|mu}blasZsyrk, @{cu|mu}DoubleComplex, @{cu|mu}DoubleComplex, false)
EMU_BLAS_SYRK(@{cu|mu}blasCherk, @{cu|mu}Complex, float, true)
EMU_BLAS_SYRK(@{cu|mu}blasZherk, @{cu|mu}DoubleComplex, double, true)
#define EMU_BLAS_TRSM(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasSideMode_t side, @{cu|mu}blasFillMode_t part, @{cu|mu}blasOperation_t op, @{cu|mu}blasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, T* b, int ldb, EMU_SITE) {\
    EMU_BLAS_NEEDS(m >= 0 && n >= 0)                                                                                  \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::trsm", emu_site, [=] { ::emu::blas::solve_triangular(side == @{CU|MU}BLAS_SIDE_LEFT, part, op, diagonal == @{CU|MU}BLAS_DIAG_UNIT, m, n, al.get(), ::emu::blas::operand(a, lda), ::emu::blas::operand(b, ldb)); }));\
  }
EMU_BLAS_TRSM(@{cu|mu}blasStrsm, float)
EMU_BLAS_TRSM(@{cu|mu}blasDtrsm, double)
EMU_BLAS_TRSM(@{cu|mu}blasCtrsm, @{cu|mu}Complex)
EMU_BLAS_TRSM(@{cu|mu}blasZtrsm, @{cu|mu}DoubleComplex)
#define EMU_BLAS_TRMM(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasSideMode_t side, @{cu|mu}blasFillMode_t part, @{cu|mu}blasOperation_t op, @{cu|mu}blasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb, T* c, int ldc, EMU_SITE) {\
    EMU_BLAS_NEEDS(m >= 0 && n >= 0)                                                                                  \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::trmm", emu_site, [=] {                                       \
      bool left = side == @{CU|MU}BLAS_SIDE_LEFT;                                                                     \
      ::emu::blas::Full full(left ? m : n, ::emu::blas::type_of<T>::value);                                           \
      ::emu::blas::triangle(left ? m : n, ::emu::blas::operand(a, lda), part, diagonal == @{CU|MU}BLAS_DIAG_UNIT, full);\
      ::emu::blas::Operand first = left ? ::emu::blas::Operand(full) : ::emu::blas::operand(b, ldb), second = left ? ::emu::blas::operand(b, ldb) : ::emu::blas::Operand(full);\
      ::emu::blas::multiply(left ? static_cast<int>(op) : 0, left ? 0 : static_cast<int>(op), m, n, left ? m : n, al.get(), first, second, ::emu::blas::Value{0, 0}, ::emu::blas::operand(c, ldc));\
    }));                                                                                                              \
  }
EMU_BLAS_TRMM(@{cu|mu}blasStrmm, float)
EMU_BLAS_TRMM(@{cu|mu}blasDtrmm, double)
EMU_BLAS_TRMM(@{cu|mu}blasCtrmm, @{cu|mu}Complex)
EMU_BLAS_TRMM(@{cu|mu}blasZtrmm, @{cu|mu}DoubleComplex)
#define EMU_BLAS_GEAM(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op_a, @{cu|mu}blasOperation_t op_b, int m, int n, const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc, EMU_SITE) {\
    EMU_BLAS_NEEDS(m >= 0 && n >= 0)                                                                                  \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    auto be = ::emu::blas::scalar(handle, beta);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::geam", emu_site, [=] { ::emu::blas::combine(op_a, op_b, m, n, al.get(), ::emu::blas::operand(a, lda), be.get(), ::emu::blas::operand(b, ldb), ::emu::blas::operand(c, ldc)); }));\
  }
EMU_BLAS_GEAM(@{cu|mu}blasSgeam, float)
EMU_BLAS_GEAM(@{cu|mu}blasDgeam, double)
EMU_BLAS_GEAM(@{cu|mu}blasCgeam, @{cu|mu}Complex)
EMU_BLAS_GEAM(@{cu|mu}blasZgeam, @{cu|mu}DoubleComplex)
#define EMU_BLAS_DGMM(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasSideMode_t side, int m, int n, const T* a, int lda, const T* x, int incx, T* c, int ldc, EMU_SITE) {\
    EMU_BLAS_NEEDS(m >= 0 && n >= 0)                                                                                  \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::dgmm", emu_site, [=] { ::emu::blas::scale_by_diagonal(side == @{CU|MU}BLAS_SIDE_LEFT, m, n, ::emu::blas::operand(a, lda), ::emu::blas::operand(x, incx), ::emu::blas::operand(c, ldc)); }));\
  }
EMU_BLAS_DGMM(@{cu|mu}blasSdgmm, float)
EMU_BLAS_DGMM(@{cu|mu}blasDdgmm, double)
EMU_BLAS_DGMM(@{cu|mu}blasCdgmm, @{cu|mu}Complex)
EMU_BLAS_DGMM(@{cu|mu}blasZdgmm, @{cu|mu}DoubleComplex)
