"""Runs many ``asm`` statements on many inputs in one compiled program, by way of the preparation of real source."""

import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from musify_ai.emulator import device_dir
from musify_ai.emulator.prepare import prepare

COMPILER = shutil.which("g++") or shutil.which("clang++")
FLAGS = ("-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fno-strict-aliasing")
_TYPES = {"h": "unsigned short", "r": "unsigned", "l": "unsigned long long", "f": "float", "d": "double"}


Expected = int | None | Callable[[int], bool]


class Case(NamedTuple):
    """A statement's text, the constraints of its outputs and inputs, rows of inputs, what each row must give.

    ``expected`` gets a row and returns raw bits for each output; ``None`` in a place: any NaN, or anything at all.
    """

    text: str
    outputs: str
    inputs: str
    rows: Sequence[tuple[int, ...]]
    expected: Callable[..., Sequence[Expected]]


def source(cases: Sequence[Case]) -> bytes:
    parts = [
        "#include <cstdint>\n#include <cstdio>\n#include <cstring>\n#include <vector>\n"
        "namespace emu { inline void spin() {} inline void unsupported_asm(const char* name) { puts(name); } }\n"
        '#include "ptx/bits.h"\n#include "ptx/convert.h"\n#include "ptx/integer.h"\n#include "ptx/video.h"\n'
    ]
    for number, case in enumerate(cases):
        lines = [f"static void case_{number}(const uint64_t* in, uint64_t* out) {{"]
        for i, letter in enumerate(case.inputs):
            lines.append(f"  {_TYPES[letter]} a{i}; memcpy(&a{i}, in + {i}, sizeof a{i});")
        for i, letter in enumerate(case.outputs):
            lines.append(f"  {_TYPES[letter]} d{i};")
        outs = ", ".join(f'"={letter}"(d{i})' for i, letter in enumerate(case.outputs))
        ins = ", ".join(f'"{letter}"(a{i})' for i, letter in enumerate(case.inputs))
        lines.append(f'  asm volatile("{case.text}" : {outs} : {ins});')
        lines += [f"  memcpy(out + {i}, &d{i}, sizeof d{i});" for i in range(len(case.outputs))]
        parts.append("\n".join([*lines, "}\n"]))
    table = ", ".join(f"{{case_{i}, {len(c.inputs)}, {len(c.outputs)}}}" for i, c in enumerate(cases))
    parts.append(
        "struct Entry { void (*run)(const uint64_t*, uint64_t*); size_t in, out; };\n"
        f"static const Entry table[] = {{{table}}};\n"
        "int main(int, char** argv) {\n"
        '  FILE* from = fopen(argv[1], "rb"); FILE* to = fopen(argv[2], "wb");\n'
        "  for (const Entry& e : table) {\n"
        "    uint64_t rows; if (fread(&rows, 8, 1, from) != 1) return 1;\n"
        "    for (; rows; --rows) {\n"
        "      uint64_t in[8] = {}, out[4] = {};\n"
        "      if (e.in && fread(in, 8, e.in, from) != e.in) return 1;\n"
        "      e.run(in, out); fwrite(out, 8, e.out, to);\n"
        "    }\n  }\n  fclose(to);\n}\n"
    )
    return "".join(parts).encode()


def run(cases: Sequence[Case], directory: Path) -> list[str]:
    """What came out wrong, in words; at most a few a case."""
    prepared = prepare(source(cases), "cuda")
    assert prepared.problems == ()
    (directory / "cases.cpp").write_bytes(prepared.text)
    program = directory / "cases"
    command = [str(COMPILER), *FLAGS, f"-I{device_dir()}", "-o", str(program), str(directory / "cases.cpp")]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert built.returncode == 0, built.stderr[:4000]
    data = [struct.pack("<Q", len(c.rows)) + b"".join(struct.pack(f"<{len(r)}Q", *r) for r in c.rows) for c in cases]
    (directory / "in").write_bytes(b"".join(data))
    ran = subprocess.run(
        [str(program), str(directory / "in"), str(directory / "out")], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0 and not ran.stdout, (ran.returncode, ran.stdout[:1000])
    values = iter(struct.iter_unpack("<Q", (directory / "out").read_bytes()))
    wrong: list[str] = []
    for case in cases:
        bad = 0
        for row in case.rows:
            got = [next(values)[0] for _ in case.outputs]
            want = case.expected(*row)
            for g, w in zip(got, want, strict=True):
                if w is None or (w(g) if callable(w) else g == w):
                    continue
                bad += 1
                if bad <= 3:
                    shown = ", ".join(f"{value:#x}" for value in row)
                    wrong.append(f"{case.text} of {shown}: {g:#x} instead of {w if callable(w) else hex(w)}")
    return wrong
