// Differences where no run comes by: one value in four thousand million, a branch that is gone. And
// code that is hard to note in, right on both sides.
#include <cuda_runtime.h>

__global__ void weak_rare(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    if (v * 77777u == 1234567891) {
        v = [[v * 2||v * 3]];
    }
    out[i] = v + 1;
}

__global__ void weak_gone(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    [[if (in[i] * in[i] == 12345.678f) { out[i] = 0.0f; return; }||]]
    out[i] = in[i] * 2.0f;
}

__global__ void weak_case(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (in[i] * 77777) {
        case 0: out[i] = 5; break;
        case -1900000001: out[i] = [[6||7]]; break;
        default: out[i] = in[i] * 2;
    }
}

// The same in both, and only part of it is reached: the rest of the lines makes the verdict.
__global__ void weak_little(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] * 77777u != 1234567891) {
        out[i] = in[i] + 1;
        return;
    }
    int a = in[i];
    int b = a * 3;
    int c = b ^ a;
    int d = c + 7;
    a = d - b;
    b = a * c;
    c = b + d;
    out[i] = c;
}

// One line in many is not reached, and is the original's.
__global__ void right_rare(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    int w = v * 3;
    int x = w ^ v;
    int y = x + 7;
    if (v * 77777u == 1234567891) y = x - 1;
    out[i] = y + 1;
}

template <int K, bool Scale> __device__ float chosen_by_template(float v) {
    if (Scale) {
        if (K == 3) v *= 3.0f;
        else v *= 5.0f;
        v += 1.0f;
        v *= 2.0f;
        v -= 0.5f;
        v *= 1.5f;
    }
    if constexpr (K > 5) v += 9.0f;
    switch (K) {
        case 2: v += 1.0f; break;
        case 3: v += 2.0f; break;
        default: v += 4.0f;
    }
    return v;
}
// What the compiler knows is no branch: nothing of it counts as unreached.
template <int K, bool Scale> __global__ void right_template(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = chosen_by_template<K, Scale>(in[i]);
}
template __global__ void right_template<4, false>(const float*, float*, int);

#define PICK(condition, a, b) ((condition) ? (a) : (b))
__host__ __device__ constexpr int size_of(int k) { return k > 2 ? k * 2 : 3; }
struct Bounds { int low, high; explicit __device__ operator bool() const { return low < high; } };
__device__ int* pick(int* p, bool use) { return use ? p : 0; }
// Everything here must build and mean the same with notes in it.
__global__ void right_hostile(const int* in, int* out, int n) {
    __shared__ int room[size_of(40) > 50 ? 256 : 1];
    static_assert(size_of(1) == (true ? 3 : 4), "constant");
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x % 80;
    room[t] = 0;
    if (int* p = pick(out, i < n)) p[i] = 1;
    if (Bounds b{i, n}; b) for (int k = 0, m = 3; k < m, k < 2; ++k) out[i] += in[i] + k; else if (i > n) { room[t] = 1; }
    do { if (i < n && PICK(in[i] > 0, true, false)) out[i] += 2; } while (false);
    int left = i % 3;
    while (left-- > 0) if (left == 1) continue; else if (i < n) out[i] += left ? 3 : 4;
    switch (i % 4) { case 0: case 1: if (i < n) out[i] ^= 1; /* falls */ case 2: { int q = i; if (q < n) out[q] += 5; break; } default:; }
    auto last = [&](int v) { return v < n ? v + n : -1; };
    if (i < n) out[i] += last(i) > 0 ? (in[i] < 0 ? 1 : in[i] == 0 ? 2 : 3) : 0;
}

void launch(const int* in, int* out, const float* x, float* y, int n) {
    weak_rare<<<(n + 127) / 128, 128>>>(in, out, n);
    weak_gone<<<(n + 127) / 128, 128>>>(x, y, n);
    weak_case<<<(n + 127) / 128, 128>>>(in, out, n);
    weak_little<<<(n + 127) / 128, 128>>>(in, out, n);
    right_rare<<<(n + 127) / 128, 128>>>(in, out, n);
    right_template<4, false><<<(n + 127) / 128, 128>>>(x, y, n);
    right_hostile<<<(n + 127) / 128, 128>>>(in, out, n);
}
