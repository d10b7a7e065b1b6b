// ---- a matrix and vectors
#define EMU_BLAS_GEMV(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op, int m, int n, const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy, EMU_SITE) {\
    EMU_BLAS_NEEDS(m >= 0 && n >= 0 && incx != 0 && incy != 0 && lda >= (m > 1 ? m : 1))                              \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    auto be = ::emu::blas::scalar(handle, beta);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::gemv", emu_site, [=] { ::emu::blas::times_vector(op, m, n, al.get(), ::emu::blas::operand(a, lda), ::emu::blas::operand(x, incx), be.get(), ::emu::blas::operand(y, incy)); }));\
  }
EMU_BLAS_GEMV(@{cu|mu}blasSgemv, float)
EMU_BLAS_GEMV(@{cu|mu}blasDgemv, double)
EMU_BLAS_GEMV(@{cu|mu}blasCgemv, @{cu|mu}Complex)
EMU_BLAS_GEMV(@{cu|mu}blasZgemv, @{cu|mu}DoubleComplex)
#define EMU_BLAS_GER(NAME, T, CONJUGATE)                                                                              \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda, EMU_SITE) {\
    EMU_BLAS_NEEDS(m >= 0 && n >= 0 && incx != 0 && incy != 0 && lda >= (m > 1 ? m : 1))                              \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::ger", emu_site, [=] { ::emu::blas::rank_one(m, n, al.get(), ::emu::blas::operand(x, incx), ::emu::blas::operand(y, incy), CONJUGATE, ::emu::blas::operand(a, lda)); }));\
  }
EMU_BLAS_GER(@{cu|mu}blasSger, float, false)
EMU_BLAS_GER(@{cu|mu}blasDger, double, false)
EMU_BLAS_GER(@{cu|mu}blasCgeru, @{cu|mu}Complex, false)
EMU_BLAS_GER(@{cu|mu}blasZgeru, @{cu|mu}DoubleComplex, false)
EMU_BLAS_GER(@{cu|mu}blasCgerc, @{cu|mu}Complex, true)
EMU_BLAS_GER(@{cu|mu}blasZgerc, @{cu|mu}DoubleComplex, true)
#define EMU_BLAS_SYMV(NAME, T, HERMITIAN)                                                                             \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasFillMode_t part, int n, const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy, EMU_SITE) {\
    EMU_BLAS_NEEDS(n >= 0 && incx != 0 && incy != 0 && lda >= (n > 1 ? n : 1))                                        \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    auto be = ::emu::blas::scalar(handle, beta);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::symv", emu_site, [=] {                                       \
      ::emu::blas::Full full(n, ::emu::blas::type_of<T>::value);                                                      \
      ::emu::blas::complete(n, ::emu::blas::operand(a, lda), part, HERMITIAN, full);                                  \
      ::emu::blas::times_vector(::emu::blas::plain, n, n, al.get(), full, ::emu::blas::operand(x, incx), be.get(), ::emu::blas::operand(y, incy));\
    }));                                                                                                              \
  }
EMU_BLAS_SYMV(@{cu|mu}blasSsymv, float, false)
EMU_BLAS_SYMV(@{cu|mu}blasDsymv, double, false)
EMU_BLAS_SYMV(@{cu|mu}blasChemv, @{cu|mu}Complex, true)
EMU_BLAS_SYMV(@{cu|mu}blasZhemv, @{cu|mu}DoubleComplex, true)
#define EMU_BLAS_SYR(NAME, T, S, HERMITIAN)                                                                           \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasFillMode_t part, int n, const S* alpha, const T* x, int incx, T* a, int lda, EMU_SITE) {\
    EMU_BLAS_NEEDS(n >= 0 && incx != 0 && lda >= (n > 1 ? n : 1))                                                     \
    auto al = ::emu::blas::scalar(handle, alpha);                                                                     \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::syr", emu_site, [=] { ::emu::blas::rank_one(n, n, al.get(), ::emu::blas::operand(x, incx), ::emu::blas::operand(x, incx), HERMITIAN, ::emu::blas::operand(a, lda), part); }));\
  }
EMU_BLAS_SYR(@{cu|mu}blasSsyr, float, float, false)
EMU_BLAS_SYR(@{cu|mu}blasDsyr, double, double, false)
EMU_BLAS_SYR(@{cu|mu}blasCher, @{cu|mu}Complex, float, true)
EMU_BLAS_SYR(@{cu|mu}blasZher, @{cu|mu}DoubleComplex, double, true)
#define EMU_BLAS_TRSV(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasFillMode_t part, @{cu|mu}blasOperation_t op, @{cu|mu}blasDiagType_t diagonal, int n, const T* a, int lda, T* x, int incx, EMU_SITE) {\
    EMU_BLAS_NEEDS(n >= 0 && incx != 0 && lda >= (n > 1 ? n : 1))                                                     \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::trsv", emu_site, [=] {                                       \
      ::emu::blas::Vector all(n, ::emu::blas::operand(x, incx));                                                      \
      ::emu::blas::solve_triangular(true, part, op, diagonal == @{CU|MU}BLAS_DIAG_UNIT, n, 1, ::emu::blas::Value{1, 0}, ::emu::blas::operand(a, lda), all.packed);\
      all.put_back();                                                                                                 \
    }));                                                                                                              \
  }
EMU_BLAS_TRSV(@{cu|mu}blasStrsv, float)
EMU_BLAS_TRSV(@{cu|mu}blasDtrsv, double)
EMU_BLAS_TRSV(@{cu|mu}blasCtrsv, @{cu|mu}Complex)
EMU_BLAS_TRSV(@{cu|mu}blasZtrsv, @{cu|mu}DoubleComplex)
#define EMU_BLAS_TRMV(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, @{cu|mu}blasFillMode_t part, @{cu|mu}blasOperation_t op, @{cu|mu}blasDiagType_t diagonal, int n, const T* a, int lda, T* x, int incx, EMU_SITE) {\
    EMU_BLAS_NEEDS(n >= 0 && incx != 0 && lda >= (n > 1 ? n : 1))                                                     \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::trmv", emu_site, [=] {                                       \
      ::emu::blas::Full full(n, ::emu::blas::type_of<T>::value);                                                      \
      ::emu::blas::triangle(n, ::emu::blas::operand(a, lda), part, diagonal == @{CU|MU}BLAS_DIAG_UNIT, full);         \
      ::emu::blas::times_vector(op, n, n, ::emu::blas::Value{1, 0}, full, ::emu::blas::operand(x, incx), ::emu::blas::Value{0, 0}, ::emu::blas::operand(x, incx));\
    }));                                                                                                              \
  }
EMU_BLAS_TRMV(@{cu|mu}blasStrmv, float)
EMU_BLAS_TRMV(@{cu|mu}blasDtrmv, double)
EMU_BLAS_TRMV(@{cu|mu}blasCtrmv, @{cu|mu}Complex)
EMU_BLAS_TRMV(@{cu|mu}blasZtrmv, @{cu|mu}DoubleComplex)
