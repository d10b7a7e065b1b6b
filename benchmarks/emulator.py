"""Figures of the CPU device: build time of a small file, threads a second, the cost of a barrier and of a shuffle.

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
#include <chrono>
#include <cstdio>
template <class F> void timed(const char* what, double units, F run) {
  auto start = std::chrono::steady_clock::now();
  run();
  double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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


if __name__ == "__main__":
    main()
