// What every unit sees as built in, and the arch it was compiled for.
#pragma once
#include "core.h"
#include "launching.h"

#ifndef MUSIFY_EMU_ARCH
#error "MUSIFY_EMU_ARCH must name the arch (800, 900, 210, 220 or 310)"
#endif

#ifndef __clang__
// A builtin of clang's and nvcc's that g++ lacks: a promise to the optimizer, which need not take it.
inline void __builtin_assume(bool) {}
#endif

extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

namespace emu {
namespace {
[[maybe_unused]] const int unit_registered = register_unit(MUSIFY_EMU_ARCH);
}
}  // namespace emu
