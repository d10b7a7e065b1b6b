// cvt of PTX between pairs of 8-bit floats (.e4m3x2, .e5m2x2) and f32 or f16x2. The first operand becomes the upper byte.
#pragma once
#include "../include/musify_emu/eight_formats.h"
#include "convert.h"

namespace emu {
namespace ptx {

template <Eight K, bool Relu>
inline uint16_t eight_pair(double high, double low) {
  const auto one = [](double x) -> unsigned { return eight_bits(Relu && x <= 0 ? 0.0 : x, Saturation::finite, K); };
  return static_cast<uint16_t>(one(high) << 8 | one(low));
}
template <Eight K, bool Relu>
inline uint16_t cvt_eight_f32(uint32_t high, uint32_t low) {
  return eight_pair<K, Relu>(read<f32>(high), read<f32>(low));
}
template <Eight K, bool Relu>
inline uint16_t cvt_eight_f16x2(uint32_t pair) {
  return eight_pair<K, Relu>(widen<f16>(uint16_t(pair >> 16)), widen<f16>(uint16_t(pair)));
}
template <Eight K, bool Relu>
inline uint32_t cvt_f16x2_eight(uint16_t pair) {
  const auto one = [](unsigned char v) -> uint32_t {
    const uint16_t half = half_of_eight_bits(v, K);
    return Relu && (half >> 15) ? 0u : half;
  };
  return one(static_cast<unsigned char>(pair >> 8)) << 16 | one(static_cast<unsigned char>(pair));
}

}  // namespace ptx
}  // namespace emu
