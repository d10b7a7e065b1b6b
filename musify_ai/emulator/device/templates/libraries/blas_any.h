// ---- operands whose types are arguments
namespace emu {
namespace blas {
struct Product {
  int op_a, op_b;
  long long m, n, k;
  Scalar alpha, beta;
  Operand a, b, c;
  void run_at(long long i, long long stride_a, long long stride_b, long long stride_c) const {
    multiply(op_a, op_b, m, n, k, alpha.get(), a.at(i * stride_a), b.at(i * stride_b), beta.get(), c.at(i * stride_c));
  }
};
inline bool known(const Product& p) {
  bool same_kind = is_complex(p.a.type) == is_complex(p.b.type) && is_complex(p.a.type) == is_complex(p.c.type);
  return known(p.a.type) && known(p.b.type) && known(p.c.type) && same_kind;
}
}  // namespace blas
}  // namespace emu
// `compute` is a compute type; CUDA also takes a data type, as it was of old.
#define EMU_BLAS_PRODUCT(COMPUTE)                                                                                     \
  int scalars = ::emu::blas::scalar_type(static_cast<int>(COMPUTE), ::emu::blas::is_complex(type_a));                            \
  ::emu::blas::Product p{op_a, op_b, m, n, k, ::emu::blas::scalar(handle, alpha, scalars), ::emu::blas::scalar(handle, beta, scalars), \
                           ::emu::blas::operand(a, type_a, lda), ::emu::blas::operand(b, type_b, ldb), ::emu::blas::operand(c, type_c, ldc)}; \
  if (!::emu::blas::known(p)) return @{CU|MU}BLAS_STATUS_NOT_SUPPORTED;
