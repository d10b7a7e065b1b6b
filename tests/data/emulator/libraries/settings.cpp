// Handles, settings, copies and refusals of the BLAS, FFT, random and sparse libraries, by what their documentation says
// each call gives. A word names a call that must end the program by name.
#ifdef __MUSACC__
#include <mublas.h>
#include <mublasLt.h>
#include <mufft.h>
#include <murand.h>
#include <musparse.h>
#define BOTH(cuda, musa) musa
#define BLAS(name) mublas##name
#define BLAS_(name) MUBLAS##name
#define LT(name) mublasLt##name
#define LT_(name) MUBLASLT_##name
#define FFT(name) mufft##name
#define FFT_(name) MUFFT_##name
#define RAND(name) murand##name
#define RAND_(name) MURAND_##name
#define SPARSE(name) musparse##name
#define SPARSE_(name) MUSPARSE_##name
#define DATA(name) MUSA##name
#else
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#define BOTH(cuda, musa) cuda
#define BLAS(name) cublas##name
#define BLAS_(name) CUBLAS##name
#define LT(name) cublasLt##name
#define LT_(name) CUBLASLT_##name
#define FFT(name) cufft##name
#define FFT_(name) CUFFT_##name
#define RAND(name) curand##name
#define RAND_(name) CURAND_##name
#define SPARSE(name) cusparse##name
#define SPARSE_(name) CUSPARSE_##name
#define DATA(name) CUDA##name
#endif

#include <cstring>
#include <string>

#include "check.h"

using std::vector;
API(Stream_t) s;
enum { NO_HANDLE = 1, INVALID = 7, MAPPING = 11, NOT_SUPPORTED = 15 };  // of BLAS

// Whether a stream that holds back holds back what the call before this one does.
bool held_back() {
  const char* streams = getenv("MUSIFY_EMU_STREAMS");
  const int wanted = streams && !strncmp(streams, "late", 4) ? 600 : 0, got = (int)API(StreamQuery)(s);
  API(GetLastError)();
  return API(StreamSynchronize)(s) == 0 && got == wanted;
}
// Whether what `call` does belongs to the stream `s`: while that is captured nothing is done, and then all of it.
template <class Call, class Done>
bool in_stream(Call call, Done done) {
  API(Graph_t) g;
  API(GraphExec_t) e;
  API(StreamBeginCapture)(s, API(StreamCaptureModeGlobal));
  const bool taken = (int)call() == 0;
  if (API(StreamEndCapture)(s, &g) || API(GraphInstantiate)(&e, g, 0)) return false;
  const bool early = done();
  API(GraphLaunch)(e, s);
  API(StreamSynchronize)(s);
  return taken && !early && done();
}

