// Mutants of host code, chosen by the environment (verify/mutation/host.py): a copy left out or turned round, half of its
// bytes, another launch, two arguments swapped. Included before a unit; without a chosen mutant each means what stood there.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace musify_host {
inline int chosen() {
    static const int number = [] { const char* text = std::getenv("MUSIFY_MUTANT"); return text ? std::atoi(text) : 0; }();
    return number;
}
inline bool note(int number) {
    const char* path = std::getenv("MUSIFY_MUTANTS_REACHED");
    if (std::FILE* file = path ? std::fopen(path, "a") : nullptr) { std::fprintf(file, "%d\n", number); std::fclose(file); }
    return true;
}
template <int K> inline bool on() {
    static const bool noted = note(K);
    return noted && chosen() == K;
}
template <class T> using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
template <class T, class = void> struct Sized : std::false_type {};
template <class T> struct Sized<T, std::void_t<decltype(std::declval<T&>().x)>> : std::true_type {};

template <int K, class T> Plain<T> half(T&& value) {
    Plain<T> out = value;
    if constexpr (Sized<Plain<T>>::value) { if (out.x > 1 && on<K>()) out.x /= 2; }
    else if constexpr (std::is_integral<Plain<T>>::value) { if (out > 1 && on<K>()) out = static_cast<Plain<T>>(out / 2); }
    return out;
}
template <int K, class T> Plain<T> fewer(T&& value) {
    Plain<T> out = value;
    if constexpr (Sized<Plain<T>>::value) { if (out.x > 1 && on<K>()) --out.x; }
    else if constexpr (std::is_integral<Plain<T>>::value) { if (out > 1 && on<K>()) --out; }
    return out;
}
template <int K, class T> decltype(auto) next(T&& value) {
    if constexpr (std::is_integral<Plain<T>>::value && !std::is_same<Plain<T>, bool>::value) {
        return static_cast<Plain<T>>(on<K>() ? value + 1 : value);
    } else return std::forward<T>(value);
}
// The other of two arguments, where both are of one type.
template <int K, class A, class B> decltype(auto) other(A&& mine, B&& its) {
    if constexpr (std::is_same<Plain<A>, Plain<B>>::value && std::is_copy_constructible<Plain<A>>::value)
        return static_cast<Plain<A>>(on<K>() ? its : mine);
    else return std::forward<A>(mine);
}
}  // namespace musify_host
#define MUSIFY_LEFT_OUT(K, ...) (::musify_host::on<K>() ? static_cast<decltype(__VA_ARGS__)>(0) : (__VA_ARGS__))
