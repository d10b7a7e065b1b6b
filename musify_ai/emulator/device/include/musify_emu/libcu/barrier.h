// libcu++: barriers whose arrival and wait are two steps, semaphores and latches, and copies that a barrier waits for.
// A copy is made when it is asked for.
#pragma once
#include "atomic.h"

namespace cuda {

template <thread_scope Scope, class Completion = void>
class barrier {
  static_assert(::std::is_void<Completion>::value, "a barrier with a completion function is not emulated");

 public:
  using arrival_token = unsigned long long;
  barrier() = default;
  constexpr explicit barrier(ptrdiff_t count) : expected_(count), left_(count), phase_(0) {}
  barrier(const barrier&) = delete;
  friend void init(barrier* b, ptrdiff_t count) { new (b) barrier(count); }

  [[nodiscard]] arrival_token arrive(ptrdiff_t n = 1) {
    emu::note_fence();
    emu::Atomically here(this, sizeof *this);
    arrival_token token = phase_;
    arrived(n);
    return token;
  }
  void wait(arrival_token&& token) const { until(token); }
  void wait(const arrival_token& token) const { until(token); }
  bool try_wait(arrival_token token) const { return passed(token); }
  void wait_parity(bool parity) const {
    while ((now() & 1) == parity) emu::spin();
    emu::note_fence();
  }
  bool try_wait_parity(bool parity) const { return (now() & 1) != parity; }
  void arrive_and_wait() { until(arrive()); }
  void arrive_and_drop() {
    emu::note_fence();
    emu::Atomically here(this, sizeof *this);
    --expected_;
    arrived(1);
  }
  static constexpr ptrdiff_t max() { return (1 << 20) - 1; }

 private:
  void arrived(ptrdiff_t n) {
    left_ -= n;
    if (left_ < 0) emu::trap("trap", "more arrivals at a cuda::barrier than it expects");
    if (left_ > 0) return;
    left_ = expected_;
    ++phase_;
  }
  arrival_token now() const {
    emu::Atomically here(this, sizeof *this, false);
    return *const_cast<const volatile arrival_token*>(&phase_);
  }
  bool passed(arrival_token token) const {
    emu::spin();
    bool done = now() != token;
    if (done) emu::note_fence();
    return done;
  }
  void until(arrival_token token) const {
    while (!passed(token)) {
    }
  }
  ptrdiff_t expected_, left_;
  arrival_token phase_;
};

template <thread_scope Scope, ptrdiff_t Most = (1 << 20)>
class counting_semaphore {
 public:
  constexpr explicit counting_semaphore(ptrdiff_t n = 0) : count_(n) {}
  void release(ptrdiff_t n = 1) { count_.fetch_add(n, memory_order_release); }
  bool try_acquire() {
    ptrdiff_t old = count_.load(memory_order_acquire);
    return old > 0 && count_.compare_exchange_strong(old, old - 1, memory_order_acquire);
  }
  void acquire() {
    while (!try_acquire()) {
    }
  }

 private:
  atomic<ptrdiff_t, Scope> count_;
};
template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;

template <thread_scope Scope>
class latch {
 public:
  constexpr explicit latch(ptrdiff_t n) : left_(n) {}
  void count_down(ptrdiff_t n = 1) { left_.fetch_sub(n, memory_order_release); }
  bool try_wait() const { return left_.load(memory_order_acquire) == 0; }
  void wait() const {
    while (!try_wait()) {
    }
  }
  void arrive_and_wait(ptrdiff_t n = 1) {
    count_down(n);
    wait();
  }

 private:
  atomic<ptrdiff_t, Scope> left_;
};
namespace std {
template <class Completion = void>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}  // namespace std

// ---- copies
template <::std::size_t Alignment>
struct aligned_size_t {
  ::std::size_t value;
  constexpr explicit aligned_size_t(::std::size_t n) : value(n) {}
  constexpr operator ::std::size_t() const { return value; }
};
template <class T, class Size, class Sync>
void memcpy_async(T* to, const T* from, Size bytes, Sync&) {
  __builtin_memcpy(static_cast<void*>(to), static_cast<const void*>(from), static_cast<::std::size_t>(bytes));
}
// By a group: each of its threads copies its share.
template <class Group, class T, class Size, class Sync>
void memcpy_async(const Group& group, T* to, const T* from, Size bytes, Sync&) {
  ::std::size_t all = static_cast<::std::size_t>(bytes);
  for (::std::size_t i = group.thread_rank() * sizeof(T); i < all; i += group.size() * sizeof(T))
    __builtin_memcpy(reinterpret_cast<char*>(to) + i, reinterpret_cast<const char*>(from) + i,
                     all - i < sizeof(T) ? all - i : sizeof(T));
}

}  // namespace cuda
