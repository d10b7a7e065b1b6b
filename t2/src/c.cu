#include "op.cuh"
__global__ void f(V* p, const V* q) {
#if __CUDA_ARCH__ >= 800
*p += *q;
#else
*p=*q;
#endif
}
