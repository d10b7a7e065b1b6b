// Made inputs: bytes that depend on the seed and the slot's number only, so that both sides get the same.
#include "driver.h"

#include <cmath>
#include <cstring>

namespace musify_check {
std::uint64_t mix(std::uint64_t x) {  // splitmix64's finalizer
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}
struct Random { std::uint64_t state; std::uint64_t next() { return mix(state++); } };

std::uint16_t to_half(float value) {
    std::uint32_t bits; std::memcpy(&bits, &value, 4);
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    const std::int32_t exponent = static_cast<std::int32_t>((bits >> 23) & 0xff) - 127 + 15;
    std::uint32_t mantissa = bits & 0x7fffffu;
    if (exponent >= 31) return static_cast<std::uint16_t>(sign | 0x7bffu);  // the largest finite value: inputs hold no infinities
    if (exponent <= 0) return static_cast<std::uint16_t>(sign);
    std::uint32_t half = sign | (static_cast<std::uint32_t>(exponent) << 10) | (mantissa >> 13);
    const std::uint32_t rest = mantissa & 0x1fffu;
    if (rest > 0x1000u || (rest == 0x1000u && (half & 1))) ++half;
    return static_cast<std::uint16_t>((half & 0x7fffu) >= 0x7c00u ? sign | 0x7bffu : half);
}
std::uint16_t to_bfloat16(float value) {
    std::uint32_t bits; std::memcpy(&bits, &value, 4);
    bits += 0x7fffu + ((bits >> 16) & 1);
    return static_cast<std::uint16_t>(bits >> 16);
}
const char* const mode_names[] = {"small", "edge", "wide", "ties", "negative", "large", "special", "constants"};
Constants constants;
Mode mode_of(const char* name) {
    for (int i = 0; i < 8; ++i) if (std::strcmp(name, mode_names[i]) == 0) return static_cast<Mode>(i);
    return SMALL;
}
// Stretches of inputs with something in common, so that votes, ties and runs come about.
enum Stretch { POSITIVE_ONLY, NEGATIVE_ONLY, CONSTANT, MIXED };

double made_float(Random& random, Mode mode, std::size_t size, char kind, Stretch stretch) {
    const std::uint64_t bits = random.next();
    const double unit = static_cast<double>(bits >> 40) / 16777216.0 * 2 - 1;  // [-1, 1), 24 bits: exact in float
    switch (mode) {
        case SMALL: case WIDE: return unit;
        case NEGATIVE: return (unit < 0 ? unit : -unit - 1.0 / 16777216.0) * 4;
        case TIES: {
            static const double steps[] = {0, 0.5, 1, 2, 2, 1.5, 1, 2};
            const double value = steps[stretch == CONSTANT ? 2 : bits & 7];
            return stretch == NEGATIVE_ONLY ? -(value + 0.5) : stretch == POSITIVE_ONLY ? value + 0.5 : bits & 8 ? -value : value;
        }
        case LARGE: {
            if (bits & 7) return unit * 4;
            const int most = size == 8 ? 1020 : 126, least = size == 8 ? -1070 : -148;
            return std::ldexp(unit, least + static_cast<int>((bits >> 8) % static_cast<std::uint64_t>(most - least + 1)));
        }
        case SPECIAL:
            if (bits & 15) return unit * 4;
            switch ((bits >> 4) & 3) {
                case 0: return NAN;
                case 1: return HUGE_VAL;
                case 2: return -HUGE_VAL;
                default: return -0.0;
            }
        case CONSTANTS: {
            if (constants.all.empty() || (bits & 7) == 0) return unit;
            const double value = constants.all[(bits >> 8) % constants.all.size()] * (bits & 8 ? 1 : bits & 16 ? -1 : 1);
            switch ((bits >> 5) & 7) {  // right there, beside it, and on either side
                case 0: return value * (1 + 1e-6);
                case 1: return value * (1 - 1e-6);
                case 2: return value + 1;
                case 3: return (bits >> 16) & 1 ? value * 0.75 : (static_cast<double>((bits >> 17) & 15) + 0.5) / value;
                default: return value;
            }
        }
        default: break;
    }
    switch (bits & 15) {
        case 0: return bits & 16 ? -0.0 : 0.0;
        case 1: return unit * 1024;
        case 2: return size == 8 ? unit * 1e-200 : kind == 'h' ? unit * 6e-5 : unit * 1e-30;
        case 3: return unit * 64;
        case 4: return std::floor(unit * 16) / 2;  // halves: where ways of rounding part
        case 5: return std::floor(unit * 256) / 64;  // and 64ths: what is scaled first comes to halves too
        default: return unit * 4;
    }
}
std::uint64_t made_integer(Random& random, Mode mode, const Leaf& l, unsigned long long limit, bool narrow, Stretch stretch) {
    const std::uint64_t v = random.next();
    const std::uint64_t few = limit ? limit : 1;
    if (mode == CONSTANTS) {
        const auto& whole = constants.whole;
        if (whole.empty() || (v & 3) == 0) return (v >> 11) % few;
        const auto value = static_cast<std::uint64_t>(whole[(v >> 8) % whole.size()]) + ((v >> 4) & 7 ? 0 : (v & 8 ? 1 : ~0ull));
        return narrow ? value % few : value;
    }
    if (narrow || mode == SMALL || mode == EDGE || mode == TIES || (mode == NEGATIVE && l.kind == 'u')) {
        if (mode == TIES) return stretch == CONSTANT ? 1 % few : (v >> 11) % (few < 3 ? few : 3);
        if (l.size == 1) return v % (l.kind == 'u' ? 256 : 128);
        return (v >> 11) % few;
    }
    if (mode == NEGATIVE) return ~((v >> 11) % (few < 100 ? few : 100));
    if ((mode == LARGE || mode == SPECIAL) && (v & 1)) {  // at a power of two, and at the ends of the type
        const std::uint64_t power = std::uint64_t(1) << ((v >> 8) % (8 * l.size));
        const std::uint64_t near = power + (v >> 16) % 3 - 1;
        return v & 2 ? near : ~near;
    }
    return v;
}
void put(unsigned char* at, const Leaf& l, Random& random, Mode mode, unsigned long long limit, bool narrow, Stretch stretch) {
    switch (l.kind) {
        case 'f': {
            const double value = made_float(random, mode, l.size, 'f', stretch);
            if (l.size == 4) { const float v = static_cast<float>(value); std::memcpy(at, &v, 4); }
            else if (l.size == 8) std::memcpy(at, &value, 8);
            else { const long double v = value; std::memset(at, 0, l.size); std::memcpy(at, &v, 10); }
            break;
        }
        case 'h': case 'b': {
            const double value = made_float(random, mode, 2, l.kind, stretch);
            const std::uint16_t sign = std::signbit(value) ? 0x8000u : 0, infinity = l.kind == 'h' ? 0x7c00 : 0x7f80;
            std::uint16_t v = l.kind == 'h' ? to_half(static_cast<float>(value)) : to_bfloat16(static_cast<float>(value));
            if (std::isnan(value)) v = infinity | 0x40;
            else if (std::isinf(value)) v = sign | infinity;
            else if (mode == LARGE && l.kind == 'h' && std::fabs(value) < 6e-5) v = sign | (random.next() & 0x3ff);  // subnormal
            std::memcpy(at, &v, 2);
            break;
        }
        case 'B': *at = mode == TIES && stretch != MIXED ? stretch == POSITIVE_ONLY : random.next() & 1; break;
        case 'e': { const std::uint64_t v = random.next() % 3; std::memcpy(at, &v, l.size < 8 ? l.size : 8); break; }
        case 'p': std::memset(at, 0, l.size); break;
        case 'x': for (std::size_t i = 0; i < l.size; ++i) at[i] = random.next() & 3; break;
        default: {
            const std::uint64_t v = made_integer(random, mode, l, limit, narrow, stretch);
            std::memcpy(at, &v, l.size < 8 ? l.size : 8);
        }
    }
}
// Votes tell nothing about random words, of which hardly a warp's worth is all zero: in edge mode integers and truth
// values are zero for stretches that hold whole warps.
bool in_zero_stretch(const Leaf& l, Mode mode, std::uint64_t seed, std::size_t element) {
    const bool whole = l.kind == 'i' || l.kind == 'u' || l.kind == 'B';
    return whole && mode == EDGE && ((element + seed * 77) / 200) % 2 == 1;
}
void fill(Slot& slot, unsigned char* to, std::size_t bytes, std::uint64_t seed, std::uint64_t number, Mode mode) {
    Random random{mix(seed * 1000003 + number)};
    std::memset(to, 0, bytes);
    if (slot.fill == "zero") return;
    const std::size_t count = slot.element ? bytes / slot.element : 0;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto stretch = static_cast<Stretch>(mix(seed ^ (i / 64 + number * 4096)) & 3);
        for (const Leaf& l : slot.leaves) {
            unsigned char* at = to + i * slot.element + l.offset;
            if (slot.fill == "monotone" && (l.kind == 'i' || l.kind == 'u')) {
                const std::uint64_t v = sum < count ? sum : count - 1;
                std::memcpy(at, &v, l.size < 8 ? l.size : 8);
                sum += random.next() % 4;
            } else if (slot.fill == "positive" && (l.kind == 'f' || l.kind == 'h' || l.kind == 'b')) {
                put(at, l, random, mode, slot.limit, slot.narrow, stretch);
                at[l.size - 1] &= 0x7f;  // the sign bit: little-endian
            } else if (!in_zero_stretch(l, mode, seed, i)) put(at, l, random, mode, slot.limit, slot.narrow, stretch);
        }
    }
}

