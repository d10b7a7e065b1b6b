// What `asm` statements become on the CUDA side: an instruction library after NVIDIA's PTX ISA manual, in our words.
// Included behind musify_emu/core.h, whose warps, barriers and memory it uses.
//
//   types.h      registers and operands          integer.h   arithmetic, carry chains, dot products
//   bits.h       logic, shifts, fields, bytes    rounding.h  formats, one rounding for all of them
//   floating.h   f32, f64, f16, bf16             compare.h   set, setp, selp, slct
//   convert.h    cvt                             memory.h    ld, st, atom, red, addresses
//   threads.h    shuffles, votes, barriers, special registers
//   eight.h      cvt of 8-bit floats
//   matrices.h   mma, ldmatrix               mbarrier.h  barriers in shared memory
//   video.h      operations on bytes and halves of registers
#pragma once
#include "bits.h"
#include "compare.h"
#include "convert.h"
#include "eight.h"
#include "floating.h"
#include "integer.h"
#include "matrices.h"
#include "mbarrier.h"
#include "memory.h"
#include "threads.h"
#include "video.h"
