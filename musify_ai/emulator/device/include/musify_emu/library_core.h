// The part of the libraries that is compiled once, with the device's core.
#pragma once
#include <cstddef>

namespace emu {

unsigned char poison_byte();  // what fresh memory is filled with

// Where the items of a stable sort come from, by their keys' bits.
void order_by_bits(const unsigned __int128* keys, size_t count, bool descending, size_t* order);

}  // namespace emu
