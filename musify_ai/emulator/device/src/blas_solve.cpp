// Linear algebra: triangular systems and factors.
#include <cmath>
#include <vector>

#include "../include/musify_emu/blas_core.h"

namespace emu {
namespace blas {

namespace {
// A matrix of its own, by columns.
struct Dense {
  long long rows;
  std::vector<Value> all;
  Dense(const Operand& a, int op, long long m, long long n) : rows(m), all(static_cast<size_t>(m * n)) {
    for (long long j = 0; j < n; j++)
      for (long long i = 0; i < m; i++) {
        Value v = op == plain ? a.get(i, j) : a.get(j, i);
        at(i, j) = op == conjugated ? conjugate(v) : v;
      }
  }
  Value& at(long long i, long long j) { return all[static_cast<size_t>(j * rows + i)]; }
};

// x = inverse(t) x for one vector; t is lower or upper
void substitute(Dense& t, bool is_lower, bool unit, long long n, std::vector<Value>& x) {
  for (long long step = 0; step < n; step++) {
    long long i = is_lower ? step : n - 1 - step;
    Value sum = x[static_cast<size_t>(i)];
    for (long long before = 0; before < step; before++) {
      long long j = is_lower ? before : n - 1 - before;
      sum = sum - t.at(i, j) * x[static_cast<size_t>(j)];
    }
    x[static_cast<size_t>(i)] = unit ? sum : sum / t.at(i, i);
  }
}
double size(Value v) { return std::hypot(v.re, v.im); }
}  // namespace

void solve_triangular(bool left, int part, int op, bool unit, long long m, long long n, Value alpha, Operand a, Operand b) {
  // x op(a) = b is op(a)^T x^T = b^T
  long long order = left ? m : n, count = left ? n : m;
  Dense t(a, left ? op : op == plain ? transposed : plain, order, order);
  if (!left && op == conjugated)
    for (Value& v : t.all) v = conjugate(v);
  bool is_lower = (part == lower) == (left ? op == plain : op != plain);
  std::vector<Value> x(static_cast<size_t>(order));
  for (long long c = 0; c < count; c++) {
    for (long long i = 0; i < order; i++) x[static_cast<size_t>(i)] = alpha * (left ? b.get(i, c) : b.get(c, i));
    substitute(t, is_lower, unit, order, x);
    for (long long i = 0; i < order; i++) left ? b.set(i, c, x[static_cast<size_t>(i)]) : b.set(c, i, x[static_cast<size_t>(i)]);
  }
}

int factor_lu(long long n, Operand a, int* pivots) {
  Dense w(a, plain, n, n);
  int info = 0;
  for (long long k = 0; k < n; k++) {
    long long best = k;
    if (pivots)
      for (long long i = k + 1; i < n; i++)
        if (size(w.at(i, k)) > size(w.at(best, k))) best = i;
    if (pivots) pivots[k] = static_cast<int>(best + 1);
    if (best != k)
      for (long long j = 0; j < n; j++) std::swap(w.at(k, j), w.at(best, j));
    if (zero(w.at(k, k))) {
      if (!info) info = static_cast<int>(k + 1);
      continue;
    }
    for (long long i = k + 1; i < n; i++) {
      Value factor = w.at(i, k) = w.at(i, k) / w.at(k, k);
      for (long long j = k + 1; j < n; j++) w.at(i, j) = w.at(i, j) - factor * w.at(k, j);
    }
  }
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < n; i++) a.set(i, j, w.at(i, j));
  return info;
}

void solve_lu(int op, long long n, long long columns, Operand a, const int* pivots, Operand b) {
  Dense t(a, op, n, n);
  std::vector<Value> x(static_cast<size_t>(n));
  auto exchange = [&](long long k) {
    if (pivots) std::swap(x[static_cast<size_t>(k)], x[static_cast<size_t>(pivots[k] - 1)]);
  };
  for (long long c = 0; c < columns; c++) {
    for (long long i = 0; i < n; i++) x[static_cast<size_t>(i)] = b.get(i, c);
    if (op == plain) {
      for (long long k = 0; k < n; k++) exchange(k);
      substitute(t, true, true, n, x);
      substitute(t, false, false, n, x);
    } else {
      substitute(t, true, false, n, x);
      substitute(t, false, true, n, x);
      for (long long k = n; k-- > 0;) exchange(k);
    }
    for (long long i = 0; i < n; i++) b.set(i, c, x[static_cast<size_t>(i)]);
  }
}

void invert_lu(long long n, Operand a, const int* pivots, Operand out) {
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < n; i++) out.set(i, j, Value{i == j ? 1.0 : 0.0, 0});
  solve_lu(plain, n, n, a, pivots, out);
}

// By Householder reflections: the upper triangle of a becomes R, what lies under it the reflections' vectors.
int least_squares(long long m, long long n, long long columns, Operand a, Operand b) {
  Dense w(a, plain, m, n), rhs(b, plain, m, columns);
  for (long long k = 0; k < n; k++) {
    double length = 0;
    for (long long i = k; i < m; i++) length = std::hypot(length, size(w.at(i, k)));
    if (length == 0) return static_cast<int>(k + 1);
    Value head = w.at(k, k);
    double sign = head.re > 0 ? -1 : 1;
    Value pivot{sign * length, 0};
    Value tau = (pivot - head) / pivot, scale = head - pivot;
    for (long long i = k + 1; i < m; i++) w.at(i, k) = w.at(i, k) / scale;
    w.at(k, k) = pivot;
    auto reflect = [&](Dense& d, long long j) {
      Value sum = d.at(k, j);
      for (long long i = k + 1; i < m; i++) sum = sum + conjugate(w.at(i, k)) * d.at(i, j);
      sum = conjugate(tau) * sum;
      d.at(k, j) = d.at(k, j) - sum;
      for (long long i = k + 1; i < m; i++) d.at(i, j) = d.at(i, j) - w.at(i, k) * sum;
    };
    for (long long j = k + 1; j < n; j++) reflect(w, j);
    for (long long j = 0; j < columns; j++) reflect(rhs, j);
  }
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < m; i++) a.set(i, j, w.at(i, j));
  for (long long j = 0; j < columns; j++) {
    for (long long i = n; i-- > 0;) {
      Value sum = rhs.at(i, j);
      for (long long p = i + 1; p < n; p++) sum = sum - w.at(i, p) * rhs.at(p, j);
      rhs.at(i, j) = sum / w.at(i, i);
    }
    for (long long i = 0; i < m; i++) b.set(i, j, rhs.at(i, j));
  }
  return 0;
}

}  // namespace blas
}  // namespace emu
