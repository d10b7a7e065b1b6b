/* C that calls the runtime. */
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include "plain.h"

int *on_device(const int *values, int n) {
  int *memory = NULL;
  int *copy = malloc(n * sizeof(int));
  cudaError_t error = cudaMalloc((void **)&memory, n * sizeof(int));
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
  for (int i = 0; i < n; ++i) copy[i] = values[i] + 1;
  cudaMemcpy(memory, copy, n * sizeof(int), cudaMemcpyHostToDevice);
  free(copy);
  cublasHandle_t handle;
  if (cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS) cublasDestroy(handle);
  return memory;
}
