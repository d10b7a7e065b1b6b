"""Figures of the CPU device: build time of a small file, threads a second, the cost of a barrier and of a shuffle; two
kernels whose times under HIP-CPU are known; how time grows with threads, blocks and barriers. All in processor time.

HIP-CPU's figures (its last commit is of 2024-03) are of another machine under load: 24.7 s to build twenty lines, 17 to
23 ms for a vector sum of 262,144 threads, 68 to 106 ms for a block reduction of as many, and 771 for a shuffle-down sum
that is 99. They show the order of magnitude only.

Usage: python benchmarks/emulator.py [--repeat N]. Needs g++ or clang++; prints one line a figure, the best of N.
"""

import argparse
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from musify_ai.emulator import core_sources
from musify_ai.emulator.headers import header_dirs

SMALL = """
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void barriers(int* out) {
  for (int i = 0; i < 100; i++) __syncthreads();
  if (out) out[threadIdx.x] = 1;
}
__global__ void shuffles(int* out) {
  int v = threadIdx.x;
  for (int i = 0; i < 100; i++) v += __shfl_xor_sync(0xffffffffu, v, 1, 32);
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void reduction(const float* in, float* out) {
  typedef float part_t[256];
  struct part_tag {};
  part_t& part = ::emu::shared<part_t, part_tag>();
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned d = 128; d; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
__global__ void some_barriers(int count) {
  for (int i = 0; i < count; i++) __syncthreads();
}
__global__ void shuffle_sum(int* out) {
  int v = 3;
  v += threadIdx.x == 5 ? 3 : 0;
  for (int o = 16; o; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o, 32);
  if (threadIdx.x == 0) *out = v;
}
#include <cstdio>
#include <ctime>
template <class F> void timed(const char* what, double units, F run) {
  auto now = [] {  // of the processor: other work on the machine does not count
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
  };
  double start = now();
  run();
  double s = now() - start;
  printf("%s %.9g\\n", what, s / units);
}
#define LAUNCH(K, G, B, ...) \\
  ::emu::Launcher(#K, __FILE__, __LINE__, ::emu::Config(G, B))([&](auto... a) { K(a...); }, __VA_ARGS__)
int main() {
  const int n = 1 << 18;
  float *a, *b, *c; int* o;
  cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4); cudaMalloc(&o, n * 4);
  LAUNCH(add, n / 256, 256, a, b, c, n);
  timed("threads", 20.0 * n, [&] { for (int i = 0; i < 20; i++) LAUNCH(add, n / 256, 256, a, b, c, n); });
  LAUNCH(barriers, 1, 256, o);
  timed("barriers", 100.0 * 256 * 64, [&] { LAUNCH(barriers, 64, 256, o); });
  timed("shuffles", 100.0 * 256 * 64, [&] { LAUNCH(shuffles, 64, 256, o); });
  // Ten of each: a clock of the processor's time may tick no finer than a hundredth of a second.
  timed("sum_ms", 10 * 1e-3, [&] { for (int i = 0; i < 10; i++) LAUNCH(add, n / 256, 256, a, b, c, n); });
  timed("reduction_ms", 10 * 1e-3, [&] { for (int i = 0; i < 10; i++) LAUNCH(reduction, n / 256, 256, a, c); });
  LAUNCH(shuffle_sum, 1, 32, o);
  int sum;
  cudaMemcpy(&sum, o, 4, cudaMemcpyDeviceToHost);
  printf("shuffle_sum %d\\n", sum);
  for (int k = 1; k <= 4; k *= 2) {
    char name[32];
    snprintf(name, sizeof name, "block_%d", 256 * k);
    timed(name, 1e-3, [&] { LAUNCH(some_barriers, 256, 256 * k, 20); });
    snprintf(name, sizeof name, "grid_%d", 512 * k);
    timed(name, 1e-3, [&] { LAUNCH(some_barriers, 512 * k, 256, 10); });
    snprintf(name, sizeof name, "barriers_%d", 20 * k);
    timed(name, 1e-3, [&] { LAUNCH(some_barriers, 256, 256, 20 * k); });
  }
}
"""


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise SystemExit("no C++ compiler: install g++ or clang++")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        source, unit, program = root / "small.cpp", root / "small.o", root / "small"
        source.write_text(SMALL)
        objects = []
        start = _cpu()
        for path in core_sources():
            objects.append(str(root / f"{path.stem}.core.o"))
            subprocess.run([compiler, "-std=c++17", "-O2", "-c", str(path), "-o", objects[-1]], check=True)
        print(f"core, built once          {_cpu() - start:8.2f} s of CPU")
        includes = [f"-I{path}" for path in header_dirs("cuda", root / "headers")]
        command = [compiler, "-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fno-strict-aliasing"]
        command += [
            "-DMUSIFY_EMU_ARCH=800",
            *includes,
            "-include",
            "cuda_runtime.h",
            "-c",
            str(source),
            "-o",
            str(unit),
        ]
        builds = []
        for _ in range(repeat):
            start = _cpu()
            subprocess.run(command, check=True)
            builds.append(_cpu() - start)
        print(f"small file                {min(builds):8.2f} s of CPU")
        subprocess.run([compiler, str(unit), *objects, "-o", str(program)], check=True)
        best: dict[str, float] = {}
        for _ in range(repeat):
            text = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
            for name, seconds in re.findall(r"(\w+) ([\d.e+-]+)", text):
                best[name] = min(best.get(name, float("inf")), float(seconds))
        print(f"barrier-free              {1e-6 / best['threads']:8.1f} M threads a second")
        print(f"thread-barrier            {1e9 * best['barriers']:8.1f} ns")
        print(f"thread-shuffle            {1e9 * best['shuffles']:8.1f} ns")
        print(f"vector sum, 262,144       {best['sum_ms']:8.2f} ms  (HIP-CPU 17 to 23)")
        print(f"block reduction, 262,144  {best['reduction_ms']:8.2f} ms  (HIP-CPU 68 to 106)")
        print(f"shuffle-down sum          {best['shuffle_sum']:8.0f}     (99 is right; HIP-CPU 771)")
        for what in ("block", "grid", "barriers"):
            sizes = [name for name in best if name.startswith(f"{what}_")]
            print(f"{what:10}" + "  ".join(f"{name.split('_')[1]}: {best[name]:.1f} ms" for name in sizes))


if __name__ == "__main__":
    main()
