// The discrete Fourier transform: by Cooley and Tukey over the prime factors of the size, by Bluestein where one is great.
#include "../include/musify_emu/fft_core.h"

#include <cmath>
#include <complex>
#include <vector>

namespace emu {
namespace fft {

namespace {
using Number = std::complex<double>;
constexpr double kTurn = 6.283185307179586476925286766559;
constexpr long long kGreat = 50;  // primes above this are transformed by a convolution

long long least_factor(long long n) {
  for (long long p = 2; p * p <= n; p++)
    if (n % p == 0) return p;
  return n;
}
// exp(sign turn k / n), exact at the eighths of a turn
Number root(long long k, long long n, int sign) {
  k %= n;
  if (8 * k % n == 0) {
    static const double h = std::sqrt(0.5);
    static const Number eighths[8] = {{1, 0}, {h, h}, {0, 1}, {-h, h}, {-1, 0}, {-h, -h}, {0, -1}, {h, -h}};
    Number r = eighths[8 * k / n];
    return {r.real(), sign * r.imag()};
  }
  double angle = sign * kTurn * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}
Number product(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

void line(const Number* in, Number* out, long long n, long long stride, int sign);

// A prime size by a circular convolution of a power of two.
void great_prime(const Number* in, Number* out, long long n, long long stride, int sign) {
  long long m = 1;
  while (m < 2 * n - 1) m *= 2;
  std::vector<Number> chirp(static_cast<size_t>(n)), a(static_cast<size_t>(m)), b(static_cast<size_t>(m)), fa(a), fb(a);
  for (long long k = 0; k < n; k++) chirp[static_cast<size_t>(k)] = root(k * k % (2 * n), 2 * n, sign);
  for (long long k = 0; k < n; k++) {
    a[static_cast<size_t>(k)] = product(in[k * stride], chirp[static_cast<size_t>(k)]);
    b[static_cast<size_t>(k)] = b[static_cast<size_t>((m - k) % m)] = std::conj(chirp[static_cast<size_t>(k)]);
  }
  line(a.data(), fa.data(), m, 1, -1);
  line(b.data(), fb.data(), m, 1, -1);
  for (long long k = 0; k < m; k++) fa[static_cast<size_t>(k)] = product(fa[static_cast<size_t>(k)], fb[static_cast<size_t>(k)]);
  line(fa.data(), a.data(), m, 1, 1);
  for (long long k = 0; k < n; k++)
    out[k] = product(a[static_cast<size_t>(k)], chirp[static_cast<size_t>(k)]) / static_cast<double>(m);
}

// out[0..n) = the transform of in[0], in[stride], ...
void line(const Number* in, Number* out, long long n, long long stride, int sign) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  long long p = least_factor(n), rest = n / p;
  if (p > kGreat && rest == 1) return great_prime(in, out, n, stride, sign);
  for (long long r = 0; r < p; r++) line(in + r * stride, out + r * rest, rest, stride * p, sign);
  std::vector<Number> terms(static_cast<size_t>(p)), roots(static_cast<size_t>(p)), sums(static_cast<size_t>(p));
  for (long long r = 0; r < p; r++) roots[static_cast<size_t>(r)] = root(r, p, sign);
  for (long long k = 0; k < rest; k++) {
    for (long long r = 0; r < p; r++) terms[static_cast<size_t>(r)] = product(out[r * rest + k], root(r * k, n, sign));
    if (p > kGreat) {
      line(terms.data(), sums.data(), p, 1, sign);
    } else {
      for (long long q = 0; q < p; q++) {
        Number sum = terms[0];
        for (long long r = 1; r < p; r++) sum += product(terms[static_cast<size_t>(r)], roots[static_cast<size_t>(r * q % p)]);
        sums[static_cast<size_t>(q)] = sum;
      }
    }
    for (long long q = 0; q < p; q++) out[q * rest + k] = sums[static_cast<size_t>(q)];
  }
}
}  // namespace

void transform(double* data, const long long* sizes, int rank, int sign) {
  Number* all = reinterpret_cast<Number*>(data);
  long long total = 1;
  for (int d = 0; d < rank; d++) total *= sizes[d];
  long long inner = 1;
  for (int d = rank; d-- > 0; inner *= sizes[d]) {
    long long n = sizes[d];
    if (n == 1) continue;
    std::vector<Number> out(static_cast<size_t>(n));
    for (long long block = 0; block < total; block += n * inner)
      for (long long i = 0; i < inner; i++) {
        Number* first = all + block + i;
        line(first, out.data(), n, inner, sign);
        for (long long k = 0; k < n; k++) first[k * inner] = out[static_cast<size_t>(k)];
      }
  }
}

}  // namespace fft
}  // namespace emu
