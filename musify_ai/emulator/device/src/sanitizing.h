// Under the address sanitizer, guard zones are out of bounds for it too: the access itself is reported, with its line.
#pragma once
#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMU_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define EMU_ADDRESS_SANITIZER 1
#endif

#ifdef EMU_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace emu {

#ifdef EMU_ADDRESS_SANITIZER
constexpr bool kSanitized = true;
inline void forbid(const void* p, size_t bytes) { __asan_poison_memory_region(p, bytes); }
inline void permit(const void* p, size_t bytes) { __asan_unpoison_memory_region(p, bytes); }
#else
constexpr bool kSanitized = false;
inline void forbid(const void*, size_t) {}
inline void permit(const void*, size_t) {}
#endif

}  // namespace emu
