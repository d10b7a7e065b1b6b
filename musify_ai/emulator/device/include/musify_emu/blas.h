// What both vendors' BLAS headers stand on: handles, scalars by pointer mode, calls.
#pragma once
#include <vector>

#include "half.h"
#include "blas_core.h"
#include "library.h"
#include "vectors.h"

namespace emu {
namespace blas {

struct Handle {
  host::Stream* stream;
  int math;
  bool scalars_on_device;
  int atomics;
};

template <class T>
struct type_of;
template <> struct type_of<float> { enum { value = f32 }; };
template <> struct type_of<double> { enum { value = f64 }; };
template <> struct type_of<float2> { enum { value = c32 }; };
template <> struct type_of<double2> { enum { value = c64 }; };
template <> struct type_of<__half> { enum { value = f16 }; };

template <class T>
Operand operand(const T* p, long long step) { return {const_cast<T*>(p), type_of<T>::value, step}; }
inline Operand operand(const void* p, int type, long long step) { return {const_cast<void*>(p), type, step}; }

// A scalar is read when the call is made, or on the device when the call is run.
struct Scalar {
  const void* p;
  int type;
  bool is_read;
  Value value;
  Value get() const { return is_read ? value : load(p, type, 0); }
};
inline Scalar scalar(const Handle* h, const void* p, int type) {
  if (h->scalars_on_device) return {p, type, false, {0, 0}};
  return {p, type, true, p ? load(p, type, 0) : Value{0, 0}};
}
template <class T>
Scalar scalar(const Handle* h, const T* p) { return scalar(h, p, type_of<T>::value); }

// A square matrix of its own.
struct Full {
  std::vector<unsigned char> bytes;
  Operand all;
  Full(long long n, int type) : bytes(static_cast<size_t>(n * n * size_of(type))), all{bytes.data(), type, n} {}
  operator Operand() const { return all; }
};
// A vector without gaps, and where it came from.
struct Vector {
  long long n;
  Operand from;
  std::vector<unsigned char> bytes;
  Operand packed;
  Vector(long long count, Operand x)
      : n(count), from(x), bytes(static_cast<size_t>(count * size_of(x.type))), packed{bytes.data(), x.type, 1} {
    copy(n, from, packed);
    packed.step = n;
  }
  void put_back() {
    packed.step = 1;
    copy(n, packed, from);
  }
};

template <class F>
int run(const Handle* h, const char* name, Site s, F f) { return library_work(name, h->stream, s, f); }
// The same for a call with a result, which goes to device memory, or to the host when the call is over.
template <class F>
int result(const Handle* h, const char* name, void* out, int type, Site s, F f) {
  if (h->scalars_on_device) return run(h, name, s, [=] { store(out, type, 0, f()); });
  Value value{0, 0}, *to = &value;
  int error = library_call(name, h->stream, s, [=] { *to = f(); });
  if (!error) store(out, type, 0, value);
  return error;
}
// The type of alpha and beta for a compute type (or, of old, for a data type) and operands.
inline int scalar_type(int compute, bool complex_operands) {
  switch (compute) {
    case 64: case 65: case f16: return f16;
    case 70: case 71: case f64: case c64: return complex_operands ? c64 : f64;
    case 72: case 73: case i32: return i32;
    default: return complex_operands ? c32 : f32;
  }
}

}  // namespace blas
}  // namespace emu
