// The FFT library against the sum that defines the transform, for sizes of every kind, layouts and types.
#ifdef __MUSACC__
#include <mufft.h>
#define FFT(name) mufft##name
#define FFT_(name) MUFFT_##name
#else
#include <cufft.h>
#define FFT(name) cufft##name
#define FFT_(name) CUFFT_##name
#endif

#include <complex>

#include "check.h"

using std::vector;
using Number = std::complex<double>;
double some(int i) { return (i * 7 % 11) - 5 + (i % 3) * 0.25; }
Number point(int i) { return {some(i), some(i + 40)}; }

// The transform of x by n0 and n1 (1 for a single dimension).
vector<Number> sum(const vector<Number>& x, int n0, int n1, int sign) {
  vector<Number> out(x.size());
  for (int a = 0; a < n0; a++)
    for (int b = 0; b < n1; b++)
      for (int i = 0; i < n0; i++)
        for (int j = 0; j < n1; j++)
          out[size_t(a * n1 + b)] += x[size_t(i * n1 + j)] *
                                     std::polar(1.0, sign * 2 * M_PI * (double(a * i % n0) / n0 + double(b * j % n1) / n1));
  return out;
}
bool close(Number a, Number b, double most) { return std::abs(a - b) < most; }
template <class T>
vector<T> numbers(const vector<Number>& x) {
  vector<T> out;
  for (Number v : x) out.push_back({decltype(T::x)(v.real()), decltype(T::y)(v.imag())});
  return out;
}
template <class T>
bool same(const vector<T>& got, const vector<Number>& wanted, double most) {
  bool good = got.size() == wanted.size();
  for (size_t i = 0; good && i < got.size(); i++) good = close({got[i].x, got[i].y}, wanted[i], most);
  return good;
}

