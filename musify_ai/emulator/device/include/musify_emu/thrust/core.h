// Thrust: where things run, pointers to device memory, tuples. An algorithm is a plain loop; with device iterators or a
// device policy it runs as one thread of the device.
#pragma once
#include <functional>
#include <iterator>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "musify_emu/library.h"

#ifdef __CUDACC__
#define THRUST_VERSION 200700
#else
#define THRUST_VERSION 101201
#endif
#define THRUST_MAJOR_VERSION (THRUST_VERSION / 100000)
#define THRUST_MINOR_VERSION (THRUST_VERSION / 100 % 1000)
#define THRUST_SUBMINOR_VERSION (THRUST_VERSION % 100)
#define THRUST_NAMESPACE_BEGIN namespace thrust {
#define THRUST_NAMESPACE_END }

namespace thrust {

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
using std::advance;
using std::distance;
using std::next;
using std::prev;
using std::iterator_traits;
template <class It> using iterator_value_t = typename std::iterator_traits<It>::value_type;
template <class It> using iterator_difference_t = typename std::iterator_traits<It>::difference_type;
template <class It> struct iterator_value { using type = iterator_value_t<It>; };
template <class It> struct iterator_difference { using type = iterator_difference_t<It>; };
template <class It> struct iterator_reference { using type = typename std::iterator_traits<It>::reference; };
template <class It> struct iterator_pointer { using type = typename std::iterator_traits<It>::pointer; };
struct host_system_tag {};
struct device_system_tag {};
struct random_access_traversal_tag {};

namespace system {
class system_error : public std::runtime_error {
 public:
  explicit system_error(int code, const char* what) : std::runtime_error(what), code_(code) {}
  struct Code {
    int number;
    int value() const { return number; }
    operator int() const { return number; }
  };
  Code code() const { return {code_}; }

 private:
  int code_;
};
}  // namespace system
using system::system_error;

// ---- policies
namespace detail {
struct Policy {
  bool device;
  emu::host::Stream* stream;
};
template <class T>
struct is_policy : std::is_base_of<Policy, std::decay_t<T>> {};

// Runs a loop where the policy says.
template <class F>
void run(const Policy& policy, const char* name, F f) {
  if (!policy.device) return f();
  int error = emu::library_call(name, policy.stream, emu::Site{"", 0}, f);
  if (error) throw system_error(error, emu::error_text(error));
}
}  // namespace detail
template <class Derived>
struct execution_policy : detail::Policy {
  constexpr execution_policy(bool on_device = true, emu::host::Stream* s = nullptr) : detail::Policy{on_device, s} {}
};
struct host_policy : execution_policy<host_policy> {
  constexpr host_policy() : execution_policy<host_policy>(false) {}
};
struct device_policy : execution_policy<device_policy> {
  constexpr device_policy(emu::host::Stream* s = nullptr) : execution_policy<device_policy>(true, s) {}
  constexpr device_policy on(emu::host::Stream* s) const { return device_policy(s); }
  template <class Allocator>
  constexpr device_policy operator()(Allocator&&) const { return *this; }
};
template <class Derived> using device_execution_policy = execution_policy<Derived>;
template <class Derived> using host_execution_policy = execution_policy<Derived>;
static constexpr host_policy host{};
static constexpr device_policy device{};
static constexpr host_policy seq{};
#ifdef __CUDACC__
namespace cuda {
static constexpr device_policy par{}, par_nosync{};
template <class Derived> using execution_policy = thrust::execution_policy<Derived>;
using tag = device_policy;
}  // namespace cuda
#else
namespace musa {
static constexpr device_policy par{};
template <class Derived> using execution_policy = thrust::execution_policy<Derived>;
using tag = device_policy;
}  // namespace musa
#endif
namespace system {
#ifdef __CUDACC__
namespace cuda { using namespace thrust::cuda; }
#else
namespace musa { using namespace thrust::musa; }
#endif
}  // namespace system

// ---- pointers and references
template <class T>
class device_ptr;
// Stands for an element of device memory in host code.
template <class T>
class device_reference {
 public:
  using value_type = std::remove_cv_t<T>;
  using pointer = device_ptr<T>;
  explicit device_reference(T& target) : target_(&target) {}
  device_reference(const device_reference&) = default;
  template <class U, class = std::enable_if_t<std::is_convertible<U*, T*>::value>>
  device_reference(const device_reference<U>& o) : target_(&o.raw()) {}
  operator value_type() const { return read(); }
  const device_reference& operator=(const value_type& v) const {
    T* to = target_;
    if (emu::in_kernel()) *to = v;
    else emu::library_call("thrust::device_reference", nullptr, emu::Site{"", 0}, [=] { *to = v; });
    return *this;
  }
  const device_reference& operator=(const device_reference& o) const { return *this = static_cast<value_type>(o); }
  template <class U>
  const device_reference& operator=(const device_reference<U>& o) const { return *this = static_cast<value_type>(U(o)); }
  device_ptr<T> operator&() const;
  T& raw() const { return *target_; }
#define EMU_THRUST_COMPOUND(OP) \
  template <class U>            \
  const device_reference& operator OP##=(const U& v) const { return *this = static_cast<value_type>(read() OP v); }
  EMU_THRUST_COMPOUND(+)
  EMU_THRUST_COMPOUND(-)
  EMU_THRUST_COMPOUND(*)
  EMU_THRUST_COMPOUND(/)
#undef EMU_THRUST_COMPOUND
  const device_reference& operator++() const { return *this += 1; }
  const device_reference& operator--() const { return *this -= 1; }

