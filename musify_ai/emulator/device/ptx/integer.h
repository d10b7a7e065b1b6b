// Integer arithmetic of PTX. All of it wraps unless a rule here says otherwise.
#pragma once
#include "types.h"

namespace emu {
namespace ptx {

// The carry flag of the condition-code register. It is no part of a thread's visible state, yet real code carries it
// from one asm statement to the next; nothing between two such statements can switch threads.
inline bool carry_flag = false;

// The type of twice the width, of the same signedness.
template <class T>
struct wider;
template <> struct wider<u16> { using type = u32; };
template <> struct wider<s16> { using type = s32; };
template <> struct wider<u32> { using type = u64; };
template <> struct wider<s32> { using type = s64; };

// The product's two halves: at 64 bits through the compiler's 128-bit integers.
template <class T>
inline bits_of<T> multiply_low(bits_of<T> a, bits_of<T> b) {
  return static_cast<bits_of<T>>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
template <class T>
inline bits_of<T> multiply_high(bits_of<T> a, bits_of<T> b) {
  if constexpr (is_signed_type<T>) {
    __int128 product = static_cast<__int128>(read<T>(a)) * read<T>(b);
    return static_cast<bits_of<T>>(product >> width_of<T>);
  } else {
    unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return static_cast<bits_of<T>>(product >> width_of<T>);
  }
}

// A sum that is clamped to the range of s32 (the .sat forms, which exist for s32 only).
inline uint32_t saturate_s32(int64_t sum) {
  return static_cast<uint32_t>(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : static_cast<int32_t>(sum));
}

// add, sub: modulo 2^width.
template <class T>
inline bits_of<T> add(bits_of<T> a, bits_of<T> b) { return static_cast<bits_of<T>>(a + b); }
template <class T>
inline bits_of<T> sub(bits_of<T> a, bits_of<T> b) { return static_cast<bits_of<T>>(a - b); }
inline uint32_t add_sat(uint32_t a, uint32_t b) { return saturate_s32(int64_t(int32_t(a)) + int32_t(b)); }
inline uint32_t sub_sat(uint32_t a, uint32_t b) { return saturate_s32(int64_t(int32_t(a)) - int32_t(b)); }

// add.cc writes the carry out; addc adds the carry in; .cc on addc writes it again.
template <class T, bool In, bool Out>
inline bits_of<T> add_carry(bits_of<T> a, bits_of<T> b) {
  unsigned __int128 sum = static_cast<unsigned __int128>(a) + b + (In && carry_flag);
  if (Out) carry_flag = (sum >> width_of<T>) & 1;
  return static_cast<bits_of<T>>(sum);
}
// sub.cc writes the borrow out; subc subtracts it. The flag holds the borrow, so a chain of one kind is consistent.
template <class T, bool In, bool Out>
inline bits_of<T> sub_carry(bits_of<T> a, bits_of<T> b) {
  unsigned __int128 difference = static_cast<unsigned __int128>(a) - b - (In && carry_flag);
  if (Out) carry_flag = (difference >> width_of<T>) & 1;
  return static_cast<bits_of<T>>(difference);
}
// mad with carry: the chosen half of the product, then as add.
template <class T, bool High, bool In, bool Out>
inline bits_of<T> mad_carry(bits_of<T> a, bits_of<T> b, bits_of<T> c) {
  return add_carry<T, In, Out>(High ? multiply_high<T>(a, b) : multiply_low<T>(a, b), c);
}

// mul: the low half, the high half, or the whole product in a register of twice the width.
template <class T>
inline bits_of<T> mul_lo(bits_of<T> a, bits_of<T> b) { return multiply_low<T>(a, b); }
template <class T>
inline bits_of<T> mul_hi(bits_of<T> a, bits_of<T> b) { return multiply_high<T>(a, b); }
template <class T>
inline bits_of<typename wider<T>::type> mul_wide(bits_of<T> a, bits_of<T> b) {
  using Wide = typename wider<T>::type;
  return static_cast<bits_of<Wide>>(static_cast<value_of<Wide>>(read<T>(a)) * static_cast<value_of<Wide>>(read<T>(b)));
}
// mad: the same three, plus c.
template <class T>
inline bits_of<T> mad_lo(bits_of<T> a, bits_of<T> b, bits_of<T> c) { return add<T>(multiply_low<T>(a, b), c); }
template <class T>
inline bits_of<T> mad_hi(bits_of<T> a, bits_of<T> b, bits_of<T> c) { return add<T>(multiply_high<T>(a, b), c); }
template <class T>
inline bits_of<typename wider<T>::type> mad_wide(bits_of<T> a, bits_of<T> b, bits_of<typename wider<T>::type> c) {
  return mul_wide<T>(a, b) + c;
}
inline uint32_t mad_hi_sat(uint32_t a, uint32_t b, uint32_t c) {
  return saturate_s32(int64_t(int32_t(multiply_high<s32>(a, b))) + int32_t(c));
}

// mul24, mad24: operands are 24-bit values in 32-bit registers; .lo is bits 31..0 of the 48-bit product, .hi bits 47..16.
template <class T>
inline int64_t product24(uint32_t a, uint32_t b) {
  if (is_signed_type<T>) return int64_t(int32_t(a << 8) >> 8) * (int32_t(b << 8) >> 8);
  return int64_t(uint64_t(a & 0xFFFFFF) * (b & 0xFFFFFF));
}
template <class T>
inline uint32_t mul24_lo(uint32_t a, uint32_t b) { return uint32_t(product24<T>(a, b)); }
template <class T>
inline uint32_t mul24_hi(uint32_t a, uint32_t b) { return uint32_t(product24<T>(a, b) >> 16); }
template <class T>
inline uint32_t mad24_lo(uint32_t a, uint32_t b, uint32_t c) { return mul24_lo<T>(a, b) + c; }
template <class T>
inline uint32_t mad24_hi(uint32_t a, uint32_t b, uint32_t c) { return mul24_hi<T>(a, b) + c; }
inline uint32_t mad24_hi_sat(uint32_t a, uint32_t b, uint32_t c) {
  return saturate_s32(int64_t(int32_t(mul24_hi<s32>(a, b))) + int32_t(c));
}

// sad: c plus the distance of a and b.
template <class T>
inline bits_of<T> sad(bits_of<T> a, bits_of<T> b, bits_of<T> c) {
  bits_of<T> distance = read<T>(a) < read<T>(b) ? bits_of<T>(b - a) : bits_of<T>(a - b);
  return static_cast<bits_of<T>>(c + distance);
}

// div truncates; by zero the manual leaves the result open (all ones here, and the dividend for rem). The one
// overflow, the least value by -1, wraps.
template <class T>
inline bits_of<T> div(bits_of<T> a, bits_of<T> b) {
  if (b == 0) return static_cast<bits_of<T>>(~bits_of<T>(0));
  if (is_signed_type<T> && b == static_cast<bits_of<T>>(~bits_of<T>(0))) return static_cast<bits_of<T>>(0 - a);
  return static_cast<bits_of<T>>(read<T>(a) / read<T>(b));
}
template <class T>
inline bits_of<T> rem(bits_of<T> a, bits_of<T> b) {
  if (b == 0) return a;
  if (is_signed_type<T> && b == static_cast<bits_of<T>>(~bits_of<T>(0))) return 0;
  return static_cast<bits_of<T>>(read<T>(a) % read<T>(b));
}

template <class T>
inline bits_of<T> neg(bits_of<T> a) { return static_cast<bits_of<T>>(0 - a); }
template <class T>
inline bits_of<T> abs(bits_of<T> a) { return read<T>(a) < 0 ? static_cast<bits_of<T>>(0 - a) : a; }
template <class T>
inline bits_of<T> min(bits_of<T> a, bits_of<T> b) { return read<T>(b) < read<T>(a) ? b : a; }
template <class T>
inline bits_of<T> max(bits_of<T> a, bits_of<T> b) { return read<T>(a) < read<T>(b) ? b : a; }

// dp4a: four products of bytes, dp2a: two of 16-bit parts of a by bytes of b (its low or high two), added to c. The
// bytes are read with the sign of their own operand's type.
template <class A, class B>
inline uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 32; i += 8) {
    int32_t x = is_signed_type<A> ? int8_t(a >> i) : uint8_t(a >> i);
    int32_t y = is_signed_type<B> ? int8_t(b >> i) : uint8_t(b >> i);
    c += uint32_t(x * y);
  }
  return c;
}
template <class A, class B, bool High>
inline uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 2; ++i) {
    int32_t x = is_signed_type<A> ? int16_t(a >> (16 * i)) : uint16_t(a >> (16 * i));
    int part = (High ? 16 : 0) + 8 * i;
    int32_t y = is_signed_type<B> ? int8_t(b >> part) : uint8_t(b >> part);
    c += uint32_t(x * y);
  }
  return c;
}

}  // namespace ptx
}  // namespace emu
