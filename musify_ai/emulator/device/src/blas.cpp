// Linear algebra: elements, vectors and products.
#include "../include/musify_emu/blas_core.h"

#include <cmath>
#include <vector>

#include "../include/musify_emu/formats.h"

namespace emu {
namespace blas {

Value operator/(Value a, Value b) {
  if (a.im == 0 && b.im == 0) return {a.re / b.re, 0};
  double size = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

int size_of(int type) {
  switch (type) {
    case f64: case c32: return 8;
    case c64: return 16;
    case f16: case bf16: return 2;
    case i8: case u8: return 1;
    default: return 4;
  }
}
bool is_complex(int type) { return type == c32 || type == c64; }
bool known(int type) {
  return type == f32 || type == f64 || type == f16 || type == i8 || type == c32 || type == c64 || type == u8 || type == i32 ||
         type == bf16;
}

Value load(const void* p, int type, long long i) {
  switch (type) {
    case f32: return {static_cast<const float*>(p)[i], 0};
    case f64: return {static_cast<const double*>(p)[i], 0};
    case f16: return {Half16::decode(static_cast<const uint16_t*>(p)[i]), 0};
    case bf16: return {BFloat16::decode(static_cast<const uint16_t*>(p)[i]), 0};
    case i8: return {static_cast<double>(static_cast<const signed char*>(p)[i]), 0};
    case u8: return {static_cast<double>(static_cast<const unsigned char*>(p)[i]), 0};
    case i32: return {static_cast<double>(static_cast<const int*>(p)[i]), 0};
    case c32: return {static_cast<const float*>(p)[2 * i], static_cast<const float*>(p)[2 * i + 1]};
    default: return {static_cast<const double*>(p)[2 * i], static_cast<const double*>(p)[2 * i + 1]};
  }
}
namespace {
template <class I>
I clamped(double v, double least, double most) {
  double whole = std::nearbyint(v);
  return static_cast<I>(whole < least ? least : whole > most ? most : whole);
}
}  // namespace
void store(void* p, int type, long long i, Value v) {
  switch (type) {
    case f32: static_cast<float*>(p)[i] = static_cast<float>(v.re); break;
    case f64: static_cast<double*>(p)[i] = v.re; break;
    case f16: static_cast<uint16_t*>(p)[i] = Half16::encode(v.re, Round::nearest); break;
    case bf16: static_cast<uint16_t*>(p)[i] = BFloat16::encode(v.re, Round::nearest); break;
    case i8: static_cast<signed char*>(p)[i] = clamped<signed char>(v.re, -128, 127); break;
    case u8: static_cast<unsigned char*>(p)[i] = clamped<unsigned char>(v.re, 0, 255); break;
    case i32: static_cast<int*>(p)[i] = static_cast<int>(static_cast<long long>(v.re)); break;
    case c32:
      static_cast<float*>(p)[2 * i] = static_cast<float>(v.re);
      static_cast<float*>(p)[2 * i + 1] = static_cast<float>(v.im);
      break;
    default:
      static_cast<double*>(p)[2 * i] = v.re;
      static_cast<double*>(p)[2 * i + 1] = v.im;
  }
}

// ---- vectors
namespace {
long long begin(long long n, const Operand& x) { return x.step < 0 ? (1 - n) * x.step : 0; }
double size(Value v) { return std::fabs(v.re) + std::fabs(v.im); }
}  // namespace

void axpy(long long n, Value alpha, Operand x, Operand y) {
  long long i = begin(n, x), j = begin(n, y);
  for (long long k = 0; k < n; k++, i += x.step, j += y.step) y.set(j, 0, alpha * x.get(i) + y.get(j));
}
void scale(long long n, Value alpha, Operand x) {
  for (long long k = 0, i = 0; k < n; k++, i += x.step) x.set(i, 0, alpha * x.get(i));
}
void copy(long long n, Operand x, Operand y) {
  long long i = begin(n, x), j = begin(n, y);
  for (long long k = 0; k < n; k++, i += x.step, j += y.step) y.set(j, 0, x.get(i));
}
void swap(long long n, Operand x, Operand y) {
  long long i = begin(n, x), j = begin(n, y);
  for (long long k = 0; k < n; k++, i += x.step, j += y.step) {
    Value old = x.get(i);
    x.set(i, 0, y.get(j));
    y.set(j, 0, old);
  }
}
Value dot(long long n, Operand x, Operand y, bool conjugate_x) {
  Value sum{0, 0};
  long long i = begin(n, x), j = begin(n, y);
  for (long long k = 0; k < n; k++, i += x.step, j += y.step)
    sum = sum + (conjugate_x ? conjugate(x.get(i)) : x.get(i)) * y.get(j);
  return sum;
}
double norm(long long n, Operand x) {
  double most = 0;  // only doubles can be too great or too small to be squared
  bool wide = x.type == f64 || x.type == c64;
  for (long long k = 0, i = 0; wide && k < n; k++, i += x.step) most = std::fmax(most, std::fmax(std::fabs(x.get(i).re), std::fabs(x.get(i).im)));
  bool extreme = most > 1e150 || (most > 0 && most < 1e-150);
  double unit = extreme ? most : 1, sum = 0;
  for (long long k = 0, i = 0; k < n; k++, i += x.step) {
    Value v = x.get(i);
    sum += v.re / unit * (v.re / unit) + v.im / unit * (v.im / unit);
  }
  return std::sqrt(sum) * unit;
}
double sum_of_sizes(long long n, Operand x) {
  double sum = 0;
  for (long long k = 0, i = 0; k < n; k++, i += x.step) sum += size(x.get(i));
  return sum;
}
long long extreme(long long n, Operand x, bool greatest) {
  if (n < 1 || x.step < 1) return 0;
  long long best = 0;
  for (long long k = 1; k < n; k++) {
    double now = size(x.get(k * x.step)), before = size(x.get(best * x.step));
    if (greatest ? now > before : now < before) best = k;
  }
  return best + 1;
}
void rotate(long long n, Operand x, Operand y, double c, Value s) {
  long long i = begin(n, x), j = begin(n, y);
  Value cosine{c, 0};
  for (long long k = 0; k < n; k++, i += x.step, j += y.step) {
    Value a = x.get(i), b = y.get(j);
    x.set(i, 0, cosine * a + s * b);
    y.set(j, 0, cosine * b - conjugate(s) * a);
  }
}

// ---- products
namespace {
// The real or imaginary parts of op(a), rows by columns, a column after the other.
std::vector<double> part_of(const Operand& a, int op, long long rows, long long columns, bool imaginary) {
  std::vector<double> out(static_cast<size_t>(rows * columns));
  double sign = imaginary && op == conjugated ? -1 : 1;
  for (long long j = 0; j < columns; j++)
    for (long long i = 0; i < rows; i++) {
      Value v = op == plain ? a.get(i, j) : a.get(j, i);
      out[static_cast<size_t>(j * rows + i)] = imaginary ? sign * v.im : v.re;
    }
  return out;
}
// c += sign a b, all by columns
void add_product(long long m, long long n, long long k, const std::vector<double>& a, const std::vector<double>& b, double sign,
                 std::vector<double>& c) {
  for (long long j = 0; j < n; j++)
    for (long long p = 0; p < k; p++) {
      double factor = sign * b[static_cast<size_t>(j * k + p)];
      const double* from = &a[static_cast<size_t>(p * m)];
      double* to = &c[static_cast<size_t>(j * m)];
      for (long long i = 0; i < m; i++) to[i] += from[i] * factor;
    }
}
bool within(int part, long long i, long long j) { return part == whole || (part == upper ? i <= j : i >= j); }
}  // namespace

void multiply(int op_a, int op_b, long long m, long long n, long long k, Value alpha, Operand a, Operand b, Value beta, Operand c,
              int part) {
  std::vector<double> re(static_cast<size_t>(m * n)), im;
  if (!zero(alpha) && k > 0 && m > 0 && n > 0) {
    auto ar = part_of(a, op_a, m, k, false), br = part_of(b, op_b, k, n, false);
    add_product(m, n, k, ar, br, 1, re);
    if (is_complex(a.type) || is_complex(b.type)) {
      im.resize(re.size());
      auto ai = part_of(a, op_a, m, k, true), bi = part_of(b, op_b, k, n, true);
      add_product(m, n, k, ai, bi, -1, re);
      add_product(m, n, k, ar, bi, 1, im);
      add_product(m, n, k, ai, br, 1, im);
    }
  }
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < m; i++) {
      if (!within(part, i, j)) continue;
      size_t at = static_cast<size_t>(j * m + i);
      Value sum = alpha * Value{re[at], im.empty() ? 0 : im[at]};
      if (!zero(beta)) sum = sum + beta * c.get(i, j);
      c.set(i, j, sum);
    }
}

void times_vector(int op, long long m, long long n, Value alpha, Operand a, Operand x, Value beta, Operand y) {
  long long rows = op == plain ? m : n, columns = op == plain ? n : m;
  long long i0 = begin(rows, y), j0 = begin(columns, x);
  std::vector<Value> sums(static_cast<size_t>(rows), Value{0, 0});
  if (!zero(alpha))
    for (long long j = 0; j < columns; j++)
      for (long long i = 0; i < rows; i++) {
        Value v = op == plain ? a.get(i, j) : a.get(j, i);
        Value& sum = sums[static_cast<size_t>(i)];
        sum = sum + (op == conjugated ? conjugate(v) : v) * x.get(j0 + j * x.step);
      }
  for (long long i = 0; i < rows; i++) {
    Value sum = alpha * sums[static_cast<size_t>(i)];
    if (!zero(beta)) sum = sum + beta * y.get(i0 + i * y.step);
    y.set(i0 + i * y.step, 0, sum);
  }
}

void rank_one(long long m, long long n, Value alpha, Operand x, Operand y, bool conjugate_y, Operand a, int part) {
  long long i0 = begin(m, x), j0 = begin(n, y);
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < m; i++) {
      if (!within(part, i, j)) continue;
      Value v = y.get(j0 + j * y.step);
      a.set(i, j, a.get(i, j) + alpha * x.get(i0 + i * x.step) * (conjugate_y ? conjugate(v) : v));
    }
}

void combine(int op_a, int op_b, long long m, long long n, Value alpha, Operand a, Value beta, Operand b, Operand c) {
  auto of = [](const Operand& x, int op, Value factor, long long i, long long j) {
    if (zero(factor)) return Value{0, 0};
    Value v = op == plain ? x.get(i, j) : x.get(j, i);
    return factor * (op == conjugated ? conjugate(v) : v);
  };
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < m; i++) c.set(i, j, of(a, op_a, alpha, i, j) + of(b, op_b, beta, i, j));
}

void scale_by_diagonal(bool left, long long m, long long n, Operand a, Operand x, Operand c) {
  long long first = begin(left ? m : n, x);
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < m; i++) c.set(i, j, a.get(i, j) * x.get(first + (left ? i : j) * x.step));
}

void complete(long long n, Operand a, int part, bool hermitian, Operand full) {
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < n; i++) {
      bool stored = within(part, i, j);
      Value v = stored ? a.get(i, j) : a.get(j, i);
      if (hermitian && !stored) v = conjugate(v);
      if (hermitian && i == j) v.im = 0;
      full.set(i, j, v);
    }
}
void triangle(long long n, Operand a, int part, bool unit, Operand full) {
  for (long long j = 0; j < n; j++)
    for (long long i = 0; i < n; i++)
      full.set(i, j, unit && i == j ? Value{1, 0} : within(part, i, j) ? a.get(i, j) : Value{0, 0});
}

}  // namespace blas
}  // namespace emu
