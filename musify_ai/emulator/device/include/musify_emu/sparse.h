// What both vendors' sparse headers stand on: matrices by rows, by columns or by coordinates, and their products.
#pragma once
#include <vector>

#include "blas.h"

namespace emu {
namespace sparse {

enum class Format : int { rows = 1, columns = 2, coordinates = 3 };
enum : int { index16 = 1, index32 = 2, index64 = 3 };
inline long long index(const void* p, int type, long long i) {
  return type == index16   ? static_cast<const unsigned short*>(p)[i]
         : type == index32 ? static_cast<const int*>(p)[i]
                           : static_cast<const long long*>(p)[i];
}

struct Handle : blas::Handle {};
struct Matrix {
  Format format;
  long long rows, columns, count;
  void *offsets, *indices, *values;  // by coordinates: rows and columns
  int offset_type, index_type, base, type;
  // Calls `f(row, column, value)` for each element that is stored, in order.
  template <class F>
  void each(F f) const {
    if (format == Format::coordinates) {
      for (long long i = 0; i < count; i++)
        f(index(offsets, index_type, i) - base, index(indices, index_type, i) - base, i);
      return;
    }
    long long lines = format == Format::rows ? rows : columns;
    for (long long line = 0; line < lines; line++)
      for (long long i = index(offsets, offset_type, line) - base; i < index(offsets, offset_type, line + 1) - base; i++) {
        long long other = index(indices, index_type, i) - base;
        if (format == Format::rows) f(line, other, i);
        else f(other, line, i);
      }
  }
};
struct Dense {  // a vector has one column
  long long rows, columns, step;
  void* values;
  int type, order;  // 1: by columns, 2: by rows
  long long place(long long i, long long j) const { return order == 2 ? i * step + j : i + j * step; }
  blas::Value get(long long i, long long j) const { return blas::load(values, type, place(i, j)); }
  void set(long long i, long long j, blas::Value v) const { blas::store(values, type, place(i, j), v); }
};
struct Description {
  int type = 0, base = 0, fill = 0, diagonal = 0;
};

// c = alpha op(a) op(b) + beta c
inline void multiply(int op_a, int op_b, blas::Value alpha, const Matrix& a, const Dense& b, blas::Value beta, const Dense& c) {
  std::vector<blas::Value> sums(static_cast<size_t>(c.rows * c.columns), blas::Value{0, 0});
  if (!blas::zero(alpha))
    a.each([&](long long row, long long column, long long at) {
      blas::Value v = blas::load(a.values, a.type, at);
      if (op_a == blas::conjugated) v = blas::conjugate(v);
      long long to = op_a ? column : row, from = op_a ? row : column;
      for (long long j = 0; j < c.columns; j++) {
        blas::Value x = op_b ? b.get(j, from) : b.get(from, j);
        if (op_b == blas::conjugated) x = blas::conjugate(x);
        blas::Value& sum = sums[static_cast<size_t>(to * c.columns + j)];
        sum = sum + v * x;
      }
    });
  for (long long i = 0; i < c.rows; i++)
    for (long long j = 0; j < c.columns; j++) {
      blas::Value sum = alpha * sums[static_cast<size_t>(i * c.columns + j)];
      if (!blas::zero(beta)) sum = sum + beta * c.get(i, j);
      c.set(i, j, sum);
    }
}
// The elements that c stores of alpha op(a) op(b) + beta c
inline void sampled(int op_a, int op_b, blas::Value alpha, const Dense& a, const Dense& b, blas::Value beta, const Matrix& c) {
  long long inner = op_a ? a.rows : a.columns;
  c.each([&](long long row, long long column, long long at) {
    blas::Value sum{0, 0};
    for (long long k = 0; k < inner; k++) {
      blas::Value x = op_a ? a.get(k, row) : a.get(row, k), y = op_b ? b.get(column, k) : b.get(k, column);
      sum = sum + (op_a == blas::conjugated ? blas::conjugate(x) : x) * (op_b == blas::conjugated ? blas::conjugate(y) : y);
    }
    sum = alpha * sum;
    if (!blas::zero(beta)) sum = sum + beta * blas::load(c.values, c.type, at);
    blas::store(c.values, c.type, at, sum);
  });
}

}  // namespace sparse
}  // namespace emu
