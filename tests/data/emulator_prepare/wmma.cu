// wmma of every shape and type, factors and accumulators by rows and by columns, with whole numbers against a plain
// product. "elements" as argument: a kernel that scales the elements of its fragment.
#include <mma.h>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>
using namespace nvcuda;

static int failures = 0, products = 0;
static unsigned state = 1;
static int drawn(int low, int high) {
  state = state * 1664525u + 1013904223u;
  return low + int((state >> 8) % unsigned(high - low + 1));
}

template <int M, int N, int K, class T, class D, class C, class LA, class LB, class P>
__global__ void product(const P* a, const P* b, const C* c, D* d, int lda, int ldb, int ldc, bool saturate) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fragment<wmma::accumulator, M, N, K, D> fd;
  constexpr bool rows = std::is_same<LA, wmma::row_major>::value;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, rows ? wmma::mem_row_major : wmma::mem_col_major);
  if constexpr (std::is_same<D, int>::value) wmma::mma_sync(fd, fa, fb, fc, saturate);
  else wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d, fd, ldc, rows ? wmma::mem_col_major : wmma::mem_row_major);
}

template <class T> static T* device(const std::vector<T>& v) {
  T* p; cudaMalloc(&p, v.size() * sizeof(T)); cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice); return p;
}
template <class T> static double of(T v) { return double(float(v)); }
static double of(double v) { return v; }
static double of(int v) { return v; }

template <int M, int N, int K, class T, class D, class C, class LA, class LB, class P>
static void check(int low, int high, bool saturate = false) {
  constexpr bool rows_a = std::is_same<LA, wmma::row_major>::value, rows_b = std::is_same<LB, wmma::row_major>::value;
  // Leading dimensions with room to spare.
  const int lda = (rows_a ? K : M) + 8, ldb = (rows_b ? N : K) + 16, ldc = (M > N ? M : N) + 8;
  std::vector<P> a(lda * (M > K ? M : K)), b(ldb * (N > K ? N : K));
  std::vector<C> c(ldc * (M > N ? M : N));
  std::vector<D> d(c.size());
  for (auto& each : a) each = P(float(drawn(low, high)));
  for (auto& each : b) each = P(float(drawn(low, high)));
  for (auto& each : c) each = C(saturate ? (drawn(0, 1) ? 2147483647 : -2147483647) : drawn(-50, 50));
  P *da = device(a), *db = device(b);
  C* dc = device(c);
  D* dd = device(d);
  product<M, N, K, T, D, C, LA, LB><<<1, 32>>>(da, db, dc, dd, lda, ldb, ldc, saturate);
  if (cudaDeviceSynchronize() != cudaSuccess) ++failures;
  cudaMemcpy(d.data(), dd, d.size() * sizeof(D), cudaMemcpyDeviceToHost);
  ++products;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      double want = of(c[rows_a ? i * ldc + j : j * ldc + i]);
      for (int k = 0; k < K; ++k) want += of(a[rows_a ? i * lda + k : k * lda + i]) * of(b[rows_b ? k * ldb + j : j * ldb + k]);
      if (saturate) want = want > 2147483647. ? 2147483647. : want < -2147483648. ? -2147483648. : want;
      double got = of(d[rows_a ? j * ldc + i : i * ldc + j]);
      if (got != want && ++failures < 10) printf("m%dn%dk%d (%d,%d): %g instead of %g\n", M, N, K, i, j, got, want);
    }
}
template <int M, int N, int K, class T, class D, class C, class P>
static void layouts(int low, int high, bool saturate = false) {
  check<M, N, K, T, D, C, wmma::row_major, wmma::row_major, P>(low, high, saturate);
  check<M, N, K, T, D, C, wmma::row_major, wmma::col_major, P>(low, high, saturate);
  check<M, N, K, T, D, C, wmma::col_major, wmma::row_major, P>(low, high, saturate);
  check<M, N, K, T, D, C, wmma::col_major, wmma::col_major, P>(low, high, saturate);
}
template <int M, int N>
static void shapes() {
  layouts<M, N, 16, __half, float, float, __half>(-9, 9);
  layouts<M, N, 16, __half, __half, __half, __half>(-9, 9);
  layouts<M, N, 16, __nv_bfloat16, float, float, __nv_bfloat16>(-30, 30);
  layouts<M, N, 16, signed char, int, int, signed char>(-128, 127);
  layouts<M, N, 16, unsigned char, int, int, unsigned char>(0, 255, true);
}

// Single bits: rows of A and columns of B as words.
__global__ void bits(const unsigned* a, const unsigned* b, int* d) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> fd;
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  wmma::fill_fragment(fd, 1000);
  wmma::bmma_sync(fd, fa, fb, fd);
  wmma::bmma_sync(fd, fa, fb, fd, wmma::experimental::bmmaBitOpAND);
  wmma::store_matrix_sync(d, fd, 8, wmma::mem_row_major);
}

__global__ void scaled(float* d) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
  wmma::fill_fragment(f, 3.0f);
  for (int i = 0; i < f.num_elements; ++i) f.x[i] *= 2;
  wmma::store_matrix_sync(d, f, 16, wmma::mem_row_major);
}

int main(int arguments, char**) {
  if (arguments > 1) {
    float* d = device(std::vector<float>(256));
    scaled<<<1, 32>>>(d);
    std::vector<float> got(256);
    cudaMemcpy(got.data(), d, 1024, cudaMemcpyDeviceToHost);
    for (float each : got) failures += each != 6;
    puts(failures ? "failed" : "ok");
    return 0;
  }
  shapes<16, 16>();
  shapes<32, 8>();
  shapes<8, 32>();
  layouts<16, 16, 8, wmma::precision::tf32, float, float, float>(-900, 900);
  layouts<8, 8, 4, double, double, double, double>(-9000, 9000);
  std::vector<unsigned> a(32), b(32);
  for (int i = 0; i < 32; ++i) a[i] = unsigned(drawn(0, 65535)) << 16 ^ unsigned(drawn(0, 65535)), b[i] = unsigned(drawn(0, 65535)) * 65537u;
  int* d = device(std::vector<int>(64));
  unsigned *da = device(a), *db = device(b);
  bits<<<1, 32>>>(da, db, d);
  std::vector<int> got(64);
  cudaMemcpy(got.data(), d, 256, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) {
    int want = 1000;
    for (int w = 0; w < 4; ++w) want += __builtin_popcount(a[i / 8 * 4 + w] ^ b[i % 8 * 4 + w]) + __builtin_popcount(a[i / 8 * 4 + w] & b[i % 8 * 4 + w]);
    if (got[i] != want && ++failures < 10) printf("b1 %d: %d instead of %d\n", i, got[i], want);
  }
  static_assert(wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::row_major>::num_elements == 16, "");
  static_assert(wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::row_major>::num_elements == 4, "");
  static_assert(wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major>::num_elements == 4, "");
  static_assert(wmma::fragment<wmma::accumulator, 8, 8, 4, double>::num_elements == 2, "");
  printf(failures ? "failed\n" : "ok %d\n", products);
}
