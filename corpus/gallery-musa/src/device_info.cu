#include "checks.h"
#include "cuda_utils.cuh"

namespace {

// The device a stream belongs to, straight from the runtime.
int device_of(musaStream_t stream) {
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
    CHECK(musaGetDeviceCount(&count));
    for (int device = 0; device < count; ++device) {
        musaDeviceProp properties;
        CHECK(musaGetDeviceProperties(&properties, device));
        std::printf("CUDA device %d: %s, %d multiprocessors, %zu bytes\n", device, properties.name,
                    properties.multiProcessorCount, properties.totalGlobalMem);
    }
    musaStream_t stream;
    CHECK(musaStreamCreate(&stream));
    std::printf("a new stream is on CUDA device %d\n", device_of(stream));
    CHECK(musaStreamDestroy(stream));
    dump_driver_log();
}