int main() {
  FFT(Handle) plan;
  for (int n : {1, 2, 8, 30, 97, 101, 121, 202}) {
    vector<Number> x;
    for (int i = 0; i < n; i++) x.push_back(point(i));
    Buffer<FFT(DoubleComplex)> in(numbers<FFT(DoubleComplex)>(x)), out(static_cast<size_t>(n));
    FFT(Plan1d)(&plan, n, FFT_(Z2Z), 1);
    FFT(ExecZ2Z)(plan, in, out, FFT_(FORWARD));
    bool good = same(out.read(), sum(x, n, 1, -1), 1e-10 * n);
    FFT(ExecZ2Z)(plan, out, out, FFT_(INVERSE));
    vector<Number> back;
    for (Number v : x) back.push_back(v * double(n));  // not scaled
    char name[60];
    snprintf(name, sizeof name, "Z2Z of %d, there and back", n);
    check(name, good && same(out.read(), back, 1e-10 * n));
    FFT(Destroy)(plan);
  }

  const int n = 12, batch = 3;
  vector<Number> x;
  for (int i = 0; i < n * batch; i++) x.push_back(point(i));
  vector<Number> wanted;
  for (int b = 0; b < batch; b++) {
    auto one = sum(vector<Number>(x.begin() + b * n, x.begin() + (b + 1) * n), n, 1, -1);
    wanted.insert(wanted.end(), one.begin(), one.end());
  }
  Buffer<FFT(Complex)> in(numbers<FFT(Complex)>(x)), out(size_t(n * batch));
  FFT(Plan1d)(&plan, n, FFT_(C2C), batch);
  FFT(ExecC2C)(plan, in, out, FFT_(FORWARD));
  check("C2C, a batch of 3", same(out.read(), wanted, 1e-4));
  check("another type than the plan's", FFT(ExecR2C)(plan, (FFT(Real)*)(FFT(Complex)*)in, out) == FFT_(INVALID_TYPE));

  vector<float> real = made(n, [](int i) { return float(some(i)); });
  vector<Number> real_points(real.begin(), real.end());
  auto full = sum(real_points, n, 1, -1);
  Buffer<float> dreal(real);
  FFT(Plan1d)(&plan, n, FFT_(R2C), 1);
  FFT(ExecR2C)(plan, dreal, out);
  check("R2C gives one half and one", same(out.read(n / 2 + 1), vector<Number>(full.begin(), full.begin() + n / 2 + 1), 1e-4));
  FFT(Plan1d)(&plan, n, FFT_(C2R), 1);
  FFT(ExecC2R)(plan, out, dreal);
  bool good = true;
  auto back = dreal.read();
  for (int i = 0; i < n; i++) good = good && std::fabs(back[i] - n * real[i]) < 1e-4;
  check("C2R of that gives the input, n times", good);

  const int rows = 4, columns = 6;
  vector<Number> image(x.begin(), x.begin() + rows * columns);
  in = numbers<FFT(Complex)>(image);
  FFT(Plan2d)(&plan, rows, columns, FFT_(C2C));
  FFT(ExecC2C)(plan, in, out, FFT_(INVERSE));
  check("C2C of two dimensions, back", same(out.read(rows * columns), sum(image, rows, columns, 1), 1e-4));
  vector<double> plane = made(rows * columns, some);
  auto plane_full = sum(vector<Number>(plane.begin(), plane.end()), rows, columns, -1);
  Buffer<double> dplane(plane);
  Buffer<FFT(DoubleComplex)> half(rows * (columns / 2 + 1));
  FFT(Plan2d)(&plan, rows, columns, FFT_(D2Z));
  FFT(ExecD2Z)(plan, dplane, half);
  auto got = half.read();
  good = true;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j <= columns / 2; j++) {
      auto v = got[size_t(i * (columns / 2 + 1) + j)];
      good = good && close({v.x, v.y}, plane_full[size_t(i * columns + j)], 1e-10);
    }
  check("D2Z of two dimensions", good);
  FFT(Plan2d)(&plan, rows, columns, FFT_(Z2D));
  FFT(ExecZ2D)(plan, half, dplane);
  auto plane_back = dplane.read();
  good = true;
  for (int i = 0; i < rows * columns; i++) good = good && std::fabs(plane_back[i] - rows * columns * plane[i]) < 1e-9;
  check("Z2D of that", good);

  vector<double> padded(rows * 8);  // in place: each row of 6 has room for 4 complex numbers
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) padded[size_t(i * 8 + j)] = plane[size_t(i * columns + j)];
  Buffer<double> room(padded);
  FFT(Plan2d)(&plan, rows, columns, FFT_(D2Z));
  FFT(ExecD2Z)(plan, room, (FFT(DoubleComplex)*)(double*)room);
  auto in_place = room.read();
  good = true;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j <= columns / 2; j++)
      good = good && close({in_place[size_t(i * 8 + 2 * j)], in_place[size_t(i * 8 + 2 * j + 1)]}, plane_full[size_t(i * columns + j)], 1e-10);
  check("D2Z in place, rows padded", good);

  int size[] = {n}, embed[] = {n};  // the columns of an n by 3 matrix, into rows
  in = numbers<FFT(Complex)>(x);
  FFT(PlanMany)(&plan, 1, size, embed, batch, 1, embed, 1, n, FFT_(C2C), batch);
  FFT(ExecC2C)(plan, in, out, FFT_(FORWARD));
  wanted.clear();
  for (int b = 0; b < batch; b++) {
    vector<Number> column;
    for (int i = 0; i < n; i++) column.push_back(x[size_t(i * batch + b)]);
    auto one = sum(column, n, 1, -1);
    wanted.insert(wanted.end(), one.begin(), one.end());
  }
  check("PlanMany with strides", same(out.read(), wanted, 1e-4));
  check("no such plan", FFT(Destroy)(1000) == FFT_(INVALID_PLAN));
  FFT(Handle) cube;
  FFT(Plan3d)(&cube, 2, 3, 4, FFT_(Z2Z));
  Buffer<FFT(DoubleComplex)> ones(vector<FFT(DoubleComplex)>(24, {1, 0}));
  FFT(ExecZ2Z)(cube, ones, ones, FFT_(FORWARD));
  auto peak = ones.read();
  check("three dimensions: ones become a peak", std::fabs(peak[0].x - 24) < 1e-12 && std::fabs(peak[5].x) < 1e-12);
}
