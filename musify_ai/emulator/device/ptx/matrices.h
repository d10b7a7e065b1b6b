// mma, ldmatrix, stmatrix and movmatrix of PTX. Which lane holds which element: PTX ISA, "Matrix Fragments for mma..."
// and "Warp-level matrix load instruction: ldmatrix"; the products themselves are the core's (matrices.cpp).
#pragma once
#include "../include/musify_emu/matrices.h"
#include "threads.h"

namespace emu {
namespace ptx {

template <int M, int N, int K, Number A, Number B, Number D, bool Saturate = false, Bits How = Bits::none>
inline void mma(const void* a, const void* b, const void* c, void* d, Site site = Site::here()) {
  static constexpr Product product{M, N, K, A, B, D, D, Placing::registers, Saturate, How};
  multiply(product, a, b, c, d, site);
}

// The row of matrix `i` that lane `row + 8 i` gives the address of: 8 elements of 16 bits, 16 bytes, aligned so.
template <Space S>
EMU_INLINE char* matrix_row(const uint64_t (&rows)[32], int i, int row) {
  char* at = place<S>(rows[8 * i + row]);
  if (reinterpret_cast<uintptr_t>(at) % 16) trap("fault", "a matrix row that is not aligned to 16 bytes");
  return at;
}

// Lane l gets elements 2 (l mod 4) and the next of row l / 4 of each matrix; transposed, those of the column.
template <int Count, bool Transposed, Space S>
EMU_INLINE void ldmatrix(uint32_t* out, uint64_t address, Site site = Site::here()) {
  uint64_t rows[32];
  for (int i = 0; i < Count; ++i) out[i] = undefined<uint32_t>();
  if (!exchange(address, rows, "ldmatrix", site)) return;
  const int row = int(lane() & 31) / 4, pair = int(lane() & 3) * 2;
  for (int i = 0; i < Count; ++i) {
    uint16_t low, high;
    memcpy(&low, Transposed ? matrix_row<S>(rows, i, pair) + 2 * row : matrix_row<S>(rows, i, row) + 2 * pair, 2);
    memcpy(&high, Transposed ? matrix_row<S>(rows, i, pair + 1) + 2 * row : matrix_row<S>(rows, i, row) + 2 * pair + 2, 2);
    out[i] = low | uint32_t(high) << 16;
  }
}
template <int Count, bool Transposed, Space S>
EMU_INLINE void stmatrix(uint64_t address, const uint32_t* in, Site site = Site::here()) {
  uint64_t rows[32];
  if (!exchange(address, rows, "stmatrix", site)) return;
  const int row = int(lane() & 31) / 4, pair = int(lane() & 3) * 2;
  for (int i = 0; i < Count; ++i) {
    const uint16_t low = uint16_t(in[i]), high = uint16_t(in[i] >> 16);
    memcpy(Transposed ? matrix_row<S>(rows, i, pair) + 2 * row : matrix_row<S>(rows, i, row) + 2 * pair, &low, 2);
    memcpy(Transposed ? matrix_row<S>(rows, i, pair + 1) + 2 * row : matrix_row<S>(rows, i, row) + 2 * pair + 2, &high, 2);
  }
}
// movmatrix: the matrix transposed among the registers of the warp.
inline uint32_t movmatrix(uint32_t a, Site site = Site::here()) {
  uint64_t all[32];
  if (!exchange(a, all, "movmatrix", site)) return undefined<uint32_t>();
  const int row = int(lane() & 31) / 4, pair = int(lane() & 3) * 2;
  const auto element = [&](int r, int c) { return uint16_t(all[4 * r + c / 2] >> (16 * (c % 2))); };
  return element(pair, row) | uint32_t(element(pair + 1, row)) << 16;
}

}  // namespace ptx
}  // namespace emu