void blas() {
  BLAS(Handle_t) h;
  BLAS(Create)(&h);
  API(Stream_t) now = s;
  BLAS(Math_t) math;
  BLAS(PointerMode_t) mode;
  int version = 0;
  check("no handle", BLAS(SetStream)(nullptr, s) == NO_HANDLE && BLAS(GetStream)(nullptr, &now) == NO_HANDLE && BLAS(SetMathMode)(nullptr, BLAS_(_DEFAULT_MATH)) == NO_HANDLE &&
        BLAS(GetMathMode)(nullptr, &math) == NO_HANDLE && BLAS(SetPointerMode)(nullptr, BLAS_(_POINTER_MODE_HOST)) == NO_HANDLE && BLAS(GetPointerMode)(nullptr, &mode) == NO_HANDLE &&
        BLAS(SetAtomicsMode)(nullptr, BLAS_(_ATOMICS_ALLOWED)) == NO_HANDLE && BLAS(SetWorkspace)(nullptr, nullptr, 0) == NO_HANDLE && BLAS(Destroy)(nullptr) == NO_HANDLE);
  check("GetStream", BLAS(GetStream)(h, &now) == 0 && now == nullptr && BLAS(GetStream)(h, nullptr) == INVALID);
  check("GetMathMode", BLAS(GetMathMode)(h, &math) == 0 && math == BLAS_(_DEFAULT_MATH) && BLAS(SetMathMode)(h, BLAS_(_PEDANTIC_MATH)) == 0 && BLAS(GetMathMode)(h, &math) == 0 && math == BLAS_(_PEDANTIC_MATH));
  check("GetPointerMode", BLAS(GetPointerMode)(h, &mode) == 0 && mode == BLAS_(_POINTER_MODE_HOST) && BLAS(SetPointerMode)(h, BLAS_(_POINTER_MODE_DEVICE)) == 0 && BLAS(GetPointerMode)(h, &mode) == 0 && mode == BLAS_(_POINTER_MODE_DEVICE));
  BLAS(SetPointerMode)(h, BLAS_(_POINTER_MODE_HOST));
  check("SetAtomicsMode", BLAS(SetAtomicsMode)(h, BLAS_(_ATOMICS_ALLOWED)) == 0);
  Buffer<char> room(1024);
  check("SetWorkspace, of 256 bytes' alignment", BLAS(SetWorkspace)(h, room, 1024) == 0 && BLAS(SetWorkspace)(h, room + 16, 512) == INVALID);
  check("GetVersion", BLAS(GetVersion)(h, &version) == 0 && version == BOTH(120804, 50200) && BLAS(GetVersion)(h, nullptr) == INVALID);
  const std::string good = BLAS(GetStatusString)(BLAS_(_STATUS_SUCCESS)), bad = BLAS(GetStatusString)(BLAS_(_STATUS_NOT_SUPPORTED));
  check("GetStatusString", good == "success" && bad.find("not supported") != bad.npos);

  // Every second of six, by threes; and back from the third on.
  vector<float> six{1, 2, 3, 4, 5, 6};
  Buffer<float> x(vector<float>(9, 0.0f));
  check("SetVector", BLAS(SetVector)(3, 4, six.data(), 2, x, 3) == 0);
  check_all("... with steps", x.read(), vector<float>{1, 0, 0, 3, 0, 0, 5, 0, 0});
  check("GetVector", BLAS(GetVector)(2, 4, x + 3, 3, six.data(), 1) == 0 && six[0] == 3 && six[1] == 5 && six[2] == 3);
  check("steps and sizes of 0", BLAS(SetVector)(3, 4, six.data(), 0, x, 1) == INVALID && BLAS(GetVector)(3, 0, x, 1, six.data(), 1) == INVALID && BLAS(GetVector)(0, 4, x, 1, six.data(), 1) == 0);
  check("a copy beyond the end", BLAS(SetVector)(10, 4, six.data(), 1, x, 1) == MAPPING);
  API(GetLastError)();
  vector<float> matrix{1, 2, 99, 3, 4, 99, 5, 6, 99};  // two rows, three columns, a leading dimension of three
  check("SetMatrix", BLAS(SetMatrix)(2, 3, 4, matrix.data(), 3, x, 2) == 0 && BLAS(SetMatrix)(2, 3, 4, matrix.data(), 0, x, 2) == INVALID);
  check_all("... without the gaps", x.read(6), vector<float>{1, 2, 3, 4, 5, 6});
  check("GetMatrix", BLAS(GetMatrix)(1, 3, 4, x + 1, 2, matrix.data(), 3) == 0 && BLAS(GetMatrix)(2, -1, 4, x, 2, matrix.data(), 3) == INVALID);
  check_all("... the second row into the first", matrix, vector<float>{2, 2, 99, 4, 4, 99, 6, 6, 99});

  // Types as arguments.
  auto halves = [](vector<float> v) { return made(v.size(), [&](int i) { return __half(v[i]); }); };
  auto floats = [](const vector<__half>& v) { return made(v.size(), [&](int i) { return float(v[i]); }); };
  Buffer<__half> a(halves({1, 2, 3, 4})), b(halves({5, 6, 7, 8})), c(4);
  float two = 2, zero = 0, norm = 0;
  const auto nobody = DATA(_R_8F_E4M3);  // of this library here
  check("AxpyEx", BLAS(AxpyEx)(h, 2, &two, DATA(_R_32F), a, DATA(_R_16F), 2, b, DATA(_R_16F), 1, DATA(_R_32F)) == 0);
  check_all("... of halves, with a step", floats(b.read()), vector<float>{7, 12, 7, 8});
  check("ScalEx", BLAS(ScalEx)(h, 3, &two, DATA(_R_32F), b, DATA(_R_16F), 1, DATA(_R_32F)) == 0);
  check_all("... of three halves", floats(b.read()), vector<float>{14, 24, 14, 8});
  b = halves({3, 9, 4, 9});
  check("Nrm2Ex", BLAS(Nrm2Ex)(h, 2, b, DATA(_R_16F), 2, &norm, DATA(_R_32F), DATA(_R_32F)) == 0 && norm == 5);
  check("SgemmEx", BLAS(SgemmEx)(h, BLAS_(_OP_N), BLAS_(_OP_T), 2, 2, 2, &two, a, DATA(_R_16F), 2, a, DATA(_R_16F), 2, &zero, c, DATA(_R_16F), 2) == 0);
  check_all("... twice a matrix by its transposed", floats(c.read()), vector<float>{20, 28, 28, 40});
  check("types that there are not", BLAS(AxpyEx)(h, 2, &two, DATA(_R_32F), a, nobody, 1, b, nobody, 1, DATA(_R_32F)) == NOT_SUPPORTED && BLAS(ScalEx)(h, 2, &two, nobody, b, DATA(_R_16F), 1, DATA(_R_32F)) == NOT_SUPPORTED &&
        BLAS(Nrm2Ex)(h, 2, b, nobody, 1, &norm, DATA(_R_32F), DATA(_R_32F)) == NOT_SUPPORTED && BLAS(Nrm2Ex)(h, 2, b, DATA(_R_16F), 1, nullptr, DATA(_R_32F), DATA(_R_32F)) == INVALID);
  x = vector<float>(9, 1.0f);
  check("SetStream", BLAS(SetStream)(h, s) == 0 && BLAS(GetStream)(h, &now) == 0 && now == s && in_stream([&] { return BLAS(Sscal)(h, 9, &two, x, 1); }, [&] { return x.read()[8] == 2; }));
  BLAS(Sscal)(h, 9, &two, x, 1);
  check("... which holds it back", held_back() && x.read()[8] == 4);
  BLAS(Destroy)(h);
}

