// Device functions between threads: barriers, fences, warps. In emu::device; the generated headers bring each name
// that a side has into the global namespace.
#pragma once
#include "builtins.h"

namespace emu {
namespace device {

EMU_INLINE void __syncthreads(Site s = Site::here()) { barrier(Barrier::plain, 0, s); }
EMU_INLINE int __syncthreads_count(int p, Site s = Site::here()) { return barrier(Barrier::count, p, s); }
EMU_INLINE int __syncthreads_and(int p, Site s = Site::here()) { return barrier(Barrier::conjunction, p, s); }
EMU_INLINE int __syncthreads_or(int p, Site s = Site::here()) { return barrier(Barrier::disjunction, p, s); }
EMU_INLINE void __syncthreads_lm(Site s = Site::here()) { barrier(Barrier::plain, 0, s); }
EMU_INLINE void __syncwarp(unsigned mask = 0xffffffffu, Site s = Site::here()) {
  warp(Op::sync, true, mask, nullptr, 0, 0, 0, s, nullptr);
}
// One processor runs all threads, so memory is always in order; a loop that fences waits for somebody.
EMU_INLINE void __threadfence() { asm volatile("" ::: "memory"); note_fence(); spin(); }
EMU_INLINE void __threadfence_block() { asm volatile("" ::: "memory"); note_fence(); spin(); }
EMU_INLINE void __threadfence_system() { asm volatile("" ::: "memory"); note_fence(); spin(); }
EMU_INLINE void __nanosleep(unsigned) { spin(); }
EMU_INLINE long long clock64() { return ticks(); }
EMU_INLINE unsigned long long globaltimer() { return static_cast<unsigned long long>(ticks()); }
[[noreturn]] EMU_INLINE void __trap() { trap("trap", "__trap()"); }
EMU_INLINE void __brkpt() { trap("trap", "__brkpt()"); }

// ---- shuffles, for the types that CUDA has them for
#define EMU_SHUFFLES(T)                                                                                              \
  EMU_INLINE T __shfl_sync(unsigned m, T v, int lane, int w = warpSize, Site s = Site::here()) {                     \
    T r; warp(Op::shuffle_index, true, m, &v, sizeof(T), lane, w, s, &r); return r; }                                \
  EMU_INLINE T __shfl_up_sync(unsigned m, T v, unsigned d, int w = warpSize, Site s = Site::here()) {                \
    T r; warp(Op::shuffle_up, true, m, &v, sizeof(T), static_cast<int>(d), w, s, &r); return r; }                    \
  EMU_INLINE T __shfl_down_sync(unsigned m, T v, unsigned d, int w = warpSize, Site s = Site::here()) {              \
    T r; warp(Op::shuffle_down, true, m, &v, sizeof(T), static_cast<int>(d), w, s, &r); return r; }                  \
  EMU_INLINE T __shfl_xor_sync(unsigned m, T v, int l, int w = warpSize, Site s = Site::here()) {                    \
    T r; warp(Op::shuffle_xor, true, m, &v, sizeof(T), l, w, s, &r); return r; }                                     \
  EMU_INLINE T __shfl(T v, int lane, int w = warpSize, Site s = Site::here()) {                                      \
    T r; warp(Op::shuffle_index, false, 0, &v, sizeof(T), lane, w, s, &r); return r; }                               \
  EMU_INLINE T __shfl_up(T v, unsigned d, int w = warpSize, Site s = Site::here()) {                                 \
    T r; warp(Op::shuffle_up, false, 0, &v, sizeof(T), static_cast<int>(d), w, s, &r); return r; }                   \
  EMU_INLINE T __shfl_down(T v, unsigned d, int w = warpSize, Site s = Site::here()) {                               \
    T r; warp(Op::shuffle_down, false, 0, &v, sizeof(T), static_cast<int>(d), w, s, &r); return r; }                 \
  EMU_INLINE T __shfl_xor(T v, int l, int w = warpSize, Site s = Site::here()) {                                     \
    T r; warp(Op::shuffle_xor, false, 0, &v, sizeof(T), l, w, s, &r); return r; }
EMU_SHUFFLES(int)
EMU_SHUFFLES(unsigned)
EMU_SHUFFLES(long)
EMU_SHUFFLES(unsigned long)
EMU_SHUFFLES(long long)
EMU_SHUFFLES(unsigned long long)
EMU_SHUFFLES(float)
EMU_SHUFFLES(double)

// ---- votes
EMU_INLINE unsigned __ballot_sync(unsigned m, int p, Site s = Site::here()) {
  return static_cast<unsigned>(warp(Op::ballot, true, m, &p, 4, 0, 0, s, nullptr));
}
EMU_INLINE int __any_sync(unsigned m, int p, Site s = Site::here()) {
  return static_cast<int>(warp(Op::any, true, m, &p, 4, 0, 0, s, nullptr));
}
EMU_INLINE int __all_sync(unsigned m, int p, Site s = Site::here()) {
  return static_cast<int>(warp(Op::all, true, m, &p, 4, 0, 0, s, nullptr));
}
EMU_INLINE unsigned __ballot(int p, Site s = Site::here()) {
  return static_cast<unsigned>(warp(Op::ballot, false, 0, &p, 4, 0, 0, s, nullptr));
}
EMU_INLINE int __any(int p, Site s = Site::here()) {
  return static_cast<int>(warp(Op::any, false, 0, &p, 4, 0, 0, s, nullptr));
}
EMU_INLINE int __all(int p, Site s = Site::here()) {
  return static_cast<int>(warp(Op::all, false, 0, &p, 4, 0, 0, s, nullptr));
}
EMU_INLINE unsigned __activemask(Site s = Site::here()) {
  return static_cast<unsigned>(warp(Op::active, false, 0, nullptr, 0, 0, 0, s, nullptr));
}

// ---- match: equality of bits
#define EMU_MATCHES(T)                                                                                               \
  EMU_INLINE unsigned __match_any_sync(unsigned m, T v, Site s = Site::here()) {                                     \
    return static_cast<unsigned>(warp(Op::match_any, true, m, &v, sizeof(T), 0, 0, s, nullptr)); }                   \
  EMU_INLINE unsigned __match_all_sync(unsigned m, T v, int* p, Site s = Site::here()) {                             \
    unsigned r = static_cast<unsigned>(warp(Op::match_all, true, m, &v, sizeof(T), 0, 0, s, nullptr));               \
    *p = r != 0; return r; }
EMU_MATCHES(int)
EMU_MATCHES(unsigned)
EMU_MATCHES(long)
EMU_MATCHES(unsigned long)
EMU_MATCHES(long long)
EMU_MATCHES(unsigned long long)
EMU_MATCHES(float)
EMU_MATCHES(double)

// ---- reductions
#define EMU_REDUCTION(N, OP)                                                                                         \
  EMU_INLINE unsigned N(unsigned m, unsigned v, Site s = Site::here()) {                                             \
    return static_cast<unsigned>(warp(Op::OP, true, m, &v, 4, 0, 0, s, nullptr)); }
#define EMU_SIGNED_REDUCTION(N, OP)                                                                                  \
  EMU_REDUCTION(N, OP)                                                                                               \
  EMU_INLINE int N(unsigned m, int v, Site s = Site::here()) {                                                       \
    return static_cast<int>(warp(Op::OP, true, m, &v, 4, 0, 0, s, nullptr, true)); }
EMU_SIGNED_REDUCTION(__reduce_add_sync, reduce_add)
EMU_SIGNED_REDUCTION(__reduce_min_sync, reduce_min)
EMU_SIGNED_REDUCTION(__reduce_max_sync, reduce_max)
EMU_REDUCTION(__reduce_and_sync, reduce_and)
EMU_REDUCTION(__reduce_or_sync, reduce_or)
EMU_REDUCTION(__reduce_xor_sync, reduce_xor)

// ---- a thread's own copies
EMU_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zeros = 0) {
  if ((size != 4 && size != 8 && size != 16) || zeros > size) trap("trap", "a pipeline copy of a size that there is not");
  begin_copy(to, from, size - zeros, size);
}
EMU_INLINE void __pipeline_commit() { end_batch(); }
EMU_INLINE void __pipeline_wait_prior(size_t batches) { wait_batches(static_cast<unsigned>(batches)); }

}  // namespace device
}  // namespace emu
