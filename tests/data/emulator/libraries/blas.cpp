// BLAS: each function against a plain loop or a closed form, for real and complex types.
#ifdef __MUSACC__
#include <mublas.h>
#include <mublasLt.h>
#define BLAS(name) mublas##name
#define BLAS_(name) MUBLAS##name
#define LT(name) mublasLt##name
#define LT_(name) MUBLASLT_##name
#define COMPLEX(name) mu##name
#define DATA(name) MUSA##name
#else
#include <cublasLt.h>
#include <cublas_v2.h>
#define BLAS(name) cublas##name
#define BLAS_(name) CUBLAS##name
#define LT(name) cublasLt##name
#define LT_(name) CUBLASLT_##name
#define COMPLEX(name) cu##name
#define DATA(name) CUDA##name
#endif

#include <string>

#include "check.h"

using std::vector;
using Complex = COMPLEX(Complex);
using DoubleComplex = COMPLEX(DoubleComplex);
BLAS(Handle_t) h;
const BLAS(Operation_t) N = BLAS_(_OP_N), T = BLAS_(_OP_T), C = BLAS_(_OP_C);
const BLAS(FillMode_t) LOWER = BLAS_(_FILL_MODE_LOWER), UPPER = BLAS_(_FILL_MODE_UPPER);
const BLAS(SideMode_t) LEFT = BLAS_(_SIDE_LEFT), RIGHT = BLAS_(_SIDE_RIGHT);
const BLAS(DiagType_t) UNIT = BLAS_(_DIAG_UNIT), NON_UNIT = BLAS_(_DIAG_NON_UNIT);
double some(int i) { return (i * 7 % 11) - 5; }

// A matrix by columns on both sides of the bus.
struct Matrix {
  int rows, columns;
  vector<double> host;
  Buffer<double> device;
  Matrix(int m, int n, int start = 0)
      : rows(m), columns(n), host(made(size_t(m * n), [&](int i) { return some(i + start); })), device(host) {}
  double operator()(int i, int j) const { return host[size_t(j * rows + i)]; }
  operator double*() { return device; }
};

void vectors() {
  const int n = 9;
  double two = 2, number;
  int index;
  auto x = made(n, [](int i) { return some(i); }), y = made(n, [](int i) { return some(i + 3); });
  Buffer<double> dx(x), dy(y);
  BLAS(Daxpy)(h, n, &two, dx, 1, dy, 1);
  check_all("axpy", dy.read(), made(n, [&](int i) { return 2 * x[i] + y[i]; }));
  dy = y;
  BLAS(Daxpy)(h, 4, &two, dx, 2, dy, -1);
  check_all("axpy with a step of 2 and one of -1", dy.read(4), made(4, [&](int i) { return 2 * x[2 * (3 - i)] + y[i]; }));
  dy = y;
  BLAS(Ddot)(h, n, dx, 1, dy, 1, &number);
  double dot = 0, squares = 0, sizes = 0;
  for (int i = 0; i < n; i++) dot += x[i] * y[i], squares += x[i] * x[i], sizes += std::fabs(x[i]);
  check("dot", number == dot);
  BLAS(Dnrm2)(h, n, dx, 1, &number);
  check_near("nrm2", number, std::sqrt(squares), 1e-15);
  BLAS(Dasum)(h, n, dx, 1, &number);
  check("asum", number == sizes);
  BLAS(Idamax)(h, n, dx, 1, &index);
  check("amax counts from 1 and gives the first", index == 1);
  BLAS(Idamin)(h, n, dx, 1, &index);
  check("amin", index == 8);
  BLAS(Dscal)(h, n, &two, dx, 1);
  check_all("scal", dx.read(), made(n, [&](int i) { return 2 * x[i]; }));
  dx = x;
  BLAS(Dswap)(h, n, dx, 1, dy, 1);
  check_all("swap", dx.read(), y);
  BLAS(Dcopy)(h, n, dx, 1, dy, 1);
  check_all("copy", dy.read(), y);
  dx = x;
  double c = 0.6, s = 0.8;
  BLAS(Drot)(h, n, dx, 1, dy, 1, &c, &s);
  check_near("rot", dx.read()[2], 0.6 * x[2] + 0.8 * y[2], 1e-15);
  check_near("rot, the other", dy.read()[2], 0.6 * y[2] - 0.8 * x[2], 1e-15);

  Buffer<double> scalar(vector<double>{3});
  dy = y;
  BLAS(SetPointerMode)(h, BLAS_(_POINTER_MODE_DEVICE));
  BLAS(Dscal)(h, n, scalar, dy, 1);
  BLAS(Ddot)(h, n, dy, 1, dy, 1, scalar);
  BLAS(SetPointerMode)(h, BLAS_(_POINTER_MODE_HOST));
  double sum = 0;
  for (double v : y) sum += 9 * v * v;
  check("scalars and results on the device", scalar.read()[0] == sum);

  vector<float> ones(20'000'000, 1.0f);
  Buffer<float> many(ones);
  float total;
  BLAS(Sdot)(h, 20'000'000, many, 1, many, 1, &total);
  check("a long dot of floats does not stop at 2^24", total == 2e7f);
  Buffer<__half> halves(vector<__half>(100, __half(3.0f)));
  __half product;
  BLAS(DotEx)(h, 100, halves, DATA(_R_16F), 1, halves, DATA(_R_16F), 1, &product, DATA(_R_16F), DATA(_R_32F));
  check("DotEx of halves", float(product) == 900);

  Buffer<Complex> z(vector<Complex>{{1, 2}, {3, -1}}), w(vector<Complex>{{2, 0}, {1, 1}});
  Complex value;
  float size;
  BLAS(Cdotu)(h, 2, z, 1, w, 1, &value);
  check("dotu", value.x == 6 && value.y == 6);
  BLAS(Cdotc)(h, 2, z, 1, w, 1, &value);
  check("dotc", value.x == 4 && value.y == 0);
  BLAS(Scnrm2)(h, 2, z, 1, &size);
  check_near("nrm2 of complex numbers", size, std::sqrt(15.0), 1e-7);
  BLAS(Scasum)(h, 2, z, 1, &size);
  check("asum of complex numbers adds both parts", size == 7);
}

