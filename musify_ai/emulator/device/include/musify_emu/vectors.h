// The vector types, with the sizes and alignments that device code counts on. EMU_VECTOR(name, element, alignment of
// the pair, of the quadruple); the header generator reads these lines to know which names there are.
#pragma once
#include "dim.h"

#define EMU_VECTOR(N, T, PAIR, QUAD)                                                                                 \
  struct N##1 { T x; };                                                                                              \
  struct alignas(PAIR) N##2 { T x, y; };                                                                             \
  EMU_VECTOR_3(N, T)                                                                                                 \
  struct alignas(QUAD) N##4 { T x, y, z, w; };                                                                       \
  inline N##1 make_##N##1(T x) { return N##1{x}; }                                                                   \
  inline N##2 make_##N##2(T x, T y) { return N##2{x, y}; }                                                           \
  inline N##3 make_##N##3(T x, T y, T z) { return N##3{x, y, z}; }                                                   \
  inline N##4 make_##N##4(T x, T y, T z, T w) { return N##4{x, y, z, w}; }
#define EMU_VECTOR_3(N, T) struct N##3 { T x, y, z; };
EMU_VECTOR(char, signed char, 2, 4)
EMU_VECTOR(uchar, unsigned char, 2, 4)
EMU_VECTOR(short, short, 4, 8)
EMU_VECTOR(ushort, unsigned short, 4, 8)
EMU_VECTOR(int, int, 8, 16)
EMU_VECTOR(float, float, 8, 16)
EMU_VECTOR(long, long, 16, 16)
EMU_VECTOR(ulong, unsigned long, 16, 16)
EMU_VECTOR(longlong, long long, 16, 16)
EMU_VECTOR(ulonglong, unsigned long long, 16, 16)
EMU_VECTOR(double, double, 16, 16)
#undef EMU_VECTOR_3
#define EMU_VECTOR_3(N, T)  // dim.h has this one
EMU_VECTOR(uint, unsigned, 8, 16)
#undef EMU_VECTOR_3
#undef EMU_VECTOR
