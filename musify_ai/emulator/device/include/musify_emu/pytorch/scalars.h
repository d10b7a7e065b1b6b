// PyTorch's scalar types as kernels see them: c10::Half, BFloat16, the 8-bit floats and complex, with the conversions
// and operators of c10/util. Arithmetic of the small types is done in float and rounded once, to nearest, ties to even.
// The including header names the vendor's 16-bit types: EMU_BF16 beside __half.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../bfloat16.h"
#include "../eight_formats.h"
#include "../half.h"

namespace c10 {

#define EMU_SMALL(NAME, FORMAT, VENDOR, ELEMENT)                                                     \
  struct alignas(2) NAME {                                                                           \
    unsigned short x;                                                                                \
    struct from_bits_t {};                                                                           \
    static constexpr from_bits_t from_bits() { return from_bits_t(); }                               \
    NAME() = default;                                                                                \
    constexpr NAME(unsigned short bits, from_bits_t) : x(bits) {}                                    \
    NAME(float value) : x(::emu::FORMAT::encode(value)) {}                                           \
    NAME(const VENDOR& value) : x(value.__x) {}                                                      \
    operator float() const { return ::emu::FORMAT::decode(x); }                                      \
    operator VENDOR() const { return VENDOR::of(x); }                                                \
  };                                                                                                 \
  EMU_INLINE NAME operator-(const NAME& a) { return NAME(static_cast<unsigned short>(a.x ^ 0x8000u), NAME::from_bits()); } \
  EMU_SMALL_OPERATORS(NAME)
// `NAME op NAME` and `NAME op integer` stay small; with float and double the result is theirs.
// Comparisons are those of floats; they are written out, for the vendor's type could be compared with as well.
#define EMU_SMALL_COMPARED(NAME, OP) \
  EMU_INLINE bool operator OP(const NAME& a, const NAME& b) { return static_cast<float>(a) OP static_cast<float>(b); } \
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>                                           \
  EMU_INLINE bool operator OP(const NAME& a, T b) { return static_cast<float>(a) OP b; }                               \
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>                                           \
  EMU_INLINE bool operator OP(T a, const NAME& b) { return a OP static_cast<float>(b); }
#define EMU_SMALL_OPERATORS(NAME)                                                                                   \
  EMU_SMALL_COMPARED(NAME, ==) EMU_SMALL_COMPARED(NAME, !=) EMU_SMALL_COMPARED(NAME, <) EMU_SMALL_COMPARED(NAME, >) \
  EMU_SMALL_COMPARED(NAME, <=) EMU_SMALL_COMPARED(NAME, >=)                                                         \
  EMU_INLINE float operator+(const NAME& a) { return static_cast<float>(a); }                                       \
  EMU_SMALL_BINARY(NAME, +) EMU_SMALL_BINARY(NAME, -) EMU_SMALL_BINARY(NAME, *) EMU_SMALL_BINARY(NAME, /)
#define EMU_SMALL_BINARY(NAME, OP)                                                                                     \
  EMU_INLINE NAME operator OP(const NAME& a, const NAME& b) { return NAME(static_cast<float>(a) OP static_cast<float>(b)); } \
  EMU_INLINE NAME& operator OP##=(NAME& a, const NAME& b) { return a = a OP b; }                                       \
  EMU_INLINE float operator OP(NAME a, float b) { return static_cast<float>(a) OP b; }                                 \
  EMU_INLINE float operator OP(float a, NAME b) { return a OP static_cast<float>(b); }                                 \
  EMU_INLINE float& operator OP##=(float& a, const NAME& b) { return a OP##= static_cast<float>(b); }                  \
  EMU_INLINE double operator OP(NAME a, double b) { return static_cast<double>(static_cast<float>(a)) OP b; }          \
  EMU_INLINE double operator OP(double a, NAME b) { return a OP static_cast<double>(static_cast<float>(b)); }          \
  EMU_INLINE NAME operator OP(NAME a, int b) { return a OP NAME(static_cast<float>(b)); }                              \
  EMU_INLINE NAME operator OP(int a, NAME b) { return NAME(static_cast<float>(a)) OP b; }                              \
  EMU_INLINE NAME operator OP(NAME a, int64_t b) { return a OP NAME(static_cast<float>(b)); }                          \
  EMU_INLINE NAME operator OP(int64_t a, NAME b) { return NAME(static_cast<float>(a)) OP b; }

EMU_SMALL(Half, Half16, ::__half, half)
EMU_SMALL(BFloat16, BFloat16, ::EMU_BF16, bfloat16)
#undef EMU_SMALL

// What is too large becomes NaN in e4m3fn and infinity in e5m2.
#define EMU_EIGHT_BITS(NAME, KIND)                                                                                    \
  struct alignas(1) NAME {                                                                                            \
    uint8_t x;                                                                                                        \
    struct from_bits_t {};                                                                                            \
    static constexpr from_bits_t from_bits() { return from_bits_t(); }                                                \
    NAME() = default;                                                                                                 \
    constexpr NAME(uint8_t bits, from_bits_t) : x(bits) {}                                                            \
    NAME(float value) : x(::emu::eight_bits(value, ::emu::Saturation::none, ::emu::Eight::KIND)) {                    \
      if (value != value) x = static_cast<uint8_t>(x | (std::signbit(value) ? 0x80 : 0));                             \
    }                                                                                                                 \
    operator float() const { return static_cast<float>(::emu::eight_value(x, ::emu::Eight::KIND)); }                  \
    bool isnan() const { return static_cast<float>(*this) != static_cast<float>(*this); }                             \
  };                                                                                                                  \
  EMU_INLINE NAME operator-(const NAME& a) { return NAME(static_cast<uint8_t>(a.x ^ 0x80), NAME::from_bits()); }      \
  EMU_SMALL_OPERATORS(NAME)
EMU_EIGHT_BITS(Float8_e4m3fn, e4m3)
EMU_EIGHT_BITS(Float8_e5m2, e5m2)
#undef EMU_EIGHT_BITS
#undef EMU_SMALL_BINARY
#undef EMU_SMALL_COMPARED
#undef EMU_SMALL_OPERATORS

template <class T>
struct alignas(sizeof(T) * 2) complex {
  using value_type = T;
  T real_ = T(0), imag_ = T(0);
  constexpr complex() = default;
  constexpr complex(const T& re, const T& im = T()) : real_(re), imag_(im) {}
  template <class U>
  constexpr explicit complex(const complex<U>& o) : real_(static_cast<T>(o.real())), imag_(static_cast<T>(o.imag())) {}
  constexpr T real() const { return real_; }
  constexpr T imag() const { return imag_; }
  constexpr void real(T value) { real_ = value; }
  constexpr void imag(T value) { imag_ = value; }
  constexpr complex& operator=(T re) { real_ = re, imag_ = T(); return *this; }
  constexpr complex& operator+=(T re) { real_ += re; return *this; }
  constexpr complex& operator-=(T re) { real_ -= re; return *this; }
  constexpr complex& operator*=(T re) { real_ *= re, imag_ *= re; return *this; }
  constexpr complex& operator/=(T re) { real_ /= re, imag_ /= re; return *this; }
  template <class U>
  constexpr complex& operator+=(const complex<U>& o) { real_ += o.real(), imag_ += o.imag(); return *this; }
  template <class U>
  constexpr complex& operator-=(const complex<U>& o) { real_ -= o.real(), imag_ -= o.imag(); return *this; }
  template <class U>
  constexpr complex& operator*=(const complex<U>& o) {
    const T a = real_, b = imag_, c = o.real(), d = o.imag();
    real_ = a * c - b * d, imag_ = a * d + b * c;
    return *this;
  }
  // Scaled by the larger part of the divisor, so that no product overflows early.
  template <class U>
  complex& operator/=(const complex<U>& o) {
    const T a = real_, b = imag_, c = o.real(), d = o.imag();
    if (std::fabs(c) >= std::fabs(d)) {
      if (c == T(0) && d == T(0)) {
        real_ = a / std::fabs(c), imag_ = b / std::fabs(d);
      } else {
        const T ratio = d / c, scale = T(1) / (c + d * ratio);
        real_ = (a + b * ratio) * scale, imag_ = (b - a * ratio) * scale;
      }
    } else {
      const T ratio = c / d, scale = T(1) / (c * ratio + d);
      real_ = (a * ratio + b) * scale, imag_ = (b * ratio - a) * scale;
    }
    return *this;
  }
};
#define EMU_COMPLEX(OP)                                                                                     \
  template <class T> complex<T> operator OP(complex<T> a, const complex<T>& b) { return a OP##= b; }        \
  template <class T> complex<T> operator OP(complex<T> a, const T& b) { return a OP##= b; }                 \
  template <class T> complex<T> operator OP(const T& a, const complex<T>& b) { return complex<T>(a) OP##= b; }
EMU_COMPLEX(+) EMU_COMPLEX(-) EMU_COMPLEX(*) EMU_COMPLEX(/)
#undef EMU_COMPLEX
template <class T> constexpr complex<T> operator-(const complex<T>& a) { return {-a.real(), -a.imag()}; }
template <class T> constexpr complex<T> operator+(const complex<T>& a) { return a; }
template <class T> constexpr bool operator==(const complex<T>& a, const complex<T>& b) { return a.real() == b.real() && a.imag() == b.imag(); }
template <class T> constexpr bool operator!=(const complex<T>& a, const complex<T>& b) { return !(a == b); }

// Indexed like an array of the real type by `view_as_real`: two halves.
template <>
struct alignas(4) complex<Half> {
  using value_type = Half;
  Half real_, imag_;
  complex() = default;
  complex(const Half& re, const Half& im) : real_(re), imag_(im) {}
  complex(const complex<float>& o) : real_(o.real()), imag_(o.imag()) {}
  Half real() const { return real_; }
  Half imag() const { return imag_; }
  operator complex<float>() const { return {static_cast<float>(real_), static_cast<float>(imag_)}; }
};

using qint8 = struct qint8_ { int8_t val_; };
using quint8 = struct quint8_ { uint8_t val_; };
using qint32 = struct qint32_ { int32_t val_; };

}  // namespace c10

namespace std {
#define EMU_LIMITS(NAME, LOWEST, LEAST, MOST, EPSILON, ERROR, INFINITE, NAN_BITS, DENORM, DIGITS, LEAST_EXPONENT, MOST_EXPONENT, HAS_INFINITY) \
  template <>                                                                                                         \
  class numeric_limits<c10::NAME> {                                                                                   \
   public:                                                                                                            \
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;              \
    static constexpr bool has_infinity = HAS_INFINITY, has_quiet_NaN = true, is_bounded = true, is_modulo = false;    \
    static constexpr int digits = DIGITS, radix = 2, min_exponent = LEAST_EXPONENT, max_exponent = MOST_EXPONENT;     \
    static constexpr c10::NAME min() { return c10::NAME(LEAST, c10::NAME::from_bits()); }                             \
    static constexpr c10::NAME lowest() { return c10::NAME(LOWEST, c10::NAME::from_bits()); }                         \
    static constexpr c10::NAME max() { return c10::NAME(MOST, c10::NAME::from_bits()); }                              \
    static constexpr c10::NAME epsilon() { return c10::NAME(EPSILON, c10::NAME::from_bits()); }                       \
    static constexpr c10::NAME round_error() { return c10::NAME(ERROR, c10::NAME::from_bits()); }                     \
    static constexpr c10::NAME infinity() { return c10::NAME(INFINITE, c10::NAME::from_bits()); }                     \
    static constexpr c10::NAME quiet_NaN() { return c10::NAME(NAN_BITS, c10::NAME::from_bits()); }                    \
    static constexpr c10::NAME denorm_min() { return c10::NAME(DENORM, c10::NAME::from_bits()); }                     \
  };
EMU_LIMITS(Half, 0xfbff, 0x0400, 0x7bff, 0x1400, 0x3800, 0x7c00, 0x7e00, 0x0001, 11, -13, 16, true)
EMU_LIMITS(BFloat16, 0xff7f, 0x0080, 0x7f7f, 0x3c00, 0x3f00, 0x7f80, 0x7fc0, 0x0001, 8, -125, 128, true)
EMU_LIMITS(Float8_e4m3fn, 0xfe, 0x08, 0x7e, 0x20, 0x30, 0x7f, 0x7f, 0x01, 4, -5, 8, false)
EMU_LIMITS(Float8_e5m2, 0xfb, 0x04, 0x7b, 0x34, 0x38, 0x7c, 0x7f, 0x01, 3, -13, 16, true)
#undef EMU_LIMITS
// Functions of the small types take the way through float, as c10 has them.
#define EMU_ONE(F) \
  inline c10::Half F(c10::Half a) { return std::F(static_cast<float>(a)); } \
  inline c10::BFloat16 F(c10::BFloat16 a) { return std::F(static_cast<float>(a)); }
EMU_ONE(acos) EMU_ONE(asin) EMU_ONE(atan) EMU_ONE(erf) EMU_ONE(erfc) EMU_ONE(exp) EMU_ONE(expm1) EMU_ONE(log)
EMU_ONE(log10) EMU_ONE(log1p) EMU_ONE(log2) EMU_ONE(ceil) EMU_ONE(cos) EMU_ONE(floor) EMU_ONE(nearbyint) EMU_ONE(sin)
EMU_ONE(tan) EMU_ONE(sinh) EMU_ONE(cosh) EMU_ONE(tanh) EMU_ONE(trunc) EMU_ONE(lgamma) EMU_ONE(sqrt) EMU_ONE(abs)
#undef EMU_ONE
#define EMU_TWO(T) \
  inline T pow(T a, T b) { return std::pow(static_cast<float>(a), static_cast<float>(b)); } \
  inline T pow(T a, double b) { return std::pow(static_cast<float>(a), static_cast<float>(b)); } \
  inline bool isnan(T a) { return std::isnan(static_cast<float>(a)); } \
  inline bool isinf(T a) { return std::isinf(static_cast<float>(a)); }
EMU_TWO(c10::Half)
EMU_TWO(c10::BFloat16)
#undef EMU_TWO
}  // namespace std

namespace at {
using c10::BFloat16;
using c10::Float8_e4m3fn;
using c10::Float8_e5m2;
using c10::Half;

// The type in which a kernel computes, and the one in which it adds up; on the device int64_t adds up integers.
template <class T> struct OpMathType { using type = T; };
template <> struct OpMathType<Half> { using type = float; };
template <> struct OpMathType<BFloat16> { using type = float; };
template <> struct OpMathType<Float8_e4m3fn> { using type = float; };
template <> struct OpMathType<Float8_e5m2> { using type = float; };
template <> struct OpMathType<c10::complex<Half>> { using type = c10::complex<float>; };
template <class T> using opmath_type = typename OpMathType<T>::type;

template <class T, bool device> struct AccumulateType { using type = typename OpMathType<T>::type; };
template <> struct AccumulateType<float, false> { using type = double; };
template <> struct AccumulateType<c10::complex<float>, false> { using type = c10::complex<double>; };
#define EMU_ADDS_UP(T) template <bool device> struct AccumulateType<T, device> { using type = int64_t; };
EMU_ADDS_UP(int8_t) EMU_ADDS_UP(uint8_t) EMU_ADDS_UP(char) EMU_ADDS_UP(int16_t) EMU_ADDS_UP(int32_t) EMU_ADDS_UP(int64_t)
#undef EMU_ADDS_UP
template <class T, bool device> using acc_type = typename AccumulateType<T, device>::type;
template <class T> using acc_type_device = acc_type<T, true>;
}  // namespace at

namespace emu {
template <> struct element_of<c10::Half> { static constexpr Element value = Element::half; };
template <> struct element_of<c10::BFloat16> { static constexpr Element value = Element::bfloat16; };
}  // namespace emu