void light() {
  LT(Handle_t) h;
  LT(Create)(&h);
  LT(MatmulDescOpaque_t) product;
  LT(MatrixLayoutOpaque_t) left, square;
  LT(MatmulPreferenceOpaque_t) preference;
  size_t room = 4096;
  check("MatmulDescInit", LT(MatmulDescInit)(&product, BLAS_(_COMPUTE_32F), DATA(_R_32F)) == 0 && LT(MatmulDescInit)(nullptr, BLAS_(_COMPUTE_32F), DATA(_R_32F)) == INVALID);
  check("MatrixLayoutInit", LT(MatrixLayoutInit)(&left, DATA(_R_32F), 2, 3, 3) == 0 && LT(MatrixLayoutInit)(&square, DATA(_R_32F), 2, 2, 2) == 0 && LT(MatrixLayoutInit)(nullptr, DATA(_R_32F), 2, 2, 2) == INVALID);
  const auto rows = LT_(ORDER_ROW);
  check("MatrixLayoutSetAttribute", LT(MatrixLayoutSetAttribute)(&left, LT_(MATRIX_LAYOUT_ORDER), &rows, sizeof rows) == 0 && LT(MatrixLayoutSetAttribute)(&left, LT_(MATRIX_LAYOUT_ORDER), &rows, 1) == INVALID &&
        LT(MatrixLayoutSetAttribute)(nullptr, LT_(MATRIX_LAYOUT_ORDER), &rows, sizeof rows) == INVALID);
  check("MatmulPreferenceInit", LT(MatmulPreferenceInit)(&preference) == 0 && LT(MatmulPreferenceInit)(nullptr) == INVALID);
  const auto most = LT_(MATMUL_PREF_MAX_WORKSPACE_BYTES);
  check("MatmulPreferenceSetAttribute", LT(MatmulPreferenceSetAttribute)(&preference, most, &room, sizeof room) == 0 && LT(MatmulPreferenceSetAttribute)(&preference, most, &room, 4) == INVALID &&
        LT(MatmulPreferenceSetAttribute)(&preference, (decltype(most))77, &room, sizeof room) == INVALID);
  // {1 2 3; 4 5 6}, stored by rows, times its transposed, which is the same bytes by columns
  Buffer<float> a(vector<float>{1, 2, 3, 4, 5, 6}), d(4);
  LT(MatrixLayout_t) right;
  LT(MatrixLayoutCreate)(&right, DATA(_R_32F), 3, 2, 3);
  float one = 1, zero = 0;
  check("Matmul with those", LT(Matmul)(h, &product, &one, a, &left, a, right, &zero, d, &square, d, &square, nullptr, nullptr, 0, s) == 0);
  API(StreamSynchronize)(s);
  check_all("... by rows and by columns", d.read(), vector<float>{14, 32, 32, 77});
  check("MatrixLayoutDestroy", LT(MatrixLayoutDestroy)(right) == 0);
  LT(Destroy)(h);
}

