// Runs the checks named on the command line, or all of them.
#include <cstdio>
#include <cstring>

#include "checks.h"
#include "cuda_utils.cuh"

namespace {

struct Check {
    const char* name;
    bool (*run)();
};

const Check kChecks[] = {
    {"saxpy", check_saxpy},         {"matmul", check_matmul},       {"reduce", check_reduce},
    {"scan", check_scan},           {"softmax", check_softmax},     {"histogram", check_histogram},
    {"sobel", check_sobel},         {"ballot", check_ballot},       {"append", check_append},
    {"blend", check_blend},         {"fir", check_fir},             {"hash", check_hash},
    {"polynomial", check_polynomial}, {"normalize", check_normalize}, {"warp_sums", check_warp_sums},
    {"handoff", check_handoff},
};

bool wanted(const char* name, int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return argc < 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--info") == 0) {
        print_device_info();
        return 0;
    }
    int run = 0, failed = 0;
    for (const Check& check : kChecks) {
        if (!wanted(check.name, argc, argv)) {
            continue;
        }
        const bool good = check.run();
        std::printf("%s %s\n", good ? "PASS" : "FAIL", check.name);
        run += 1;
        failed += good ? 0 : 1;
    }
    if (run == 0) {
        std::fprintf(stderr, "no check of that name\n");
        return 1;
    }
    if (failed != 0) {
        std::printf("%d of %d checks failed\n", failed, run);
        return 1;
    }
    std::printf("all %d checks passed; cudaMalloc was called %s\n", run, call_counts().cudaMalloc > 0 ? "often" : "never");
    return 0;
}
