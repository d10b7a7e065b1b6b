// What a warp multiplies together: the products behind mma.sync and wmma (matrices.cpp), and addresses that its lanes
// show each other.
#pragma once
#include "core.h"

namespace emu {

// Elements of matrices as they lie packed in registers or fragments, the first in the lowest bits.
enum class Number : int { f16, bf16, tf32, f32, f64, e4m3, e5m2, s4, u4, s8, u8, s32, b1 };

// Which element of a matrix a lane's element is.
//   registers: as the PTX ISA says of mma (9.7.14.5, "Matrix multiply-accumulate operation using mma instruction").
//   rows: a fragment of ours (wmma leaves it open): lane by lane through the rows of A and C, and the columns of B.
enum class Placing : int { registers, rows };

// How single bits are multiplied: not at all, or counted where both differ (xor) or both are set (and).
enum class Bits : int { none, differ, both };

// D = A B + C, of m x k and k x n elements. `saturate`: integers are clamped to 32 bits instead of wrapped.
struct Product {
  int m, n, k;
  Number a, b, c, d;
  Placing placing;
  bool saturate = false;
  Bits bits = Bits::none;
};

// All 32 lanes of a warp call it, each with its own elements of A, B, C and room for those of D.
void multiply(const Product&, const void* a, const void* b, const void* c, void* d, Site);

// All lanes of a warp give an address, and get those of all 32. False where some did not come.
bool exchange(uint64_t mine, uint64_t (&all)[32], const char* who, Site);

}  // namespace emu