using Number = FFT(DoubleComplex);
// A wave of so many turns by axis, whose transform is one peak.
vector<Number> wave(int nx, int ny, int nz, int x, int y, int z) {
  return made(size_t(nx * ny * nz), [=](int i) {
    const double turn = 2 * M_PI * (double(i / nz / ny * x) / nx + double(i / nz % ny * y) / ny + double(i % nz * z) / nz);
    return Number{std::cos(turn), std::sin(turn)};
  });
}
bool peak(const vector<Number>& v, size_t from, size_t step, size_t n, size_t place) {
  bool good = true;
  for (size_t i = 0; i < n; i++) good = good && std::fabs(v[from + i * step].x - (i == place ? double(n) : 0)) < 1e-9 && std::fabs(v[from + i * step].y) < 1e-9;
  return good;
}

void fft() {
  auto plan = [] { FFT(Handle) p = 0; FFT(Create)(&p); return p; };
  auto transformed = [](FFT(Handle) p, const vector<Number>& in) {
    Buffer<Number> data(in);
    if (FFT(ExecZ2Z)(p, data, data, FFT_(FORWARD))) return vector<Number>(in.size());
    return data.read();
  };
  size_t size = 9;
  int version = 0;
  const FFT(Handle) one = plan(), two = plan(), three = plan(), many = plan(), none = plan(), gone = plan();
  check("Create: a plan of nothing yet", one != two && FFT(ExecZ2Z)(none, (Number*)&size, (Number*)&size, 1) == FFT_(INVALID_PLAN));
  check("MakePlan1d", FFT(MakePlan1d)(one, 8, FFT_(Z2Z), 1, &size) == FFT_(SUCCESS) && size == 0 && peak(transformed(one, wave(8, 1, 1, 3, 0, 0)), 0, 1, 8, 3));
  check("MakePlan2d", FFT(MakePlan2d)(two, 4, 6, FFT_(Z2Z), &size) == FFT_(SUCCESS) && peak(transformed(two, wave(4, 6, 1, 1, 5, 0)), 0, 1, 24, 1 * 6 + 5));
  check("MakePlan3d", FFT(MakePlan3d)(three, 2, 3, 4, FFT_(Z2Z), &size) == FFT_(SUCCESS) && peak(transformed(three, wave(2, 3, 4, 1, 2, 3)), 0, 1, 24, (1 * 3 + 2) * 4 + 3));
  // two waves, of 1 and of 2 turns, one element of each in turn
  const auto slow = wave(5, 1, 1, 1, 0, 0), fast = wave(5, 1, 1, 2, 0, 0);
  int n[] = {5};
  check("MakePlanMany", FFT(MakePlanMany)(many, 1, n, n, 2, 1, n, 2, 1, FFT_(Z2Z), 2, &size) == FFT_(SUCCESS));
  const auto both = transformed(many, made(10, [&](int i) { return i % 2 ? fast[i / 2] : slow[i / 2]; }));
  check("... with strides", peak(both, 0, 2, 5, 1) && peak(both, 1, 2, 5, 2));
  check("a plan is made once", FFT(MakePlan1d)(one, 16, FFT_(Z2Z), 1, &size) == FFT_(INVALID_PLAN));
  check("sizes and types that there are not", FFT(MakePlan1d)(none, 0, FFT_(Z2Z), 1, &size) == FFT_(INVALID_SIZE) && FFT(MakePlan3d)(none, 2, -3, 4, FFT_(Z2Z), &size) == FFT_(INVALID_SIZE) && FFT(MakePlan2d)(none, 2, 2, (FFT(Type))5, &size) == FFT_(INVALID_TYPE));
  check("a direction of 0", FFT(ExecZ2Z)(one, (Number*)&size, (Number*)&size, 0) == FFT_(INVALID_VALUE));
  check("GetSize", (size = 9, FFT(GetSize)(one, &size)) == FFT_(SUCCESS) && size == 0);
  check("GetVersion", FFT(GetVersion)(&version) == FFT_(SUCCESS) && version == 11303 && FFT(GetVersion)(nullptr) == FFT_(INVALID_VALUE));
  check("SetAutoAllocation SetWorkArea", FFT(SetAutoAllocation)(one, 0) == FFT_(SUCCESS) && FFT(SetWorkArea)(one, nullptr) == FFT_(SUCCESS));
  FFT(Destroy)(gone);
  check("a plan that is gone", FFT(MakePlan1d)(gone, 8, FFT_(Z2Z), 1, &size) == FFT_(INVALID_PLAN) && FFT(GetSize)(gone, &size) == FFT_(INVALID_PLAN) && FFT(SetStream)(gone, s) == FFT_(INVALID_PLAN) &&
        FFT(SetAutoAllocation)(gone, 1) == FFT_(INVALID_PLAN) && FFT(SetWorkArea)(gone, nullptr) == FFT_(INVALID_PLAN));
  Buffer<Number> data(wave(8, 1, 1, 3, 0, 0));
  check("SetStream", FFT(SetStream)(one, s) == FFT_(SUCCESS) && in_stream([&] { return FFT(ExecZ2Z)(one, data, data, FFT_(FORWARD)); }, [&] { return peak(data.read(), 0, 1, 8, 3); }));
  FFT(ExecZ2Z)(one, data, data, FFT_(INVERSE));
  check("... which holds it back", held_back() && std::fabs(data.read()[4].x + 8) < 1e-9);
}

