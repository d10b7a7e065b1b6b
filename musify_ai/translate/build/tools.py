"""MUS814: NVIDIA's tools, called by a build, a recipe or a script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.spoken import spoken
from musify_ai.translate.build.vocabulary import names
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS814"
TITLE = "NVIDIA tool called"
WHY = """
A profiler, a debugger, a checker or nvidia-smi that a recipe or a script calls is not there on a machine with MUSA.
What only prints is noticed; what reads the output, as a script that asks nvidia-smi for the number of GPUs, goes on
with nothing in its hands.
"""
EXAMPLE = """
profile: app
\tnsys profile -o app ./app
"""
INSTEAD = """
`mthreads-gmi` for nvidia-smi, `msys` (Moore Perf System) for nsys and nvprof, `mcu` (Moore Perf Compute) for ncu: their
options and outputs are their own, so the finding only suggests the name. There is no public counterpart of
compute-sanitizer and cuda-memcheck; on the CPU `musify-ai run --sanitize address` and `--races` find much of it.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "Moore Threads: developer.mthreads.com/musa/moore-perf-tools (Moore Perf System, Moore Perf Compute)",
    "MooreThreads/torch_musa: issues 71 and 86 (mthreads-gmi)",
)
TRIGGERS = frozenset((b"nvprof", b"nsys", b"ncu", b"nvidia", b"cuobjdump", b"memcheck", b"sanitizer"))
VALID = (
    "nsys = 1\n",
    "# nvprof ./app\n",
    "all:\n\t@echo nvprof ./app\n",
)
INVALID = (
    Case("prof: app\n\t$(SUDO) nvprof ./app\n", findings=("nvprof",),
         fixed="prof: app\n\t$(SUDO) msys ./app\n", path="Makefile"),
    Case("PROF ?= /usr/local/cuda/bin/nsys\n", findings=("nsys",),
         fixed="PROF ?= /usr/local/cuda/bin/msys\n", path="Makefile"),
    Case("all:\n\t@echo nvprof\n\tcompute-sanitizer --tool memcheck ./a\n", findings=("compute-sanitizer",),
         path="Makefile"),
    Case('add_custom_target(p COMMAND ncu --set full app) # ncu\nmessage("ncu")\n', findings=("ncu",),
         fixed='add_custom_target(p COMMAND mcu --set full app) # ncu\nmessage("ncu")\n', path="CMakeLists.txt"),
    Case("n=$(nvidia-smi -L | wc -l)\necho nvprof\n", findings=("nvidia-smi",),
         fixed="n=$(mthreads-gmi -L | wc -l)\necho nvprof\n", path="run.sh"),
)  # fmt: skip

_COMMENT = late_pattern(rb"(?m)(?:^|(?<=[ \t]))#[^\n]*")
_PRINTED = late_pattern(rb"(?m)^[ \t@+-]*(?:echo|printf)\b[^\n`$]*")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The calls in a CMake file or Makefile; in a file of another kind those outside comments and what it prints."""
    system = build_system(unit.path)
    if system in ("cmake", "make"):
        yield from tools_in(unit.src, spoken(unit))
    elif system in ("shell", "docker"):
        yield from tools_of_script(unit.src)


def tools_of_script(src: bytes) -> Iterator[Finding]:
    """The calls in a shell script or what is much like one."""
    code = src
    for pattern in (_COMMENT, _PRINTED):
        code = pattern.sub(lambda match: b" " * len(match[0]), code)
    yield from tools_in(code, ((0, len(code)),))


def tools_in(src: bytes, spans: Iterable[tuple[int, int]]) -> Iterator[Finding]:
    """A finding for each tool named in some spans of a file."""
    for start, end in spans:
        for match in tool_pattern(compiler=False).finditer(src, start, end):
            yield tool_finding(CODE, match[0], match.start(), match.end())


def tool_finding(code: str, tool: bytes, start: int, end: int) -> Finding:
    """What is to be said of a tool at a place, under the code of the rule that found it."""
    name = tool.decode()
    row = names("tools")[name]
    edit = None
    if row.musa:
        edit = Edit(start, end, tool, row.musa.encode(), code, "rule", "display", "rules/build/names.toml")
        text = f"{name} is not there on MUSA: {row.musa} takes its place ({row.note})."
    else:
        text = f"{name} is not there on MUSA, and no public source shows a counterpart: {row.note}."
    return Finding(code, "warning", start, end, text, effort=EFFORT, edit=edit, name=name)


@cache
def tool_pattern(*, compiler: bool = True) -> re.Pattern[bytes]:
    """A tool by its name, with or without the path to it; no part of another word or of a file's name. The compiler is
    one of them but for builds, where rules of its own speak of it."""
    known = names("tools") if compiler else names("tools").keys() - {"nvcc"}
    every = b"|".join(re.escape(name.encode()) for name in sorted(known, key=len, reverse=True))
    return re.compile(rb"(?<![\w.$({-])(?<!\$[({])(?:" + every + rb")(?![\w.-]|[ \t]*[:+?]?=(?!=))|"
                      rb"(?<=\$\()(?:" + every + rb")(?=[ \t])")  # fmt: skip