 private:
  value_type read() const {
    if (emu::in_kernel()) return *target_;
    value_type out{}, *to = &out;
    T* from = target_;
    emu::library_call("thrust::device_reference", nullptr, emu::Site{"", 0}, [=] { *to = *from; });
    return out;
  }
  T* target_;
};

template <class T>
class device_ptr {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using difference_type = ptrdiff_t;
  using pointer = device_ptr<T>;
  using reference = device_reference<T>;
  using iterator_category = std::random_access_iterator_tag;
  device_ptr() : p_(nullptr) {}
  device_ptr(std::nullptr_t) : p_(nullptr) {}
  template <class U>
  explicit device_ptr(U* p) : p_(static_cast<T*>(p)) {}
  template <class U, class = std::enable_if_t<std::is_convertible<U*, T*>::value>>
  device_ptr(const device_ptr<U>& o) : p_(o.get()) {}
  T* get() const { return p_; }
  reference operator*() const { return reference(*p_); }
  reference operator[](ptrdiff_t i) const { return reference(p_[i]); }
  T* operator->() const { return p_; }
  T& raw() const { return *p_; }
  device_ptr operator+(ptrdiff_t n) const { return device_ptr(p_ + n); }
  device_ptr operator-(ptrdiff_t n) const { return device_ptr(p_ - n); }
  ptrdiff_t operator-(const device_ptr& o) const { return p_ - o.p_; }
  device_ptr& operator+=(ptrdiff_t n) { p_ += n; return *this; }
  device_ptr& operator-=(ptrdiff_t n) { p_ -= n; return *this; }
  device_ptr& operator++() { ++p_; return *this; }
  device_ptr& operator--() { --p_; return *this; }
  device_ptr operator++(int) { return device_ptr(p_++); }
  device_ptr operator--(int) { return device_ptr(p_--); }
  friend device_ptr operator+(ptrdiff_t n, const device_ptr& p) { return p + n; }
  bool operator==(const device_ptr& o) const { return p_ == o.p_; }
  bool operator!=(const device_ptr& o) const { return p_ != o.p_; }
  bool operator<(const device_ptr& o) const { return p_ < o.p_; }
  bool operator>(const device_ptr& o) const { return p_ > o.p_; }
  bool operator<=(const device_ptr& o) const { return p_ <= o.p_; }
  bool operator>=(const device_ptr& o) const { return p_ >= o.p_; }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  T* p_;
};
template <>
class device_ptr<void> {
 public:
  device_ptr(void* p = nullptr) : p_(p) {}
  template <class T>
  device_ptr(const device_ptr<T>& o) : p_(o.get()) {}
  void* get() const { return p_; }