void numbers() {
  enum { NOT_INITIALIZED = 101, TYPE_ERROR = 103, OUT_OF_RANGE = 104, NOT_MULTIPLE = 105 };
  RAND(Generator_t) g;
  RAND(CreateGenerator)(&g, RAND_(RNG_PSEUDO_XORWOW));
  Buffer<float> normal(6), log(6);
  Buffer<double> wide(6), wide_log(6);
  Buffer<unsigned> bits(4);
  auto restart = [&] { RAND(SetPseudoRandomGeneratorSeed)(g, 5), RAND(SetGeneratorOffset)(g, 0); };
  restart(), RAND(GenerateNormal)(g, normal, 6, 1, 0.5f), restart();
  check("GenerateLogNormal", RAND(GenerateLogNormal)(g, log, 6, 1, 0.5f) == 0 && RAND(GenerateLogNormal)(g, log, 5, 1, 0.5f) == NOT_MULTIPLE);
  restart(), RAND(GenerateNormalDouble)(g, wide, 6, -1, 2), restart();
  check("GenerateLogNormalDouble", RAND(GenerateLogNormalDouble)(g, wide_log, 6, -1, 2) == 0 && RAND(GenerateLogNormalDouble)(g, wide_log, 3, -1, 2) == NOT_MULTIPLE);
  bool good = true;
  const auto x = normal.read(), y = log.read();
  const auto u = wide.read(), v = wide_log.read();
  for (int i = 0; i < 6; i++) good = good && std::fabs(std::log(y[i]) - x[i]) < 1e-5 && std::fabs(std::log(v[i]) - u[i]) < 1e-12;
  check("their logarithms are the normal numbers of the same seed", good && x[0] != x[1] && u[0] != u[1]);
  unsigned long long word;
  check("GenerateLongLong is of generators of 64 bits", RAND(GenerateLongLong)(g, &word, 1) == TYPE_ERROR);
  restart(), RAND(Generate)(g, bits, 4);
  const auto first = bits.read();
  restart();
  check("GenerateSeeds changes no sequence", RAND(GenerateSeeds)(g) == 0 && RAND(Generate)(g, bits, 4) == 0 && bits.read() == first);
  restart();
  check("SetGeneratorOrdering to the default and the best, which are one", RAND(SetGeneratorOrdering)(g, RAND_(ORDERING_PSEUDO_DEFAULT)) == 0 && RAND(SetGeneratorOrdering)(g, RAND_(ORDERING_PSEUDO_BEST)) == 0 &&
        RAND(Generate)(g, bits, 4) == 0 && bits.read() == first);
  int version = 0;
  check("GetVersion", RAND(GetVersion)(&version) == 0 && version == 10309 && RAND(GetVersion)(nullptr) == OUT_OF_RANGE);
  check("no generator", RAND(SetStream)(nullptr, s) == NOT_INITIALIZED && RAND(GenerateSeeds)(nullptr) == NOT_INITIALIZED && RAND(GenerateLongLong)(nullptr, &word, 1) == NOT_INITIALIZED &&
        RAND(GenerateLogNormal)(nullptr, log, 2, 0, 1) == NOT_INITIALIZED && RAND(GenerateLogNormalDouble)(nullptr, wide, 2, 0, 1) == NOT_INITIALIZED && RAND(SetGeneratorOrdering)(nullptr, RAND_(ORDERING_PSEUDO_BEST)) == NOT_INITIALIZED);
  restart();
  bits = vector<unsigned>(4, 0u);
  check("SetStream", RAND(SetStream)(g, s) == 0 && in_stream([&] { return RAND(Generate)(g, bits, 4); }, [&] { return bits.read() == first; }));
  restart();
  RAND(Generate)(g, bits, 4);
  check("... which holds it back", held_back() && bits.read() == first);
  RAND(DestroyGenerator)(g);
}