bool is_nan(const unsigned char* at, const Leaf& l) {
    if (l.kind == 'h') { std::uint16_t v; std::memcpy(&v, at, 2); return (v & 0x7fff) > 0x7c00; }
    if (l.kind == 'b') { std::uint16_t v; std::memcpy(&v, at, 2); return (v & 0x7fff) > 0x7f80; }
    if (l.kind != 'f') return false;
    if (l.size == 4) { std::uint32_t v; std::memcpy(&v, at, 4); return (v & 0x7fffffffu) > 0x7f800000u; }
    if (l.size == 8) { std::uint64_t v; std::memcpy(&v, at, 8); return (v & 0x7fffffffffffffffull) > 0x7ff0000000000000ull; }
    return false;
}
// NaN is NaN: which operand's payload survives an operation is the compiler's choice, not the kernel's.
void make_plain_nan(unsigned char* at, const Leaf& l) {
    std::memset(at, 0, l.size);
    if (l.kind == 'f' && l.size == 4) { const std::uint32_t v = 0x7fc00000u; std::memcpy(at, &v, 4); }
    else if (l.kind == 'f') { const std::uint64_t v = 0x7ff8000000000000ull; std::memcpy(at, &v, 8); }
    else { const std::uint16_t v = l.kind == 'h' ? 0x7e00 : 0x7fc0; std::memcpy(at, &v, 2); }
}
std::uint64_t hash_of(const unsigned char* data, std::size_t bytes) {
    std::uint64_t h = 0xcbf29ce484222325ull ^ bytes;
    std::size_t i = 0;
    for (; i + 8 <= bytes; i += 8) { std::uint64_t v; std::memcpy(&v, data + i, 8); h = (h ^ v) * 0x9e3779b97f4a7c15ull; h ^= h >> 29; }
    for (; i < bytes; ++i) h = (h ^ data[i]) * 0x100000001b3ull;
    return h;
}

