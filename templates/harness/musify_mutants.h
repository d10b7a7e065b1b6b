// Mutants of device code, chosen at run time (mutants.cpp). Included before a unit in whose text each place that is to be
// mutated calls one of these; with mutant 0 each means what stood there. In constant expressions nothing is mutated.
//
// With MUSIFY_MUTANT_FIXED=N there is just mutant N, without any switch: for comparing what the compiler makes of it.
#pragma once
#include <type_traits>
#include <utility>

#define MUSIFY_MUTATED __attribute__((always_inline)) constexpr
#ifndef MUSIFY_MUTANT_FIXED
extern "C" volatile int musify_mutant_active;
extern "C" unsigned char* musify_mutant_hits;
extern "C" int musify_mutant_add(int site);
#endif

namespace musify_mutant {
#ifdef MUSIFY_MUTANT_FIXED
template <int K> MUSIFY_MUTATED bool on() {
    return !__builtin_is_constant_evaluated() && K == MUSIFY_MUTANT_FIXED;
}
#else
template <int K> struct Site { static inline const int present = musify_mutant_add(K); };
template <int K> inline bool reached() {
    musify_mutant_hits[K] = 1;
    return Site<K>::present != 0 && musify_mutant_active == K;
}
template <int K> MUSIFY_MUTATED bool on() { return __builtin_is_constant_evaluated() ? false : reached<K>(); }
#endif

// An operator as another, where both take the operands and give the same type; else there is no such mutant.
#define MUSIFY_OPERATOR(NAME, WAS, IS)                                                                                  \
    template <class A, class B, class = void> struct Takes_##NAME : std::false_type {};                                 \
    template <class A, class B>                                                                                         \
    struct Takes_##NAME<A, B, std::void_t<decltype(std::declval<A>() IS std::declval<B>())>>                            \
        : std::is_same<decltype(std::declval<A>() WAS std::declval<B>()),                                               \
                       decltype(std::declval<A>() IS std::declval<B>())> {};                                            \
    template <int K, class A, class B> MUSIFY_MUTATED decltype(auto) NAME(A&& a, B&& b) {                               \
        if constexpr (Takes_##NAME<A&&, B&&>::value) {                                                                  \
            if (on<K>()) return std::forward<A>(a) IS std::forward<B>(b);                                               \
        }                                                                                                               \
        return std::forward<A>(a) WAS std::forward<B>(b);                                                               \
    }
MUSIFY_OPERATOR(plus, +, -)
MUSIFY_OPERATOR(minus, -, +)
MUSIFY_OPERATOR(times, *, +)
MUSIFY_OPERATOR(over, /, *)
MUSIFY_OPERATOR(rest, %, +)
MUSIFY_OPERATOR(less, <, <=)
MUSIFY_OPERATOR(at_most, <=, <)
MUSIFY_OPERATOR(more, >, >=)
MUSIFY_OPERATOR(at_least, >=, >)
MUSIFY_OPERATOR(both, &, |)
MUSIFY_OPERATOR(either, |, &)
MUSIFY_OPERATOR(one_of, ^, |)
MUSIFY_OPERATOR(left, <<, >>)
MUSIFY_OPERATOR(right, >>, <<)
#undef MUSIFY_OPERATOR

template <int K, class T> MUSIFY_MUTATED bool flip(T&& value) {
    return on<K>() ? !static_cast<bool>(value) : static_cast<bool>(value);
}
// What is never so.
template <int K, class T> MUSIFY_MUTATED bool never(T&& value) {
    return on<K>() ? false : static_cast<bool>(value);
}
template <class T> using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
template <class T> constexpr bool whole = std::is_integral<Plain<T>>::value && !std::is_same<Plain<T>, bool>::value;

// One more: an index, a bound, a constant.
template <int K, class T> MUSIFY_MUTATED Plain<T> next(T&& value) {
    if constexpr (whole<T> || std::is_floating_point<Plain<T>>::value) {
        if (on<K>()) return static_cast<Plain<T>>(value + 1);
    }
    return value;
}
// None of it: the step of a butterfly.
template <int K, class T> MUSIFY_MUTATED Plain<T> none(T&& value) {
    if constexpr (whole<T>) {
        if (on<K>()) return Plain<T>{};
    }
    return value;
}
// Half of it: the width of a shuffle.
template <int K, class T> MUSIFY_MUTATED Plain<T> half(T&& value) {
    if constexpr (whole<T>) {
        if (on<K>()) return static_cast<Plain<T>>(value / 2);
    }
    return value;
}
// Without the upper half of a warp.
template <int K, class T> MUSIFY_MUTATED Plain<T> fewer_lanes(T&& value) {
    if constexpr (whole<T>) {
        if (on<K>()) return static_cast<Plain<T>>(value & 0xffff);
    }
    return value;
}
// Through a narrower type.
template <int K, class T> MUSIFY_MUTATED Plain<T> narrow(T&& value) {
    if constexpr (std::is_same<Plain<T>, double>::value) {
        if (on<K>()) return static_cast<double>(static_cast<float>(value));
    }
    return value;
}
template <int K, class T> MUSIFY_MUTATED Plain<T> negative(T&& value) {
    if constexpr (std::is_arithmetic<Plain<T>>::value && !std::is_same<Plain<T>, bool>::value) {
        if (on<K>()) return static_cast<Plain<T>>(-value);
    }
    return value;
}
template <int K, class T> MUSIFY_MUTATED Plain<T> nothing(T&& value) {
    if constexpr (std::is_arithmetic<Plain<T>>::value) {
        if (on<K>()) return Plain<T>{};
    }
    return value;
}
}  // namespace musify_mutant
