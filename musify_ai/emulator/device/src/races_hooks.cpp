// The calls that the compiler's thread sanitizer puts at every access of a unit.
#include <cstring>

#include "races.h"

// ---- what the compiler calls
#define EMU_HOOK(NAME, BYTES, WRITES, KIND) \
  extern "C" void __tsan_##NAME(void* p) { emu::access(p, BYTES, WRITES, emu::KIND, __builtin_return_address(0)); }
#define EMU_HOOKS(BYTES)                                         \
  EMU_HOOK(read##BYTES, BYTES, false, plain)                     \
  EMU_HOOK(write##BYTES, BYTES, true, plain)                     \
  EMU_HOOK(unaligned_read##BYTES, BYTES, false, plain)           \
  EMU_HOOK(unaligned_write##BYTES, BYTES, true, plain)           \
  EMU_HOOK(volatile_read##BYTES, BYTES, false, is_volatile)      \
  EMU_HOOK(volatile_write##BYTES, BYTES, true, is_volatile)      \
  EMU_HOOK(unaligned_volatile_read##BYTES, BYTES, false, is_volatile)  \
  EMU_HOOK(unaligned_volatile_write##BYTES, BYTES, true, is_volatile)
EMU_HOOKS(1)
EMU_HOOKS(2)
EMU_HOOKS(4)
EMU_HOOKS(8)
EMU_HOOKS(16)

#define EMU_COMPOUND(BYTES)                                                                    \
  extern "C" void __tsan_read_write##BYTES(void* p) {                                          \
    emu::access(p, BYTES, false, emu::plain, __builtin_return_address(0));                          \
    emu::access(p, BYTES, true, emu::plain, __builtin_return_address(0));                           \
  }                                                                                            \
  extern "C" void __tsan_unaligned_read_write##BYTES(void* p) {                                \
    emu::access(p, BYTES, false, emu::plain, __builtin_return_address(0));                          \
    emu::access(p, BYTES, true, emu::plain, __builtin_return_address(0));                           \
  }
EMU_COMPOUND(1)
EMU_COMPOUND(2)
EMU_COMPOUND(4)
EMU_COMPOUND(8)
EMU_COMPOUND(16)

extern "C" {
void __tsan_init() { emu::unit_calls_accesses(); }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void* p, size_t n) { emu::access(p, n, false, emu::plain, __builtin_return_address(0)); }
void __tsan_write_range(void* p, size_t n) { emu::access(p, n, true, emu::plain, __builtin_return_address(0)); }

// Calls of these from a unit (linked with --wrap). The device's own are told apart by whose memory they touch.
void* __real_memcpy(void*, const void*, size_t) __attribute__((weak));
void* __real_memmove(void*, const void*, size_t) __attribute__((weak));
void* __real_memset(void*, int, size_t) __attribute__((weak));
static void copied(void* to, const void* from, size_t n, void* caller) {
  if (!emu::current.running || emu::critical || emu::races_busy() || !emu::watching_races() || !n) return;
  uintptr_t arena = reinterpret_cast<uintptr_t>(emu::block_arena);
  auto ours = [&](const void* p) { return reinterpret_cast<uintptr_t>(p) - arena < emu::arena_bytes() || emu::watched(p, n); };
  if (from && ours(from)) emu::access(from, n, false, emu::plain, caller);
  if (ours(to)) emu::access(to, n, true, emu::plain, caller);
}
void* __wrap_memcpy(void* to, const void* from, size_t n) {
  copied(to, from, n, __builtin_return_address(0));
  return __real_memcpy(to, from, n);
}
void* __wrap_memmove(void* to, const void* from, size_t n) {
  copied(to, from, n, __builtin_return_address(0));
  return __real_memmove(to, from, n);
}
void* __wrap_memset(void* to, int value, size_t n) {
  copied(to, nullptr, n, __builtin_return_address(0));
  return __real_memset(to, value, n);
}
void* __tsan_memcpy(void* to, const void* from, size_t n) {
  copied(to, from, n, __builtin_return_address(0));
  return memcpy(to, from, n);
}
void* __tsan_memmove(void* to, const void* from, size_t n) {
  copied(to, from, n, __builtin_return_address(0));
  return memmove(to, from, n);
}
void* __tsan_memset(void* to, int value, size_t n) {
  copied(to, nullptr, n, __builtin_return_address(0));
  return memset(to, value, n);
}
}

// ---- std::atomic and the __atomic builtins
#define EMU_TSAN_UPDATE(BITS, T, NAME, BUILTIN)                                          \
  extern "C" T __tsan_atomic##BITS##_##NAME(volatile T* p, T v, int) {                   \
    emu::access(p, sizeof(T), true, emu::is_atomic, __builtin_return_address(0), true);       \
    return BUILTIN(p, v, __ATOMIC_SEQ_CST);                                              \
  }
#define EMU_TSAN_COMPARE(BITS, T, NAME)                                                               \
  extern "C" int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile T* p, T* expected, T v, int, int) { \
    emu::access(p, sizeof(T), true, emu::is_atomic, __builtin_return_address(0), true);                    \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
  }
#define EMU_TSAN_ATOMIC(BITS, T)                                                        \
  extern "C" T __tsan_atomic##BITS##_load(const volatile T* p, int) {                   \
    emu::access(p, sizeof(T), false, emu::is_atomic, __builtin_return_address(0));           \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                        \
  }                                                                                     \
  extern "C" void __tsan_atomic##BITS##_store(volatile T* p, T v, int) {                \
    emu::access(p, sizeof(T), true, emu::is_atomic, __builtin_return_address(0));            \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                           \
  }                                                                                     \
  EMU_TSAN_UPDATE(BITS, T, exchange, __atomic_exchange_n)                               \
  EMU_TSAN_UPDATE(BITS, T, fetch_add, __atomic_fetch_add)                               \
  EMU_TSAN_UPDATE(BITS, T, fetch_sub, __atomic_fetch_sub)                               \
  EMU_TSAN_UPDATE(BITS, T, fetch_and, __atomic_fetch_and)                               \
  EMU_TSAN_UPDATE(BITS, T, fetch_or, __atomic_fetch_or)                                 \
  EMU_TSAN_UPDATE(BITS, T, fetch_xor, __atomic_fetch_xor)                               \
  EMU_TSAN_UPDATE(BITS, T, fetch_nand, __atomic_fetch_nand)                             \
  EMU_TSAN_COMPARE(BITS, T, strong)                                                     \
  EMU_TSAN_COMPARE(BITS, T, weak)
EMU_TSAN_ATOMIC(8, uint8_t)
EMU_TSAN_ATOMIC(16, uint16_t)
EMU_TSAN_ATOMIC(32, uint32_t)
EMU_TSAN_ATOMIC(64, uint64_t)
extern "C" void __tsan_atomic_thread_fence(int) { emu::fenced(); }
extern "C" void __tsan_atomic_signal_fence(int) {}