void matrix_and_vector() {
  Matrix a(4, 3);
  auto x = made(4, [](int i) { return some(i + 2); }), y = made(4, [](int i) { return some(i + 5); });
  Buffer<double> dx(x), dy(y);
  double two = 2, three = 3;
  BLAS(Dgemv)(h, N, 4, 3, &two, a, 4, dx, 1, &three, dy, 1);
  check_all("gemv", dy.read(), made(4, [&](int i) {
              return 2 * (a(i, 0) * x[0] + a(i, 1) * x[1] + a(i, 2) * x[2]) + 3 * y[i];
            }));
  dy = y;
  BLAS(Dgemv)(h, T, 4, 3, &two, a, 4, dx, 1, &three, dy, 1);
  check_all("gemv, transposed", dy.read(3), made(3, [&](int j) {
              return 2 * (a(0, j) * x[0] + a(1, j) * x[1] + a(2, j) * x[2] + a(3, j) * x[3]) + 3 * y[j];
            }));
  dy = y;
  BLAS(Dger)(h, 4, 3, &two, dx, 1, dy, 1, a, 4);
  check_all("ger", a.device.read(), made(12, [&](int i) { return a.host[i] + 2 * x[i % 4] * y[i / 4]; }));

  Matrix s(4, 4, 3);
  double zero = 0, one = 1;
  for (auto part : {LOWER, UPPER}) {
    auto at = [&](int i, int j) { return (part == LOWER) == (i >= j) || i == j ? s(i, j) : s(j, i); };
    BLAS(Dsymv)(h, part, 4, &one, s, 4, dx, 1, &zero, dy, 1);
    check_all(part == LOWER ? "symv, lower" : "symv, upper", dy.read(), made(4, [&](int i) {
                return at(i, 0) * x[0] + at(i, 1) * x[1] + at(i, 2) * x[2] + at(i, 3) * x[3];
              }));
  }
  s.host = {2, 1, -3, 5, 9, 4, 2, 1, 9, 9, 5, -2, 9, 9, 9, 3};  // lower: 2; 1 4; -3 2 5; 5 1 -2 3
  s.device = s.host;
  dx = vector<double>{2, 9, 13, 12};
  BLAS(Dtrsv)(h, LOWER, N, NON_UNIT, 4, s, 4, dx, 1);
  check_all("trsv", dx.read(), vector<double>{1, 2, 2.4, (12 - 5 - 2 + 4.8) / 3});
  dx = vector<double>{1, 2, 3, 4};
  BLAS(Dtrmv)(h, LOWER, T, UNIT, 4, s, 4, dx, 1);
  check_all("trmv", dx.read(), vector<double>{1 + 2 - 9 + 20, 2 + 6 + 4, 3 - 8, 4});
}

