#include <musa_runtime.h>
#include <musa_fp16.h>

#include <cstdio>
#include <vector>

struct SM75_16x8x8_F32F16F16F32_TN {
    using DRegisters = float[4];
    using ARegisters = unsigned[2];
    using BRegisters = unsigned[1];
    using CRegisters = float[4];

    __device__ static void fma(float& d0, float& d1, float& d2, float& d3, unsigned const& a0, unsigned const& a1,
                               unsigned const& b0, float const& c0, float const& c1, float const& c2, float const& c3) {
        const int lane = threadIdx.x & 31;
        float sums[4] = {c0, c1, c2, c3};
        for (int k = 0; k < 8; ++k) {
            const unsigned upper = __shfl_sync(0xffffffffu, a0, (lane / 4) * 4 + k / 2, 32);
            const unsigned lower = __shfl_sync(0xffffffffu, a1, (lane / 4) * 4 + k / 2, 32);
            const unsigned left = __shfl_sync(0xffffffffu, b0, (lane % 4) * 8 + k / 2, 32);
            const unsigned right = __shfl_sync(0xffffffffu, b0, (lane % 4) * 8 + 4 + k / 2, 32);
            const int shift = 16 * (k % 2);
            const float x = __half2float(__ushort_as_half(static_cast<unsigned short>(upper >> shift)));
            const float y = __half2float(__ushort_as_half(static_cast<unsigned short>(lower >> shift)));
            const float p = __half2float(__ushort_as_half(static_cast<unsigned short>(left >> shift)));
            const float q = __half2float(__ushort_as_half(static_cast<unsigned short>(right >> shift)));
            sums[0] += x * p;
            sums[1] += x * q;
            sums[2] += y * p;
            sums[3] += y * q;
        }
        d0 = sums[0];
        d1 = sums[1];
        d2 = sums[2];
        d3 = sums[3];
    }
};

template <class Atom>
__device__ __forceinline__ void gemm(float* d, const unsigned* a, const unsigned* b) {
    Atom::fma(d[0], d[1], d[2], d[3], a[0], a[1], b[0], d[0], d[1], d[2], d[3]);
}

__global__ void product_by_atom(const unsigned* a, const unsigned* b, float* d) {
    const int lane = threadIdx.x;
    unsigned left[2];
    unsigned right[1];
    float sums[4];
    for (int i = 0; i < 2; ++i) left[i] = a[blockIdx.x * 64 + lane * 2 + i];
    right[0] = b[blockIdx.x * 32 + lane];
    for (int i = 0; i < 4; ++i) sums[i] = d[blockIdx.x * 128 + lane * 4 + i];
    gemm<SM75_16x8x8_F32F16F16F32_TN>(sums, left, right);
    for (int i = 0; i < 4; ++i) d[blockIdx.x * 128 + lane * 4 + i] = sums[i];
}

int main() {
    std::vector<unsigned> host_a(256);
    for (int i = 0; i < static_cast<int>(host_a.size()); ++i) host_a[i] = 0x3c004000u + (i % 7) * 0x01000080u;
    unsigned* a = nullptr;
    musaMalloc(&a, host_a.size() * sizeof(unsigned));
    musaMemcpy(a, host_a.data(), host_a.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<unsigned> host_b(128);
    for (int i = 0; i < static_cast<int>(host_b.size()); ++i) host_b[i] = 0x40003800u + (i % 5) * 0x00800100u;
    unsigned* b = nullptr;
    musaMalloc(&b, host_b.size() * sizeof(unsigned));
    musaMemcpy(b, host_b.data(), host_b.size() * sizeof(unsigned), musaMemcpyHostToDevice);
    std::vector<float> host_d(512);
    for (int i = 0; i < static_cast<int>(host_d.size()); ++i) host_d[i] = static_cast<float>((i * 7 + 3) % 41) * 0.25f - 5.0f;
    float* d = nullptr;
    musaMalloc(&d, host_d.size() * sizeof(float));
    musaMemcpy(d, host_d.data(), host_d.size() * sizeof(float), musaMemcpyHostToDevice);
    product_by_atom<<<4, 32>>>(a, b, d);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_d.data(), d, host_d.size() * sizeof(float), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_d.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_d.size() * sizeof(float); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(a);
    musaFree(b);
    musaFree(d);
    return 0;
}
