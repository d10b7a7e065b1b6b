// Loads, stores and atomics of PTX. Cache and eviction hints, orderings and scopes change nothing here: one thread runs
// at a time and sees all memory.
#pragma once
#include "convert.h"

namespace emu {
namespace ptx {

// Generic, global, constant and local addresses are the process's own. A shared address is the offset in the running
// block's memory, as __cvta_generic_to_shared gives it; one that no block can have comes from a generic pointer that
// was never converted, which on a GPU would fault or reach other memory.
enum class Space { generic, shared };
constexpr uint64_t kSharedWindow = uint64_t(1) << 24;

template <Space S>
EMU_INLINE char* place(uint64_t address) {
  if (S == Space::generic) return reinterpret_cast<char*>(static_cast<uintptr_t>(address));
  if (address >= kSharedWindow) trap("fault", "a generic address used as one of shared memory in inline PTX");
  return block_arena + address;
}
inline uint64_t to_shared(uint64_t generic) {
  return static_cast<uint64_t>(reinterpret_cast<char*>(static_cast<uintptr_t>(generic)) - block_arena);
}
inline uint64_t from_shared(uint64_t offset) { return reinterpret_cast<uintptr_t>(place<Space::shared>(offset)); }
inline bool is_shared(uint64_t generic) { return block_arena != nullptr && to_shared(generic) < arena_bytes(); }
inline bool is_global(uint64_t generic) {
  Owner owner;
  return owner_of(reinterpret_cast<const void*>(static_cast<uintptr_t>(generic)), &owner);
}

// Race mode counts an access with an ordering as an atomic one.
struct Weak {
  Weak(const volatile void*, size_t, bool) {}
};
template <bool Ordered>
using Strong = std::conditional_t<Ordered, Atomically, Weak>;

// ld: narrow signed values are extended to the register by their type. `Waits` (volatile, relaxed, acquire): the load
// may be in a loop that waits for another thread.
template <class T, Space S, bool Waits>
EMU_INLINE value_of<T> ld(uint64_t address) {
  if (Waits) spin();
  Strong<Waits> here(place<S>(address), sizeof(value_of<T>), false);
  value_of<T> value;
  memcpy(&value, place<S>(address), sizeof(value));
  return value;
}
// The raw bits of a load, for types whose value is no integer.
template <class T, Space S, bool Waits>
EMU_INLINE bits_of<T> ld_bits(uint64_t address) {
  if (Waits) spin();
  Strong<Waits> here(place<S>(address), sizeof(bits_of<T>), false);
  bits_of<T> bits;
  memcpy(&bits, place<S>(address), sizeof(bits));
  return bits;
}
template <class T, Space S, bool Ordered = false>
EMU_INLINE void st(uint64_t address, bits_of<T> value) {
  Strong<Ordered> here(place<S>(address), sizeof(value), true);
  memcpy(place<S>(address), &value, sizeof(value));
}
// cp.async: `source` bytes are copied and the rest becomes 0; as a predicate it says that nothing is copied. The copy is
// made when its group is waited for, and the destination is poisoned till then (copies.cpp).
template <int Bytes, class N>
EMU_INLINE void copy_async(uint64_t to, uint64_t from, N source) {
  char* destination = place<Space::shared>(to);
  uint64_t bytes = source;
  if constexpr (std::is_same<N, bool>::value) bytes = source ? 0 : Bytes;
  if (to % Bytes || from % Bytes) trap("fault", "an asynchronous copy whose addresses are not aligned to its size");
  if (bytes > Bytes) trap("fault", "an asynchronous copy of more bytes than its size");
  begin_copy(destination, reinterpret_cast<const void*>(static_cast<uintptr_t>(from)), bytes, Bytes);
}

// What an atomic makes of the old value (a) and its operand (b).
struct Add {
  template <class T>
  static bits_of<T> of(bits_of<T> a, bits_of<T> b) {
    if constexpr (std::is_same<T, f16x2>::value)
      return halves(a, b, [](uint16_t x, uint16_t y) { return hadd<f16, false, false>(x, y); });
    else if constexpr (std::is_same<T, bf16x2>::value)
      return halves(a, b, [](uint16_t x, uint16_t y) { return hadd<bf16, false, false>(x, y); });
    else if constexpr (is_half<T>) return hadd<T, false, false>(a, b);
    else if constexpr (is_float<T>) return write<T>(read<T>(a) + read<T>(b));
    else return static_cast<bits_of<T>>(a + b);
  }
};
struct Min {
  template <class T>
  static bits_of<T> of(bits_of<T> a, bits_of<T> b) { return read<T>(b) < read<T>(a) ? b : a; }
};
struct Max {
  template <class T>
  static bits_of<T> of(bits_of<T> a, bits_of<T> b) { return read<T>(a) < read<T>(b) ? b : a; }
};
struct And {
  template <class T>
  static bits_of<T> of(bits_of<T> a, bits_of<T> b) { return a & b; }
};
struct Or {
  template <class T>
  static bits_of<T> of(bits_of<T> a, bits_of<T> b) { return a | b; }
};
struct Xor {
  template <class T>
  static bits_of<T> of(bits_of<T> a, bits_of<T> b) { return a ^ b; }
};
// inc: up to b, then from 0 again. dec: down to 0, then (and from above b) from b again.
struct Inc {
  template <class T>
  static bits_of<T> of(bits_of<T> a, bits_of<T> b) { return a >= b ? 0 : a + 1; }
};
struct Dec {
  template <class T>
  static bits_of<T> of(bits_of<T> a, bits_of<T> b) { return a == 0 || a > b ? b : a - 1; }
};
struct Exch {
  template <class T>
  static bits_of<T> of(bits_of<T>, bits_of<T> b) { return b; }
};

// atom gives the old value, red nothing.
template <class T, class Operation, Space S>
EMU_INLINE bits_of<T> atom(uint64_t address, bits_of<T> b) {
  if (std::is_same<Operation, Exch>::value) spin();
  bits_of<T> old;
  char* at = place<S>(address);
  Atomically here(at, sizeof(old));
  memcpy(&old, at, sizeof(old));
  const bits_of<T> now = Operation::template of<T>(old, b);
  memcpy(at, &now, sizeof(now));
  return old;
}
template <class T, Space S>
EMU_INLINE bits_of<T> atom_cas(uint64_t address, bits_of<T> expected, bits_of<T> desired) {
  spin();
  bits_of<T> old;
  char* at = place<S>(address);
  Atomically here(at, sizeof(old));
  memcpy(&old, at, sizeof(old));
  if (old == expected) memcpy(at, &desired, sizeof(desired));
  return old;
}

}  // namespace ptx
}  // namespace emu
