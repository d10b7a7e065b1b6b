#pragma once

// One check for each group of kernels: runs it on made-up data and compares with a loop on the host.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

bool check_append();
bool check_ballot();
bool check_blend();
bool check_fir();
bool check_handoff();
bool check_hash();
bool check_histogram();
bool check_matmul();
bool check_normalize();
bool check_polynomial();
bool check_reduce();
bool check_saxpy();
bool check_scan();
bool check_sobel();
bool check_softmax();
bool check_warp_sums();

void print_device_info();

// Numbers that look random and are the same on every machine.
class Sequence {
public:
    explicit Sequence(std::uint32_t seed) : state_(seed * 2654435761u + 12345u) {}

    std::uint32_t bits() {
        state_ = state_ * 1664525u + 1013904223u;
        return state_ >> 8;
    }

    int integer(int low, int high) {
        return low + static_cast<int>(bits() % static_cast<std::uint32_t>(high - low + 1));
    }

    float real(float low, float high) {
        return low + (high - low) * (static_cast<float>(bits()) / 16777216.0f);
    }

private:
    std::uint32_t state_;
};

inline std::vector<float> reals(std::size_t size, std::uint32_t seed, float low = -1.0f, float high = 1.0f) {
    Sequence sequence(seed);
    std::vector<float> values(size);
    for (float& value : values) {
        value = sequence.real(low, high);
    }
    return values;
}

inline std::vector<int> integers(std::size_t size, std::uint32_t seed, int low, int high) {
    Sequence sequence(seed);
    std::vector<int> values(size);
    for (int& value : values) {
        value = sequence.integer(low, high);
    }
    return values;
}

inline bool near(float a, float b, float tolerance = 1e-4f) {
    return std::fabs(a - b) <= tolerance * (1.0f + std::fabs(b));
}
