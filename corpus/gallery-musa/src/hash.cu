#include "bits.cuh"
#include "checks.h"
#include "cuda_utils.cuh"

constexpr int kBlock = 128;

__global__ void mix_hash(const unsigned int* keys, unsigned int* hashes, unsigned int seed, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned int h = mad_lo(keys[i], 0xcc9e2d51u, seed);
        h = rotate13(h);
        h = add_wrapped(h, 0xe6546b64u);
        h ^= second_byte(keys[i]);
        hashes[i] = mad_lo(h, 5u, second_byte(h));
    }
}

bool check_hash() {
    const int n = 1000;
    const unsigned int seed = 0x9747b28cu;
    std::vector<unsigned int> keys(n);
    Sequence sequence(18);
    for (unsigned int& key : keys) {
        key = sequence.bits() * 257u;
    }
    const DeviceArray<unsigned int> device_keys(keys);
    DeviceArray<unsigned int> device_hashes(n);
    mix_hash<<<my_cuda_helper_blocks(n, kBlock), kBlock>>>(device_keys.get(), device_hashes.get(), seed, n);
    CHECK_LAUNCH();

    const std::vector<unsigned int> hashes = device_hashes.host();
    bool good = true;
    for (int i = 0; i < n; ++i) {
        unsigned int h = keys[i] * 0xcc9e2d51u + seed;
        h = (h << 13) | (h >> 19);
        h += 0xe6546b64u;
        h ^= (keys[i] >> 8) & 0xffu;
        good = good && hashes[i] == h * 5u + ((h >> 8) & 0xffu);
    }
    return good;
}