 private:
  void* p_;
};
template <class T>
device_ptr<T> device_reference<T>::operator&() const { return device_ptr<T>(target_); }

template <class T>
device_ptr<T> device_pointer_cast(T* p) { return device_ptr<T>(p); }
template <class T>
device_ptr<T> device_pointer_cast(const device_ptr<T>& p) { return p; }
template <class T>
T* raw_pointer_cast(T* p) { return p; }
template <class T>
T* raw_pointer_cast(const device_ptr<T>& p) { return p.get(); }
template <class T>
T& raw_reference_cast(T& r) { return r; }
template <class T>
T& raw_reference_cast(const device_reference<T>& r) { return r.raw(); }
template <class T>
void swap(const device_reference<T>& a, const device_reference<T>& b) {
  T old = a;
  a = b;
  b = old;
}

inline device_ptr<void> device_malloc(size_t bytes) {
  void* p = nullptr;
  if (emu::host::allocate(&p, bytes, emu::Memory::device)) throw std::bad_alloc();
  return p;
}
template <class T>
device_ptr<T> device_malloc(size_t n) { return device_ptr<T>(device_malloc(n * sizeof(T)).get()); }
template <class T>
void device_free(const device_ptr<T>& p, emu::Site s = emu::Site::here()) {
  emu::host::release(const_cast<void*>(static_cast<const void*>(p.get())), "thrust::device_free", s);
}

namespace detail {
// An element as what it is in memory, not as a reference that host code would copy.
template <class It>
auto element(const It& it, int) -> decltype(it.raw()) { return it.raw(); }
template <class It>
decltype(auto) element(const It& it, long) { return *it; }
template <class It>
decltype(auto) element(const It& it) { return element(it, 0); }
template <class It>
decltype(auto) at(const It& it, size_t i) { return element(it + static_cast<ptrdiff_t>(i)); }
template <class It>
size_t length(const It& first, const It& last) { return static_cast<size_t>(last - first); }
template <class It>
using value_t = typename std::iterator_traits<It>::value_type;

// Whether a type's elements lie on the device.
template <class T, class = void>
struct on_device : std::false_type {};
template <class T>
struct on_device<device_ptr<T>, void> : std::true_type {};
template <class T>
struct on_device<T, std::enable_if_t<T::is_on_device>> : std::true_type {};
// Whether they lie nowhere, because an iterator makes them.
template <class T, class = void>
struct anywhere : std::false_type {};
template <class T>
struct anywhere<T, std::enable_if_t<T::is_anywhere>> : std::true_type {};
// Whether they lie on the host: of a pointer, or of any other iterator.
template <class T, class = void>
struct on_host : std::is_pointer<T> {};
template <class T>
struct on_host<T, std::void_t<typename T::iterator_category>>
    : std::bool_constant<!on_device<T>::value && !anywhere<T>::value> {};
// The device where anything lies there, and where all is made: such calls are the device's too.
template <class First, class... A>
Policy deduced() {
  constexpr bool device = on_device<std::decay_t<First>>::value || (on_device<std::decay_t<A>>::value || ...);
  constexpr bool made = anywhere<std::decay_t<First>>::value && !(on_host<std::decay_t<A>>::value || ...);
  return Policy{device || made, nullptr};
}

// Room for values, bools too.
template <class T>
struct Held {
  T value;
};
}  // namespace detail

// What an algorithm is without a policy: its arguments tell where it runs.
#define EMU_THRUST_DEDUCED(NAME)                                                                     \
  template <class First, class... Rest, std::enable_if_t<!detail::is_policy<First>::value, int> = 0> \
  auto NAME(First first, Rest... rest) {                                                             \
    return thrust::NAME(detail::deduced<First, Rest...>(), first, rest...);                          \
  }
#define EMU_THRUST_POLICY std::enable_if_t<detail::is_policy<P>::value, int> = 0

}  // namespace thrust
