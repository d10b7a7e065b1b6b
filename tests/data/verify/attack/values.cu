// Pairs of kernels in one text: [[the original's words||the translation's]]. What a name begins with says what must come
// out: wrong_ differs, weak_ equal-weak (no run here can tell), right_ equal-emulated.
#include <cuda_runtime.h>
#define AT (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void wrong_negint(const int* x, int* y, int n) {
    int i = AT;
    if (i < n) y[i] = x[i] [[/ 2||>> 1]];
}
__global__ void wrong_shift(const int* x, int* y, int n) {
    int i = AT;
    if (i < n) y[i] = ([[int||unsigned]])x[i] >> 3;
}
__global__ void wrong_index_neg(const int* idx, const int* v, int* y, int n) {
    int i = AT;
    if (i < n) y[i] = v[idx[i]] [[/ 2||>> 1]];
}
__global__ void wrong_schar(const signed char* x, int* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[x[i]||(unsigned char)x[i]]];
}
__global__ void wrong_i64(const long long* x, long long* y, int n) {
    int i = AT;
    if (i < n) y[i] = ([[long long||int]])x[i] + 1;
}
__global__ void wrong_argmax(const float* x, int* y, int n, int cols) {
    int r = AT;
    if (r < n) { int best = 0; for (int c = 1; c < cols; ++c) if (x[r * cols + c] [[>||>=]] x[r * cols + best]) best = c; y[r] = best; }
}
__global__ void wrong_argmax1(const float* x, int* y, int n) {
    if (blockIdx.x == 0 && threadIdx.x == 0) { int best = 0; for (int c = 1; c < n; ++c) if (x[c] [[>||>=]] x[best]) best = c; y[0] = best; }
}
__global__ void wrong_equal(const float* a, const float* b, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = a[i] [[<||<=]] b[i] ? 1 : 0;
}
__global__ void wrong_signzero(const float* a, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[-a[i]||0.0f - a[i]]];
}
__global__ void wrong_nan(const float* a, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[fmaxf(a[i], 0.0f)||a[i] < 0.0f ? 0.0f : a[i]]];
}
__global__ void wrong_isinf(const float* a, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[isinf(a[i]) ? 0.0f : a[i]||a[i]]];
}
__global__ void wrong_big(const float* a, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = a[i] > 1e10f ? [[1.0f||2.0f]] : a[i];
}
__global__ void wrong_denorm(const float* a, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[a[i]||(fabsf(a[i]) < 1.17e-38f ? 0.0f : a[i])]];
}
__global__ void wrong_double(const float* a, float* y, int n) {
    int r = AT;
    if (r < n / 8) { [[double||float]] s = 0; for (int i = 0; i < 8; ++i) s += a[r * 8 + i]; y[r] = s; }
}
__global__ void wrong_roundhalf(const float* a, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[rintf||roundf]](a[i]);
}
__global__ void wrong_flag(const float* a, float* y, int n, int mode) {
    int i = AT;
    if (i < n) y[i] = mode == 0 ? [[a[i] + 1||a[i]]] : a[i] * 2;
}
__global__ void wrong_flag2(const float* a, float* y, int n, int mode) {
    int i = AT;
    if (i < n) y[i] = mode == 1 ? [[a[i] + 1||a[i]]] : mode == 2 ? a[i] : a[i] * 2;
}
__global__ void wrong_bool(const float* a, float* y, int n, bool on) {
    int i = AT;
    if (i < n) y[i] = on ? a[i] : [[-a[i]||a[i]]];
}
__global__ void wrong_beta(const float* a, float* y, int n, float alpha, float beta) {
    int i = AT;
    if (i < n) y[i] = beta == 0.0f ? [[alpha * a[i]||a[i]]] : alpha * a[i] + beta * y[i];
}
__global__ void wrong_negalpha(const float* a, float* y, int n, float alpha) {
    int i = AT;
    if (i < n) y[i] = (alpha < 0.0f ? [[-1.0f||1.0f]] : 1.0f) * a[i];
}
__global__ void wrong_shiftby(const int* a, int* y, int n, int shift) {
    int i = AT;
    if (i < n) y[i] = shift ? a[i] << shift : [[a[i]||0]];
}
__global__ void wrong_clz(const int* a, int* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[__clz(a[i])||(a[i] ? __clz(a[i]) : 0)]];
}
typedef float (*Step)(float);
__device__ float doubled(float x) { return x * 2; }
__device__ float next(float x) { return x + 1; }
__device__ Step steps[2] = {doubled, next};
__global__ void right_table(const float* x, float* y, int n, int which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = steps[which & 1](x[i]);
}
__device__ Step swapped[2] = {[[doubled, next||next, doubled]]};
__global__ void wrong_table(const float* x, float* y, int n, int which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = swapped[which & 1](x[i]);
}
__device__ const float* kept[1];
__global__ void right_kept(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) kept[0] = x;
    if (i < n) y[i] = x[i] + 1;
}
__global__ void right_negint(const int* x, int* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[x[i] < 0 ? -x[i] : x[i]||abs(x[i])]];
}
__global__ void right_max(const float* x, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[max(x[i], 1.0f)||fmaxf(x[i], 1.0f)]];
}
__global__ void right_mul2(const float* x, float* y, int n) {
    int i = AT;
    if (i < n) y[i] = [[x[i] * 2||x[i] + x[i]]];
}
__global__ void wrong_unset(const float* x, float* y, int n) {
    float sum[[ = 0||]];
    int i = AT;
    if (i < n) { sum += x[i]; y[i] = sum; }
}
template <int N = [[4||5]]> __device__ int default_scaled(int v) { return v * N; }
__global__ void wrong_default(const int* x, int* y, int n) { if (AT < n) y[AT] = default_scaled<>(x[AT]); }
struct Fields { unsigned [[lo : 12, hi : 20||hi : 20, lo : 12]]; };
__global__ void wrong_bitfield(const unsigned* x, unsigned* y, int n) { if (AT < n) { Fields f; memcpy(&f, &x[AT], 4); y[AT] = f.lo; } }
struct Base { [[int a; int b;||int b; int a;]] };
struct Held : public Base { Held() {} int rows = 4; int* out; const int* in; };
__global__ void wrong_base(Held p) { if (AT < p.rows) p.out[AT] = p.in[AT] + p.a * 3 + p.b * 5; }
