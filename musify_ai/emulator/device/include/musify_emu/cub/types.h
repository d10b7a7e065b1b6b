// CUB: types and operators.
#pragma once
#include <iterator>
#include <limits>
#include <utility>

#include "musify_emu/library.h"

#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_PTX_WARP_THREADS 32
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_WARP_THREADS(arch) 32
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_RUNTIME_FUNCTION

namespace cub {

struct NullType {
  template <class T>
  NullType& operator=(const T&) { return *this; }
  bool operator==(const NullType&) const { return true; }
  bool operator!=(const NullType&) const { return false; }
};
template <int A>
struct Int2Type { enum { VALUE = A }; };
template <bool Condition, class Then, class Else>
struct If { using Type = std::conditional_t<Condition, Then, Else>; };
template <class A, class B>
struct Equals { enum { VALUE = std::is_same<A, B>::value, NEGATE = !VALUE }; };
template <int N, int Current = N, int Count = 0>
struct Log2 { enum { VALUE = Log2<N, (Current >> 1), Count + 1>::VALUE }; };
template <int N, int Count>
struct Log2<N, 0, Count> { enum { VALUE = (1 << (Count - 1) < N) ? Count : Count - 1 }; };
template <int N>
struct PowerOfTwo { enum { VALUE = ((N & (N - 1)) == 0) }; };
template <class T>
struct Uninitialized {
  alignas(T) unsigned char storage[sizeof(T)];
  T& Alias() { return reinterpret_cast<T&>(*this); }
};

template <class K, class V>
struct KeyValuePair {
  using Key = K;
  using Value = V;
  K key;
  V value;
  KeyValuePair() = default;
  KeyValuePair(const K& k, const V& v) : key(k), value(v) {}
  bool operator!=(const KeyValuePair& o) const { return !(value == o.value) || !(key == o.key); }
};

template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector;
  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate}, selector(0) {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
template <class T>
struct NumericTraits {
  static constexpr Category CATEGORY = std::is_floating_point<T>::value ? FLOATING_POINT
                                       : !std::is_integral<T>::value    ? NOT_A_NUMBER
                                       : std::is_signed<T>::value       ? SIGNED_INTEGER
                                                                        : UNSIGNED_INTEGER;
  enum { PRIMITIVE = CATEGORY != NOT_A_NUMBER, NULL_TYPE = std::is_same<T, NullType>::value };
  static T Max() { return std::numeric_limits<T>::max(); }
  static T Lowest() { return std::numeric_limits<T>::lowest(); }
};
template <class T>
struct Traits : NumericTraits<T> {};

struct Equality {
  template <class T, class U>
  bool operator()(T&& a, U&& b) const { return a == b; }
};
struct Inequality {
  template <class T, class U>
  bool operator()(T&& a, U&& b) const { return a != b; }
};
template <class EqualityOp>
struct InequalityWrapper {
  EqualityOp op;
  InequalityWrapper(EqualityOp o) : op(o) {}
  template <class T, class U>
  bool operator()(T&& a, U&& b) { return !op(std::forward<T>(a), std::forward<U>(b)); }
};
struct Sum {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const { return a + b; }
};
struct Max {
  template <class T, class U>
  std::common_type_t<T, U> operator()(const T& a, const U& b) const { return a < b ? b : a; }
};
struct Min {
  template <class T, class U>
  std::common_type_t<T, U> operator()(const T& a, const U& b) const { return b < a ? b : a; }
};
struct ArgMax {
  template <class T, class O>
  KeyValuePair<O, T> operator()(const KeyValuePair<O, T>& a, const KeyValuePair<O, T>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class T, class O>
  KeyValuePair<O, T> operator()(const KeyValuePair<O, T>& a, const KeyValuePair<O, T>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
template <class B>
struct CastOp {
  template <class A>
  B operator()(A&& a) const { return static_cast<B>(a); }
};
template <class ScanOp>
struct SwizzleScanOp {
  ScanOp op;
  SwizzleScanOp(ScanOp o) : op(o) {}
  template <class T>
  T operator()(const T& a, const T& b) { return op(b, a); }
};
template <class ReduceOp>
struct ReduceBySegmentOp {
  ReduceOp op;
  ReduceBySegmentOp() = default;
  ReduceBySegmentOp(ReduceOp o) : op(o) {}
  template <class Pair>
  Pair operator()(const Pair& a, const Pair& b) {
    Pair out;
    out.key = a.key + b.key;
    out.value = b.key ? b.value : op(a.value, b.value);
    return out;
  }
};
#ifdef __CUDACC__
struct Difference {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const { return a - b; }
};
struct Division {
  template <class T, class U>
  auto operator()(const T& a, const U& b) const { return a / b; }
};
#endif

inline unsigned LaneId() { return emu::thread_rank() & 31; }
inline unsigned WarpId() { return emu::thread_rank() / 32; }
inline int RowMajorTid(int x, int y, int) {
  return static_cast<int>((threadIdx.z * static_cast<unsigned>(y) + threadIdx.y) * static_cast<unsigned>(x) + threadIdx.x);
}

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M, class It>
typename std::iterator_traits<It>::value_type ThreadLoad(It it) { return *it; }
template <CacheStoreModifier M, class It, class T>
void ThreadStore(It it, T value) { *it = value; }

template <int Length, class T, class Op>
T ThreadReduce(T* in, Op op) {
  T total = in[0];
  for (int i = 1; i < Length; i++) total = op(total, in[i]);
  return total;
}
template <int Length, class T, class Op>
T ThreadReduce(T* in, Op op, T prefix) {
  for (int i = 0; i < Length; i++) prefix = op(prefix, in[i]);
  return prefix;
}
template <int Length, class T, class Op>
T ThreadReduce(T (&in)[Length], Op op) { return ThreadReduce<Length>(static_cast<T*>(in), op); }
template <int Length, class T, class Op>
T ThreadReduce(T (&in)[Length], Op op, T prefix) { return ThreadReduce<Length>(static_cast<T*>(in), op, prefix); }

namespace detail {
template <class It, class Fallback = void>
struct value_of { using type = typename std::iterator_traits<It>::value_type; };
template <class It>
using value_t = typename value_of<It>::type;
// What an output iterator holds, or, where it does not say, what goes in.
template <class Out, class In>
using output_t = std::conditional_t<std::is_void<value_t<Out>>::value, value_t<In>, value_t<Out>>;
}  // namespace detail

// ---- errors
using Status = decltype(EMU_ERROR(0));
inline Status Debug(Status error, const char* file, int line) {
  if (static_cast<int>(error)) fprintf(stderr, "error %d [%s, %d]: %s\n", static_cast<int>(error), file, line,
                                       emu::error_text(static_cast<int>(error)));
  return error;
}
}  // namespace cub
#define CubDebug(e) cub::Debug((e), __FILE__, __LINE__)
#define CubDebugExit(e) \
  if (static_cast<int>(CubDebug(e))) { exit(1); }
