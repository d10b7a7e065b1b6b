// Thrust: vectors in memory of the host, of the device, and of both.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <vector>

#include "core.h"

namespace thrust {

namespace detail {
template <class T, emu::Memory SPACE>
class Vector {
  static constexpr bool on_device_only = SPACE == emu::Memory::device;

 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using iterator = std::conditional_t<on_device_only, device_ptr<T>, T*>;
  using const_iterator = std::conditional_t<on_device_only, device_ptr<const T>, const T*>;
  using pointer = iterator;
  using const_pointer = const_iterator;
  using reference = std::conditional_t<on_device_only, device_reference<T>, T&>;
  using const_reference = std::conditional_t<on_device_only, device_reference<const T>, const T&>;

  Vector() = default;
  explicit Vector(size_t n) { resize(n); }
  Vector(size_t n, const T& value) { resize(n, value); }
  Vector(std::initializer_list<T> list) { take(list.begin(), list.size(), false); }
  Vector(const Vector& o) { take(o.p_, o.n_, SPACE != emu::Memory::host); }
  Vector(Vector&& o) noexcept { swap(o); }
  template <emu::Memory OTHER>
  Vector(const Vector<T, OTHER>& o) { take(o.raw(), o.size(), OTHER != emu::Memory::host); }
  template <class U, emu::Memory OTHER, class = std::enable_if_t<!std::is_same<T, U>::value>>
  Vector(const Vector<U, OTHER>& o) { assign(o.begin(), o.end()); }
  template <class Allocator>
  Vector(const std::vector<T, Allocator>& o) { assign(o.begin(), o.end()); }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  Vector(It first, It last) { assign(first, last); }
  ~Vector() { let_go(); }
  Vector& operator=(const Vector& o) {
    if (this != &o) take(o.p_, o.n_, SPACE != emu::Memory::host);
    return *this;
  }
  Vector& operator=(Vector&& o) noexcept {
    swap(o);
    return *this;
  }
  template <emu::Memory OTHER>
  Vector& operator=(const Vector<T, OTHER>& o) {
    take(o.raw(), o.size(), OTHER != emu::Memory::host);
    return *this;
  }
  template <class Allocator>
  Vector& operator=(const std::vector<T, Allocator>& o) {
    assign(o.begin(), o.end());
    return *this;
  }
  Vector& operator=(std::initializer_list<T> list) {
    take(list.begin(), list.size(), false);
    return *this;
  }

