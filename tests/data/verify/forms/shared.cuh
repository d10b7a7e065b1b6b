#pragma once
void other_unit(int*);
#ifdef __cplusplus
extern "C" {
#endif
void third_unit(int*);
#ifdef __cplusplus
}
#endif
extern __constant__ int linked_c;
extern __device__ int linked_v;
__device__ int far_away(int);
template <class T> __device__ __forceinline__ T twice(T v) { return v + v; }
