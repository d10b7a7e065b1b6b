// Declarations for reading signatures with libclang where nothing better is at hand: the words and types of CUDA and
// MUSA device code as plain C++. Host API calls stay undeclared; the statements that hold them are simply not read.
#ifndef MUSIFY_DECLARATIONS_H
#define MUSIFY_DECLARATIONS_H

#include <stddef.h>
#include <stdint.h>

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n) alignas(n)

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
};
extern const dim3 threadIdx, blockIdx, blockDim, gridDim;
extern const int warpSize;

#define MUSIFY_VECTORS(type, name)                                                             \
  struct name##1 { type x; };                                                                  \
  struct name##2 { type x, y; };                                                               \
  struct name##3 { type x, y, z; };                                                            \
  struct name##4 { type x, y, z, w; };                                                         \
  name##1 make_##name##1(type);                                                                \
  name##2 make_##name##2(type, type);                                                          \
  name##3 make_##name##3(type, type, type);                                                    \
  name##4 make_##name##4(type, type, type, type);
MUSIFY_VECTORS(signed char, char)
MUSIFY_VECTORS(unsigned char, uchar)
MUSIFY_VECTORS(short, short)
MUSIFY_VECTORS(unsigned short, ushort)
MUSIFY_VECTORS(int, int)
MUSIFY_VECTORS(unsigned int, uint)
MUSIFY_VECTORS(long, long)
MUSIFY_VECTORS(unsigned long, ulong)
MUSIFY_VECTORS(long long, longlong)
MUSIFY_VECTORS(unsigned long long, ulonglong)
MUSIFY_VECTORS(float, float)
MUSIFY_VECTORS(double, double)
#undef MUSIFY_VECTORS

struct __half { unsigned short bits; __half() = default; __half(float); operator float() const; };
struct __half2 { __half x, y; };
typedef __half half;
typedef __half2 half2;
struct __nv_bfloat16 { unsigned short bits; __nv_bfloat16() = default; __nv_bfloat16(float); operator float() const; };
struct __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
struct __mt_bfloat16 { unsigned short bits; __mt_bfloat16() = default; __mt_bfloat16(float); operator float() const; };

typedef int cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef int musaError_t;
typedef struct MUstream_st *musaStream_t;
typedef struct MUevent_st *musaEvent_t;
typedef unsigned long long musaTextureObject_t, musaSurfaceObject_t;

// A kernel's address is all these are read for.
template <class... A> cudaError_t cudaLaunchKernel(A...);
template <class... A> cudaError_t cudaLaunchCooperativeKernel(A...);
template <class... A> musaError_t musaLaunchKernel(A...);
template <class... A> musaError_t musaLaunchCooperativeKernel(A...);
template <class T> cudaError_t cudaMalloc(T **, size_t);
template <class T> musaError_t musaMalloc(T **, size_t);

#endif