template <class Compute>
EMU_BLAS_STATUS @{cu|mu}blasGemmEx(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op_a, @{cu|mu}blasOperation_t op_b, int m, int n, int k,
                                    const void* alpha, const void* a, @rt@DataType_t type_a, int lda, const void* b,
                                    @rt@DataType_t type_b, int ldb, const void* beta, void* c, @rt@DataType_t type_c, int ldc,
                                    Compute compute, @{cu|mu}blasGemmAlgo_t, EMU_SITE) {
  EMU_BLAS_NEEDS(m >= 0 && n >= 0 && k >= 0)
  EMU_BLAS_PRODUCT(compute)
  return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::gemm", emu_site, [=] { p.run_at(0, 0, 0, 0); }));
}
EMU_BLAS_STATUS @{cu|mu}blasSgemmEx(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op_a, @{cu|mu}blasOperation_t op_b, int m, int n, int k,
                                     const float* alpha, const void* a, @rt@DataType_t type_a, int lda, const void* b,
                                     @rt@DataType_t type_b, int ldb, const float* beta, void* c, @rt@DataType_t type_c, int ldc, EMU_SITE) {
  EMU_BLAS_NEEDS(m >= 0 && n >= 0 && k >= 0)
  EMU_BLAS_PRODUCT(@{CU|MU}BLAS_COMPUTE_32F)
  return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::gemm", emu_site, [=] { p.run_at(0, 0, 0, 0); }));
}
template <class Compute>
EMU_BLAS_STATUS @{cu|mu}blasGemmStridedBatchedEx(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op_a, @{cu|mu}blasOperation_t op_b,
                                                  int m, int n, int k, const void* alpha, const void* a, @rt@DataType_t type_a,
                                                  int lda, long long stride_a, const void* b, @rt@DataType_t type_b, int ldb,
                                                  long long stride_b, const void* beta, void* c, @rt@DataType_t type_c, int ldc,
                                                  long long stride_c, int count, Compute compute, @{cu|mu}blasGemmAlgo_t,
                                                  EMU_SITE) {
  EMU_BLAS_NEEDS(m >= 0 && n >= 0 && k >= 0 && count >= 0)
  EMU_BLAS_PRODUCT(compute)
  return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::gemm", emu_site, [=] {
    for (int i = 0; i < count; i++) p.run_at(i, stride_a, stride_b, stride_c);
  }));
}
template <class Compute>
EMU_BLAS_STATUS @{cu|mu}blasGemmBatchedEx(@{cu|mu}blasHandle_t handle, @{cu|mu}blasOperation_t op_a, @{cu|mu}blasOperation_t op_b, int m,
                                           int n, int k, const void* alpha, const void* const* as, @rt@DataType_t type_a, int lda,
                                           const void* const* bs, @rt@DataType_t type_b, int ldb, const void* beta, void* const* cs,
                                           @rt@DataType_t type_c, int ldc, int count, Compute compute, @{cu|mu}blasGemmAlgo_t, EMU_SITE) {
  EMU_BLAS_NEEDS(m >= 0 && n >= 0 && k >= 0 && count >= 0)
  const void *a = nullptr, *b = nullptr;
  void* c = nullptr;
  EMU_BLAS_PRODUCT(compute)
  return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::gemm", emu_site, [=] {
    for (int i = 0; i < count; i++) {
      ::emu::blas::Product one = p;
      one.a.data = const_cast<void*>(as[i]);
      one.b.data = const_cast<void*>(bs[i]);
      one.c.data = cs[i];
      one.run_at(0, 0, 0, 0);
    }
  }));
}
EMU_BLAS_STATUS @{cu|mu}blasDotEx(@{cu|mu}blasHandle_t handle, int n, const void* x, @rt@DataType_t type_x, int incx, const void* y,
                                   @rt@DataType_t type_y, int incy, void* out, @rt@DataType_t type_out, @rt@DataType_t, EMU_SITE) {
  EMU_BLAS_NEEDS(out)
  if (!::emu::blas::known(type_x) || !::emu::blas::known(type_y) || !::emu::blas::known(type_out)) return @{CU|MU}BLAS_STATUS_NOT_SUPPORTED;
  return EMU_BLAS_DONE(::emu::blas::result(handle, "blas::dot", out, type_out, emu_site, [=] {
    return ::emu::blas::dot(n, ::emu::blas::operand(x, type_x, incx), ::emu::blas::operand(y, type_y, incy), false);
  }));
}
EMU_BLAS_STATUS @{cu|mu}blasNrm2Ex(@{cu|mu}blasHandle_t handle, int n, const void* x, @rt@DataType_t type_x, int incx, void* out,
                                    @rt@DataType_t type_out, @rt@DataType_t, EMU_SITE) {
  EMU_BLAS_NEEDS(out)
  if (!::emu::blas::known(type_x) || !::emu::blas::known(type_out)) return @{CU|MU}BLAS_STATUS_NOT_SUPPORTED;
  return EMU_BLAS_DONE(::emu::blas::result(handle, "blas::nrm2", out, type_out, emu_site, [=] {
    return ::emu::blas::Value{::emu::blas::norm(n, ::emu::blas::operand(x, type_x, incx)), 0};
  }));
}
EMU_BLAS_STATUS @{cu|mu}blasAxpyEx(@{cu|mu}blasHandle_t handle, int n, const void* alpha, @rt@DataType_t type_alpha, const void* x,
                                    @rt@DataType_t type_x, int incx, void* y, @rt@DataType_t type_y, int incy, @rt@DataType_t, EMU_SITE) {
  EMU_BLAS_NEEDS(true)
  if (!::emu::blas::known(type_x) || !::emu::blas::known(type_y) || !::emu::blas::known(type_alpha)) return @{CU|MU}BLAS_STATUS_NOT_SUPPORTED;
  auto al = ::emu::blas::scalar(handle, alpha, type_alpha);
  return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::axpy", emu_site, [=] {
    ::emu::blas::axpy(n, al.get(), ::emu::blas::operand(x, type_x, incx), ::emu::blas::operand(y, type_y, incy));
  }));
}
EMU_BLAS_STATUS @{cu|mu}blasScalEx(@{cu|mu}blasHandle_t handle, int n, const void* alpha, @rt@DataType_t type_alpha, void* x, @rt@DataType_t type_x,
                                    int incx, @rt@DataType_t, EMU_SITE) {
  EMU_BLAS_NEEDS(true)
  if (!::emu::blas::known(type_x) || !::emu::blas::known(type_alpha)) return @{CU|MU}BLAS_STATUS_NOT_SUPPORTED;
  auto al = ::emu::blas::scalar(handle, alpha, type_alpha);
  return EMU_BLAS_DONE(::emu::blas::run(handle, "blas::scal", emu_site, [=] {
    ::emu::blas::scale(n, al.get(), ::emu::blas::operand(x, type_x, incx));
  }));
}
