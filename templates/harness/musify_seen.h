// What of device code a run reaches. Included before a unit in whose text each condition, case and function body calls one
// of these (verify/branches.py); each means what stood there. The driver empties the bytes before a section and reads them
// after it. In constant expressions nothing is noted.
#pragma once
#include <type_traits>

constexpr int musify_most_seen = 1 << 16;
extern "C" unsigned char musify_seen_bytes[musify_most_seen];

namespace musify_seen {
#define MUSIFY_SEEN __attribute__((always_inline)) constexpr
template <int K> MUSIFY_SEEN void mark() {
    if (!__builtin_is_constant_evaluated()) musify_seen_bytes[K] = 1;
}
// A condition: K where it does not hold, K + 1 where it does; K + 2 too where the compiler knows, so that nothing is chosen.
template <int K, class C> MUSIFY_SEEN bool either(C&& condition) {
    const bool value = static_cast<bool>(condition);
    if (!__builtin_is_constant_evaluated()) {
        if (__builtin_constant_p(value)) musify_seen_bytes[K + 2] = 1;
        musify_seen_bytes[K + value] = 1;
    }
    return value;
}
// What a switch chooses by; K + 2 as above.
template <int K, class T> MUSIFY_SEEN std::remove_cv_t<std::remove_reference_t<T>> chosen(T&& value) {
    if (!__builtin_is_constant_evaluated()) {
        if (__builtin_constant_p(value)) musify_seen_bytes[K + 2] = 1;
        musify_seen_bytes[K] = 1;
    }
    return value;
}
#undef MUSIFY_SEEN
}  // namespace musify_seen
