#include <musa_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ unsigned ballot_of(int chosen) {
    unsigned set = chosen != 0 ? 1u << (threadIdx.x & 31) : 0u;
    for (int step = 1; step < 32; step *= 2) set |= __shfl_xor_sync(0xffffffffu, set, step, 32);
    return set;
}

__global__ void rank_chosen(const int* x, int* ranks, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int chosen = i < n && x[i] > 0;
    const unsigned set = ballot_of(chosen);
    const unsigned below = (1u << (threadIdx.x & 31)) - 1u;
    if (i < n) ranks[i] = chosen ? 64 * __popc(set & below) + __popc(set) : -1;
}

int main() {
    std::vector<int> host_x(1000);
    for (int i = 0; i < static_cast<int>(host_x.size()); ++i) host_x[i] = (i * 13 + 5) % 97 - 40;
    int* x = nullptr;
    musaMalloc(&x, host_x.size() * sizeof(int));
    musaMemcpy(x, host_x.data(), host_x.size() * sizeof(int), musaMemcpyHostToDevice);
    std::vector<int> host_ranks(1000);
    for (int i = 0; i < static_cast<int>(host_ranks.size()); ++i) host_ranks[i] = (i * 13 + 5) % 97 - 40;
    int* ranks = nullptr;
    musaMalloc(&ranks, host_ranks.size() * sizeof(int));
    musaMemcpy(ranks, host_ranks.data(), host_ranks.size() * sizeof(int), musaMemcpyHostToDevice);
    rank_chosen<<<8, 128>>>(x, ranks, 1000);
    if (musaDeviceSynchronize() != musaSuccess) return 1;
    musaMemcpy(host_ranks.data(), ranks, host_ranks.size() * sizeof(int), musaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_ranks.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_ranks.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    musaFree(x);
    musaFree(ranks);
    return 0;
}
