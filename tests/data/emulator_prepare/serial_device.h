// The least device that prepared source can run on: one thread after another, no barriers, no warps.
// It shows what preparing must get right by itself: conversions, copies, evaluation order, slots of shared memory.
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
inline dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace emu {
struct Config {
  dim3 grid, block;
  size_t shared;
  Config(dim3 g, dim3 b, size_t s = 0, const void* = nullptr) : grid(g), block(b), shared(s) {}
};
inline std::string launched;  // names of the launches, one after another
inline std::map<std::string, void*> slots;
alignas(1024) inline char dynamic[1 << 16];
inline void* dynamic_shared(const char* = nullptr) { return dynamic; }
template <class T>
struct DynamicArray {
  operator T*() const { return static_cast<T*>(dynamic_shared()); }
};
template <class T, class Tag>
struct slot {
  static inline void* block_copy = nullptr;
};
inline void* all_slots[256];
inline int slot_count = 0;
template <class T, class Tag>
T& shared() {
  void*& p = slot<T, Tag>::block_copy;
  if (!p) p = all_slots[slot_count++] = aligned_alloc(alignof(Tag) > 64 ? alignof(Tag) : 64, (sizeof(T) + 1023) / 1024 * 1024);
  return *static_cast<T*>(p);
}
template <class T, class Tag>
struct SharedVariable {
  operator T&() const { return shared<T, Tag>(); }
};
inline void spin() {}

template <class F>
struct Bound {
  Config config;
  F f;
  template <class... A>
  void operator()(A... a) {
    gridDim = config.grid;
    blockDim = config.block;
    for (unsigned b = 0; b < gridDim.x; ++b)
      for (unsigned t = 0; t < blockDim.x; ++t) {
        blockIdx = dim3(b, 0, 0);
        threadIdx = dim3(t, 0, 0);
        f(a...);
      }
  }
};
struct Addressed {
  template <class R, class... P>
  const void* operator()(R (*function)(P...)) const {
    return reinterpret_cast<const void*>(function);
  }
};
struct Launcher {
  Config config;
  Launcher(const char* name, const char*, int, const Config& c) : config(c) { launched += std::string(name) + ";"; }
  template <class F, class G>
  Bound<F> call(F f, G address) {
    if constexpr (std::is_invocable<G, Addressed>::value)
      if (!address(Addressed())) exit(2);
    return {config, f};
  }
};
}  // namespace emu

#define EXPECT(x) \
  do { \
    if (!(x)) { \
      printf("line %d: %s\n", __LINE__, #x); \
      exit(1); \
    } \
  } while (0)
