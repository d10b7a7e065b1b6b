// Pairs of kernels in one text: [[the original's words||the translation's]]. What a name begins with says what must come
// out: wrong_ differs, weak_ equal-weak (no run here can tell), right_ equal-emulated.
#include <cuda_runtime.h>
#include <cassert>
#include <cstdio>
#define AT (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void wrong_sync1(const float* x, float* y, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    [[__syncthreads();||]] if (i < n) y[i] = s[255 - t];
}
__global__ void wrong_scan(const float* x, float* y, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) { float v = t >= d ? s[t - d] : 0; [[__syncthreads();||]] s[t] += v; __syncthreads(); } if (i < n) y[i] = s[t];
}
__global__ void weak_fence(const float* x, float* part, float* y, unsigned* ticket, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) { float s = 0; for (int i = blockIdx.x * 256; i < n && i < blockIdx.x * 256 + 256; ++i) s += x[i]; part[blockIdx.x] = s; [[__threadfence();||]] last = atomicAdd(ticket, 1u) == gridDim.x - 1; } __syncthreads();
    if (last && t == 0) { float s = 0; for (int b = 0; b < gridDim.x; ++b) s += part[b]; y[0] = s; *ticket = 0; }
}
__global__ void weak_volatile(const float* x, float* y, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t % 64] = 0;
    __syncthreads();
    if (t < 32) { [[volatile||]] float* v = s; v[t] = x[t]; v[t + 32] = x[t + 32]; y[t] = v[t] + v[t + 32]; }
}
__global__ void wrong_atomic(const int* x, int* y, int n) {
    int i = AT;
    if (i < n) [[atomicAdd(&y[x[i] & 15], 1)||y[x[i] & 15] += 1]];
}
__global__ void wrong_atomicsh(const int* x, int* y, int n) {
    __shared__ int h[16];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 16) h[t] = 0;
    __syncthreads();
    if (i < n) [[atomicAdd(&h[x[i] & 15], 1)||h[x[i] & 15]++]];
    __syncthreads();
    if (t < 16) atomicAdd(&y[t], h[t]);
}
__device__ void bump(int* p) { [[atomicAdd(p, 1)||*p += 1]]; }
__global__ void wrong_atomicfn(const int* x, int* y, int n) {
    int i = AT;
    if (i < n) bump(&y[x[i] & 15]);
}
#define BUMP(p) [[atomicAdd(p, 1)||(*(p) += 1)]]
__global__ void wrong_atomicmacro(const int* x, int* y, int n) {
    int i = AT;
    if (i < n) BUMP(&y[x[i] & 15]);
}
__global__ void wrong_cas(const float* x, float* y, int n) {
    int i = AT;
    if (i < n) { [[int* a = (int*)y; int old = *a, seen; do { seen = old; old = atomicCAS(a, seen, __float_as_int(fmaxf(x[i], __int_as_float(seen)))); } while (seen != old);||*y = fmaxf(*y, x[i]);]] }
}
__global__ void wrong_maxonce(const int* x, int* count, int n) {
    int i = AT;
    if (i < n) [[atomicMax||atomicAdd]](&count[i], x[i]);
}
__global__ void wrong_umax(const int* x, int* y, int n) {
    int i = AT;
    if (i < n) [[atomicMax(&y[i / 7], x[i])||atomicMax((unsigned*)&y[i / 7], (unsigned)x[i])]];
}
__global__ void wrong_aggregate(const int* x, int* y, int n) {
    int i = AT;
    if (i < n && x[i] > 3) { int at = atomicAdd(&y[0], 1); y[1 + at] = [[x[i]||x[i] + (at == 0)]]; }
}
__global__ void right_atomic(const int* x, int* y, int n) {
    int i = AT;
    if (i < n) [[atomicAdd(&y[x[i] & 15], 1)||atomicSub(&y[x[i] & 15], -1)]];
}
__global__ void right_sync(const float* x, float* y, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    [[||__syncthreads();]] if (i < n) y[i] = s[255 - t];
}

__global__ void weak_print(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
    if (i == 3 && n > 3) printf("%d\n", a[i] [[+ 0||+ 1]]);
}
__global__ void right_print(const int* a, int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 9 == 3) printf("%p holds %d\n", (const void*)(a + i), a[i]);
    if (i < n) b[i] = a[i];
}
__global__ void weak_past(const float* x, float* y, int n) {
    extern __shared__ float tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    tile[t] = i < n ? x[i] : 0.f;
    __syncthreads();
    float v = tile[blockDim.x - 1 - t];
    if (*(tile + [[t||t + blockDim.x]]) == x[0] * x[1] * 12345.f + 77.f) v = 0.f;
    if (i < n) y[i] = v;
}
__global__ void weak_many(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = *(x + [[i||(i & 1023)]]);
}
void host(const float* x, float* y, int* a, int* b, int n, int w, int h) {
    const int g = (n + 255) / 256;
    wrong_sync1<<<g, 256>>>(x, y, n);
    wrong_scan<<<g, 256>>>(x, y, n);
    weak_fence<<<g, 256>>>(x, y, y, reinterpret_cast<unsigned*>(a), n);
    wrong_atomicsh<<<g, 256>>>(a, b, n);
    right_sync<<<g, 256>>>(x, y, n);
    weak_volatile<<<1, 64>>>(x, y, n);
    weak_past<<<4, 64, 256>>>(x, y, 250);
    weak_many<<<4, 64>>>(x, y, 250);
}
__global__ void weak_fence_scope(const float* x, float* part, float* y, unsigned* ticket, int n) {
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) { float s = 0; for (int i = blockIdx.x * 256; i < n && i < blockIdx.x * 256 + 256; ++i) s += x[i]; part[blockIdx.x] = s; [[__threadfence()||__threadfence_block()]]; last = atomicAdd(ticket, 1u) == gridDim.x - 1; } __syncthreads();
    if (last && t == 0) { float s = 0; for (int b = 0; b < gridDim.x; ++b) s += part[b]; y[0] = s; *ticket = 0; }
}
__global__ void weak_atomic_scope(const int* x, int* y, int n) { if (AT < n) [[atomicAdd||atomicAdd_block]](&y[x[AT] & 7], 1); }
__global__ void weak_assert(const int* x, int* y, int n) { if (AT < n) { [[assert(x[AT] < 1000000);||]] y[AT] = x[AT] + 1; } }
__global__ void weak_restrict(const int* [[x||__restrict__ x]], int* [[y||__restrict__ y]], int n) { if (AT < n) y[AT] = x[AT]; }