void matrices() {
  Matrix a(4, 3), b(3, 5, 4), at(3, 4), bt(5, 3, 4), c(4, 5, 9);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) at.host[size_t(i * 3 + j)] = a(i, j);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++) bt.host[size_t(i * 5 + j)] = b(i, j);
  at.device = at.host;
  bt.device = bt.host;
  double two = 2, half = 0.5, zero = 0, one = 1;
  auto product = made(20, [&](int e) {
    int i = e % 4, j = e / 4;
    return 2 * (a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j)) + 0.5 * c.host[e];
  });
  struct { BLAS(Operation_t) a, b; const char* name; } ops[] = {{N, N, "gemm NN"}, {T, N, "gemm TN"}, {N, T, "gemm NT"}, {C, T, "gemm CT"}};
  for (auto& op : ops) {
    c.device = c.host;
    BLAS(Dgemm)(h, op.a, op.b, 4, 5, 3, &two, op.a == N ? (double*)a : (double*)at, op.a == N ? 4 : 3, op.b == N ? (double*)b : (double*)bt,
                op.b == N ? 3 : 5, &half, c, 4);
    check_all(op.name, c.device.read(), product);
  }
  c.device = vector<double>(20, NAN);
  BLAS(Dgemm)(h, N, N, 4, 5, 3, &two, a, 4, b, 3, &zero, c, 4);
  check("gemm with beta of 0 does not read C", c.device.read()[7] == product[7] - 0.5 * c.host[7]);
  check("gemm refuses a leading dimension that is too small",
        BLAS(Dgemm)(h, N, N, 4, 5, 3, &two, a, 3, b, 3, &zero, c, 4) == BLAS_(_STATUS_INVALID_VALUE));
  Buffer<Complex> z(vector<Complex>{{1, 1}, {0, 2}, {3, 0}, {1, -1}}), w(4);
  Complex unit{1, 0}, nothing{0, 0};
  BLAS(Cgemm)(h, C, N, 2, 2, 2, &unit, z, 2, z, 2, &nothing, w, 2);
  auto gram = w.read();
  check("gemm of complex numbers, conjugated", gram[0].x == 6 && gram[0].y == 0 && gram[1].x == 1 && gram[1].y == 5 &&
                                                   gram[2].x == 1 && gram[2].y == -5 && gram[3].x == 11);

  Buffer<__half> ha(made(12, [&](int i) { return __half(float(a.host[i])); })), hb(made(15, [&](int i) { return __half(float(b.host[i])); })), hc(20);
  float alpha = 2, beta = 0;
  BLAS(GemmEx)(h, N, N, 4, 5, 3, &alpha, ha, DATA(_R_16F), 4, hb, DATA(_R_16F), 3, &beta, hc, DATA(_R_16F), 4,
               BLAS_(_COMPUTE_32F), BLAS_(_GEMM_DEFAULT));
  check("GemmEx of halves", float(hc.read()[7]) == product[7] - 0.5 * c.host[7]);
  Buffer<signed char> ia(made(12, [&](int i) { return (signed char)(a.host[i]); })), ib(made(15, [&](int i) { return (signed char)(b.host[i]); }));
  Buffer<int> ic(20);
  int ione = 1, izero = 0;
  BLAS(GemmEx)(h, N, N, 4, 5, 3, &ione, ia, DATA(_R_8I), 4, ib, DATA(_R_8I), 3, &izero, ic, DATA(_R_32I), 4,
               BLAS_(_COMPUTE_32I), BLAS_(_GEMM_DEFAULT));
  check("GemmEx of bytes", ic.read()[7] == (product[7] - 0.5 * c.host[7]) / 2);

  Matrix many(4, 6), others(3, 10, 2), outs(4, 10);
  auto strided = made(40, [&](int e) {
    int batch = e / 20, i = e % 4, j = e / 4 % 5;
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += many(i, batch * 3 + k) * others(k, batch * 5 + j);
    return sum;
  });
  BLAS(DgemmStridedBatched)(h, N, N, 4, 5, 3, &one, many, 4, 12, others, 3, 15, &zero, outs, 4, 20, 2);
  check_all("gemmStridedBatched", outs.device.read(), strided);
  Buffer<double*> pa(vector<double*>{many, (double*)many + 12}), pb(vector<double*>{others, (double*)others + 15}), pc(vector<double*>{outs, (double*)outs + 20});
  outs.device = vector<double>(40, 0);
  BLAS(DgemmBatched)(h, N, N, 4, 5, 3, &one, pa, 4, pb, 3, &zero, pc, 4, 2);
  check_all("gemmBatched", outs.device.read(), strided);
  outs.device = vector<double>(40, 0);
  BLAS(GemmStridedBatchedEx)(h, N, N, 4, 5, 3, &one, (double*)many, DATA(_R_64F), 4, 12, (double*)others, DATA(_R_64F), 3, 15, &zero,
                             (double*)outs, DATA(_R_64F), 4, 20, 2, BLAS_(_COMPUTE_64F), BLAS_(_GEMM_DEFAULT));
  check_all("GemmStridedBatchedEx", outs.device.read(), strided);
  outs.device = vector<double>(40, 0);
  BLAS(GemmBatchedEx)(h, N, N, 4, 5, 3, &one, (const void* const*)(double**)pa, DATA(_R_64F), 4, (const void* const*)(double**)pb,
                      DATA(_R_64F), 3, &zero, (void* const*)(double**)pc, DATA(_R_64F), 4, 2, BLAS_(_COMPUTE_64F), BLAS_(_GEMM_DEFAULT));
  check_all("GemmBatchedEx", outs.device.read(), strided);

  // a triangular system, solved and multiplied back, by side, part, operation and diagonal
  bool good = true;
  for (auto side : {LEFT, RIGHT})
    for (auto part : {LOWER, UPPER})
      for (auto op : {N, T})
        for (auto diagonal : {UNIT, NON_UNIT}) {
          Matrix t(3, 3, 1), x(3, 3, 6);
          for (int i = 0; i < 3; i++) t.host[size_t(i * 4)] = i + 2;
          t.device = t.host;
          BLAS(Dtrsm)(h, side, part, op, diagonal, 3, 3, &two, t, 3, x, 3);
          BLAS(Dtrmm)(h, side, part, op, diagonal, 3, 3, &half, t, 3, x, 3, x, 3);
          auto back = x.device.read();
          for (size_t i = 0; i < 9; i++) good = good && std::fabs(back[i] - x.host[i]) < 1e-12;
        }
  check("trsm is undone by trmm", good);
  Matrix u(2, 2);
  u.host = {2, 9, 4, 8};  // upper: 2 4; 0 8
  u.device = u.host;
  Buffer<double> rhs(vector<double>{2, 8});
  BLAS(Dtrsm)(h, LEFT, UPPER, N, NON_UNIT, 2, 1, &one, u, 2, rhs, 2);
  check_all("trsm", rhs.read(), vector<double>{-1, 1});
  Matrix sym(3, 3, 2), full(3, 3), left(3, 5, 1), result(3, 5);
  BLAS(Dsymm)(h, LEFT, UPPER, 3, 5, &one, sym, 3, left, 3, &zero, result, 3);
  good = true;
  auto got = result.device.read();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += (i <= k ? sym(i, k) : sym(k, i)) * left(k, j);
      good = good && got[size_t(j * 3 + i)] == sum;
    }
  check("symm", good);
  BLAS(Dsyrk)(h, LOWER, N, 3, 5, &one, left, 3, &zero, full, 3);
  got = full.device.read();
  good = got[3] == full(0, 1);  // above the diagonal nothing is written
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < 5; k++) sum += left(i, k) * left(j, k);
      good = good && got[size_t(j * 3 + i)] == sum;
    }
  check("syrk", good);
  BLAS(Dgeam)(h, T, N, 3, 4, &two, a, 4, &one, at, 3, full.rows == 3 ? (double*)many : nullptr, 3);
  check_all("geam transposes and adds", many.device.read(12), made(12, [&](int i) { return 3 * at.host[i]; }));
  Buffer<double> diagonal(vector<double>{1, 10, 100, 1000});
  BLAS(Ddgmm)(h, LEFT, 4, 3, a, 4, diagonal, 1, many, 4);
  check_all("dgmm", many.device.read(12), made(12, [&](int i) { return a.host[i] * std::pow(10, i % 4); }));
}

