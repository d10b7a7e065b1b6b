// libcu++: atomics. As with the plain ones, each is one step of one processor, a loop around one lets others run, and
// race mode is told what is atomic and where a fence is.
#pragma once
#include "musify_emu/library.h"
#include "std.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum memory_order : int {
  memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel,
  memory_order_seq_cst
};
namespace std {
using ::cuda::memory_order;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_release;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_seq_cst;
}  // namespace std

inline void atomic_thread_fence(memory_order order, thread_scope = thread_scope_system) {
  if (order == memory_order_relaxed) return;
  asm volatile("" ::: "memory");
  emu::note_fence();
  emu::spin();
}

namespace detail {
// The operations on an object that lies elsewhere.
template <class T>
class AtomicAccess {
 public:
  explicit AtomicAccess(T* p) : p_(p) {}
  T load(memory_order order = memory_order_seq_cst) const {
    emu::spin();
    T v;
    {
      emu::Atomically here(p_, sizeof(T), false);
      v = *const_cast<const volatile T*>(p_);
    }
    if (order != memory_order_relaxed) emu::note_fence();
    return v;
  }
  void store(T v, memory_order order = memory_order_seq_cst) const {
    update(order, [&](T&) { return v; });
  }
  T exchange(T v, memory_order order = memory_order_seq_cst) const {
    return update(order, [&](T&) { return v; });
  }
  bool compare_exchange_strong(T& expected, T v, memory_order order = memory_order_seq_cst,
                               memory_order = memory_order_seq_cst) const {
    bool same = false;
    T old = update(order, [&](T& now) {
      same = __builtin_memcmp(&now, &expected, sizeof(T)) == 0;
      return same ? v : now;
    });
    if (!same) expected = old;
    return same;
  }
  bool compare_exchange_weak(T& expected, T v, memory_order order = memory_order_seq_cst,
                             memory_order other = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, v, order, other);
  }
#define EMU_LIBCU_FETCH(NAME, EXPRESSION)                                   \
  template <class U>                                                        \
  T NAME(U v, memory_order order = memory_order_seq_cst) const {            \
    return update(order, [&](T& old) { return static_cast<T>(EXPRESSION); }); \
  }
  EMU_LIBCU_FETCH(fetch_add, old + v)
  EMU_LIBCU_FETCH(fetch_sub, old - v)
  EMU_LIBCU_FETCH(fetch_and, old& v)
  EMU_LIBCU_FETCH(fetch_or, old | v)
  EMU_LIBCU_FETCH(fetch_xor, old ^ v)
  EMU_LIBCU_FETCH(fetch_min, static_cast<T>(v) < old ? static_cast<T>(v) : old)
  EMU_LIBCU_FETCH(fetch_max, old < static_cast<T>(v) ? static_cast<T>(v) : old)
#undef EMU_LIBCU_FETCH
  void wait(T old, memory_order order = memory_order_seq_cst) const {
    while (true) {
      T now = load(order);
      if (__builtin_memcmp(&now, &old, sizeof(T)) != 0) return;
    }
  }
  void notify_one() const {}
  void notify_all() const {}
  bool is_lock_free() const { return true; }
  operator T() const { return load(); }
  T operator=(T v) const {
    store(v);
    return v;
  }
  T operator++() const { return static_cast<T>(fetch_add(1) + 1); }
  T operator--() const { return static_cast<T>(fetch_sub(1) - 1); }
  T operator++(int) const { return fetch_add(1); }
  T operator--(int) const { return fetch_sub(1); }
  template <class U>
  T operator+=(U v) const { return static_cast<T>(fetch_add(v) + v); }
  template <class U>
  T operator-=(U v) const { return static_cast<T>(fetch_sub(v) - v); }

 private:
  template <class F>
  T update(memory_order order, F f) const {
    if (order != memory_order_relaxed) emu::note_fence();
    T old;
    {
      emu::Atomically here(p_, sizeof(T));
      old = *const_cast<const volatile T*>(p_);
      *const_cast<volatile T*>(p_) = f(old);
    }
    if (order != memory_order_relaxed) emu::note_fence();
    emu::spin();
    return old;
  }
  T* p_;
};
}  // namespace detail

template <class T, thread_scope = thread_scope_system>
class atomic_ref : public detail::AtomicAccess<T> {
 public:
  explicit atomic_ref(T& target) : detail::AtomicAccess<T>(&target) {}
  using detail::AtomicAccess<T>::operator=;
};

// An atomic object; each operation is that of a reference to it.
template <class T, thread_scope = thread_scope_system>
class atomic {
 public:
  using value_type = T;
  atomic() = default;
  constexpr atomic(T v) : value_(v) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  T load(memory_order o = memory_order_seq_cst) const { return at().load(o); }
  void store(T v, memory_order o = memory_order_seq_cst) { at().store(v, o); }
  T exchange(T v, memory_order o = memory_order_seq_cst) { return at().exchange(v, o); }
  bool compare_exchange_strong(T& e, T v, memory_order o = memory_order_seq_cst, memory_order = memory_order_seq_cst) {
    return at().compare_exchange_strong(e, v, o);
  }
  bool compare_exchange_weak(T& e, T v, memory_order o = memory_order_seq_cst, memory_order = memory_order_seq_cst) {
    return at().compare_exchange_strong(e, v, o);
  }
  template <class U> T fetch_add(U v, memory_order o = memory_order_seq_cst) { return at().fetch_add(v, o); }
  template <class U> T fetch_sub(U v, memory_order o = memory_order_seq_cst) { return at().fetch_sub(v, o); }
  template <class U> T fetch_and(U v, memory_order o = memory_order_seq_cst) { return at().fetch_and(v, o); }
  template <class U> T fetch_or(U v, memory_order o = memory_order_seq_cst) { return at().fetch_or(v, o); }
  template <class U> T fetch_xor(U v, memory_order o = memory_order_seq_cst) { return at().fetch_xor(v, o); }
  template <class U> T fetch_min(U v, memory_order o = memory_order_seq_cst) { return at().fetch_min(v, o); }
  template <class U> T fetch_max(U v, memory_order o = memory_order_seq_cst) { return at().fetch_max(v, o); }
  void wait(T old, memory_order o = memory_order_seq_cst) const { at().wait(old, o); }
  void notify_one() {}
  void notify_all() {}
  operator T() const { return at().load(); }
  T operator=(T v) { return at() = v; }
  T operator++() { return ++at(); }
  T operator--() { return --at(); }
  T operator++(int) { return at()++; }
  T operator--(int) { return at()--; }
  template <class U> T operator+=(U v) { return at() += v; }
  template <class U> T operator-=(U v) { return at() -= v; }

 private:
  detail::AtomicAccess<T> at() const { return detail::AtomicAccess<T>(const_cast<T*>(&value_)); }
  T value_;
};
namespace std {
template <class T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
}  // namespace std

}  // namespace cuda
