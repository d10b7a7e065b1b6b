"""Forms of PTX that need a device, run three ways on the same rows: by the manual's model, by the emulator from the
PTX, and by the emulator from what it was lowered to."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from musify_ai.records import Options
from musify_ai.source.splicing import splice
from musify_ai.translate import translate
from tests.translate.ptx.manual import BLOCK, M64, WORDS, Form, Row

_EDGES = (0, 1, 2, 31, 32, 255, 0x7FFF, 0x8000, 0x7FFFFFFF, 0x80000000, M64 >> 32, 0x3F800000, 0x7F800000, 1 << 63, M64,
          0x3FF0000000000000)  # fmt: skip
_HEAD = """#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
typedef unsigned long long word;
"""
_MAIN = """
static word state = 88172645463325252ull;
static word next() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static const word edges[] = {%(edges)s};
static word draw() {
  const word how = next();
  return how %% 4 == 0 ? edges[next() %% %(count)d] : next() >> how %% 7 * 8;
}
int main() {
  const int rows = %(rows)d;
  std::vector<word> in(rows * 8), start(rows * 8), mem(rows * 8), out(rows * 8);
  for (word& each : in) each = draw();
  for (word& each : start) each = draw();
  word *a, *m, *o;
  cudaMalloc(&a, rows * 64); cudaMalloc(&m, rows * 64); cudaMalloc(&o, rows * 64);
  cudaMemcpy(a, in.data(), rows * 64, cudaMemcpyHostToDevice);
  for (int k = 0; k < %(forms)d; ++k) {
    cudaMemcpy(m, start.data(), rows * 64, cudaMemcpyHostToDevice);
    cudaMemset(o, 0, rows * 64);
    switch (k) { %(cases)s }
    if (cudaDeviceSynchronize() != cudaSuccess) printf("failed ");
    cudaMemcpy(mem.data(), m, rows * 64, cudaMemcpyDeviceToHost);
    cudaMemcpy(out.data(), o, rows * 64, cudaMemcpyDeviceToHost);
    for (int i = 0; i < rows; ++i) {
      word sum = 14695981039346656037ull;
      for (int j = 0; j < 8; ++j) sum = (sum ^ out[i * 8 + j]) * 1099511628211ull;
      for (int j = 0; j < 8; ++j) sum = (sum ^ mem[i * 8 + j]) * 1099511628211ull;
      printf("%%016llx", sum);
    }
    printf("\\n");
  }
}
"""


def source_of(forms: Sequence[Form], rows: int) -> str:
    """A program that runs each form on the rows and prints a hash of each row's output and memory."""
    kernels = "".join(
        f"__global__ void k{number}(const word* in, word* mem, word* out) {{\n"
        "  const int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * blockIdx.x);\n"
        "  const word* a = in + 8 * i; word* m = mem + 8 * i; word* o = out + 8 * i;\n"
        f"  {form.body}\n}}\n"
        for number, form in enumerate(forms)
    )
    grid = f"<<<{rows // (BLOCK[0] * BLOCK[1])}, dim3({BLOCK[0]}, {BLOCK[1]})>>>"
    cases = " ".join(f"case {number}: k{number}{grid}(a, m, o); break;" for number in range(len(forms)))
    values = {
        "edges": ", ".join(f"{value:#x}ull" for value in _EDGES),
        "count": len(_EDGES),
        "rows": rows,
        "forms": len(forms),
        "cases": cases,
    }
    return _HEAD + kernels + _MAIN % values


def _made(rows: int) -> list[Row]:
    """The rows that the program makes."""
    state = 88172645463325252

    def following() -> int:
        nonlocal state
        state ^= state << 13 & M64
        state ^= state >> 7
        state ^= state << 17 & M64
        return state

    def draw() -> int:
        how = following()
        return _EDGES[following() % len(_EDGES)] if how % 4 == 0 else following() >> how % 7 * 8

    inputs = [[draw() for _ in range(WORDS)] for _ in range(rows)]
    memory = [b"".join(draw().to_bytes(8, "little") for _ in range(WORDS)) for _ in range(rows)]
    return [(given, bytearray(held)) for given, held in zip(inputs, memory, strict=True)]


def _hash(words: list[int]) -> int:
    total = 14695981039346656037
    for word in words:
        total = (total ^ word) * 1099511628211 & M64
    return total


def expected(forms: Sequence[Form], rows: int) -> list[str]:
    """What the program prints, by the manual."""
    made = _made(rows)
    lines = []
    for form in forms:
        held = [(given, bytearray(memory)) for given, memory in made]
        line = []
        for number in range(rows):
            output = form.model(number, held)
            words = [int.from_bytes(held[number][1][i : i + 8], "little") for i in range(0, 8 * WORDS, 8)]
            line.append(f"{_hash([*output, *[0] * (WORDS - len(output)), *words]):016x}")
        lines.append("".join(line))
    return lines


def run(path: Path, arch: str) -> list[str]:
    """The lines that a program prints on the emulated device."""
    command = [sys.executable, "-m", "musify_ai", "run", str(path), "--arch", arch, "--seconds", "300"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert ran.returncode == 0, ran.stderr[-4000:]
    return ran.stdout.splitlines()


def compare(forms: Sequence[Form], rows: int, directory: Path, archs: tuple[str, ...]) -> list[str]:
    """What was left, or where one of the three differs, in words."""
    source = source_of(forms, rows)
    translation = translate(source.encode(), "forms.cu", Options(archs=archs))
    output = splice(source.encode(), [each for each in translation.edits if each.safety == "safe"]).decode()
    wrong = [form.name for number, form in enumerate(forms) if "asm" in _kernel(output, number)]
    if wrong:
        return [f"{name} was left" for name in wrong]
    (directory / "forms.cu").write_text(source)
    (directory / "forms.mu").write_text(output)
    manual = expected(forms, rows)
    sides = {"the library": run(directory / "forms.cu", "sm_80")}
    sides |= {f"the translation on {arch}": run(directory / "forms.mu", arch) for arch in archs}
    for who, lines in sides.items():
        assert len(lines) == len(forms), (who, len(lines))
        for form, line, right in zip(forms, lines, manual, strict=True):
            rows_wrong = sum(line[i : i + 16] != right[i : i + 16] for i in range(0, len(right), 16))
            if rows_wrong or len(line) != len(right):
                wrong.append(f"{form.name}: {who} differs from the manual in {rows_wrong} of {rows} rows")
    return wrong


def _kernel(text: str, number: int) -> str:
    begin = text.index(f"void k{number}(")
    return text[begin : text.index("\n}\n", begin)]
