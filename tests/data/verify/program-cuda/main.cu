#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cuda_runtime.h>

__global__ void scale(float* x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= a;
}

int main(int argc, char** argv) {
    const int n = 300;
    float a = argc > 1 ? (float)atof(argv[1]) : 2.0f;
    if (a == 0.0f) return 7;
    float* x;
    cudaMalloc(&x, n * sizeof(float));
    float* host = (float*)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i) host[i] = (float)i;
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<(n + 63) / 64, 64>>>(x, a, n);
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += host[i];
    printf("%s: sum %.1f at %p, took %.3f ms\n", argv[0], sum, (void*)x, (double)time(nullptr));
    cudaFree(x);
    free(host);
    return sum > 0 ? 0 : 1;
}
