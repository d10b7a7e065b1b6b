"""The cost of a hook's run: processor time of ``musify-ai check`` on one file, start-up included.

Usage: python benchmarks/hook.py [RUNS]

Prints the least of several runs, since what else a machine does only ever adds. The budget is 100 ms where no
structural rule is triggered.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PLAIN = b"""#include <cuda_runtime.h>
__global__ void scale(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; }
int main() { float *p; cudaMalloc(&p, 400); scale<<<1, 128>>>(p, 100); cudaFree(p); return cudaDeviceSynchronize(); }
"""
CASES = {
    "python alone": (["-c", "pass"], None),
    "import click": (["-c", "import click"], None),
    "check, C++ without CUDA": (["-m", "musify_ai", "check"], b"int main() { return 0; }\n"),
    "check, names only": (["-m", "musify_ai", "check"], PLAIN),
    "check, an arch guard": (["-m", "musify_ai", "check"], PLAIN + b"#if __CUDA_ARCH__ >= 800\n#endif\n"),
    "check, inline PTX": (["-m", "musify_ai", "check"], PLAIN + b'__device__ void f() { asm("bar.sync 0;"); }\n'),
}


def cpu_ms(arguments: list[str]) -> float:
    """Processor time of one run of this Python, in milliseconds."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    root = Path(__file__).resolve().parent.parent
    subprocess.run([sys.executable, *arguments], cwd=root, env=environment, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder:
        for name, (arguments, src) in CASES.items():
            command = list(arguments)
            if src is not None:
                file = Path(folder) / "a.cu"
                file.write_bytes(src)
                command.append(str(file))
            cpu_ms(command)
            print(f"{name:<26} {min(cpu_ms(command) for _ in range(runs)):6.0f} ms")


if __name__ == "__main__":
    main()