  iterator begin() { return iterator(p_); }
  iterator end() { return iterator(p_ + n_); }
  const_iterator begin() const { return const_iterator(p_); }
  const_iterator end() const { return const_iterator(p_ + n_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  std::reverse_iterator<iterator> rbegin() { return std::reverse_iterator<iterator>(end()); }
  std::reverse_iterator<iterator> rend() { return std::reverse_iterator<iterator>(begin()); }
  pointer data() { return begin(); }
  const_pointer data() const { return begin(); }
  reference operator[](size_t i) { return begin()[static_cast<ptrdiff_t>(i)]; }
  const_reference operator[](size_t i) const { return begin()[static_cast<ptrdiff_t>(i)]; }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[n_ - 1]; }
  const_reference front() const { return (*this)[0]; }
  const_reference back() const { return (*this)[n_ - 1]; }
  size_t size() const { return n_; }
  size_t capacity() const { return room_; }
  bool empty() const { return n_ == 0; }
  T* raw() const { return p_; }

  void resize(size_t n) { resize(n, T()); }
  void resize(size_t n, const T& value) {
    if (n > room_) grow(n);
    if (n > n_) fill(p_ + n_, n - n_, value);
    else if (n < n_) destroy(p_ + n, n_ - n);
    n_ = n;
  }
  void reserve(size_t n) {
    if (n > room_) grow(n);
  }
  void clear() { resize(0); }
  void shrink_to_fit() {
    Vector other(*this);
    swap(other);
  }
  void push_back(const T& value) {
    T copy = value;
    if (n_ == room_) grow(room_ ? 2 * room_ : 1);
    fill(p_ + n_, 1, copy);
    n_++;
  }
  template <class... A>
  void emplace_back(A&&... a) { push_back(T(std::forward<A>(a)...)); }
  void pop_back() { resize(n_ - 1); }
  void assign(size_t n, const T& value) {
    clear();
    resize(n, value);
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  void assign(It first, It last) {
    std::vector<Held<T>> values;
    auto read = [&] {
      for (It it = first; it != last; ++it) values.push_back(Held<T>{static_cast<T>(element(it))});
    };
    detail::run(deduced<It>(), "thrust::copy", [&] { read(); });
    take(values.empty() ? nullptr : &values[0].value, values.size(), false);
  }
  iterator erase(const_iterator at) { return erase(at, at + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    size_t from = static_cast<size_t>(first - cbegin()), to = static_cast<size_t>(last - cbegin());
    std::vector<Held<T>> rest = held(to, n_);
    resize(from);
    append(rest);
    return begin() + static_cast<ptrdiff_t>(from);
  }
  iterator insert(const_iterator at, const T& value) {
    size_t from = static_cast<size_t>(at - cbegin());
    std::vector<Held<T>> rest = held(from, n_);
    resize(from);
    push_back(value);
    append(rest);
    return begin() + static_cast<ptrdiff_t>(from);
  }
  template <class It, class = typename std::iterator_traits<It>::iterator_category>
  void insert(const_iterator at, It first, It last) {
    size_t from = static_cast<size_t>(at - cbegin());
    Vector added(first, last);
    std::vector<Held<T>> rest = held(from, n_), middle = added.held(0, added.n_);
    resize(from);
    append(middle);
    append(rest);
  }
  void swap(Vector& o) noexcept {
    std::swap(p_, o.p_);
    std::swap(n_, o.n_);
    std::swap(room_, o.room_);
  }
  friend bool operator==(const Vector& a, const Vector& b) {
    auto left = a.held(0, a.n_), right = b.held(0, b.n_);
    return left.size() == right.size() &&
           std::equal(left.begin(), left.end(), right.begin(), [](auto& x, auto& y) { return x.value == y.value; });
  }
  friend bool operator!=(const Vector& a, const Vector& b) { return !(a == b); }
  std::vector<Held<T>> held(size_t from, size_t to) const {
    std::vector<Held<T>> out;
    where("thrust::copy", [&] {
      for (size_t i = from; i < to; i++) out.push_back(Held<T>{p_[i]});
    });
    return out;
  }

 private:
  template <class F>
  static void where(const char* name, F f) {
    detail::run(Policy{SPACE != emu::Memory::host, nullptr}, name, f);
  }
  static void fill(T* to, size_t n, const T& value) {
    where("thrust::uninitialized_fill", [&] {
      for (size_t i = 0; i < n; i++) new (to + i) T(value);
    });
  }
  static void destroy(T* p, size_t n) {
    if constexpr (!std::is_trivially_destructible<T>::value)
      where("thrust::destroy", [&] {
        for (size_t i = 0; i < n; i++) p[i].~T();
      });
  }
  void append(const std::vector<Held<T>>& values) {
    if (n_ + values.size() > room_) grow(n_ + values.size());
    T* to = p_ + n_;
    where("thrust::copy", [&] {
      for (size_t i = 0; i < values.size(); i++) new (to + i) T(values[i].value);
    });
    n_ += values.size();
  }
  // Becomes a copy of what lies anywhere.
  void take(const T* from, size_t n, bool from_device) {
    clear();
    if (!n) return;
    if (n > room_) grow(n);
    T* to = p_;
    auto copy = [&] {
      for (size_t i = 0; i < n; i++) new (to + i) T(from[i]);
    };
    detail::run(Policy{from_device || SPACE != emu::Memory::host, nullptr}, "thrust::copy", copy);
    n_ = n;
  }
  void grow(size_t room) {
    T* fresh = nullptr;
    if constexpr (SPACE == emu::Memory::host) {
      fresh = static_cast<T*>(::operator new(room * sizeof(T), std::align_val_t(alignof(T))));
    } else {
      void* p = nullptr;
      if (emu::host::allocate(&p, room * sizeof(T), SPACE)) throw std::bad_alloc();
      fresh = static_cast<T*>(p);
    }
    T* old = p_;
    size_t n = n_;
    if (n)
      where("thrust::copy", [&] {
        for (size_t i = 0; i < n; i++) new (fresh + i) T(std::move(old[i]));
      });
    let_go();
    p_ = fresh;
    n_ = n;
    room_ = room;
  }
  void let_go() {
    if (!p_) return;
    destroy(p_, n_);
    if constexpr (SPACE == emu::Memory::host) ::operator delete(p_, std::align_val_t(alignof(T)));
    else emu::host::release(p_, "thrust::vector", emu::Site{"", 0});
    p_ = nullptr;
    n_ = room_ = 0;
  }
  T* p_ = nullptr;
  size_t n_ = 0, room_ = 0;
};
}  // namespace detail

template <class T>
struct device_allocator {
  using value_type = T;
};
template <class T> using device_malloc_allocator = device_allocator<T>;
template <class T, class = void>
class host_vector : public detail::Vector<T, emu::Memory::host> {
 public:
  using detail::Vector<T, emu::Memory::host>::Vector;
  using detail::Vector<T, emu::Memory::host>::operator=;
};
template <class T, class = void>
class device_vector : public detail::Vector<T, emu::Memory::device> {
 public:
  using detail::Vector<T, emu::Memory::device>::Vector;
  using detail::Vector<T, emu::Memory::device>::operator=;
};
template <class T, class = void>
class universal_vector : public detail::Vector<T, emu::Memory::managed> {
 public:
  using detail::Vector<T, emu::Memory::managed>::Vector;
  using detail::Vector<T, emu::Memory::managed>::operator=;
};

}  // namespace thrust
