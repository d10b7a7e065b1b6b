// What the host may touch while device memory is the host's only within calls.
#include <cstdio>
#include <cstring>

#include "api.h"

__device__ int variable[4];
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void copy(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x] + variable[0]; }
static int sum(const int* p, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += p[i];  // SUMS
  return total;
}

int main() {
  int *d, *managed, *pinned, host[100], *pool, *from_symbol;
  API(Malloc)(&d, sizeof host);
  API(MallocManaged)(&managed, sizeof host);
  API(MallocHost)(&pinned, sizeof host);
  LAUNCH(fill, 1, 100, 0, d);
  LAUNCH(fill, 1, 100, 0, managed);
  API(Memcpy)(pinned, d, sizeof host, API(MemcpyDeviceToHost));
  API(MemcpyAsync)(host, d, sizeof host, API(MemcpyDeviceToHost), 0);
  API(Memset)(d, 0, 40);
  const int two = 2;
  API(MemcpyToSymbol)(variable, &two, 4);
  API(GetSymbolAddress)((void**)&from_symbol, variable);
  API(Memcpy)(from_symbol + 1, &two, 4, API(MemcpyHostToDevice));
  API(Memcpy2D)(d, 16, host, 16, 16, 2, API(MemcpyHostToDevice));
  API(MallocAsync)(&pool, sizeof host, 0);
  LAUNCH(copy, 1, 100, 0, pool, d);
  API(FreeAsync)(pool, 0);
  printf("allowed %d %d %d\n", sum(host, 100), sum(managed, 100), sum(pinned, 100));
  API(Free)(0);
  printf("not allowed %d\n", sum(d, 100));
  LAUNCH(fill, 1, 100, 0, d);
  d[3] = 1;  // WRITES
  API(Memcpy)(host, d, sizeof host, API(MemcpyDeviceToHost));
  printf("and went on %d\n", host[3]);
  memcpy(host, d + 90, 40);  // COPIES
  API(Free)(d);
}
