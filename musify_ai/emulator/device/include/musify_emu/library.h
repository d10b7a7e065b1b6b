// What the vendors' libraries stand on here. A library call runs on the device as one thread, so that a fault in a
// user's functor ends the call, not the process, and the launch log shows the call by a name that both vendors share.
#pragma once
#include <cstddef>
#include <new>
#include <type_traits>

#include "groups.h"
#include "host.h"
#include "library_core.h"

namespace emu {

// A value that nobody may rely on: bytes of poison, so that a program that does is seen.
template <class T>
EMU_INLINE T undefined(const T& otherwise) {
  if constexpr (__is_trivially_copyable(T)) {
    alignas(T) unsigned char bytes[sizeof(T)];
    memset(bytes, poison_byte(), sizeof(T));
    return *reinterpret_cast<T*>(bytes);
  } else {
    return otherwise;
  }
}

// Runs `f` for a library call; within a kernel, in its own thread. Returns the error of the launch.
template <class F>
int library_call(const char* name, const void* stream, Site site, F f) {
  if (in_kernel()) {
    f();
    return 0;
  }
  if (__builtin_expect(late, 0)) host::settle(static_cast<host::Stream*>(const_cast<void*>(stream)));
  AtOnce now;
  Config config(dim3(1), dim3(1));
  config.stream = reinterpret_cast<uintptr_t>(stream);
  return Launcher(name, site.file, site.line, config)(f);
}

// The same for a call that does not wait for its work: a stream that holds back holds it back too. `f` has copies of all
// that it needs.
template <class F>
int library_work(const char* name, const void* stream, Site site, F f) {
  if (!late || !holds()) return library_call(name, stream, site, f);
  Config config(dim3(1), dim3(1));
  config.stream = reinterpret_cast<uintptr_t>(stream);
  return Launcher(name, site.file, site.line, config)(f);
}

// Combines in the order of the sequence, in a tree, as a device does: a long sum of floats does not saturate.
template <class T, class Read, class Op>
T combined(size_t from, size_t count, const Read& read, const Op& op) {
  if (count <= 32) {
    T total = read(from);
    for (size_t i = 1; i < count; i++) total = op(total, read(from + i));
    return total;
  }
  size_t half = count / 64 * 32 ? count / 64 * 32 : 32;
  T left = combined<T>(from, half, read, op);
  return op(left, combined<T>(from + half, count - half, read, op));
}

// A shuffle of any trivially copyable type, in pieces.
template <class T>
T shuffled_whole(unsigned mask, const T& value, int lane, Site s) {
  if constexpr (sizeof(T) <= 32) {
    return groups::shuffled(Op::shuffle_index, mask, value, lane, 32, s);
  } else {
    alignas(T) unsigned char out[sizeof(T)];
    const unsigned char* in = reinterpret_cast<const unsigned char*>(&value);
    for (size_t at = 0; at < sizeof(T); at += 32) {
      int piece = static_cast<int>(sizeof(T) - at < 32 ? sizeof(T) - at : 32);
      warp(Op::shuffle_index, true, mask, in + at, piece, lane, 32, s, out + at);
    }
    return *reinterpret_cast<T*>(out);
  }
}

// The shared memory of a collective that was given none: one piece for each type of storage.
template <class Storage>
Storage& private_storage() {
  struct Tag {};
  return shared<Storage, Tag>();
}

// Room for objects that are not constructed: what lies in shared memory.
template <class T, size_t Count>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T) * (Count ? Count : 1)];
  T& operator[](size_t i) { return reinterpret_cast<T*>(bytes)[i]; }
};

inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

}  // namespace emu
