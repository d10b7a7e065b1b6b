// In which order threads begin: each puts itself at the end of a list.
#include <cstdio>

#include "api.h"

__global__ void append(int* count, int* list) { list[atomicAdd(count, 1)] = 1000 * blockIdx.x + threadIdx.x; }
__global__ void meeting(int* count, int* list) {
  __syncthreads();
  list[atomicAdd(count, 1)] = threadIdx.x;
}

int main() {
  const int n = 4 * 256;
  int *count, *list;
  static int h[n];
  API(Malloc)(&count, 4);
  API(Malloc)(&list, sizeof h);
  API(Memset)(count, 0, 4);
  LAUNCH(append, 4, 256, 0, count, list);
  API(Memcpy)(h, list, sizeof h, API(MemcpyDeviceToHost));
  for (int x : h) printf("%d ", x);
  printf("\n");
  API(Memset)(count, 0, 4);
  LAUNCH(meeting, 1, 256, 0, count, list);
  API(Memcpy)(h, list, 1024, API(MemcpyDeviceToHost));
  for (int i = 0; i < 256; i++) printf("%d ", h[i]);
  printf("\n");
}
