// CUDA's typed atomics, __nv_atomic_*: an order and a scope beside the value. One processor runs all threads in order,
// so what counts is what each computes, that whoever loads in a loop lets others run, and that race mode hears of the
// fences that an order stands for. Sizes and types are those of CUDA's C++ programming guide.
#pragma once
#include "threads.h"

namespace emu {
namespace device {

constexpr int kRelaxed = 0, kConsume = 1, kAcquire = 2, kRelease = 3, kAcquireRelease = 4, kSequential = 5;

EMU_INLINE void fence_before(int order) {
  if (order >= kRelease) note_fence();
}
template <class T>
EMU_INLINE void check_scoped() {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "an atomic is of 1, 2, 4, 8 or 16 bytes");
  static_assert(__is_trivially_copyable(T), "an atomic may be copied as bytes");
}
template <class T>
using plain_of = std::remove_cv_t<T>;

template <class T>
EMU_INLINE plain_of<T> scoped_load(T* p) {
  check_scoped<T>();
  plain_of<T> out;
  {
    Atomically here(p, sizeof(T), false);
    memcpy(&out, const_cast<const plain_of<T>*>(p), sizeof(T));
    asm volatile("" ::: "memory");
  }
  spin();
  return out;
}
template <class T>
EMU_INLINE void scoped_store(T* p, plain_of<T> v) {
  check_scoped<T>();
  Atomically here(p, sizeof(T));
  memcpy(const_cast<plain_of<T>*>(p), &v, sizeof(T));
  asm volatile("" ::: "memory");
}
// Reads, lets `change` make the new value of the old one, writes; returns the old one.
template <class T, class F>
EMU_INLINE plain_of<T> scoped_update(T* p, F change) {
  check_scoped<T>();
  plain_of<T> old, fresh;
  {
    Atomically here(p, sizeof(T));
    memcpy(&old, const_cast<const plain_of<T>*>(p), sizeof(T));
    fresh = change(old);
    memcpy(const_cast<plain_of<T>*>(p), &fresh, sizeof(T));
    asm volatile("" ::: "memory");
  }
  return old;
}
template <class T>
EMU_INLINE bool scoped_compare(T* p, plain_of<T>* expected, plain_of<T> desired) {
  plain_of<T> wanted = *expected;
  plain_of<T> old = scoped_update(p, [&](const plain_of<T>& now) {
    return memcmp(&now, &wanted, sizeof(T)) == 0 ? desired : now;
  });
  spin();
  if (memcmp(&old, &wanted, sizeof(T)) == 0) return true;
  *expected = old;
  return false;
}

constexpr int kAnyScope = 4;
template <class T>
EMU_INLINE plain_of<T> __nv_atomic_load_n(T* p, int, int = kAnyScope) { return scoped_load(p); }
template <class T>
EMU_INLINE void __nv_atomic_load(T* p, plain_of<T>* out, int, int = kAnyScope) { *out = scoped_load(p); }
template <class T>
EMU_INLINE void __nv_atomic_store_n(T* p, plain_of<T> v, int order, int = kAnyScope) {
  fence_before(order);
  scoped_store(p, v);
}
template <class T>
EMU_INLINE void __nv_atomic_store(T* p, plain_of<T>* v, int order, int = kAnyScope) {
  fence_before(order);
  scoped_store(p, *v);
}
template <class T>
EMU_INLINE plain_of<T> __nv_atomic_exchange_n(T* p, plain_of<T> v, int order, int = kAnyScope) {
  fence_before(order);
  plain_of<T> old = scoped_update(p, [&](const plain_of<T>&) { return v; });
  spin();
  return old;
}
template <class T>
EMU_INLINE void __nv_atomic_exchange(T* p, plain_of<T>* v, plain_of<T>* out, int order, int = kAnyScope) {
  *out = __nv_atomic_exchange_n(p, *v, order);
}
template <class T>
EMU_INLINE bool __nv_atomic_compare_exchange_n(T* p, plain_of<T>* expected, plain_of<T> desired, bool, int order, int,
                                               int = kAnyScope) {
  fence_before(order);
  return scoped_compare(p, expected, desired);
}
template <class T>
EMU_INLINE bool __nv_atomic_compare_exchange(T* p, plain_of<T>* expected, plain_of<T>* desired, bool, int order, int,
                                             int = kAnyScope) {
  fence_before(order);
  return scoped_compare(p, expected, *desired);
}
EMU_INLINE void __nv_atomic_thread_fence(int order, int = kAnyScope) {
  if (order != kRelaxed) __threadfence();
}

// Which types an operation has: a condition over the type, as the guide lists them.
template <class T>
constexpr bool whole = std::is_integral<T>::value && sizeof(T) >= 4 && !std::is_same<T, bool>::value;
template <class T>
constexpr bool number = whole<T> || std::is_same<T, float>::value || std::is_same<T, double>::value;
#define EMU_SCOPED(NAME, ALLOWED, EXPRESSION)                                                        \
  template <class T>                                                                                 \
  EMU_INLINE plain_of<T> __nv_atomic_fetch_##NAME(T* p, plain_of<T> v, int order, int = kAnyScope) { \
    static_assert(ALLOWED<plain_of<T>>, "__nv_atomic_fetch_" #NAME " has no form for this type");    \
    fence_before(order);                                                                             \
    return scoped_update(p, [&](plain_of<T> old) { return static_cast<plain_of<T>>(EXPRESSION); });  \
  }                                                                                                  \
  template <class T>                                                                                 \
  EMU_INLINE void __nv_atomic_##NAME(T* p, plain_of<T> v, int order, int = kAnyScope) {              \
    __nv_atomic_fetch_##NAME(p, v, order);                                                           \
  }
// Sums wrap, as unsigned ones do; those of floating types round once.
template <class T>
EMU_INLINE T wrapped_sum(T a, T b, bool minus) {
  if constexpr (std::is_integral<T>::value) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(minus ? static_cast<U>(a) - static_cast<U>(b) : static_cast<U>(a) + static_cast<U>(b));
  } else {
    return minus ? a - b : a + b;
  }
}
EMU_SCOPED(add, number, wrapped_sum(old, v, false))
EMU_SCOPED(sub, number, wrapped_sum(old, v, true))
EMU_SCOPED(and, whole, old & v)
EMU_SCOPED(or, whole, old | v)
EMU_SCOPED(xor, whole, old ^ v)
EMU_SCOPED(min, whole, v < old ? v : old)
EMU_SCOPED(max, whole, v > old ? v : old)
#undef EMU_SCOPED

}  // namespace device
}  // namespace emu
