// The driver API in a program of the run-time API: the first use of that makes the device's primary context current.
#include <cstdio>

#include "api.h"
#ifdef __MUSACC__
#include <musa.h>
#define D(name) mu##name
#define T(name) MU##name
#else
#include <cuda.h>
#define D(name) cu##name
#define T(name) CU##name
#endif

int main() {
  T(deviceptr) p;
  T(context) context = nullptr;
  int* q;
  const int before = D(MemAlloc)(&p, 16);
  const int allocated = API(Malloc)((void**)&q, 4);
  const int after = D(MemAlloc)(&p, 16);
  D(CtxGetCurrent)(&context);
  printf("%d %d %d %d\n", before, allocated, after, context != nullptr);
}
