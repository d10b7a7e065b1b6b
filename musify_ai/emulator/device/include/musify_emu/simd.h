// Two 16-bit or four 8-bit integers in a 32-bit word, as CUDA's integer SIMD functions have them. Each function is one
// line on a single element; nothing carries from one element into the next.
#pragma once
#include "builtins.h"

namespace emu {
namespace device {

template <class Signed, class Unsigned>
struct Packed {
  static constexpr int kBits = 8 * sizeof(Signed), kCount = 32 / kBits;
  static constexpr int kLow = -(1 << (kBits - 1)), kHigh = (1 << (kBits - 1)) - 1, kFull = (1 << kBits) - 1;
  static EMU_INLINE int s(unsigned word, int i) { return static_cast<Signed>(word >> (i * kBits)); }
  static EMU_INLINE int u(unsigned word, int i) { return static_cast<Unsigned>(word >> (i * kBits)); }
  static EMU_INLINE int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
  template <class F>
  static EMU_INLINE unsigned each(F f) {
    unsigned out = 0;
    for (int i = 0; i < kCount; i++) out |= static_cast<unsigned>(static_cast<Unsigned>(f(i))) << (i * kBits);
    return out;
  }
  template <class F>
  static EMU_INLINE unsigned sum(F f) {
    unsigned out = 0;
    for (int i = 0; i < kCount; i++) out += static_cast<unsigned>(f(i));
    return out;
  }
};
using Halfwords = Packed<int16_t, uint16_t>;
using Bytes = Packed<int8_t, uint8_t>;

// Within EXPRESSION: as, bs (signed), au, bu (unsigned) elements of the operands, P the packing.
#define EMU_SIMD_OF(NAME, PACKING, FOLD, EXPRESSION)                       \
  EMU_INLINE unsigned NAME(unsigned a, unsigned b) {                       \
    using P = PACKING;                                                     \
    return P::FOLD([=](int i) -> int {                                     \
      [[maybe_unused]] const int as = P::s(a, i), bs = P::s(b, i);         \
      [[maybe_unused]] const int au = P::u(a, i), bu = P::u(b, i);         \
      return EXPRESSION;                                                   \
    });                                                                    \
  }
#define EMU_SIMD_1_OF(NAME, PACKING, EXPRESSION)                           \
  EMU_INLINE unsigned NAME(unsigned a) {                                   \
    using P = PACKING;                                                     \
    return P::each([=](int i) -> int {                                     \
      const int as = P::s(a, i);                                           \
      return EXPRESSION;                                                   \
    });                                                                    \
  }
#define EMU_SIMD(NAME, EXPRESSION) \
  EMU_SIMD_OF(NAME##2, Halfwords, each, EXPRESSION) EMU_SIMD_OF(NAME##4, Bytes, each, EXPRESSION)
#define EMU_SIMD_SUM(NAME, EXPRESSION) \
  EMU_SIMD_OF(NAME##2, Halfwords, sum, EXPRESSION) EMU_SIMD_OF(NAME##4, Bytes, sum, EXPRESSION)
#define EMU_SIMD_1(NAME, EXPRESSION) \
  EMU_SIMD_1_OF(NAME##2, Halfwords, EXPRESSION) EMU_SIMD_1_OF(NAME##4, Bytes, EXPRESSION)
// A comparison as a mask of ones, and as 0 or 1.
#define EMU_SIMD_COMPARE(NAME, CONDITION) EMU_SIMD(__vcmp##NAME, (CONDITION) ? P::kFull : 0) EMU_SIMD(__vset##NAME, CONDITION)

EMU_SIMD(__vadd, au + bu)
EMU_SIMD(__vaddss, P::clamp(as + bs, P::kLow, P::kHigh))
EMU_SIMD(__vaddus, P::clamp(au + bu, 0, P::kFull))
EMU_SIMD(__vsub, au - bu)
EMU_SIMD(__vsubss, P::clamp(as - bs, P::kLow, P::kHigh))
EMU_SIMD(__vsubus, P::clamp(au - bu, 0, P::kFull))
EMU_SIMD(__vabsdiffs, as > bs ? as - bs : bs - as)
EMU_SIMD(__vabsdiffu, au > bu ? au - bu : bu - au)
EMU_SIMD(__vavgu, (au + bu + 1) >> 1)
EMU_SIMD(__vhaddu, (au + bu) >> 1)
EMU_SIMD(__vmaxs, as > bs ? as : bs)
EMU_SIMD(__vmaxu, au > bu ? au : bu)
EMU_SIMD(__vmins, as < bs ? as : bs)
EMU_SIMD(__vminu, au < bu ? au : bu)
EMU_SIMD_1(__vabs, as < 0 ? -as : as)
EMU_SIMD_1(__vabsss, P::clamp(as < 0 ? -as : as, P::kLow, P::kHigh))
EMU_SIMD_1(__vneg, -as)
EMU_SIMD_1(__vnegss, P::clamp(-as, P::kLow, P::kHigh))
EMU_SIMD_SUM(__vsads, as > bs ? as - bs : bs - as)
EMU_SIMD_SUM(__vsadu, au > bu ? au - bu : bu - au)
EMU_SIMD_COMPARE(eq, au == bu)
EMU_SIMD_COMPARE(ne, au != bu)
EMU_SIMD_COMPARE(ges, as >= bs)
EMU_SIMD_COMPARE(geu, au >= bu)
EMU_SIMD_COMPARE(gts, as > bs)
EMU_SIMD_COMPARE(gtu, au > bu)
EMU_SIMD_COMPARE(les, as <= bs)
EMU_SIMD_COMPARE(leu, au <= bu)
EMU_SIMD_COMPARE(lts, as < bs)
EMU_SIMD_COMPARE(ltu, au < bu)

}  // namespace device
}  // namespace emu
