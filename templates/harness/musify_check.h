// Describes kernels and device variables to the driver (musify_check.cpp). Included before the unit that is checked,
// so that none of its macros reach in here; it pulls in no more of the standard library than the device headers do.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

// On a real device the launch is the compiler's own, and variables have an address of the device's.
#ifdef MUSIFY_CHECK_DEVICE
#include "gpu/names.h"
#ifndef MUSIFY_EMU_ARCH
namespace emu {
// In place of what was taken out of a unit; kernels that reach it are never run.
__host__ __device__ inline void stub(const char*) {}
}  // namespace emu
#endif
#endif

namespace emu {
template <class T> struct Members;  // what a class with private members is made of (musify_emu/members.h)
}  // namespace emu

namespace musify_check {

// How the driver is told what it needs to know; kinds of leaf: i u (integers) f (float, double) B (bool) e (enum)
// p (pointer) n (named: half and bfloat16, which the driver knows by the type's name) x (opaque bytes).
using Launch = void (*)(void* function, void** arguments, const unsigned (&grid)[3], const unsigned (&block)[3],
                        std::size_t shared);
void begin_kernel(const char* id, void* function, Launch launch);
void begin_parameter(const char* type, std::size_t size, std::size_t align);
void begin_symbol(const char* name, void* address, std::size_t bytes, bool constant, bool initialized);
void begin_pointer(std::size_t offset, std::size_t element, bool constant, const char* type);
void end_pointer();
void begin_member(const char* name);  // what follows is of a member with this name, which a class told
void end_member();
void leaf(std::size_t offset, std::size_t size, char kind, const char* type);
bool known_by_name(std::size_t offset, std::size_t size, const char* type);

template <class T> const char* type_name() { return __PRETTY_FUNCTION__; }

// Converts to anything but the aggregate itself and its bases, so that brace initialization counts members only.
template <class Outer> struct Any {
    template <class T, class = std::enable_if_t<!std::is_base_of<std::remove_cv_t<T>, Outer>::value>>
    constexpr operator T&() const noexcept;
    template <class T, class = std::enable_if_t<!std::is_base_of<std::remove_cv_t<T>, Outer>::value>>
    constexpr operator T&&() const noexcept;
};
template <class T, std::size_t> using AnyAt = Any<T>;
template <class T, class, class = void> struct Braced : std::false_type {};
template <class T, std::size_t... I>
struct Braced<T, std::index_sequence<I...>, std::void_t<decltype(T{AnyAt<T, I>{}...})>> : std::true_type {};
// Member P given as {any, any}: accepted, with a full list after it, by an aggregate member but not by an array.
template <class T, class, class, class = void> struct Nested : std::false_type {};
template <class T, std::size_t... I, std::size_t... J>
struct Nested<T, std::index_sequence<I...>, std::index_sequence<J...>,
              std::void_t<decltype(T{AnyAt<T, I>{}..., {Any<T>{}, Any<T>{}}, AnyAt<T, J>{}...})>> : std::true_type {};

// N members, each given as {}: an array counts as one here, and not as its elements.
template <class T, std::size_t N, class = void> struct Empties : std::false_type {};
#define MUSIFY_EMPTIES(COUNT, ...) \
    template <class T> struct Empties<T, COUNT, std::void_t<decltype(T{__VA_ARGS__})>> : std::true_type {};
MUSIFY_EMPTIES(1, {})
MUSIFY_EMPTIES(2, {}, {})
MUSIFY_EMPTIES(3, {}, {}, {})
MUSIFY_EMPTIES(4, {}, {}, {}, {})
MUSIFY_EMPTIES(5, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(6, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(7, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(8, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(9, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(10, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(11, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(12, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(13, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(14, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(15, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(16, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(17, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(18, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(19, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(20, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(21, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(22, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(23, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(24, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(25, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(26, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(27, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(28, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(29, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(30, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(31, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
MUSIFY_EMPTIES(32, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
#undef MUSIFY_EMPTIES
constexpr std::size_t most_bound = 32;
template <class T, std::size_t N = most_bound> constexpr std::size_t empties() {
    if constexpr (N == 0) return 0;
    else if constexpr (Empties<T, N>::value) return N;
    else return empties<T, N - 1>();
}

constexpr std::size_t most_members = 16;
template <class T, std::size_t N = most_members> constexpr std::size_t members() {
    if constexpr (N == 0) return 0;
    else if constexpr (Braced<T, std::make_index_sequence<N>>::value) return N;
    else return members<T, N - 1>();
}
template <class T, std::size_t N, std::size_t P = 0> constexpr bool holds_array() {
    if constexpr (P >= N) return false;
    else if constexpr (Nested<T, std::make_index_sequence<P>, std::index_sequence<>>::value &&
                       !Nested<T, std::make_index_sequence<P>, std::make_index_sequence<N - P - 1>>::value)
        return true;
    else return holds_array<T, N, P + 1>();
}

template <class T> void describe(std::size_t offset);

template <class Whole, class... M> void describe_members(std::size_t offset, const Whole& whole, const M&... member) {
    (describe<M>(offset + static_cast<std::size_t>(reinterpret_cast<const char*>(&member) -
                                                   reinterpret_cast<const char*>(&whole))), ...);
}

template <class T, std::size_t N> void describe_aggregate(std::size_t offset) {
    alignas(T) static char room[sizeof(T)] = {};
    auto& v = *reinterpret_cast<T*>(room);
#define MUSIFY_MEMBERS(COUNT, ...)                                        \
    if constexpr (N == COUNT) {                                           \
        auto& [__VA_ARGS__] = v;                                          \
        describe_members(offset, v, __VA_ARGS__);                         \
    }
    MUSIFY_MEMBERS(1, m1)
    MUSIFY_MEMBERS(2, m1, m2)
    MUSIFY_MEMBERS(3, m1, m2, m3)
    MUSIFY_MEMBERS(4, m1, m2, m3, m4)
    MUSIFY_MEMBERS(5, m1, m2, m3, m4, m5)
    MUSIFY_MEMBERS(6, m1, m2, m3, m4, m5, m6)
    MUSIFY_MEMBERS(7, m1, m2, m3, m4, m5, m6, m7)
    MUSIFY_MEMBERS(8, m1, m2, m3, m4, m5, m6, m7, m8)
    MUSIFY_MEMBERS(9, m1, m2, m3, m4, m5, m6, m7, m8, m9)
    MUSIFY_MEMBERS(10, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10)
    MUSIFY_MEMBERS(11, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11)
    MUSIFY_MEMBERS(12, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12)
    MUSIFY_MEMBERS(13, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13)
    MUSIFY_MEMBERS(14, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14)
    MUSIFY_MEMBERS(15, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15)
    MUSIFY_MEMBERS(16, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16)
    MUSIFY_MEMBERS(17, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17)
    MUSIFY_MEMBERS(18, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18)
    MUSIFY_MEMBERS(19, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19)
    MUSIFY_MEMBERS(20, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20)
    MUSIFY_MEMBERS(21, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21)
    MUSIFY_MEMBERS(22, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22)
    MUSIFY_MEMBERS(23, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23)
    MUSIFY_MEMBERS(24, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24)
    MUSIFY_MEMBERS(25, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25)
    MUSIFY_MEMBERS(26, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26)
    MUSIFY_MEMBERS(27, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27)
    MUSIFY_MEMBERS(28, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28)
    MUSIFY_MEMBERS(29, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29)
    MUSIFY_MEMBERS(30, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30)
    MUSIFY_MEMBERS(31, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31)
    MUSIFY_MEMBERS(32, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32)
#undef MUSIFY_MEMBERS
}

// Classes whose members their own header tells.
template <class T, class = void> struct Told : std::false_type {};
template <class T> struct Told<T, std::void_t<decltype(sizeof(::emu::Members<T>))>> : std::true_type {};
struct Visitor {
    std::size_t offset;
    template <class M> void member(std::size_t at) const { describe<M>(offset + at); }
    template <class M> void named(std::size_t at, const char* name) const {
        begin_member(name);
        describe<M>(offset + at);
        end_member();
    }
    template <class Whole, class Base> void base() const {
        // Where a base lies, from an address that nothing is read at.
        const auto whole = reinterpret_cast<const Whole*>(std::size_t(1) << 20);
        describe<Base>(offset + (reinterpret_cast<std::size_t>(static_cast<const Base*>(whole)) - (std::size_t(1) << 20)));
    }
};

template <class T> void describe(std::size_t offset) {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_array<U>::value) {
        using E = std::remove_extent_t<U>;
        for (std::size_t i = 0; i < std::extent<U>::value; ++i) describe<E>(offset + i * sizeof(E));
    } else if constexpr (std::is_same<U, bool>::value) {
        leaf(offset, sizeof(U), 'B', type_name<U>());
    } else if constexpr (std::is_integral<U>::value) {
        leaf(offset, sizeof(U), std::is_signed<U>::value ? 'i' : 'u', type_name<U>());
    } else if constexpr (std::is_floating_point<U>::value) {
        leaf(offset, sizeof(U), 'f', type_name<U>());
    } else if constexpr (std::is_enum<U>::value) {
        leaf(offset, sizeof(U), 'e', type_name<U>());
    } else if constexpr (std::is_pointer<U>::value) {
        using P = std::remove_pointer_t<U>;
        if constexpr (std::is_function<P>::value) {
            leaf(offset, sizeof(U), 'p', type_name<U>());
        } else if constexpr (std::is_void<P>::value) {
            begin_pointer(offset, 1, std::is_const<P>::value, type_name<std::remove_cv_t<P>>());
            leaf(0, 1, 'u', "unsigned char");
            end_pointer();
        } else if constexpr (std::is_pointer<P>::value) {
            leaf(offset, sizeof(U), 'p', type_name<U>());
        } else {
            begin_pointer(offset, sizeof(P), std::is_const<P>::value, type_name<std::remove_cv_t<P>>());
            describe<P>(0);
            end_pointer();
        }
    } else if (known_by_name(offset, sizeof(U), type_name<U>())) {
    } else if constexpr (std::is_empty<U>::value) {
    } else if constexpr (Told<U>::value) {
        ::emu::Members<U>::each(Visitor{offset});
    } else {
#ifndef MUSIFY_CHECK_PLAIN
        if constexpr (std::is_aggregate<U>::value && !std::is_union<U>::value) {
            constexpr std::size_t given = members<U>();
            if constexpr (given > 0) {
                constexpr bool apart = given < most_members && !holds_array<U, given>();
                constexpr std::size_t count = apart ? given : empties<U>();
                if constexpr (count > 0) {
                    describe_aggregate<U, count>(offset);
                    return;
                }
            }
        }
#endif
        leaf(offset, sizeof(U), 'x', type_name<U>());
    }
}

template <class... A, std::size_t... I>
void launch_with(void (*function)(A...), void** arguments, const unsigned (&grid)[3], const unsigned (&block)[3],
                 std::size_t shared, std::index_sequence<I...>) {
    (void)arguments;
#ifdef MUSIFY_CHECK_DEVICE
    if (shared > 48 * 1024)
        (void)MUSIFY_RT(FuncSetAttribute)(reinterpret_cast<const void*>(function),
                                          MUSIFY_RT(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(shared));
    function<<<::dim3(grid[0], grid[1], grid[2]), ::dim3(block[0], block[1], block[2]), shared>>>(
        *static_cast<std::remove_cv_t<A>*>(arguments[I])...);
#else
    ::emu::Launcher("kernel", "", 0, ::emu::Config(::dim3(grid[0], grid[1], grid[2]),
                                                   ::dim3(block[0], block[1], block[2]), shared, nullptr))(
        [function](auto... a) { function(a...); }, *static_cast<std::remove_cv_t<A>*>(arguments[I])...);
#endif
}

template <class... A>
void launch(void* function, void** arguments, const unsigned (&grid)[3], const unsigned (&block)[3],
            std::size_t shared) {
    launch_with<A...>(reinterpret_cast<void (*)(A...)>(function), arguments, grid, block, shared,
                      std::index_sequence_for<A...>{});
}

// The program asks for more dynamic shared memory than a launch gets by itself: up to all that the device has.
inline int musify_allow_shared() {
#ifndef MUSIFY_CHECK_DEVICE
    ::emu::set_shared_limit(nullptr, 1 << 30);
#endif
    return 0;
}

template <class... A> int musify_add_kernel(const char* id, void (*function)(A...)) {
    begin_kernel(id, reinterpret_cast<void*>(function), &launch<A...>);
    (void)std::initializer_list<int>{
        0, (begin_parameter(type_name<A>(), sizeof(A), alignof(A)), describe<std::remove_cv_t<A>>(0), 0)...};
    return 0;
}

#ifdef MUSIFY_CHECK_DEVICE
void musify_symbol_address(int (*resolve)(void** out, void* variable));
template <class T> int address_of(void** out, void* variable) {
    return static_cast<int>(MUSIFY_RT(GetSymbolAddress)(out, *static_cast<T*>(variable)));
}
#endif

template <class T> int musify_add_symbol(const char* name, T& variable, bool constant, bool initialized) {
    begin_symbol(name, const_cast<void*>(static_cast<const volatile void*>(&variable)), sizeof(T), constant,
                 initialized);
#ifdef MUSIFY_CHECK_DEVICE
    musify_symbol_address(&address_of<T>);
#endif
    using E = std::remove_all_extents_t<T>;
    begin_pointer(0, sizeof(E), constant, type_name<std::remove_cv_t<E>>());
    describe<E>(0);
    end_pointer();
    return 0;
}

}  // namespace musify_check
