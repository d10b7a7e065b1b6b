// Matrices of a warp (wmma): fragments, loads and stores, products. CUDA's side only: nobody is known to use it on MUSA.
// A fragment's layout is left open; ours goes lane by lane through the matrix (B's by columns, the others by rows), and
// a fragment of half factors holds each element twice where CUDA's has room for that.
#include "cuda_fp16.h"
#include "cuda_bf16.h"
#include "musify_emu/matrices.h"
namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace emulated {
// What an element is, how it is kept, and how many stand in one kept word.
template <class T> struct kind;
#define EMU_KIND(T, NUMBER, KEPT, PACKED)                              \
  template <> struct kind<T> {                                         \
    static constexpr ::emu::Number number = ::emu::Number::NUMBER;     \
    using kept = KEPT;                                                 \
    static constexpr int packed = PACKED;                              \
  };
EMU_KIND(__half, f16, __half, 1)
EMU_KIND(__nv_bfloat16, bf16, __nv_bfloat16, 1)
EMU_KIND(float, f32, float, 1)
EMU_KIND(double, f64, double, 1)
EMU_KIND(int, s32, int, 1)
EMU_KIND(signed char, s8, signed char, 1)
EMU_KIND(unsigned char, u8, unsigned char, 1)
EMU_KIND(precision::tf32, tf32, float, 1)
EMU_KIND(experimental::precision::s4, s4, unsigned, 8)
EMU_KIND(experimental::precision::u4, u4, unsigned, 8)
EMU_KIND(experimental::precision::b1, b1, unsigned, 32)
#undef EMU_KIND

template <class T>
constexpr bool shape_of(int m, int n, int k) {
  constexpr ::emu::Number kind_of = kind<T>::number;
  switch (kind_of) {
    case ::emu::Number::tf32: return m == 16 && n == 16 && k == 8;
    case ::emu::Number::f64: return m == 8 && n == 8 && k == 4;
    case ::emu::Number::s4: case ::emu::Number::u4: return m == 8 && n == 8 && k == 32;
    case ::emu::Number::b1: return m == 8 && n == 8 && k == 128;
    default: return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
  }
}

// Programs that look at elements treat all alike; one that does not would see a layout of ours, so it is said.
template <class T, int N>
struct Elements {
  T kept[N];
  T& operator[](int i) {
    noted();
    return kept[i];
  }
  const T& operator[](int i) const {
    noted();
    return kept[i];
  }
  operator T*() {
    noted();
    return kept;
  }
  static void noted() {
    static unsigned long long launch = 0;
    if (launch == ::emu::launch_epoch) return;
    launch = ::emu::launch_epoch;
    ::emu::assume("wmma-elements", "a kernel works on elements of fragments one by one", ::emu::Site{"", 0});
  }
};
}  // namespace emulated

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  using Kind = emulated::kind<T>;
  static constexpr bool is_a = std::is_same<Use, matrix_a>::value, is_b = std::is_same<Use, matrix_b>::value;
  static_assert((!is_a && !is_b) || emulated::shape_of<T>(M, N, K), "wmma has no fragment of this shape and type");
  static constexpr int elements = (is_a ? M * K : is_b ? K * N : M * N) / 32;
  using element_type = std::conditional_t<(Kind::packed > 1), T, typename Kind::kept>;
  using storage_element_type = typename Kind::kept;
  static constexpr int num_elements = (is_a || is_b) && std::is_same<T, __half>::value ? 16 : elements;
  static constexpr int num_storage_elements = num_elements / Kind::packed;
  emulated::Elements<storage_element_type, num_storage_elements> x;
};

