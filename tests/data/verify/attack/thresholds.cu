// Conditions on single values: the numbers of the text are among the inputs.
#include <cuda_runtime.h>

__global__ void wrong_equal(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[i] == 1234567891 ? [[2||3]] : in[i] + 1;
}

__global__ void wrong_threshold(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = in[i];
    out[i] = v < [[7.1e18f||7.0e18f]] ? v + 1.0f : -v;
}

__global__ void wrong_bound(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[i] [[>||>=]] 70000 ? 70000 : in[i] * 2;
}

__global__ void wrong_double(const double* in, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[i] == -273.15 ? [[0.0||1.0]] : in[i] * 1.8;
}

__global__ void wrong_round(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = [[rintf||roundf]](in[i] * 4.0f);
}

__global__ void wrong_quantized(const float* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = [[__float2int_rn(in[i] * 127.0f)||(int)roundf(in[i] * 127.0f)]];
}

// Eight elements a thread: more than buffers hold at first.
__global__ void wrong_large(const float* in, float* out) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    out[i / 8] = in[i] * [[2.0f||3.0f]];
}

// A structure of more members than a line of code likes to name.
struct Parameters {
    const float* in;
    float* out;
    int n, a1, a2, a3, a4, a5, a6, a7, a8, a9, b1, b2, b3, b4, b5, b6, b7, b8;
    float scale;
    bool flag;
};
__global__ void wrong_members(Parameters p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n) p.out[i] = p.in[i] * [[p.scale||(p.scale + 1.0f)]] + p.a1;
}

// Launched in a macro, with its arguments on a line of their own.
template <int K> __global__ void right_by_macro(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * K;
}
#define LAUNCH(K)                         \
    right_by_macro                        \
        <K><<<(n + 127) / 128, 128>>>(x, y, n)

void launch(Parameters p, const int* in, int* out, const float* x, float* y, const double* a, double* b, int n) {
    wrong_equal<<<(n + 127) / 128, 128>>>(in, out, n);
    wrong_threshold<<<(n + 127) / 128, 128>>>(x, y, n);
    wrong_bound<<<(n + 127) / 128, 128>>>(in, out, n);
    wrong_members<<<(n + 127) / 128, 128>>>(p);
    LAUNCH(3);
    wrong_round<<<(n + 127) / 128, 128>>>(x, y, n);
    wrong_quantized<<<(n + 127) / 128, 128>>>(x, out, n);
    wrong_large<<<64, 1024>>>(x, y);
    wrong_double<<<(n + 127) / 128, 128>>>(a, b, n);
}
