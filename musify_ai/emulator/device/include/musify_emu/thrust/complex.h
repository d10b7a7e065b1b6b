// Thrust: complex numbers: those of the C++ library, with the functions under Thrust's name.
#pragma once
#include <complex>

#include "core.h"

namespace thrust {

template <class T>
struct complex : std::complex<T> {
  using std::complex<T>::complex;
  complex() : std::complex<T>() {}
  complex(const std::complex<T>& o) : std::complex<T>(o) {}
  template <class U>
  complex(const complex<U>& o) : std::complex<T>(static_cast<T>(o.real()), static_cast<T>(o.imag())) {}
  complex& operator=(const T& v) {
    std::complex<T>::operator=(v);
    return *this;
  }
};
#define EMU_THRUST_COMPLEX(OP)                                                                                   \
  template <class T>                                                                                             \
  complex<T> operator OP(const complex<T>& a, const complex<T>& b) {                                             \
    return std::operator OP(static_cast<const std::complex<T>&>(a), static_cast<const std::complex<T>&>(b));     \
  }                                                                                                              \
  template <class T>                                                                                             \
  complex<T> operator OP(const complex<T>& a, const T& b) {                                                      \
    return std::operator OP(static_cast<const std::complex<T>&>(a), b);                                          \
  }                                                                                                              \
  template <class T>                                                                                             \
  complex<T> operator OP(const T& a, const complex<T>& b) {                                                      \
    return std::operator OP(a, static_cast<const std::complex<T>&>(b));                                          \
  }
EMU_THRUST_COMPLEX(+)
EMU_THRUST_COMPLEX(-)
EMU_THRUST_COMPLEX(*)
EMU_THRUST_COMPLEX(/)
#undef EMU_THRUST_COMPLEX
template <class T>
complex<T> operator-(const complex<T>& a) { return {-a.real(), -a.imag()}; }
template <class T> T abs(const complex<T>& z) { return std::abs(static_cast<const std::complex<T>&>(z)); }
template <class T> T arg(const complex<T>& z) { return std::arg(static_cast<const std::complex<T>&>(z)); }
template <class T> T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> complex<T> polar(const T& r, const T& angle = T()) { return std::polar(r, angle); }
#define EMU_THRUST_COMPLEX(F) \
  template <class T>          \
  complex<T> F(const complex<T>& z) { return std::F(static_cast<const std::complex<T>&>(z)); }
EMU_THRUST_COMPLEX(conj)
EMU_THRUST_COMPLEX(exp)
EMU_THRUST_COMPLEX(log)
EMU_THRUST_COMPLEX(sqrt)
EMU_THRUST_COMPLEX(sin)
EMU_THRUST_COMPLEX(cos)
EMU_THRUST_COMPLEX(tan)
EMU_THRUST_COMPLEX(sinh)
EMU_THRUST_COMPLEX(cosh)
EMU_THRUST_COMPLEX(tanh)
#undef EMU_THRUST_COMPLEX
template <class T>
complex<T> pow(const complex<T>& a, const complex<T>& b) {
  return std::pow(static_cast<const std::complex<T>&>(a), static_cast<const std::complex<T>&>(b));
}
template <class T>
complex<T> pow(const complex<T>& a, const T& b) { return std::pow(static_cast<const std::complex<T>&>(a), b); }

}  // namespace thrust