void sparse() {
  enum { NOT_INITIALIZED = 1, INVALID_VALUE = 3 };
  SPARSE(Handle_t) h;
  SPARSE(Create)(&h);
  SPARSE(MatDescr_t) d;
  check("CreateMatDescr", SPARSE(CreateMatDescr)(&d) == 0 && d && SPARSE(CreateMatDescr)(nullptr) == INVALID_VALUE);
  check("SetMatType", SPARSE(SetMatType)(d, SPARSE_(MATRIX_TYPE_SYMMETRIC)) == 0 && d->type == 1 && SPARSE(SetMatType)(d, (SPARSE(MatrixType_t))9) == INVALID_VALUE && SPARSE(SetMatType)(nullptr, SPARSE_(MATRIX_TYPE_GENERAL)) == INVALID_VALUE);
  check("SetMatIndexBase", SPARSE(SetMatIndexBase)(d, SPARSE_(INDEX_BASE_ONE)) == 0 && d->base == 1 && SPARSE(SetMatIndexBase)(d, (SPARSE(IndexBase_t))2) == INVALID_VALUE);
  check("DestroyMatDescr", SPARSE(DestroyMatDescr)(d) == 0);
  const std::string name = SPARSE(GetErrorName)(SPARSE_(STATUS_INVALID_VALUE)), text = SPARSE(GetErrorString)(SPARSE_(STATUS_INVALID_VALUE));
  check("GetErrorName GetErrorString", name == BOTH("CUSPARSE", "MUSPARSE") + std::string("_STATUS_INVALID_VALUE") && text == "invalid value" && text != SPARSE(GetErrorString)(SPARSE_(STATUS_SUCCESS)));
  check("no handle", SPARSE(SetStream)(nullptr, s) == NOT_INITIALIZED && SPARSE(SetPointerMode)(nullptr, SPARSE_(POINTER_MODE_HOST)) == NOT_INITIALIZED);

  // {1 0 2; 0 3 0} by rows, and what of a product it stores: {1; 2} times {3 4 5}
  Buffer<float> values(vector<float>{1, 2, 3}), x(vector<float>{1, 10, 100}), y(2), column(vector<float>{1, 2}), row(vector<float>{3, 4, 5});
  Buffer<int> offsets(vector<int>{0, 2, 3}), columns(vector<int>{0, 2, 1});
  SPARSE(SpMatDescr_t) m;
  SPARSE(DnVecDescr_t) dx, dy;
  SPARSE(DnMatDescr_t) left, right;
  const auto N = SPARSE_(OPERATION_NON_TRANSPOSE);
  SPARSE(CreateCsr)(&m, 2, 3, 3, offsets, columns, values, SPARSE_(INDEX_32I), SPARSE_(INDEX_32I), SPARSE_(INDEX_BASE_ZERO), DATA(_R_32F));
  SPARSE(CreateDnVec)(&dx, 3, x, DATA(_R_32F)), SPARSE(CreateDnVec)(&dy, 2, y, DATA(_R_32F));
  SPARSE(CreateDnMat)(&left, 2, 1, 2, column, DATA(_R_32F), SPARSE_(ORDER_COL)), SPARSE(CreateDnMat)(&right, 1, 3, 3, row, DATA(_R_32F), SPARSE_(ORDER_ROW));
  float one = 1, zero = 0;
  Buffer<float> scalars(vector<float>{2, 0});
  auto product = [&](const float* alpha, const float* beta) { return SPARSE(SpMV)(h, N, alpha, m, dx, beta, dy, DATA(_R_32F), SPARSE_(SPMV_ALG_DEFAULT), nullptr); };
  check("SetPointerMode", SPARSE(SetPointerMode)(h, SPARSE_(POINTER_MODE_DEVICE)) == 0 && product(scalars, scalars + 1) == 0 && SPARSE(SetPointerMode)(h, (SPARSE(PointerMode_t))5) == INVALID_VALUE);
  check_all("... scalars of the device", y.read(), vector<float>{402, 60});
  SPARSE(SetPointerMode)(h, SPARSE_(POINTER_MODE_HOST));
#ifndef __MUSACC__
  check("SpMV_preprocess SpMM_preprocess", cusparseSpMV_preprocess(h, N, &one, m, dx, &zero, dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == 0 && cusparseSpMM_preprocess(h, N, N, &one, m, right, &zero, left, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr) == 0 &&
        cusparseSpMV_preprocess(nullptr, N, &one, m, dx, &zero, dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == NOT_INITIALIZED && cusparseSpMM_preprocess(nullptr, N, N, &one, m, right, &zero, left, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr) == NOT_INITIALIZED);
  check_all("... write nothing", y.read(), vector<float>{402, 60});
  // the same matrix by columns
  Buffer<int> starts(vector<int>{0, 1, 2, 3}), rows(vector<int>{0, 1, 0}), plain(3), fortran(3), from_one(vector<int>{1, 1, 2});
  Buffer<float> in_columns(vector<float>{1, 3, 2});
  cusparseSpMatDescr_t by_columns;
  check("CreateCsc", cusparseCreateCsc(&by_columns, 2, 3, 3, starts, rows, in_columns, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) == 0 &&
        cusparseSpMV(h, N, &one, by_columns, dx, &zero, dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == 0);
  check_all("... by columns", y.read(), vector<float>{201, 30});
  Buffer<int> sorted(vector<int>{0, 0, 1});
  check("Xcoo2csr", cusparseXcoo2csr(h, sorted, 3, 2, plain, CUSPARSE_INDEX_BASE_ZERO) == 0 && cusparseXcoo2csr(h, from_one, 3, 2, fortran, CUSPARSE_INDEX_BASE_ONE) == 0 && cusparseXcoo2csr(nullptr, sorted, 3, 2, plain, CUSPARSE_INDEX_BASE_ZERO) == NOT_INITIALIZED);
  check_all("... from 0", plain.read(), vector<int>{0, 2, 3});
  check_all("... from 1", fortran.read(), vector<int>{1, 3, 4});
#endif
  check("SDDMM_preprocess", SPARSE(SDDMM_preprocess)(h, N, N, &one, left, right, &zero, m, DATA(_R_32F), SPARSE_(SDDMM_ALG_DEFAULT), nullptr) == 0 && SPARSE(SDDMM_preprocess)(nullptr, N, N, &one, left, right, &zero, m, DATA(_R_32F), SPARSE_(SDDMM_ALG_DEFAULT), nullptr) == NOT_INITIALIZED && values.read()[0] == 1);
  y = vector<float>{0, 0};
  check("SetStream", SPARSE(SetStream)(h, s) == 0 && in_stream([&] { return product(&one, &zero); }, [&] { return y.read()[0] == 201 && y.read()[1] == 30; }));
  check("no handle and no matrix", SPARSE(SpMV)(nullptr, N, &one, m, dx, &zero, dy, DATA(_R_32F), SPARSE_(SPMV_ALG_DEFAULT), nullptr) == NOT_INITIALIZED && SPARSE(SpMV)(h, N, &one, nullptr, dx, &zero, dy, DATA(_R_32F), SPARSE_(SPMV_ALG_DEFAULT), nullptr) == INVALID_VALUE);
  SPARSE(Destroy)(h);
}

int main(int argc, char** argv) {
  API(StreamCreate)(&s);
  if (argc > 1) {
    const std::string which = argv[1];
    unsigned out[2];
    RAND(Generator_t) g;
    RAND(CreateGeneratorHost)(&g, which == "SetGeneratorOrdering" ? RAND_(RNG_PSEUDO_MRG32K3A) : RAND_(RNG_PSEUDO_XORWOW));
    if (which == "GeneratePoisson") RAND(GeneratePoisson)(g, out, 2, 3.0);
    if (which == "SetGeneratorOrdering") RAND(SetGeneratorOrdering)(g, RAND_(ORDERING_PSEUDO_LEGACY));
    if (which == "SetGeneratorOrdering to seeded") RAND(SetGeneratorOrdering)(g, RAND_(ORDERING_PSEUDO_SEEDED));
    return 0;
  }
  blas();
  light();
  fft();
  numbers();
  sparse();
}
