#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ __forceinline__ unsigned ballot_of(int chosen) {
    unsigned set;
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  setp.ne.s32 p, %1, 0;\n"
        "  vote.sync.ballot.b32 %0, p, 0xffffffff;\n"
        "}"
        : "=r"(set)
        : "r"(chosen));
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
    cudaMalloc(&x, host_x.size() * sizeof(int));
    cudaMemcpy(x, host_x.data(), host_x.size() * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> host_ranks(1000);
    for (int i = 0; i < static_cast<int>(host_ranks.size()); ++i) host_ranks[i] = (i * 13 + 5) % 97 - 40;
    int* ranks = nullptr;
    cudaMalloc(&ranks, host_ranks.size() * sizeof(int));
    cudaMemcpy(ranks, host_ranks.data(), host_ranks.size() * sizeof(int), cudaMemcpyHostToDevice);
    rank_chosen<<<8, 128>>>(x, ranks, 1000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(host_ranks.data(), ranks, host_ranks.size() * sizeof(int), cudaMemcpyDeviceToHost);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(host_ranks.data());
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < host_ranks.size() * sizeof(int); ++i) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%08x\n", hash);
    cudaFree(x);
    cudaFree(ranks);
    return 0;
}
