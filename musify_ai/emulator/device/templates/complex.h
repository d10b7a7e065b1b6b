// Complex numbers.
#include "musify_emu/complex.h"
typedef float2 @{cuFloatComplex|muFloatComplex};
typedef double2 @{cuDoubleComplex|muDoubleComplex};
typedef @{cuFloatComplex|muFloatComplex} @{cuComplex|muComplex};
inline float @{cuCrealf|muCrealf}(@{cuFloatComplex|muFloatComplex} a) { return a.x; }
inline float @{cuCimagf|muCimagf}(@{cuFloatComplex|muFloatComplex} a) { return a.y; }
inline double @{cuCreal|muCreal}(@{cuDoubleComplex|muDoubleComplex} a) { return a.x; }
inline double @{cuCimag|muCimag}(@{cuDoubleComplex|muDoubleComplex} a) { return a.y; }
inline @{cuFloatComplex|muFloatComplex} @{make_cuFloatComplex|make_muFloatComplex}(float re, float im) {
  return @{cuFloatComplex|muFloatComplex}{re, im};
}
inline @{cuDoubleComplex|muDoubleComplex} @{make_cuDoubleComplex|make_muDoubleComplex}(double re, double im) {
  return @{cuDoubleComplex|muDoubleComplex}{re, im};
}
inline @{cuComplex|muComplex} @{make_cuComplex|make_muComplex}(float re, float im) { return @{cuComplex|muComplex}{re, im}; }
inline @{cuFloatComplex|muFloatComplex} @{cuConjf|muConjf}(@{cuFloatComplex|muFloatComplex} a) {
  return ::emu::complex::conjugate(a);
}
inline @{cuDoubleComplex|muDoubleComplex} @{cuConj|muConj}(@{cuDoubleComplex|muDoubleComplex} a) {
  return ::emu::complex::conjugate(a);
}
#define EMU_COMPLEX_BINARY(NAME, F)                                                                               \
  inline @{cuFloatComplex|muFloatComplex} NAME##f(@{cuFloatComplex|muFloatComplex} a, @{cuFloatComplex|muFloatComplex} b) { return F(a, b); } \
  inline @{cuDoubleComplex|muDoubleComplex} NAME(@{cuDoubleComplex|muDoubleComplex} a, @{cuDoubleComplex|muDoubleComplex} b) { return F(a, b); }
EMU_COMPLEX_BINARY(@{cuCadd|muCadd}, ::emu::complex::sum)
EMU_COMPLEX_BINARY(@{cuCsub|muCsub}, ::emu::complex::difference)
EMU_COMPLEX_BINARY(@{cuCmul|muCmul}, ::emu::complex::product)
EMU_COMPLEX_BINARY(@{cuCdiv|muCdiv}, ::emu::complex::quotient)
#undef EMU_COMPLEX_BINARY
@names @{cuCaddf|muCaddf} @{cuCsubf|muCsubf} @{cuCmulf|muCmulf} @{cuCdivf|muCdivf}
inline float @{cuCabsf|muCabsf}(@{cuFloatComplex|muFloatComplex} a) { return ::emu::complex::modulus(a); }
inline double @{cuCabs|muCabs}(@{cuDoubleComplex|muDoubleComplex} a) { return ::emu::complex::modulus(a); }
inline @{cuDoubleComplex|muDoubleComplex} @{cuComplexFloatToDouble|muComplexFloatToDouble}(@{cuFloatComplex|muFloatComplex} a) {
  return @{cuDoubleComplex|muDoubleComplex}{a.x, a.y};
}
inline @{cuFloatComplex|muFloatComplex} @{cuComplexDoubleToFloat|muComplexDoubleToFloat}(@{cuDoubleComplex|muDoubleComplex} a) {
  return @{cuFloatComplex|muFloatComplex}{static_cast<float>(a.x), static_cast<float>(a.y)};
}
inline @{cuComplex|muComplex} @{cuCfmaf|muCfmaf}(@{cuComplex|muComplex} a, @{cuComplex|muComplex} b, @{cuComplex|muComplex} c) {
  return ::emu::complex::multiply_add(a, b, c);
}
inline @{cuDoubleComplex|muDoubleComplex} @{cuCfma|muCfma}(@{cuDoubleComplex|muDoubleComplex} a, @{cuDoubleComplex|muDoubleComplex} b,
                                @{cuDoubleComplex|muDoubleComplex} c) {
  return ::emu::complex::multiply_add(a, b, c);
}