namespace emulated {
// Row and column of a fragment's i-th kept word in lane's; of packed elements, of the first.
template <class F, int M, int N, int K>
EMU_INLINE void place(int i, int* row, int* column) {
  const int e = static_cast<int>(::emu::thread_rank() & 31) * F::elements + i * F::Kind::packed;
  if (F::is_b) *column = e / K, *row = e % K;
  else *row = e / (F::is_a ? K : N), *column = e % (F::is_a ? K : N);
}
// `stride` counts elements, also where several are packed into what the pointer points to.
template <class Use, int M, int N, int K, class T, class L, class P>
EMU_INLINE void load(fragment<Use, M, N, K, T, L>& f, const P* from, unsigned stride, bool by_rows) {
  using F = fragment<Use, M, N, K, T, L>;
  for (int i = 0; i < F::num_storage_elements; ++i) {
    int row, column;
    place<F, M, N, K>(i % (F::elements / F::Kind::packed), &row, &column);
    const unsigned long long at = by_rows ? 1ull * row * stride + column : 1ull * column * stride + row;
    if constexpr (F::Kind::packed > 1) memcpy(&f.x.kept[i], reinterpret_cast<const char*>(from) + at * 4 / F::Kind::packed, 4);
    else f.x.kept[i] = from[at];
  }
}
template <class A, class B, class C, class D, int M, int N, int K>
EMU_INLINE ::emu::Product product(bool saturate) {
  ::emu::Product p{M, N, K, kind<A>::number, kind<B>::number, kind<C>::number, kind<D>::number, ::emu::Placing::rows};
  p.saturate = saturate && kind<D>::number == ::emu::Number::s32;
  return p;
}
}  // namespace emulated

template <class Use, int M, int N, int K, class T, class L, class P>
EMU_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, L>& f, const P* from, unsigned stride) {
  emulated::load(f, from, stride, std::is_same<L, row_major>::value);
}
template <int M, int N, int K, class T, class P>
EMU_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const P* from, unsigned stride, layout_t layout) {
  emulated::load(f, from, stride, layout == mem_row_major);
}
template <int M, int N, int K, class T, class P>
EMU_INLINE void store_matrix_sync(P* to, const fragment<accumulator, M, N, K, T>& f, unsigned stride, layout_t layout) {
  using F = fragment<accumulator, M, N, K, T>;
  for (int i = 0; i < F::elements; ++i) {
    int row, column;
    emulated::place<F, M, N, K>(i, &row, &column);
    to[layout == mem_row_major ? 1ull * row * stride + column : 1ull * column * stride + row] = f.x.kept[i];
  }
}
template <class Use, int M, int N, int K, class T, class L, class V>
EMU_INLINE void fill_fragment(fragment<Use, M, N, K, T, L>& f, const V& value) {
  for (auto& each : f.x.kept) each = static_cast<typename fragment<Use, M, N, K, T, L>::storage_element_type>(value);
}
template <int M, int N, int K, class T, class LA, class LB, class B, class C, class D>
EMU_INLINE void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, LA>& a,
                         const fragment<matrix_b, M, N, K, B, LB>& b, const fragment<accumulator, M, N, K, C>& c,
                         bool saturate = false, ::emu::Site site = ::emu::Site::here()) {
  static_assert(std::is_same<T, B>::value, "the factors of a wmma product have one type");
  D made[fragment<accumulator, M, N, K, D>::elements];
  const ::emu::Product p = emulated::product<T, B, C, D, M, N, K>(saturate);
  ::emu::multiply(p, a.x.kept, b.x.kept, c.x.kept, made, site);
  memcpy(d.x.kept, made, sizeof made);
}
template <class LA, class LB>
EMU_INLINE void bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
                          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, LA>& a,
                          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, LB>& b,
                          const fragment<accumulator, 8, 8, 128, int>& c,
                          experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC,
                          ::emu::Site site = ::emu::Site::here()) {
  int made[2];
  using b1 = experimental::precision::b1;
  ::emu::Product p = emulated::product<b1, b1, int, int, 8, 8, 128>(false);
  p.bits = op == experimental::bmmaBitOpXOR ? ::emu::Bits::differ : ::emu::Bits::both;
  ::emu::multiply(p, a.x.kept, b.x.kept, c.x.kept, made, site);
  memcpy(d.x.kept, made, sizeof made);
}
namespace experimental {
using wmma::bmma_sync;
}
// To the nearest number of 19 bits, ties away from zero.
EMU_INLINE float __float_to_tf32(float x) {
  unsigned bits;
  memcpy(&bits, &x, 4);
  if ((bits & 0x7f800000u) == 0x7f800000u) return x;
  bits = (bits + 0x1000u) & 0xffffe000u;
  memcpy(&x, &bits, 4);
  return x;
}
}  // namespace wmma
}  // namespace nvcuda
