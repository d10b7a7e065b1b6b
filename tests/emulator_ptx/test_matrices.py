"""mma of every shape and type against a plain product of matrices, with whole numbers: exact whatever the order.

One program holds all forms: each is a kernel that loads a warp's registers, executes the instruction and stores them.
"""

import random
import struct
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.emulator_ptx import matrices
from tests.emulator_ptx.conftest import Device
from tests.emulator_ptx.matrices import RANGE, Shape, registers

Matrix = list[list[float]]


class Form(NamedTuple):
    """An opcode, its shape, the types of D (and C), A and B; ``how`` for single bits."""

    opcode: str
    shape: Shape
    d: str
    a: str
    b: str
    saturates: bool = False
    how: str = ""


def forms() -> list[Form]:
    """Every form that the device has."""
    m, out = matrices, []

    def form(shape: Shape, d: str, a: str, b: str, extra: str = "", how: str = "") -> None:
        name = f"m{shape.m}n{shape.n}k{shape.k}"
        tail = f".{how}.popc" if how else ""
        opcode = f"mma.sync.aligned.{name}.row.col{extra}.{d}.{a}.{b}.{d}{tail}"
        out.append(Form(opcode, shape, d, a, b, bool(extra), how))

    for shape in (m.HALF_K8, m.HALF_K16):
        form(shape, "f32", "f16", "f16")
        form(shape, "f16", "f16", "f16")
        form(shape, "f32", "bf16", "bf16")
    for shape in (m.TF32_K4, m.TF32_K8):
        form(shape, "f32", "tf32", "tf32")
    for shape in (m.F64_M8K4, m.F64_K4, m.F64_K8, m.F64_K16):
        form(shape, "f64", "f64", "f64")
    for shape in (m.BYTE_M8K16, m.BYTE_K16, m.BYTE_K32):
        for a, b in (("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8")):
            form(shape, "s32", a, b)
            form(shape, "s32", a, b, ".satfinite")
    for shape in (m.NIBBLE_M8K32, m.NIBBLE_K32, m.NIBBLE_K64):
        for a, b in (("s4", "s4"), ("s4", "u4"), ("u4", "s4"), ("u4", "u4")):
            form(shape, "s32", a, b)
    form(m.NIBBLE_K64, "s32", "u4", "s4", ".satfinite")
    for shape in (m.BYTE_K16, m.BYTE_K32):
        for a, b in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")):
            form(shape, "f32", a, b)
    form(m.BYTE_K32, "f16", "e5m2", "e5m2")
    for shape in (m.BIT_M8K128, m.BIT_K128, m.BIT_K256):
        form(shape, "s32", "b1", "b1", how="xor")
        form(shape, "s32", "b1", "b1", how="and")
    return out


FORMS = forms()


def source(all_forms: list[Form]) -> bytes:
    """The program: reads all inputs from a file, runs each form once, writes all results to another."""
    parts = ["#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n"]
    for number, form in enumerate(all_forms):
        wide = form.a == "f64"
        kind, letter = ("double", "d") if wide else ("unsigned", "r")
        shape, size = form.shape, 64 if wide else 32
        counts = [
            rows * columns * matrices.WIDTH[t] // 32 // size
            for rows, columns, t in (
                (shape.m, shape.n, form.d), (shape.m, shape.k, form.a), (shape.k, shape.n, form.b),
            )
        ]  # fmt: skip
        d, a, b = counts
        at = iter(range(d + a + b + d))
        groups = [", ".join(f"%{next(at)}" for _ in range(count)) for count in (d, a, b, d)]
        text = ", ".join(f"{{{group}}}" for group in groups)
        outs = ", ".join(f'"={letter}"(d[{i}])' for i in range(d))
        ins = ", ".join(
            [f'"{letter}"(in[{i}])' for i in range(a)]
            + [f'"{letter}"(in[{a + i}])' for i in range(b)]
            + [f'"{letter}"(in[{a + b + i}])' for i in range(d)]
        )
        parts.append(
            f"__global__ void form_{number}(const {kind}* all, {kind}* out) {{\n"
            f"  const {kind}* in = all + threadIdx.x * {a + b + d}; {kind} d[{d}];\n"
            f'  asm volatile("{form.opcode} {text};" : {outs} : {ins});\n'
            f"  for (int i = 0; i < {d}; ++i) out[threadIdx.x * {d} + i] = d[i];\n}}\n"
            f"static void run_{number}(FILE* from, FILE* to) {{\n"
            f"  std::vector<{kind}> in(32 * {a + b + d}), out(32 * {d}); {kind} *x, *y;\n"
            f"  if (fread(in.data(), sizeof({kind}), in.size(), from) != in.size()) exit(1);\n"
            f"  cudaMalloc(&x, in.size() * sizeof({kind})); cudaMalloc(&y, out.size() * sizeof({kind}));\n"
            f"  cudaMemcpy(x, in.data(), in.size() * sizeof({kind}), cudaMemcpyHostToDevice);\n"
            f"  form_{number}<<<1, 32>>>(x, y);\n"
            f"  cudaMemcpy(out.data(), y, out.size() * sizeof({kind}), cudaMemcpyDeviceToHost);\n"
            f"  fwrite(out.data(), sizeof({kind}), out.size(), to);\n}}\n"
        )
    calls = " ".join(f"run_{number}(from, to);" for number in range(len(all_forms)))
    parts.append(
        "int main(int, char** argv) {\n"
        '  FILE* from = fopen(argv[1], "rb"); FILE* to = fopen(argv[2], "wb");\n'
        f"  for (int n = atoi(argv[3]); n; --n) {{ {calls} }}\n  fclose(to);\n  return cudaGetLastError();\n}}\n"
    )
    return "".join(parts).encode()


