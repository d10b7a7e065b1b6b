// ---- vectors
#define EMU_BLAS_AXPY(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, int incy, EMU_SITE) {\
    EMU_BLAS_NEEDS(true)                                                                                              \
    auto a = ::emu::blas::scalar(handle, alpha);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::axpy", emu_site, [=] { ::emu::blas::axpy(n, a.get(), ::emu::blas::operand(x, incx), ::emu::blas::operand(y, incy)); }));\
  }
EMU_BLAS_AXPY(@{cu|mu}blasSaxpy, float)
EMU_BLAS_AXPY(@{cu|mu}blasDaxpy, double)
EMU_BLAS_AXPY(@{cu|mu}blasCaxpy, @{cu|mu}Complex)
EMU_BLAS_AXPY(@{cu|mu}blasZaxpy, @{cu|mu}DoubleComplex)
#define EMU_BLAS_SCAL(NAME, T, S)                                                                                     \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, int n, const S* alpha, T* x, int incx, EMU_SITE) {                \
    EMU_BLAS_NEEDS(true)                                                                                              \
    auto a = ::emu::blas::scalar(handle, alpha);                                                                      \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::scal", emu_site, [=] { ::emu::blas::scale(n, a.get(), ::emu::blas::operand(x, incx)); }));\
  }
EMU_BLAS_SCAL(@{cu|mu}blasSscal, float, float)
EMU_BLAS_SCAL(@{cu|mu}blasDscal, double, double)
EMU_BLAS_SCAL(@{cu|mu}blasCscal, @{cu|mu}Complex, @{cu|mu}Complex)
EMU_BLAS_SCAL(@{cu|mu}blasZscal, @{cu|mu}DoubleComplex, @{cu|mu}DoubleComplex)
EMU_BLAS_SCAL(@{cu|mu}blasCsscal, @{cu|mu}Complex, float)
EMU_BLAS_SCAL(@{cu|mu}blasZdscal, @{cu|mu}DoubleComplex, double)
#define EMU_BLAS_COPY(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, int n, const T* x, int incx, T* y, int incy, EMU_SITE) {          \
    EMU_BLAS_NEEDS(true)                                                                                              \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::copy", emu_site, [=] { ::emu::blas::copy(n, ::emu::blas::operand(x, incx), ::emu::blas::operand(y, incy)); }));\
  }
EMU_BLAS_COPY(@{cu|mu}blasScopy, float)
EMU_BLAS_COPY(@{cu|mu}blasDcopy, double)
EMU_BLAS_COPY(@{cu|mu}blasCcopy, @{cu|mu}Complex)
EMU_BLAS_COPY(@{cu|mu}blasZcopy, @{cu|mu}DoubleComplex)
#define EMU_BLAS_SWAP(NAME, T)                                                                                        \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, int n, T* x, int incx, T* y, int incy, EMU_SITE) {                \
    EMU_BLAS_NEEDS(true)                                                                                              \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::swap", emu_site, [=] { ::emu::blas::swap(n, ::emu::blas::operand(x, incx), ::emu::blas::operand(y, incy)); }));\
  }
EMU_BLAS_SWAP(@{cu|mu}blasSswap, float)
EMU_BLAS_SWAP(@{cu|mu}blasDswap, double)
EMU_BLAS_SWAP(@{cu|mu}blasCswap, @{cu|mu}Complex)
EMU_BLAS_SWAP(@{cu|mu}blasZswap, @{cu|mu}DoubleComplex)
#define EMU_BLAS_DOT(NAME, T, CONJUGATE)                                                                              \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, T* out, EMU_SITE) {\
    EMU_BLAS_NEEDS(out)                                                                                               \
    return EMU_BLAS_DONE(::emu::blas::result(handle, "blas::dot", out, ::emu::blas::type_of<T>::value, emu_site, [=] { return ::emu::blas::dot(n, ::emu::blas::operand(x, incx), ::emu::blas::operand(y, incy), CONJUGATE); }));\
  }
EMU_BLAS_DOT(@{cu|mu}blasSdot, float, false)
EMU_BLAS_DOT(@{cu|mu}blasDdot, double, false)
EMU_BLAS_DOT(@{cu|mu}blasCdotu, @{cu|mu}Complex, false)
EMU_BLAS_DOT(@{cu|mu}blasZdotu, @{cu|mu}DoubleComplex, false)
EMU_BLAS_DOT(@{cu|mu}blasCdotc, @{cu|mu}Complex, true)
EMU_BLAS_DOT(@{cu|mu}blasZdotc, @{cu|mu}DoubleComplex, true)
#define EMU_BLAS_SIZE(NAME, T, R, WHAT, F)                                                                            \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, int n, const T* x, int incx, R* out, EMU_SITE) {                  \
    EMU_BLAS_NEEDS(out)                                                                                               \
    return EMU_BLAS_DONE(::emu::blas::result(handle, WHAT, out, ::emu::blas::type_of<R>::value, emu_site, [=] { return ::emu::blas::Value{::emu::blas::F(n, ::emu::blas::operand(x, incx)), 0}; }));\
  }
