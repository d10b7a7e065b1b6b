#include "config.h"
__global__ void f(unsigned* p, const unsigned* q) {
#ifdef HAS_ASYNC
asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(*p), "l"(q));
#else
*p=*q;
#endif
}
