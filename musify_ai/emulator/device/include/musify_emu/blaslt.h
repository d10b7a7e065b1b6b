// What both vendors' light BLAS headers stand on: descriptions of a product and of what is done to its result.
#pragma once
#include "blas.h"

namespace emu {
namespace blaslt {

struct Layout {
  int type = 0, order = 0, batches = 1;  // order 0: by columns, 1: by rows
  unsigned long long rows = 0, columns = 0;
  long long step = 0, stride = 0;
  blas::Value get(const void* p, long long batch, long long i, long long j) const {
    return blas::load(p, type, batch * stride + place(i, j));
  }
  void set(void* p, long long batch, long long i, long long j, blas::Value v) const {
    blas::store(p, type, batch * stride + place(i, j), v);
  }
  long long place(long long i, long long j) const { return order ? i * step + j : i + j * step; }
};

struct Product {
  int compute = 0, scale = 0, pointers = 0, op_a = 0, op_b = 0, epilogue = 1, bias_type = -1, aux_type = -1;
  const void* bias = nullptr;
  void* aux = nullptr;
  long long aux_step = 0, aux_stride = 0, bias_stride = 0;
};
struct Preference {
  unsigned long long workspace = 0;
};

// The parts of an epilogue's number.
enum : int { relu = 2, with_bias = 4, gelu = 32, gelu_back = 64, with_aux = 128 };
// 1 is none; the others are sums of the above.
inline bool known(int epilogue) {
  switch (epilogue) {
    case 1: case relu: case with_bias: case relu | with_bias: case gelu: case gelu | with_bias: case gelu | with_aux:
    case gelu | with_bias | with_aux: case gelu_back | with_aux: return true;
    default: return false;
  }
}

// GELU by the hyperbolic tangent, and its slope.
inline double bent(double x) { return 0.7978845608028654 * (x + 0.044715 * x * x * x); }
inline double gelu_of(double x) { return 0.5 * x * (1 + ::tanh(bent(x))); }
inline double gelu_slope(double x) {
  double t = ::tanh(bent(x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}

// One batch of d = epilogue(alpha op(a) op(b) + beta c).
inline void run(const Product& p, blas::Value alpha, const void* a, const Layout& la, const void* b, const Layout& lb,
                blas::Value beta, const void* c, const Layout& lc, void* d, const Layout& ld, long long batch) {
  using blas::Operand;
  long long m = static_cast<long long>(ld.rows), n = static_cast<long long>(ld.columns);
  long long k = static_cast<long long>(p.op_a ? la.rows : la.columns);
  int wide = blas::is_complex(ld.type) ? blas::c64 : blas::f64;
  auto dense = [&](const void* from, const Layout& l, std::vector<double>& room) {
    long long rows = static_cast<long long>(l.rows), columns = static_cast<long long>(l.columns);
    room.resize(static_cast<size_t>(rows * columns) * 2);
    Operand out{room.data(), wide, rows};
    for (long long j = 0; j < columns; j++)
      for (long long i = 0; i < rows; i++) out.set(i, j, l.get(from, batch, i, j));
    return out;
  };
  std::vector<double> room_a, room_b, room_d(static_cast<size_t>(m * n) * 2);
  Operand out{room_d.data(), wide, m};
  blas::multiply(p.op_a, p.op_b, m, n, k, alpha, dense(a, la, room_a), dense(b, lb, room_b), {0, 0}, out);
  int bias_type = p.bias_type >= 0 ? p.bias_type : ld.type, aux_type = p.aux_type >= 0 ? p.aux_type : ld.type;
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < m; i++) {
      blas::Value v = out.get(i, j);
      if (!blas::zero(beta)) v = v + beta * lc.get(c, batch, i, j);
      if (p.epilogue & with_bias) v = v + blas::load(p.bias, bias_type, batch * p.bias_stride + i);
      if (p.epilogue & (gelu | gelu_back)) {
        long long at = batch * p.aux_stride + i + j * p.aux_step;
        if (p.epilogue & gelu_back) v.re *= gelu_slope(blas::load(p.aux, aux_type, at).re);
        else if (p.epilogue & with_aux) blas::store(p.aux, aux_type, at, v);
        if (p.epilogue & gelu) v.re = gelu_of(v.re);
      }
      if (p.epilogue & relu && v.re < 0) v.re = 0;
      ld.set(d, batch, i, j, v);
    }
}

}  // namespace blaslt
}  // namespace emu