EMU_BLAS_SIZE(@{cu|mu}blasSnrm2, float, float, "blas::nrm2", norm)
EMU_BLAS_SIZE(@{cu|mu}blasDnrm2, double, double, "blas::nrm2", norm)
EMU_BLAS_SIZE(@{cu|mu}blasScnrm2, @{cu|mu}Complex, float, "blas::nrm2", norm)
EMU_BLAS_SIZE(@{cu|mu}blasDznrm2, @{cu|mu}DoubleComplex, double, "blas::nrm2", norm)
EMU_BLAS_SIZE(@{cu|mu}blasSasum, float, float, "blas::asum", sum_of_sizes)
EMU_BLAS_SIZE(@{cu|mu}blasDasum, double, double, "blas::asum", sum_of_sizes)
EMU_BLAS_SIZE(@{cu|mu}blasScasum, @{cu|mu}Complex, float, "blas::asum", sum_of_sizes)
EMU_BLAS_SIZE(@{cu|mu}blasDzasum, @{cu|mu}DoubleComplex, double, "blas::asum", sum_of_sizes)
#define EMU_BLAS_EXTREME(NAME, T, WHAT, GREATEST)                                                                     \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, int n, const T* x, int incx, int* out, EMU_SITE) {                \
    EMU_BLAS_NEEDS(out)                                                                                               \
    return EMU_BLAS_DONE(::emu::blas::result(handle, WHAT, out, ::emu::blas::i32, emu_site, [=] { return ::emu::blas::Value{static_cast<double>(::emu::blas::extreme(n, ::emu::blas::operand(x, incx), GREATEST)), 0}; }));\
  }
EMU_BLAS_EXTREME(@{cu|mu}blasIsamax, float, "blas::amax", true)
EMU_BLAS_EXTREME(@{cu|mu}blasIdamax, double, "blas::amax", true)
EMU_BLAS_EXTREME(@{cu|mu}blasIcamax, @{cu|mu}Complex, "blas::amax", true)
EMU_BLAS_EXTREME(@{cu|mu}blasIzamax, @{cu|mu}DoubleComplex, "blas::amax", true)
EMU_BLAS_EXTREME(@{cu|mu}blasIsamin, float, "blas::amin", false)
EMU_BLAS_EXTREME(@{cu|mu}blasIdamin, double, "blas::amin", false)
EMU_BLAS_EXTREME(@{cu|mu}blasIcamin, @{cu|mu}Complex, "blas::amin", false)
EMU_BLAS_EXTREME(@{cu|mu}blasIzamin, @{cu|mu}DoubleComplex, "blas::amin", false)
#define EMU_BLAS_ROT(NAME, T, R, S)                                                                                   \
  EMU_BLAS_STATUS NAME(@{cu|mu}blasHandle_t handle, int n, T* x, int incx, T* y, int incy, const R* c, const S* s, EMU_SITE) {\
    EMU_BLAS_NEEDS(true)                                                                                              \
    auto cosine = ::emu::blas::scalar(handle, c);                                                                     \
    auto sine = ::emu::blas::scalar(handle, s);                                                                       \
    return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::rot", emu_site, [=] { ::emu::blas::rotate(n, ::emu::blas::operand(x, incx), ::emu::blas::operand(y, incy), cosine.get().re, sine.get()); }));\
  }
EMU_BLAS_ROT(@{cu|mu}blasSrot, float, float, float)
EMU_BLAS_ROT(@{cu|mu}blasDrot, double, double, double)
EMU_BLAS_ROT(@{cu|mu}blasCrot, @{cu|mu}Complex, float, @{cu|mu}Complex)
EMU_BLAS_ROT(@{cu|mu}blasCsrot, @{cu|mu}Complex, float, float)
EMU_BLAS_ROT(@{cu|mu}blasZrot, @{cu|mu}DoubleComplex, double, @{cu|mu}DoubleComplex)
EMU_BLAS_ROT(@{cu|mu}blasZdrot, @{cu|mu}DoubleComplex, double, double)
