__global__ void f(unsigned* p, const unsigned* q) {
#if __CUDA_ARCH__ >= 800
#include "sub/impl.cuh"
#else
*p=*q;
#endif
}
