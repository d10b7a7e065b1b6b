// Scalar types by number, and what C++ type each is.
#pragma once
#include <cstdint>

#include "scalars.h"

namespace c10 {
enum class ScalarType : int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32,
  BFloat16, Float8_e5m2, Float8_e4m3fn, Undefined, NumOptions
};
namespace impl {
template <ScalarType> struct ScalarTypeToCPPType;
#define EMU_TYPE_OF(ENUM, TYPE) \
  template <> struct ScalarTypeToCPPType<ScalarType::ENUM> { using type = TYPE; };
EMU_TYPE_OF(Byte, uint8_t) EMU_TYPE_OF(Char, int8_t) EMU_TYPE_OF(Short, int16_t) EMU_TYPE_OF(Int, int)
EMU_TYPE_OF(Long, int64_t) EMU_TYPE_OF(Half, ::c10::Half) EMU_TYPE_OF(Float, float) EMU_TYPE_OF(Double, double)
EMU_TYPE_OF(ComplexHalf, ::c10::complex<::c10::Half>) EMU_TYPE_OF(ComplexFloat, ::c10::complex<float>)
EMU_TYPE_OF(ComplexDouble, ::c10::complex<double>) EMU_TYPE_OF(Bool, bool) EMU_TYPE_OF(BFloat16, ::c10::BFloat16)
EMU_TYPE_OF(Float8_e5m2, ::c10::Float8_e5m2) EMU_TYPE_OF(Float8_e4m3fn, ::c10::Float8_e4m3fn)
#undef EMU_TYPE_OF
template <ScalarType type> using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<type>::type;
}  // namespace impl
template <class T> struct CppTypeToScalarType;
#define EMU_NUMBER_OF(TYPE, ENUM) \
  template <> struct CppTypeToScalarType<TYPE> { static constexpr ScalarType value = ScalarType::ENUM; };
EMU_NUMBER_OF(uint8_t, Byte) EMU_NUMBER_OF(int8_t, Char) EMU_NUMBER_OF(int16_t, Short) EMU_NUMBER_OF(int, Int)
EMU_NUMBER_OF(int64_t, Long) EMU_NUMBER_OF(Half, Half) EMU_NUMBER_OF(float, Float) EMU_NUMBER_OF(double, Double)
EMU_NUMBER_OF(bool, Bool) EMU_NUMBER_OF(BFloat16, BFloat16) EMU_NUMBER_OF(Float8_e5m2, Float8_e5m2)
EMU_NUMBER_OF(Float8_e4m3fn, Float8_e4m3fn)
#undef EMU_NUMBER_OF
#define EMU_CONSTANTS(X) \
  X(Byte) X(Char) X(Short) X(Int) X(Long) X(Half) X(Float) X(Double) X(ComplexHalf) X(ComplexFloat) X(ComplexDouble) \
  X(Bool) X(BFloat16) X(Float8_e5m2) X(Float8_e4m3fn)
#define EMU_CONSTANT(NAME) constexpr ScalarType k##NAME = ScalarType::NAME;
EMU_CONSTANTS(EMU_CONSTANT)
#undef EMU_CONSTANT
inline const char* toString(ScalarType) { return "a scalar type"; }
}  // namespace c10
namespace at {
using c10::CppTypeToScalarType;
using c10::ScalarType;
#define EMU_CONSTANT(NAME) using c10::k##NAME;
EMU_CONSTANTS(EMU_CONSTANT)
#undef EMU_CONSTANT
}  // namespace at
namespace torch {
namespace headeronly {
using c10::ScalarType;
}
}  // namespace torch
namespace detail {
inline c10::ScalarType scalar_type(c10::ScalarType type) { return type; }
}  // namespace detail
