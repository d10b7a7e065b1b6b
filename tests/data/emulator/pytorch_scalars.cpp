// Tables of the small types' conversions and operators, one line a value: for the test to compare with exact arithmetic.
#include <cstdio>
#include <cstring>
#include <torch/types.h>

template <class To, class From>
To bits(From v) {
  To r;
  static_assert(sizeof r == sizeof v, "");
  std::memcpy(&r, &v, sizeof r);
  return r;
}
template <class T, class Bits>
void values(const char* name, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    std::printf("%s value %u %08x\n", name, i, bits<unsigned>(static_cast<float>(T(static_cast<Bits>(i), T::from_bits()))));
}
unsigned next(unsigned& state) { return state = state * 1664525u + 1013904223u, state; }
template <class T>
void converted(const char* name) {
  unsigned state = 7;
  for (int i = 0; i < 20000; ++i) {
    unsigned pattern = next(state) ^ (next(state) >> 16);
    if (i % 2) pattern = 0x33000000u + (pattern & 0x1fffffffu) % 0x15000000u + (pattern & 0x80000000u);  // near what it holds
    if (i % 5 == 0) pattern &= ~0xfffu;  // ties
    const float f = bits<float>(pattern);
    std::printf("%s from %08x %x\n", name, pattern, static_cast<unsigned>(T(f).x));
  }
}
template <class T>
void computed(const char* name) {
  unsigned state = 99;
  for (int i = 0; i < 3000; ++i) {
    const T a(static_cast<unsigned short>(next(state) >> 16), T::from_bits()), b(static_cast<unsigned short>(next(state) >> 16), T::from_bits());
    std::printf("%s op %x %x %x %x %x %x\n", name, a.x, b.x, (a + b).x, (a - b).x, (a * b).x, (a / b).x);
  }
}
int main() {
  values<c10::Half, unsigned short>("half", 65536);
  values<c10::BFloat16, unsigned short>("bfloat16", 65536);
  values<c10::Float8_e4m3fn, unsigned char>("e4m3", 256);
  values<c10::Float8_e5m2, unsigned char>("e5m2", 256);
  converted<c10::Half>("half");
  converted<c10::BFloat16>("bfloat16");
  converted<c10::Float8_e4m3fn>("e4m3");
  converted<c10::Float8_e5m2>("e5m2");
  computed<c10::Half>("half");
  computed<c10::BFloat16>("bfloat16");
  // The types that operators give, and those that kernels compute and add up in.
  using H = c10::Half;
  static_assert(std::is_same<decltype(H() + H()), H>::value && std::is_same<decltype(H() * 2), H>::value, "");
  static_assert(std::is_same<decltype(H() + 1.f), float>::value && std::is_same<decltype(1. - H()), double>::value, "");
  static_assert(std::is_same<at::opmath_type<H>, float>::value && std::is_same<at::opmath_type<double>, double>::value, "");
  static_assert(std::is_same<at::opmath_type<c10::complex<H>>, c10::complex<float>>::value, "");
  static_assert(std::is_same<at::acc_type<float, true>, float>::value && std::is_same<at::acc_type<float, false>, double>::value, "");
  static_assert(std::is_same<at::acc_type<int, true>, int64_t>::value && std::is_same<at::acc_type<c10::BFloat16, true>, float>::value, "");
  using Limits = std::numeric_limits<H>;
  std::printf("limits %g %g %g %g\n", float(Limits::max()), float(Limits::lowest()), float(Limits::min()), float(Limits::epsilon()));
  const c10::complex<double> z = c10::complex<double>(1, 2) / c10::complex<double>(3, -4);
  const c10::complex<float> w = c10::complex<float>(1, 2) * c10::complex<float>(3, -4) + 1.f;
  std::printf("complex %g %g %g %g\n", z.real(), z.imag(), w.real(), w.imag());
  double storage[2 * 3] = {0, 1, 2, 3, 4, 5};
  const int64_t sizes[] = {2, 3}, strides[] = {3, 1};
  at::PackedTensorAccessor32<double, 2> a(storage, sizes, strides);
  const at::PackedTensorAccessor32<double, 2> constant = a;
  static_assert(std::is_same<decltype(constant[0][0]), const double&>::value && std::is_same<decltype(a[0][0]), double&>::value, "");
  a[1][2] = constant[0][1] * 7;
  std::printf("accessor %g %d %d\n", storage[5], a.size(0), a.stride(0));
}
