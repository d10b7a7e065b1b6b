// Atomic functions of THCAtomics and ATen's Atomic header: additions for the types that the device's own lack, products
// and extremes. One processor runs all threads, so each is plain code that race mode is told of.
#pragma once
#include "../atomics.h"
#include "scalars.h"

#define EMU_CHANGED(NAME, T, EXPRESSION)                                       \
  EMU_INLINE T NAME(T* address, T val) {                                       \
    ::emu::Atomically here(address, sizeof(T));                        \
    const T old = *address;                                                    \
    *address = (EXPRESSION);                                                   \
    return old;                                                                \
  }
EMU_CHANGED(atomicAdd, int64_t, static_cast<int64_t>(static_cast<uint64_t>(old) + static_cast<uint64_t>(val)))
EMU_CHANGED(atomicAdd, uint8_t, static_cast<uint8_t>(old + val))
EMU_CHANGED(atomicAdd, int8_t, static_cast<int8_t>(old + val))
EMU_CHANGED(atomicAdd, int16_t, static_cast<int16_t>(old + val))
EMU_CHANGED(atomicAdd, bool, old || val)
EMU_CHANGED(atomicAdd, c10::Half, old + val)
EMU_CHANGED(atomicAdd, c10::BFloat16, old + val)
EMU_CHANGED(gpuAtomicAdd, int64_t, static_cast<int64_t>(static_cast<uint64_t>(old) + static_cast<uint64_t>(val)))
#define EMU_FOR_ALL(NAME, EXPRESSION)                                                                             \
  EMU_CHANGED(NAME, uint8_t, static_cast<uint8_t>(EXPRESSION)) EMU_CHANGED(NAME, int8_t, static_cast<int8_t>(EXPRESSION)) \
  EMU_CHANGED(NAME, int16_t, static_cast<int16_t>(EXPRESSION)) EMU_CHANGED(NAME, int32_t, EXPRESSION)             \
  EMU_CHANGED(NAME, c10::Half, EXPRESSION) EMU_CHANGED(NAME, c10::BFloat16, EXPRESSION)                           \
  EMU_CHANGED(NAME, float, EXPRESSION) EMU_CHANGED(NAME, double, EXPRESSION)
EMU_FOR_ALL(gpuAtomicAdd, old + val)
EMU_FOR_ALL(gpuAtomicMul, old * val)
EMU_FOR_ALL(gpuAtomicMax, old < val || val != val ? val : old)
EMU_FOR_ALL(gpuAtomicMin, val < old || val != val ? val : old)
EMU_CHANGED(gpuAtomicAdd, bool, old || val)
EMU_CHANGED(gpuAtomicMul, int64_t, old * val)
EMU_CHANGED(gpuAtomicMax, int64_t, old < val ? val : old)
EMU_CHANGED(gpuAtomicMin, int64_t, val < old ? val : old)
#undef EMU_FOR_ALL
#undef EMU_CHANGED
template <class T>
EMU_INLINE void gpuAtomicAddNoReturn(T* address, T val) { gpuAtomicAdd(address, val); }
template <class T>
EMU_INLINE void gpuAtomicAddNoReturn(c10::complex<T>* address, c10::complex<T> val) {
  gpuAtomicAdd(&address->real_, val.real());
  gpuAtomicAdd(&address->imag_, val.imag());
}

namespace at {
namespace native {
// Adds to an element of an array; how the elements beside it are used to be faster changes no result.
template <class T, class Index>
EMU_INLINE void fastAtomicAdd(T* tensor, Index index, const Index elements, T value, bool fast = true) {
  (void)elements, (void)fast;
  gpuAtomicAddNoReturn(tensor + index, value);
}
}  // namespace native
}  // namespace at