def drawn(form: Form, dice: random.Random, edges: bool) -> tuple[Matrix, Matrix, Matrix]:
    """Matrices A, B and C; ``edges``: the ends of the ranges, and integers that overflow."""
    shape = form.shape

    def matrix(rows: int, columns: int, kind: str) -> Matrix:
        low, high = RANGE[kind]
        pick = (lambda: dice.choice((low, high))) if edges and form.d == "s32" else (lambda: dice.randint(low, high))
        return [[pick() for _ in range(columns)] for _ in range(rows)]

    reach = (1 << 31) - 1 if form.d == "s32" and edges else 50
    c = [[dice.choice((-reach, reach, dice.randint(-reach, reach))) for _ in range(shape.n)] for _ in range(shape.m)]
    return matrix(shape.m, shape.k, form.a), matrix(shape.k, shape.n, form.b), c


def product(form: Form, a: Matrix, b: Matrix, c: Matrix) -> Matrix:
    """D in whole numbers, wrapped or clamped to 32 bits."""
    shape, out = form.shape, []
    for row in range(shape.m):
        out.append([])
        for column in range(shape.n):
            total = int(c[row][column])
            for k in range(shape.k):
                x, y = int(a[row][k]), int(b[k][column])
                total += x ^ y if form.how == "xor" else x & y if form.how == "and" else x * y
            if form.d == "s32" and form.saturates:
                total = max(-(1 << 31), min((1 << 31) - 1, total))
            elif form.d == "s32":
                total = (total + (1 << 31)) % (1 << 32) - (1 << 31)
            out[-1].append(total)
    return out


def of_lane(place: matrices.Place, matrix: Matrix, lane: int) -> list[float]:
    """The elements that a lane holds, in order."""
    count = len(matrix) * len(matrix[0]) // 32
    places = [place(lane // 4, lane % 4, i) for i in range(count)]
    return [matrix[row][column] for row, column in places]


@pytest.fixture(scope="module")
def program(device: Device) -> Path:
    return device.build("matrices", source(FORMS))


def pack(form: Form, words: list[int]) -> bytes:
    return struct.pack(f"<{len(words)}{'Q' if form.a == 'f64' else 'I'}", *words)


def test_every_form_is_a_product_of_matrices(device: Device, program: Path) -> None:
    dice, given, wanted = random.Random(4), [], []
    rounds = 6
    for turn in range(rounds):
        for form in FORMS:
            a, b, c = drawn(form, dice, edges=turn % 2 == 1)
            d = product(form, a, b, c)
            for lane in range(32):
                words = [
                    *registers(form.a, of_lane(form.shape.a, a, lane)),
                    *registers(form.b, of_lane(form.shape.b, b, lane)),
                    *registers(form.d, of_lane(form.shape.c, c, lane)),
                ]
                given.append(pack(form, words))
                wanted.append((form, lane, registers(form.d, of_lane(form.shape.c, d, lane))))
    (device.root / "given").write_bytes(b"".join(given))
    ran = device.run(program, str(device.root / "given"), str(device.root / "got"), str(rounds))
    assert (ran.status, ran.out, ran.findings) == (0, "", [])  # whole numbers rest on no assumption
    got, at, wrong = (device.root / "got").read_bytes(), 0, []
    for form, lane, words in wanted:
        size = len(words) * (8 if form.a == "f64" else 4)
        if got[at : at + size] != pack(form, words):
            wrong.append((form.opcode, lane))
        at += size
    assert at == len(got)
    assert wrong == []


def test_sums_that_are_rounded_rest_on_an_assumption(device: Device, program: Path) -> None:
    """Halves of mixed sizes: f32 sums in the order of k, which is ours, and said so."""
    dice, given, wanted = random.Random(5), [], []
    marked = next(f for f in FORMS if ".m16n8k16.row.col.f32.f16" in f.opcode)

    def rounded(kind: str, value: float) -> float:
        return float(struct.unpack(f"<{kind}", struct.pack(f"<{kind}", value))[0])

    for form in FORMS:
        shape = form.shape
        a, b, c = drawn(form, dice, edges=False)
        if form is marked:
            a = [[rounded("e", dice.uniform(-2, 2)) for _ in row] for row in a]
            b = [[rounded("e", dice.uniform(-2, 2)) for _ in row] for row in b]
            d = [[0.0] * shape.n for _ in range(shape.m)]
            for row in range(shape.m):
                for column in range(shape.n):
                    total = float(c[row][column])
                    for k in range(shape.k):
                        total = rounded("f", total + a[row][k] * b[k][column])
                    d[row][column] = total
        else:
            d = product(form, a, b, c)
        for lane in range(32):
            for kind, place, matrix in ((form.a, shape.a, a), (form.b, shape.b, b), (form.d, shape.c, c)):
                given.append(pack(form, registers(kind, of_lane(place, matrix, lane))))
            wanted.append(pack(form, registers(form.d, of_lane(shape.c, d, lane))))
    (device.root / "given").write_bytes(b"".join(given))
    ran = device.run(program, str(device.root / "given"), str(device.root / "got"), "1")
    assert (device.root / "got").read_bytes() == b"".join(wanted)
    assert ran.assumptions() == {"mma-accumulation"}
    assert {each["kernel"] for each in ran.findings} == {f"form_{FORMS.index(marked)}"}
