"""The emulated device against an NVIDIA GPU: 51 kernels of ours (gpu_check), answers in expected.txt.

Usage: python benchmarks/gpu_check.py [--compile-only] [--arch sm_90] [--nvcc PATH]
       python benchmarks/gpu_check.py --emulated     the same program on the emulated device, against the same answers
       python benchmarks/gpu_check.py --write        makes expected.txt anew, from the emulated device

Needs nvcc, and a GPU unless --compile-only. Exit status: 0 all agree (or compiled), 1 some kernel differs, 2 it cannot
be asked (no nvcc, no GPU, no build), with the reason on stderr. Words are compared exactly; lines that begin with ~ are
floats: two parts in 100,000 for functions, and for textures the 8 bits that a weight has.
"""

import argparse
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from musify_ai.backends.nvidia import NO_NVCC, Nvcc

HERE = Path(__file__).parent / "gpu_check"
SOURCE, EXPECTED = HERE / "kernels.cu", HERE / "expected.txt"
NEAR, TEXTURE = 2e-5, 1 / 128


class CannotAsk(Exception):
    """There is nothing to compare with: no compiler, no GPU, or the program does not build."""


def table(text: str) -> dict[str, list[str]]:
    """The words of each kernel by its name, which may begin with ~."""
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}


def agree(name: str, got: list[str], wanted: list[str]) -> bool:
    """Whether a kernel's words are those wanted, or near them where its name begins with ~."""
    if not name.startswith("~"):
        return got == wanted
    bound = TEXTURE if "texture" in name else NEAR

    def near(a: float, b: float) -> bool:
        return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= bound * max(1.0, abs(b))

    return len(got) == len(wanted) and all(near(float(a), float(b)) for a, b in zip(got, wanted, strict=True))


def differing(got: str, wanted: str) -> list[str]:
    """The kernels that differ, are missing or are too many, in the order of the expected answers."""
    ours, theirs = table(got), table(wanted)
    return [name for name in {**theirs, **ours} if name not in ours or name not in theirs
            or not agree(name, ours[name], theirs[name])]  # fmt: skip


def compiled(folder: Path, arch: str, nvcc: str | None) -> Path:
    """The program as nvcc makes it for an arch. Raises `CannotAsk` without nvcc, or with its words."""
    found = Nvcc.detect() if nvcc is None else None
    if nvcc is None and found is None:
        raise CannotAsk(f"{NO_NVCC}; or give --nvcc PATH")
    program = folder / "kernels"
    # The wheels keep headers and libraries where their nvcc does not look for them.
    own = [f"-I{each}" for each in found.includes] if found else []
    own += [f"-L{each}" for each in sorted(found.program.resolve().parent.parent.glob("lib*"))] if found else []
    command = [nvcc or str(found.program if found else ""), "-std=c++17", "-fmad=false", f"-arch={arch}", "-w", *own]
    command += [str(SOURCE), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise CannotAsk(f"nvcc does not build {SOURCE.name} for {arch}:\n{done.stderr or done.stdout}")
    return program


def on_gpu(program: Path) -> str:
    """What the program prints on this machine's GPU. Raises `CannotAsk` where there is none."""
    done = subprocess.run([program], capture_output=True, text=True, timeout=200)
    if done.returncode:
        raise CannotAsk(
            f"the program ended with {done.returncode}: {done.stdout.splitlines()[-1:]} {done.stderr[:500]}"
        )
    return done.stdout


def emulated() -> str:
    """What the program prints on the emulated device."""
    command = [sys.executable, "-m", "musify_ai", "run", "--arch", "sm_80", str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=Path(__file__).parents[1])
    if done.returncode:
        raise CannotAsk(f"the emulated device ended with {done.returncode}: {done.stderr[:2000]}")
    return done.stdout


def main() -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--emulated", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--nvcc")
    given = parser.parse_args()
    start = time.monotonic()
    try:
        if given.write:
            EXPECTED.write_text(emulated(), "ascii")
            return 0
        if given.emulated:
            got = emulated()
        else:
            with tempfile.TemporaryDirectory() as folder:
                program = compiled(Path(folder), given.arch, given.nvcc)
                print(f"compiled for {given.arch}      {time.monotonic() - start:6.1f} s")
                if given.compile_only:
                    return 0
                got = on_gpu(program)
    except CannotAsk as problem:
        print(f"gpu_check: not asked: {problem}", file=sys.stderr)
        return 2
    wanted = EXPECTED.read_text("ascii")
    wrong = differing(got, wanted)
    for name in wrong:
        ours, theirs = table(got).get(name, []), table(wanted).get(name, [])
        first = next((i for i, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), 0)
        print(f"differs: {name}: word {first}: {ours[first : first + 1]}, expected {theirs[first : first + 1]}")
    print(f"{len(table(wanted)) - len(wrong)} of {len(table(wanted))} kernels agree  {time.monotonic() - start:6.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
