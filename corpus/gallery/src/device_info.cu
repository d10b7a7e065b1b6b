#include "checks.h"
#include "cuda_utils.cuh"

namespace {

// The device a stream belongs to, straight from the runtime.
int device_of(cudaStream_t stream) {
    int device = -1;
    CHECK(cudaStreamGetDevice(stream, &device));
    return device;
}

// What the driver has logged, where the runtime can tell.
void dump_driver_log() {
#if CUDART_VERSION >= 12090
    CHECK(cudaLogsDumpToFile(nullptr, "driver.log", 0));
#endif
}

}  // namespace

void print_device_info() {
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    for (int device = 0; device < count; ++device) {
        cudaDeviceProp properties;
        CHECK(cudaGetDeviceProperties(&properties, device));
        std::printf("CUDA device %d: %s, %d multiprocessors, %zu bytes\n", device, properties.name,
                    properties.multiProcessorCount, properties.totalGlobalMem);
    }
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    std::printf("a new stream is on CUDA device %d\n", device_of(stream));
    CHECK(cudaStreamDestroy(stream));
    dump_driver_log();
}
