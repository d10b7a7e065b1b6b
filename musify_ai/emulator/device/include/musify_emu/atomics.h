// Atomics. One processor runs all threads, so each is plain code, and race mode is told that it is one; what counts is
// which types there are, what each computes, and that a loop around one lets others run.
#pragma once
#include "builtins.h"

namespace emu {
namespace device {

#define EMU_ATOMIC_SCOPE(N, SUFFIX, T)                                                                               \
  EMU_INLINE T N##SUFFIX(T* address, T v) { return N(address, v); }
#define EMU_ATOMIC(N, T, EXPRESSION)                                                                                 \
  EMU_INLINE T N(T* address, T v) {                                                                                  \
    Atomically here(address, sizeof(T));                                                                             \
    T old = *const_cast<volatile T*>(address);                                                                       \
    *const_cast<volatile T*>(address) = static_cast<T>(EXPRESSION);                                                  \
    return old;                                                                                                      \
  }                                                                                                                  \
  EMU_ATOMIC_SCOPE(N, _block, T)                                                                                     \
  EMU_ATOMIC_SCOPE(N, _system, T)
#define EMU_ATOMIC_3(N, E) EMU_ATOMIC(N, int, E) EMU_ATOMIC(N, unsigned, E) EMU_ATOMIC(N, unsigned long long, E)
#define EMU_ATOMIC_4(N, E) EMU_ATOMIC_3(N, E) EMU_ATOMIC(N, long long, E)

EMU_ATOMIC(atomicAdd, int, static_cast<unsigned>(old) + static_cast<unsigned>(v))
EMU_ATOMIC(atomicAdd, unsigned, old + v)
EMU_ATOMIC(atomicAdd, unsigned long long, old + v)
EMU_ATOMIC(atomicAdd, float, old + v)
EMU_ATOMIC(atomicAdd, double, old + v)
EMU_ATOMIC(atomicSub, int, static_cast<unsigned>(old) - static_cast<unsigned>(v))
EMU_ATOMIC(atomicSub, unsigned, old - v)
EMU_ATOMIC_4(atomicMin, v < old ? v : old)
EMU_ATOMIC_4(atomicMax, v > old ? v : old)
EMU_ATOMIC_3(atomicAnd, old & v)
EMU_ATOMIC_3(atomicOr, old | v)
EMU_ATOMIC_3(atomicXor, old ^ v)
EMU_ATOMIC(atomicInc, unsigned, old >= v ? 0 : old + 1)
EMU_ATOMIC(atomicDec, unsigned, (old == 0 || old > v) ? v : old - 1)

#define EMU_EXCHANGE(T)                                                                                              \
  EMU_INLINE T atomicExch(T* address, T v) {                                                                         \
    T old;                                                                                                           \
    {                                                                                                                \
      Atomically here(address, sizeof(T));                                                                           \
      old = *const_cast<volatile T*>(address);                                                                       \
      *const_cast<volatile T*>(address) = v;                                                                         \
    }                                                                                                                \
    spin();                                                                                                          \
    return old;                                                                                                      \
  }                                                                                                                  \
  EMU_ATOMIC_SCOPE(atomicExch, _block, T)                                                                            \
  EMU_ATOMIC_SCOPE(atomicExch, _system, T)
EMU_EXCHANGE(int)
EMU_EXCHANGE(unsigned)
EMU_EXCHANGE(unsigned long long)
EMU_EXCHANGE(float)

#define EMU_COMPARE(T)                                                                                               \
  EMU_INLINE T atomicCAS(T* address, T expected, T v) {                                                              \
    T old;                                                                                                           \
    {                                                                                                                \
      Atomically here(address, sizeof(T));                                                                           \
      old = *const_cast<volatile T*>(address);                                                                       \
      if (old == expected) *const_cast<volatile T*>(address) = v;                                                    \
    }                                                                                                                \
    spin();                                                                                                          \
    return old;                                                                                                      \
  }                                                                                                                  \
  EMU_INLINE T atomicCAS_block(T* address, T expected, T v) { return atomicCAS(address, expected, v); }              \
  EMU_INLINE T atomicCAS_system(T* address, T expected, T v) { return atomicCAS(address, expected, v); }
EMU_COMPARE(int)
EMU_COMPARE(unsigned)
EMU_COMPARE(unsigned long long)
EMU_COMPARE(unsigned short)

}  // namespace device
}  // namespace emu
