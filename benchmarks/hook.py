"""The cost of a hook's run: processor time of ``musify-ai check``, start-up included, and what a person waits.

Usage: python benchmarks/hook.py [RUNS]

Prints the least of several runs, since what else a machine does only ever adds. Each run is a new process; compiled
Python is there, as after any installation, and nothing else is kept from run to run. The budget is 100 ms for one
file where no structural rule is triggered, else 250 ms. pre-commit hands a hook all staged files at once.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

PLAIN = b"""#include <cuda_runtime.h>
__global__ void scale(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; }
int main() { float *p; cudaMalloc(&p, 400); scale<<<1, 128>>>(p, 100); cudaFree(p); return cudaDeviceSynchronize(); }
"""
# Of the size of a real source file, some 150 lines: names in most of it.
LONG = PLAIN + b"".join(
    b"int step%d(float *p, int n) { cudaMemset(p, 0, n); scale<<<n / 128, 128>>>(p, n); return cudaGetLastError(); }\n"
    % number
    for number in range(147)
)
GUARD = PLAIN + b"#if __CUDA_ARCH__ >= 800\n#endif\n"
PTX = PLAIN + b'__device__ void f() { asm("bar.sync 0;"); }\n'
CHECK = ["-m", "musify_ai", "check", "-q"]

CASES: list[tuple[str, list[str], bytes, int]] = [
    ("python alone", ["-c", "pass"], b"", 0),
    ("import click", ["-c", "import click"], b"", 0),
    ("check, C++ without CUDA", CHECK, b"int main() { return 0; }\n", 1),
    ("check, names only", CHECK, PLAIN, 1),
    ("check, names only, 150 lines", CHECK, LONG, 1),
    ("check, an arch guard", CHECK, GUARD, 1),
    ("check, inline PTX", CHECK, PTX, 1),
    ("check, 10 files of 150 lines", CHECK, LONG, 10),
    ("check, 100 files of 150 lines", CHECK, LONG, 100),
    ("check, 100 files with a guard", CHECK, GUARD, 100),
]


class Cost(NamedTuple):
    """Processor time of all processes, and time passed, both in milliseconds."""

    cpu: float
    wall: float


def cost(arguments: list[str]) -> Cost:
    """What one run of this Python costs."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    root = Path(__file__).resolve().parent.parent
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=root, env=environment, stdout=subprocess.DEVNULL, check=False)
    after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(1000 * cpu, 1000 * (ended - begun))


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print(f"{'':<32} {'processor':>12} {'passed':>10}")
    for name, arguments, src, files in CASES:
        with tempfile.TemporaryDirectory() as folder:
            places = [Path(folder, f"a{number}.cu") for number in range(files)]
            for place in places:
                place.write_bytes(src)
            command = [*arguments, *map(str, places)]
            cost(command)
            costs = [cost(command) for _ in range(runs)]
        print(f"{name:<32} {min(c.cpu for c in costs):>9.0f} ms {min(c.wall for c in costs):>7.0f} ms", flush=True)


if __name__ == "__main__":
    main()
