#pragma once

// Error checks and device memory for every kernel of tinyops. Nothing here is a CUDA API of its own.

#include <musa_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program where a CUDA call fails. A bare "cudaMalloc failed" has never told anybody where to look.
#define CHECK(call)                                                              \
    do {                                                                         \
        const musaError_t status_ = (call);                                      \
        if (status_ != musaSuccess) {                                            \
            std::fprintf(stderr, "%s:%d: CUDA call failed: %s\n",                \
                         __FILE__, __LINE__, musaGetErrorString(status_));       \
            std::exit(2);                                                        \
        }                                                                        \
    } while (0)

#define CHECK_LAUNCH() cudaCheck("kernel launch")

// How often device memory was asked for; the members are named after the calls they count.
struct CallCounts {
    int cudaMalloc = 0;
    int cudaMemcpy = 0;
};

inline CallCounts& call_counts() {
    static CallCounts counts;
    return counts;
}

// Our own helper, whatever its name looks like: reports the last error and waits for the device.
inline void cudaCheck(const char* what) {
    musaError_t status = musaGetLastError();
    if (status == musaSuccess) {
        status = musaDeviceSynchronize();
    }
    if (status != musaSuccess) {
        std::fprintf(stderr, "%s: %s (see cudaGetLastError in the CUDA manual)\n", what, musaGetErrorString(status));
        std::exit(2);
    }
}

inline int my_cuda_helper_blocks(int n, int per_block) {
    return (n + per_block - 1) / per_block;
}

// A device array with a host side: freed at the end of its scope.
template <typename T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t size) : size_(size) {
        CHECK(musaMalloc(reinterpret_cast<void**>(&data_), size_ * sizeof(T)));
        CHECK(musaMemset(data_, 0, size_ * sizeof(T)));
        call_counts().cudaMalloc += 1;
    }

    explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
        CHECK(musaMemcpy(data_, host.data(), size_ * sizeof(T), musaMemcpyHostToDevice));
        call_counts().cudaMemcpy += 1;
    }

    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    ~DeviceArray() {
        musaFree(data_);
    }

    std::vector<T> host() const {
        std::vector<T> values(size_);
        CHECK(musaMemcpy(values.data(), data_, size_ * sizeof(T), musaMemcpyDeviceToHost));
        call_counts().cudaMemcpy += 1;
        return values;
    }

    T* get() { return data_; }
    const T* get() const { return data_; }

private:
    T* data_ = nullptr;
    std::size_t size_;
};
