#pragma once
#include <algorithm>

#define THREADS 256
#define BLOCKS(n) std::min<int>(((n) + THREADS - 1) / THREADS, 4096)
#define KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

// Dispatch over a type and a flag, as projects write it for themselves.
#define DISPATCH_REDUCED(TYPE, NAME, ...)                                                   \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__)       \
                                     AT_DISPATCH_CASE(at::ScalarType::Half, __VA_ARGS__)    \
                                         AT_DISPATCH_CASE(at::ScalarType::BFloat16, __VA_ARGS__))
#define FLAG_SWITCH(CONDITION, NAME, ...)   \
  [&] {                                     \
    if (CONDITION) {                        \
      constexpr static bool NAME = true;    \
      return __VA_ARGS__();                 \
    } else {                                \
      constexpr static bool NAME = false;   \
      return __VA_ARGS__();                 \
    }                                       \
  }()