void factors() {
  vector<double> a{2, 4, 8, 1, 3, 7, 1, 3, 9};  // by columns
  Buffer<double> da(a), out(9), b(vector<double>{1, 2, 3});
  Buffer<double*> pa(vector<double*>{da}), pout(vector<double*>{out}), pb(vector<double*>{b});
  Buffer<int> pivots(3), info(1);
  int status;
  BLAS(DgetrfBatched)(h, 3, pa, 3, pivots, info, 1);
  check_all("getrfBatched pivots", pivots.read(), vector<int>{3, 3, 3});
  BLAS(DgetrsBatched)(h, N, 3, 1, (const double* const*)(double**)pa, 3, pivots, pb, 3, &status, 1);
  auto x = b.read();
  check_near("getrsBatched", 4 * x[0] + 3 * x[1] + 3 * x[2], 2, 1e-12);
  BLAS(DgetriBatched)(h, 3, (const double* const*)(double**)pa, 3, pivots, pout, 3, info, 1);
  auto inverse = out.read();
  check_near("getriBatched", inverse[0] * 2 + inverse[3] * 4 + inverse[6] * 8, 1, 1e-12);
  da = a;
  BLAS(DmatinvBatched)(h, 3, (const double* const*)(double**)pa, 3, pout, 3, info, 1);
  check_near("matinvBatched", out.read()[4], inverse[4], 1e-12);
  da = vector<double>{1, 2, 3, 2, 4, 6, 1, 1, 1};
  BLAS(DgetrfBatched)(h, 3, pa, 3, pivots, info, 1);
  check("a singular matrix is told by its diagonal", info.read()[0] != 0);

  // the line 1 + 2 t through four points, by least squares; and with complex numbers
  Buffer<double> design(vector<double>{1, 1, 1, 1, 0, 1, 2, 3}), values(vector<double>{1, 3, 5, 7});
  Buffer<double*> pd(vector<double*>{design}), pv(vector<double*>{values});
  BLAS(DgelsBatched)(h, N, 4, 2, 1, pd, 4, pv, 4, &status, info, 1);
  check_near("gelsBatched", values.read()[0], 1, 1e-12);
  check_near("gelsBatched, the other", values.read()[1], 2, 1e-12);
  Buffer<DoubleComplex> cd(vector<DoubleComplex>{{0, 1}, {1, 0}, {1, 1}, {2, 0}, {0, 0}, {1, -1}}), cv(vector<DoubleComplex>{{-1, 4}, {1, 1}, {1.5, 3.5}});
  Buffer<DoubleComplex*> pcd(vector<DoubleComplex*>{cd}), pcv(vector<DoubleComplex*>{cv});
  BLAS(ZgelsBatched)(h, N, 3, 2, 1, pcd, 3, pcv, 3, &status, info, 1);  // x = (1 + i, 1.5 i) for the first and second row
  auto z = cv.read();
  check("gelsBatched of complex numbers", std::fabs(z[0].x - 1) < 1e-12 && std::fabs(z[0].y - 1) < 1e-12 &&
                                              std::fabs(z[1].x - 0) < 1e-12 && std::fabs(z[1].y - 1.5) < 1e-12);
}

