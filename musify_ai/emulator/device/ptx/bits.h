// Logic, shifts, bit fields and byte permutation of PTX.
#pragma once
#include "types.h"

namespace emu {
namespace ptx {

template <class T>
inline bits_of<T> and_(bits_of<T> a, bits_of<T> b) { return static_cast<bits_of<T>>(a & b); }
template <class T>
inline bits_of<T> or_(bits_of<T> a, bits_of<T> b) { return static_cast<bits_of<T>>(a | b); }
template <class T>
inline bits_of<T> xor_(bits_of<T> a, bits_of<T> b) { return static_cast<bits_of<T>>(a ^ b); }
template <class T>
inline bits_of<T> not_(bits_of<T> a) {
  if constexpr (std::is_same<T, pred>::value) return !a;
  else return static_cast<bits_of<T>>(~a);
}
// cnot: 1 for zero, else 0.
template <class T>
inline bits_of<T> cnot(bits_of<T> a) { return a == 0; }

// lop3: bit i of the result is the bit of the table chosen by bits i of a (4), b (2) and c (1).
inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t out = 0;
  for (int choice = 0; choice < 8; ++choice)
    if (table >> choice & 1) out |= (choice & 4 ? a : ~a) & (choice & 2 ? b : ~b) & (choice & 1 ? c : ~c);
  return out;
}

// Shift amounts above the width count as the width: everything is shifted out (the sign stays for signed shr).
template <class T>
inline bits_of<T> shl(bits_of<T> a, uint32_t n) {
  return n >= unsigned(width_of<T>) ? 0 : static_cast<bits_of<T>>(static_cast<uint64_t>(a) << n);
}
template <class T>
inline bits_of<T> shr(bits_of<T> a, uint32_t n) {
  if (n >= unsigned(width_of<T>)) {
    if (!is_signed_type<T>) return 0;
    n = width_of<T> - 1;
  }
  return static_cast<bits_of<T>>(read<T>(a) >> n);
}
// shf: 64 bits, b above a, shifted by n; .l keeps the upper word, .r the lower. .clamp stops at 32, .wrap takes n mod 32.
template <bool Wrap>
inline uint32_t shf_l(uint32_t a, uint32_t b, uint32_t n) {
  n = Wrap ? n & 31 : n > 32 ? 32 : n;
  return static_cast<uint32_t>(((uint64_t(b) << 32 | a) << n) >> 32);
}
template <bool Wrap>
inline uint32_t shf_r(uint32_t a, uint32_t b, uint32_t n) {
  n = Wrap ? n & 31 : n > 32 ? 32 : n;
  return static_cast<uint32_t>((uint64_t(b) << 32 | a) >> n);
}

// bfe: `length` bits from `start` on (both of 8 bits). Past the top, and above the field, it is filled with zeros or,
// for signed types, with the sign: the highest bit of the field, or the top bit where the field reaches past it.
template <class T>
inline bits_of<T> bfe(bits_of<T> a, uint32_t start, uint32_t length) {
  constexpr unsigned top = width_of<T> - 1;
  start &= 0xFF;
  length &= 0xFF;
  bool sign = false;
  if (is_signed_type<T> && length) {
    unsigned last = start + length - 1;
    sign = a >> (last > top ? top : last) & 1;
  }
  bits_of<T> out = 0;
  for (unsigned i = 0; i <= top; ++i) {
    bool bit = i < length && start + i <= top ? bool(a >> (start + i) & 1) : sign;
    out |= static_cast<bits_of<T>>(bits_of<T>(bit) << i);
  }
  return out;
}
// bfi: the low `length` bits of a over those of b from `start` on; what falls off the top is lost.
template <class T>
inline bits_of<T> bfi(bits_of<T> a, bits_of<T> b, uint32_t start, uint32_t length) {
  start &= 0xFF;
  length &= 0xFF;
  for (unsigned i = 0; i < length && start + i < unsigned(width_of<T>); ++i) {
    bits_of<T> one = bits_of<T>(1) << (start + i);
    b = (a >> i & 1) ? b | one : b & ~one;
  }
  return b;
}
// bfind: the position of the highest bit set (for negative signed values: of the highest bit clear), all ones if
// there is none. With .shiftamt: how far to shift it to the top.
template <class T, bool ShiftAmount>
inline uint32_t bfind(bits_of<T> a) {
  if (is_signed_type<T> && read<T>(a) < 0) a = static_cast<bits_of<T>>(~a);
  for (int i = width_of<T> - 1; i >= 0; --i)
    if (a >> i & 1) return ShiftAmount ? width_of<T> - 1 - i : i;
  return 0xFFFFFFFFu;
}
// fns: the position of the n-th set bit counted from `base` up (n > 0) or down (n < 0); n = 0 asks for base itself.
inline uint32_t fns(uint32_t mask, uint32_t base, int32_t n) {
  if (base > 31) return 0xFFFFFFFFu;
  if (n == 0) return mask >> base & 1 ? base : 0xFFFFFFFFu;
  int step = n > 0 ? 1 : -1, left = n > 0 ? n : -n;
  for (int i = int(base); i >= 0 && i < 32; i += step)
    if ((mask >> i & 1) && --left == 0) return i;
  return 0xFFFFFFFFu;
}
template <class T>
inline uint32_t popc(bits_of<T> a) { return __builtin_popcountll(a); }
// clz of zero is the width.
template <class T>
inline uint32_t clz(bits_of<T> a) { return a == 0 ? width_of<T> : __builtin_clzll(a) - (64 - width_of<T>); }
template <class T>
inline bits_of<T> brev(bits_of<T> a) {
  bits_of<T> out = 0;
  for (int i = 0; i < width_of<T>; ++i) out |= (a >> i & 1) << (width_of<T> - 1 - i);
  return out;
}
// bmsk: `length` ones from `start` on. .clamp stops both at 32, .wrap takes both mod 32.
template <bool Wrap>
inline uint32_t bmsk(uint32_t start, uint32_t length) {
  uint64_t a = Wrap ? start & 31 : start > 32 ? 32 : start, n = Wrap ? length & 31 : length > 32 ? 32 : length;
  return static_cast<uint32_t>(((uint64_t(1) << n) - 1) << a);
}

// prmt: each nibble of the selector picks a byte of b:a (0..7); its top bit asks for that byte's sign spread over it.
inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t out = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t choice = selector >> (4 * i) & 0xF;
    uint32_t byte = uint8_t(bytes >> (8 * (choice & 7)));
    if (choice & 8) byte = byte & 0x80 ? 0xFF : 0;
    out |= byte << (8 * i);
  }
  return out;
}
// The modes of prmt take two bits of the selector: a window forward or backward, one byte or half word repeated, or
// the edge clamped from the left or the right.
enum class Permute { f4e, b4e, rc8, ecl, ecr, rc16 };
template <Permute Mode>
inline uint32_t prmt_mode(uint32_t a, uint32_t b, uint32_t selector) {
  int s = selector & 3;
  uint32_t choices = 0;
  for (int i = 0; i < 4; ++i) {
    int byte = Mode == Permute::f4e   ? s + i
               : Mode == Permute::b4e ? (s - i) & 7
               : Mode == Permute::rc8 ? s
               : Mode == Permute::ecl ? (i > s ? i : s)
               : Mode == Permute::ecr ? (i < s ? i : s)
                                      : (s & 1) * 2 + (i & 1);
    choices |= uint32_t(byte) << (4 * i);
  }
  return prmt(a, b, choices);
}

// mov between a register and its parts, the lowest first.
template <class Part, class Whole>
inline Part part(Whole whole, int index) { return static_cast<Part>(whole >> (sizeof(Part) * 8 * index)); }
template <class Whole, class Part>
inline Whole joined(Part low, Part high) { return Whole(low) | Whole(high) << (sizeof(Part) * 8); }
template <class Whole, class Part>
inline Whole joined(Part a, Part b, Part c, Part d) {
  constexpr int step = sizeof(Part) * 8;
  return Whole(a) | Whole(b) << step | Whole(c) << (2 * step) | Whole(d) << (3 * step);
}

}  // namespace ptx
}  // namespace emu
