// Linear algebra on operands whose element type is a number at run time, compiled once with the device's core. Sums are
// made in double and rounded once to the type of the result, in the order of the sum's index.
#pragma once

namespace emu {
namespace blas {

// The numbers of cudaDataType and musaDataType.
enum : int { f32 = 0, f64 = 1, f16 = 2, i8 = 3, c32 = 4, c64 = 5, u8 = 8, i32 = 10, bf16 = 14 };
enum Op : int { plain = 0, transposed = 1, conjugated = 2 };
enum Part : int { lower = 0, upper = 1, whole = 2 };

struct Value {
  double re, im;
};
inline Value operator+(Value a, Value b) { return {a.re + b.re, a.im + b.im}; }
inline Value operator-(Value a, Value b) { return {a.re - b.re, a.im - b.im}; }
inline Value operator*(Value a, Value b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Value conjugate(Value a) { return {a.re, -a.im}; }
inline bool zero(Value a) { return a.re == 0 && a.im == 0; }
Value operator/(Value a, Value b);

int size_of(int type);
bool is_complex(int type);
bool known(int type);
Value load(const void* p, int type, long long i);
void store(void* p, int type, long long i, Value v);

// A matrix by columns, or a vector with its step.
struct Operand {
  void* data;
  int type;
  long long step;
  Value get(long long row, long long column = 0) const { return load(data, type, row + column * step); }
  void set(long long row, long long column, Value v) const { store(data, type, row + column * step, v); }
  Operand at(long long element) const {
    return {static_cast<char*>(data) + element * size_of(type), type, step};
  }
};

// ---- vectors; a negative step begins at the other end
void axpy(long long n, Value alpha, Operand x, Operand y);
void scale(long long n, Value alpha, Operand x);
void copy(long long n, Operand x, Operand y);
void swap(long long n, Operand x, Operand y);
Value dot(long long n, Operand x, Operand y, bool conjugate_x);
double norm(long long n, Operand x);
double sum_of_sizes(long long n, Operand x);
long long extreme(long long n, Operand x, bool greatest);  // from 1; 0 where there is none
void rotate(long long n, Operand x, Operand y, double c, Value s);

// ---- matrices
// part of c = alpha op(a) op(b) + beta c; c is not read where beta is 0
void multiply(int op_a, int op_b, long long m, long long n, long long k, Value alpha, Operand a, Operand b, Value beta,
              Operand c, int part = whole);
void times_vector(int op, long long m, long long n, Value alpha, Operand a, Operand x, Value beta, Operand y);
void rank_one(long long m, long long n, Value alpha, Operand x, Operand y, bool conjugate_y, Operand a, int part = whole);
// c = alpha op(a) + beta op(b)
void combine(int op_a, int op_b, long long m, long long n, Value alpha, Operand a, Value beta, Operand b, Operand c);
// c = diagonal(x) a, or from the right
void scale_by_diagonal(bool left, long long m, long long n, Operand a, Operand x, Operand c);
// The whole of a symmetric (or hermitian) matrix of which one part is stored, into `full`, of n by n doubles or complexes.
void complete(long long n, Operand a, int part, bool hermitian, Operand full);
// The triangle alone, with zeros in the rest, and ones on the diagonal if `unit`.
void triangle(long long n, Operand a, int part, bool unit, Operand full);
// b = alpha inverse(op(a)) b, or from the right
void solve_triangular(bool left, int part, int op, bool unit, long long m, long long n, Value alpha, Operand a, Operand b);

// ---- factors; each returns 0, or the first zero on the diagonal, from 1
int factor_lu(long long n, Operand a, int* pivots);  // pivots from 1; null: none
void solve_lu(int op, long long n, long long columns, Operand a, const int* pivots, Operand b);
void invert_lu(long long n, Operand a, const int* pivots, Operand out);
int least_squares(long long m, long long n, long long columns, Operand a, Operand b);

}  // namespace blas
}  // namespace emu
