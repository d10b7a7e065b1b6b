"""MUS409: PTX and CUDA binaries that a program loads as it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import calls, declares
from musify_ai.translate.unit import Unit

CODE = "MUS409"
TITLE = "PTX or CUDA binary loaded at run time"
WHY = """
The driver's calls that load a module have twins on MUSA, and take what mcc made. MUSA has no PTX, and does not read
NVIDIA's binaries: a program that hands over a `.ptx`, `.cubin` or `.fatbin` file, or PTX in a string, builds as ever
and finds no kernel when it runs.
"""
EXAMPLE = """
cuModuleLoad(&module, "kernels.ptx");
"""
INSTEAD = """
Have mcc compile the kernels ahead of time and launch them as functions of the program, or load the binary that mcc
made for each arch. Write PTX that is held in a string as a kernel in C++.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/sppark-musa: MUSA_5.2_SCOPE.md (no PTX)",
    "CUDA Driver API 12.9, Module Management (cubin files, PTX files, fatbin files)",
)
TRIGGERS = frozenset(
    (
        b"cuModuleLoad",
        b"cuModuleLoadData",
        b"cuModuleLoadDataEx",
        b"cuModuleLoadFatBinary",
        b"cuLinkAddData",
        b"cuLinkAddData_v2",
        b"cuLinkAddFile",
        b"cuLinkAddFile_v2",
        b"cuLibraryLoadData",
        b"cuLibraryLoadFromFile",
        b"cudaLibraryLoadData",
        b"cudaLibraryLoadFromFile",
        b"address_size",
    )
)
VALID = (
    '// cuModuleLoad(&m, "k.ptx")\n',
    "CUresult cuModuleLoad(CUmodule* module, const char* name);\n",
    "struct S { int cuModuleLoad(int); }; int f(S s) { return s.cuModuleLoad(1); }\n",
    'const char* s = "k.ptx";\n',
    "int address_size = 64;\n",
    'puts("address_size of .version");\n',
)
INVALID = (
    Case('void f() { cuModuleLoad(&m, "k.ptx"); }\n', findings=("cuModuleLoad",)),
    Case("void f() { CHECK(cuModuleLoadData(&m, image)); }\n", findings=("cuModuleLoadData",)),
    Case(
        'const char* k = ".version 7.0\\n.target sm_80\\n.address_size 64\\n";\n',
        findings=('".version 7.0\\n.target sm_80\\n.address_size 64\\n"',),
    ),
    Case(
        'const char* k = R"(// made by hand\n.version 7.0\n.target sm_80\n.address_size 64\n)";\n',
        findings=('R"(// made by hand\n.version 7.0\n.target sm_80\n.address_size 64\n)"',),
    ),
)

_CALLS = TRIGGERS - {b"address_size"}
_PTX = late_pattern(rb"\.version[ \t]+\d.{0,400}\.target[ \t]+(?:sm_|texmode)", re.DOTALL)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each call that loads a module, and for each string that is one in PTX."""
    for index, _, _ in calls(unit, _CALLS):
        if declares(unit, index):
            continue
        name = unit.tokens[index].text.decode("ascii")
        yield Finding(
            CODE,
            "warning",
            unit.tokens[index].start,
            unit.tokens[index].end,
            f"{name} loads what nvcc or a PTX compiler made: MUSA has no PTX and does not read NVIDIA's binaries, so "
            "this fails when it runs. Load what mcc made, or link the kernels into the program.",
            effort=EFFORT,
            name=name,
        )
    for start, end in _texts(unit):
        yield Finding(
            CODE,
            "error",
            start,
            end,
            "this string is PTX, which MUSA does not have. Write the kernel in C++ and have mcc compile it.",
            effort=EFFORT,
            name="PTX",
        )


def _texts(unit: Unit) -> Iterator[tuple[int, int]]:
    """The literals, taken together where several stand in a row, that begin a module in PTX."""
    rows: list[tuple[int, int]] = []
    for kind, start, end in unit.regions if b"address_size" in unit.words else ():
        if kind not in ("string", "raw-string"):
            continue
        if rows and not unit.src[rows[-1][1] : start].strip():
            rows[-1] = rows[-1][0], end
        else:
            rows.append((start, end))
    return (row for row in rows if _PTX.search(unit.src, *row) is not None)
