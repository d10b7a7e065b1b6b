#include "checks.h"
#include "cuda_utils.cuh"
#include "device_math.cuh"

constexpr int kBlock = 128;

// One bit for each element that is above the threshold, 32 to a word.
__global__ void ballot_mask(const int* x, unsigned int* masks, int threshold, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int mask = __ballot_sync(kFullMask, i < n && x[i] > threshold);
    if (threadIdx.x % kSegment == 0 && i < n) {
        masks[i / kSegment] = mask;
    }
}

// Moves the odd elements of each 32 to the front of their place, in order, and counts them.
__global__ void compact_segments(const int* x, int* out, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % kSegment;
    const int value = i < n ? x[i] : 0;
    const bool keep = (value & 1) != 0;
    const unsigned int kept = __ballot_sync(0xffffffff, keep);
    const int rank = __popc(kept & ((1u << lane) - 1u));
    if (keep) {
        out[i - lane + rank] = value;
    }
    if (lane == 0 && i < n) {
        counts[i / kSegment] = __popc(kept);
    }
}

bool check_ballot() {
    const int n = 1000, threshold = 10;
    const int blocks = my_cuda_helper_blocks(n, kBlock);
    const int segments = my_cuda_helper_blocks(n, kSegment);
    const std::vector<int> x = integers(n, 11, -100, 100);
    const DeviceArray<int> device_x(x);
    DeviceArray<unsigned int> device_masks(segments);
    DeviceArray<int> device_out(n);
    DeviceArray<int> device_counts(segments);

    ballot_mask<<<blocks, kBlock>>>(device_x.get(), device_masks.get(), threshold, n);
    compact_segments<<<blocks, kBlock>>>(device_x.get(), device_out.get(), device_counts.get(), n);
    CHECK_LAUNCH();

    const std::vector<unsigned int> masks = device_masks.host();
    const std::vector<int> out = device_out.host();
    const std::vector<int> counts = device_counts.host();
    bool good = true;
    for (int segment = 0; segment < segments; ++segment) {
        unsigned int mask = 0;
        int count = 0;
        for (int lane = 0; lane < kSegment && segment * kSegment + lane < n; ++lane) {
            const int value = x[segment * kSegment + lane];
            if (value > threshold) {
                mask |= 1u << lane;
            }
            if ((value & 1) != 0) {
                good = good && out[segment * kSegment + count] == value;
                count += 1;
            }
        }
        good = good && masks[segment] == mask && counts[segment] == count;
    }
    return good;
}