float gelu(float x) { return 0.5f * x * (1 + std::tanh(0.79788456f * (x + 0.044715f * x * x * x))); }
void light() {
  LT(Handle_t) lt;
  LT(Create)(&lt);
  const int m = 4, n = 5, k = 3;
  auto a = made(m * k, [](int i) { return float(some(i)) / 4; }), b = made(k * n, [](int i) { return float(some(i + 4)) / 4; });
  auto bias = made(m, [](int i) { return float(i) - 1; });
  Buffer<float> da(a), db(b), dc(m * n), dbias(bias), aux(m * n);
  auto product = made(m * n, [&](int e) {  // a is stored transposed, k by m
    float sum = 0;
    for (int p = 0; p < k; p++) sum += a[size_t(e % m * k + p)] * b[size_t(e / m * k + p)];
    return sum;
  });
  LT(MatrixLayout_t) la, lb, lc;
  LT(MatrixLayoutCreate)(&la, DATA(_R_32F), k, m, k);
  LT(MatrixLayoutCreate)(&lb, DATA(_R_32F), k, n, k);
  LT(MatrixLayoutCreate)(&lc, DATA(_R_32F), m, n, m);
  float one = 1, zero = 0;
  auto run = [&](LT(Epilogue_t) epilogue) {
    LT(MatmulDesc_t) desc;
    LT(MatmulPreference_t) preference;
    LT(MatmulHeuristicResult_t) heuristic;
    LT(MatmulDescCreate)(&desc, BLAS_(_COMPUTE_32F), DATA(_R_32F));
    int found = 0;
    void* pointer = (float*)dbias;
    long long step = m;
    BLAS(Operation_t) transposed = T;
    LT(MatmulDescSetAttribute)(desc, LT_(MATMUL_DESC_TRANSA), &transposed, sizeof transposed);
    LT(MatmulDescSetAttribute)(desc, LT_(MATMUL_DESC_EPILOGUE), &epilogue, sizeof epilogue);
    LT(MatmulDescSetAttribute)(desc, LT_(MATMUL_DESC_BIAS_POINTER), &pointer, sizeof pointer);
    pointer = (float*)aux;
    LT(MatmulDescSetAttribute)(desc, LT_(MATMUL_DESC_EPILOGUE_AUX_POINTER), &pointer, sizeof pointer);
    LT(MatmulDescSetAttribute)(desc, LT_(MATMUL_DESC_EPILOGUE_AUX_LD), &step, sizeof step);
    LT(MatmulPreferenceCreate)(&preference);
    LT(MatmulAlgoGetHeuristic)(lt, desc, la, lb, lc, lc, preference, 1, &heuristic, &found);
    LT(Matmul)(lt, desc, &one, da, la, db, lb, &zero, dc, lc, dc, lc, found ? &heuristic.algo : nullptr, nullptr, 0, 0);
    LT(MatmulPreferenceDestroy)(preference);
    LT(MatmulDescDestroy)(desc);
    return dc.read();
  };
  check_all("matmul", run(LT_(EPILOGUE_DEFAULT)), product);
  auto shifted = made(m * n, [&](int e) { return product[e] + bias[e % m]; });
  check_all("matmul with a bias for each row", run(LT_(EPILOGUE_BIAS)), shifted);
  check_all("matmul with RELU and bias", run(LT_(EPILOGUE_RELU_BIAS)), made(m * n, [&](int e) { return std::fmax(0.0f, shifted[e]); }));
  auto close = [&](const char* name, const vector<float>& got, auto wanted, double most = 1e-5) {
    bool good = true;
    for (int e = 0; e < m * n; e++) good = good && std::fabs(got[e] - wanted(e)) < most;
    check(name, good);
  };
  close("matmul with GELU and bias", run(LT_(EPILOGUE_GELU_BIAS)), [&](int e) { return gelu(shifted[e]); });
  close("matmul with GELU keeps what went in", run(LT_(EPILOGUE_GELU_AUX_BIAS)), [&](int e) { return gelu(shifted[e]); });
  check_all("... in the auxiliary matrix", aux.read(), shifted);
  close("matmul with the slope of GELU", run(LT_(EPILOGUE_DGELU)), [&](int e) {
    return product[e] * (gelu(shifted[e] + 0.01f) - gelu(shifted[e] - 0.01f)) / 0.02f;
  }, 1e-3);
  LT(Destroy)(lt);
}

int main(int count, char**) {
  BLAS(Create)(&h);
  if (count > 1) {
    LT(Handle_t) lt;
    LT(Create)(&lt);
    LT(MatmulDesc_t) desc;
    LT(MatmulDescCreate)(&desc, BLAS_(_COMPUTE_32F), DATA(_R_32F));
    int fill = 1;
    LT(MatmulDescSetAttribute)(desc, LT_(MATMUL_DESC_FILL_MODE), &fill, sizeof fill);
    return 0;
  }
  vectors();
  matrix_and_vector();
  matrices();
  factors();
  light();
  double x = 1;
  check("no handle", BLAS(Dscal)(nullptr, 1, &x, &x, 1) == BLAS_(_STATUS_NOT_INITIALIZED));
  check("a status has its name", std::string(BLAS(GetStatusName)(BLAS_(_STATUS_SUCCESS))).find("BLAS_STATUS_SUCCESS") == 2);
  BLAS(Destroy)(h);
}
