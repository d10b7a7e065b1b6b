// The types of PTX instructions, and how registers of inline assembly meet C++ values.
// A register is raw bits of its width, whatever is kept in it; an instruction says how it reads them.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace emu {
namespace ptx {

// `bits`: the raw register; `value`: what the instruction computes with. f16 and bf16 have no C++ type of their own.
#define EMU_PTX_TYPE(name, raw, meaning) \
  struct name {                          \
    using bits = raw;                    \
    using value = meaning;               \
  };
EMU_PTX_TYPE(u8, uint8_t, uint8_t)
EMU_PTX_TYPE(u16, uint16_t, uint16_t)
EMU_PTX_TYPE(u32, uint32_t, uint32_t)
EMU_PTX_TYPE(u64, uint64_t, uint64_t)
EMU_PTX_TYPE(s8, uint8_t, int8_t)
EMU_PTX_TYPE(s16, uint16_t, int16_t)
EMU_PTX_TYPE(s32, uint32_t, int32_t)
EMU_PTX_TYPE(s64, uint64_t, int64_t)
EMU_PTX_TYPE(b8, uint8_t, uint8_t)
EMU_PTX_TYPE(b16, uint16_t, uint16_t)
EMU_PTX_TYPE(b32, uint32_t, uint32_t)
EMU_PTX_TYPE(b64, uint64_t, uint64_t)
EMU_PTX_TYPE(f32, uint32_t, float)
EMU_PTX_TYPE(f64, uint64_t, double)
EMU_PTX_TYPE(f16, uint16_t, uint16_t)
EMU_PTX_TYPE(bf16, uint16_t, uint16_t)
EMU_PTX_TYPE(f16x2, uint32_t, uint32_t)
EMU_PTX_TYPE(bf16x2, uint32_t, uint32_t)
EMU_PTX_TYPE(pred, bool, bool)
#undef EMU_PTX_TYPE

template <class T>
using bits_of = typename T::bits;
template <class T>
using value_of = typename T::value;

template <class To, class From>
inline To bit_copy(From from) {
  static_assert(sizeof(To) == sizeof(From), "the sizes differ");
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}
template <class T>
inline value_of<T> read(bits_of<T> bits) {
  return bit_copy<value_of<T>>(bits);
}
template <class T>
inline bits_of<T> write(value_of<T> value) {
  return bit_copy<bits_of<T>>(value);
}

template <class T>
constexpr bool is_signed_type = std::is_signed<value_of<T>>::value && !std::is_floating_point<value_of<T>>::value;
template <class T>
constexpr int width_of = static_cast<int>(sizeof(bits_of<T>) * 8);
template <class T>
constexpr bool is_float = std::is_same<T, f32>::value || std::is_same<T, f64>::value;
template <class T>
constexpr bool is_half = std::is_same<T, f16>::value || std::is_same<T, bf16>::value;

// What a register holds that nothing was written to: nothing a program may rely on.
template <class U>
constexpr U undefined() {
  return static_cast<U>(0xA5A5A5A5A5A5A5A5ull);
}
template <>
constexpr bool undefined<bool>() {
  return false;
}

// A C++ operand as a register of type U. "f" and "d" take the number's bits, the others the integer or the address.
template <class U, class T>
inline U operand(const T& value) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_pointer<Plain>::value) {
    return static_cast<U>(reinterpret_cast<uintptr_t>(value));
  } else if constexpr (std::is_integral<Plain>::value || std::is_enum<Plain>::value) {
    return static_cast<U>(value);
  } else if constexpr (std::is_null_pointer<Plain>::value) {
    return 0;
  } else {
    return bit_copy<U>(static_cast<Plain>(value));
  }
}
template <class T>
inline uint32_t operand_f32(const T& value) {
  return bit_copy<uint32_t>(static_cast<float>(value));
}
template <class T>
inline uint64_t operand_f64(const T& value) {
  return bit_copy<uint64_t>(static_cast<double>(value));
}

// A register's bits into the C++ variable of an output operand.
template <class T, class U>
inline void result(T& out, U bits) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_pointer<Plain>::value) {
    out = reinterpret_cast<Plain>(static_cast<uintptr_t>(bits));
  } else if constexpr (std::is_integral<Plain>::value || std::is_enum<Plain>::value) {
    out = static_cast<Plain>(bits);
  } else {
    out = bit_copy<Plain>(bits);
  }
}

// `_` as a destination: written to and never read.
struct Sink {
  template <class U>
  void operator=(U) const {}
  operator bool&() const {
    static bool nowhere;
    return nowhere;
  }
};

}  // namespace ptx
}  // namespace emu
