// The dispatch macros: a switch over a tensor's scalar type in which each case names the C++ type `scalar_t` and calls
// what is given, so that a front end sees every instantiation. The families are all of one shape: a list of cases.
#pragma once
#include "checks.h"
#include "types.h"

#define AT_DISPATCH_CASE_TYPE(ENUM, HINT, ...)                         \
  case ENUM: {                                                         \
    using HINT [[maybe_unused]] = ::c10::impl::ScalarTypeToCPPTypeT<ENUM>; \
    return __VA_ARGS__();                                              \
  }
#define AT_PRIVATE_CASE_TYPE_USING_HINT(ENUM, HINT, ...) AT_DISPATCH_CASE_TYPE(ENUM, HINT, __VA_ARGS__)
#define AT_DISPATCH_CASE(ENUM, ...) AT_DISPATCH_CASE_TYPE(ENUM, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_INDEX_CASE(ENUM, ...) AT_DISPATCH_CASE_TYPE(ENUM, index_t, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                   \
  [&] {                                                                                       \
    const auto& emu_dispatched = TYPE;                                                        \
    switch (::detail::scalar_type(emu_dispatched)) {                                          \
      __VA_ARGS__                                                                             \
      default: throw ::c10::NotImplementedError(::c10::str('"', NAME, "\" not implemented for this type")); \
    }                                                                                         \
  }()

#define AT_DISPATCH_CASE_FLOATING_TYPES(...)           \
  AT_DISPATCH_CASE(at::ScalarType::Double, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)        \
  AT_DISPATCH_CASE(at::ScalarType::Half, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)  \
  AT_DISPATCH_CASE(at::ScalarType::Half, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::BFloat16, __VA_ARGS__)
#define AT_DISPATCH_CASE_COMPLEX_TYPES(...)                    \
  AT_DISPATCH_CASE(at::ScalarType::ComplexDouble, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::ComplexFloat, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)           \
  AT_DISPATCH_CASE(at::ScalarType::Byte, __VA_ARGS__)  \
  AT_DISPATCH_CASE(at::ScalarType::Char, __VA_ARGS__)  \
  AT_DISPATCH_CASE(at::ScalarType::Int, __VA_ARGS__)   \
  AT_DISPATCH_CASE(at::ScalarType::Long, __VA_ARGS__)  \
  AT_DISPATCH_CASE(at::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)        \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)

// A family alone, and with one to five types more, which come before the tensor's.
#define EMU_DISPATCHED(FAMILY, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_##FAMILY(__VA_ARGS__))
#define EMU_DISPATCHED1(FAMILY, A, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_##FAMILY(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__))
#define EMU_DISPATCHED2(FAMILY, A, B, TYPE, NAME, ...)                                                     \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_##FAMILY(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__) \
                                     AT_DISPATCH_CASE(B, __VA_ARGS__))
#define EMU_DISPATCHED3(FAMILY, A, B, C, TYPE, NAME, ...)                                                  \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_##FAMILY(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__) \
                                     AT_DISPATCH_CASE(B, __VA_ARGS__) AT_DISPATCH_CASE(C, __VA_ARGS__))
#define EMU_DISPATCHED4(FAMILY, A, B, C, D, TYPE, NAME, ...)                                               \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_##FAMILY(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__) \
                                     AT_DISPATCH_CASE(B, __VA_ARGS__) AT_DISPATCH_CASE(C, __VA_ARGS__)   \
                                         AT_DISPATCH_CASE(D, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES(...) EMU_DISPATCHED(FLOATING_TYPES, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(...) EMU_DISPATCHED(FLOATING_TYPES_AND_HALF, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(...) EMU_DISPATCHED1(FLOATING_TYPES, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(...) EMU_DISPATCHED2(FLOATING_TYPES, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND3(...) EMU_DISPATCHED3(FLOATING_TYPES, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND4(...) EMU_DISPATCHED4(FLOATING_TYPES, __VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(...) EMU_DISPATCHED(REDUCED_FLOATING_TYPES, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES(...) EMU_DISPATCHED(COMPLEX_TYPES, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES_AND(...) EMU_DISPATCHED1(COMPLEX_TYPES, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(...) EMU_DISPATCHED(FLOATING_AND_COMPLEX_TYPES, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(...) EMU_DISPATCHED1(FLOATING_AND_COMPLEX_TYPES, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(...) EMU_DISPATCHED2(FLOATING_AND_COMPLEX_TYPES, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(...) EMU_DISPATCHED(INTEGRAL_TYPES, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND(...) EMU_DISPATCHED1(INTEGRAL_TYPES, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(...) EMU_DISPATCHED(ALL_TYPES, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(...) EMU_DISPATCHED1(ALL_TYPES, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(...) EMU_DISPATCHED2(ALL_TYPES, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(...) EMU_DISPATCHED3(ALL_TYPES, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND4(...) EMU_DISPATCHED4(ALL_TYPES, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(...) EMU_DISPATCHED(ALL_TYPES_AND_COMPLEX, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(...) EMU_DISPATCHED1(ALL_TYPES_AND_COMPLEX, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(...) EMU_DISPATCHED2(ALL_TYPES_AND_COMPLEX, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(...) EMU_DISPATCHED3(ALL_TYPES_AND_COMPLEX, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(...) EMU_DISPATCHED4(ALL_TYPES_AND_COMPLEX, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                           \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_INDEX_CASE(at::ScalarType::Int, __VA_ARGS__) \
                                     AT_DISPATCH_INDEX_CASE(at::ScalarType::Long, __VA_ARGS__))
