// What random access iterators of the vendors' libraries share, whose elements are made as they are asked for.
#pragma once
#include <cstddef>
#include <iterator>

namespace emu {

// Self has `raw()`, the element here, `move(n)` and `from(other)`, how far it is from another.
template <class Self, class Value, class Reference = Value, class Difference = ptrdiff_t>
struct Walker {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = Difference;
  using pointer = void;
  using reference = Reference;
  Self operator+(ptrdiff_t n) const {
    Self out = self();
    out.move(n);
    return out;
  }
  Self operator-(ptrdiff_t n) const { return *this + -n; }
  friend Self operator+(ptrdiff_t n, const Self& it) { return it + n; }
  friend Difference operator-(const Self& a, const Self& b) { return a.from(b); }
  Self& operator+=(ptrdiff_t n) { self().move(n); return self(); }
  Self& operator-=(ptrdiff_t n) { self().move(-n); return self(); }
  Self& operator++() { return *this += 1; }
  Self& operator--() { return *this -= 1; }
  Self operator++(int) { Self old = self(); self().move(1); return old; }
  Self operator--(int) { Self old = self(); self().move(-1); return old; }
  decltype(auto) operator*() const { return self().raw(); }
  decltype(auto) operator[](ptrdiff_t n) const { return (*this + n).raw(); }
  friend bool operator==(const Self& a, const Self& b) { return a.from(b) == 0; }
  friend bool operator!=(const Self& a, const Self& b) { return a.from(b) != 0; }
  friend bool operator<(const Self& a, const Self& b) { return a.from(b) < 0; }
  friend bool operator>(const Self& a, const Self& b) { return a.from(b) > 0; }
  friend bool operator<=(const Self& a, const Self& b) { return a.from(b) <= 0; }
  friend bool operator>=(const Self& a, const Self& b) { return a.from(b) >= 0; }
  // Thrust's question of where elements lie.
  static constexpr bool is_on_device = false, is_anywhere = true;

 private:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace emu
