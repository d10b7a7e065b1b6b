// Video instructions of PTX: an operation on a byte, a half or the whole of two registers, or on all bytes or halves at
// once. Operands are widened by the sign of their own type and computed without loss; the result is clamped where .sat
// says so, and cut to its place.
#pragma once
#include "types.h"

namespace emu {
namespace ptx {

enum class Video { add, sub, absdiff, min, max };

// `width` bits of a register from bit `at` on, read with the sign of T.
template <class T>
inline int64_t part_of(uint32_t bits, int width, int at) {
  const uint64_t raw = (bits >> at) & ((uint64_t(1) << width) - 1);
  if (is_signed_type<T> && (raw >> (width - 1) & 1)) return int64_t(raw) - (int64_t(1) << width);
  return int64_t(raw);
}
template <class T>
inline int64_t clamped(int64_t value, int width) {
  const int64_t low = is_signed_type<T> ? -(int64_t(1) << (width - 1)) : 0;
  const int64_t high = (int64_t(1) << (is_signed_type<T> ? width - 1 : width)) - 1;
  return value < low ? low : value > high ? high : value;
}
inline uint32_t put_part(uint32_t into, int64_t value, int width, int at) {
  const uint32_t mask = uint32_t((uint64_t(1) << width) - 1);
  return (into & ~(mask << at)) | (uint32_t(value) & mask) << at;
}
template <Video Op>
inline int64_t video_result(int64_t a, int64_t b) {
  switch (Op) {
    case Video::add: return a + b;
    case Video::sub: return a - b;
    case Video::absdiff: return a < b ? b - a : a - b;
    case Video::min: return b < a ? b : a;
    default: return a < b ? b : a;
  }
}

// One operation; `width` is that of the place the result goes to, by which .sat clamps.
template <Video Op, class D, class A, class B, bool Sat>
inline int64_t video(uint32_t a, int a_width, int a_at, uint32_t b, int b_width, int b_at, int width) {
  const int64_t value = video_result<Op>(part_of<A>(a, a_width, a_at), part_of<B>(b, b_width, b_at));
  return Sat ? clamped<D>(value, width) : value;
}
// What follows it, on 32 bits: a sum that wraps, or the lesser or greater by D's sign.
template <Video Second, class D>
inline uint32_t video_second(int64_t first, uint32_t c) {
  return uint32_t(video_result<Second>(part_of<D>(uint32_t(first), 32, 0), part_of<D>(c, 32, 0)));
}

// All lanes of `width` bits that `mask` names (bit by lane); the others are c's.
template <Video Op, class D, class A, class B, bool Sat>
inline uint32_t video_lanes(uint32_t a, uint32_t b, uint32_t c, int width, unsigned mask) {
  for (int i = 0; i * width < 32; ++i)
    if (mask >> i & 1) c = put_part(c, video<Op, D, A, B, Sat>(a, width, i * width, b, width, i * width, width), width, i * width);
  return c;
}
// The lanes' results added to c.
template <Video Op, class A, class B>
inline uint32_t video_sum(uint32_t a, uint32_t b, uint32_t c, int width, unsigned mask) {
  for (int i = 0; i * width < 32; ++i)
    if (mask >> i & 1) c += uint32_t(video_result<Op>(part_of<A>(a, width, i * width), part_of<B>(b, width, i * width)));
  return c;
}

}  // namespace ptx
}  // namespace emu