void fill_scalar(Slot& slot, std::uint64_t seed, std::uint64_t number, Mode mode) {
    slot.pristine.assign(slot.element, 0);
    Random random{mix(seed * 1000003 + number)};
    if (slot.fill == "int") std::memcpy(slot.pristine.data(), &slot.limit, slot.element < 8 ? slot.element : 8);
    else if (slot.fill == "float") {
        double value = slot.low + (slot.high - slot.low) * (static_cast<double>(random.next() >> 40) / 16777216.0);
        if (slot.low == 0.25) {  // not one of those whose name asks for a range: of any sign and size
            if (mode == TIES) value = number & 1 ? 0 : 1;
            else if (mode == NEGATIVE) value = number & 1 ? -1.5 : 0;
            else if (mode == LARGE) value *= number & 1 ? 0 : -64;
            else if (mode == SPECIAL) value = number & 1 ? -1 : 1;
        }
        const char kind = slot.leaves[0].kind;
        if (kind == 'h' || kind == 'b') { const std::uint16_t v = kind == 'h' ? to_half(static_cast<float>(value)) : to_bfloat16(static_cast<float>(value)); std::memcpy(slot.pristine.data(), &v, 2); }
        else if (slot.element == 4) { const float v = static_cast<float>(value); std::memcpy(slot.pristine.data(), &v, 4); }
        else if (slot.element == 8) std::memcpy(slot.pristine.data(), &value, 8);
    } else if (slot.fill == "bool") slot.pristine[0] = seed & 1;
    else if (slot.fill != "zero") put(slot.pristine.data(), slot.leaves[0], random, SMALL, slot.limit, false, MIXED);
}

}  // namespace musify_check
