"""MUS715: what a program asks of CUDA's installation while it runs: its folder, its environment, NVIDIA's tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.literals import Text, texts
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.tools import tool_finding, tool_pattern
from musify_ai.translate.build.vocabulary import names
from musify_ai.translate.calls import call_around, tokens_before
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS715"
TITLE = "CUDA's folder, environment or tool at run time"
WHY = """
What a program looks up while it runs is in none of its names: a folder under /usr/local/cuda, a variable such as
CUDA_VISIBLE_DEVICES that it sets before the first call, a tool such as nvidia-smi that it starts. On MUSA the folder is
another, the variable is read by nobody, and the tool is not there, all without an error of the compiler's.
"""
EXAMPLE = """
setenv("CUDA_VISIBLE_DEVICES", "0", 1);
"""
INSTEAD = """
`MUSA_VISIBLE_DEVICES`, `MUSA_LAUNCH_BLOCKING`, `MUSA_HOME`, `/usr/local/musa`; `mthreads-gmi` for nvidia-smi. What
is compiled at run time wants mcc and its flags.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: README.md, docs (MUSA_HOME, MUSA_VISIBLE_DEVICES, MUSA_LAUNCH_BLOCKING)",
    "ggml-org/ggml: src/ggml-musa/CMakeLists.txt (MUSA_PATH, /usr/local/musa)",
)
TRIGGERS = frozenset(
    (
        b"usr", b"opt", b"nvidia", b"nvprof", b"nsys", b"ncu", b"nvcc", b"cuobjdump", b"CUDA_HOME", b"CUDA_PATH",
        b"CUDA_ROOT", b"CUDA_VISIBLE_DEVICES", b"CUDA_LAUNCH_BLOCKING", b"CUDA_DEVICE_ORDER",
        b"CUDA_DEVICE_MAX_CONNECTIONS",
    )
)  # fmt: skip
VALID = (
    'int f() { return printf("see /usr/local/cuda and nvidia-smi"); }\n',
    "// getenv(CUDA_HOME)\n/* /usr/local/cuda */\n",
    'const char* k = "CUDA_HOME";\n',
    '#include "/usr/local/lib/x.h"\n',
    'void f() { throw Bad("install CUDA in /usr/local/cuda"); }\n',
)
INVALID = (
    Case(
        'const char* f() { return getenv("CUDA_HOME"); }\n',
        output='const char* f() { return getenv("MUSA_HOME"); }\n',
    ),
    Case(
        'void f() { setenv("CUDA_VISIBLE_DEVICES", "0", 1); putenv("CUDA_LAUNCH_BLOCKING=1"); }\n',
        output='void f() { setenv("MUSA_VISIBLE_DEVICES", "0", 1); putenv("MUSA_LAUNCH_BLOCKING=1"); }\n',
    ),
    Case('void f() { setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1); }\n', findings=("CUDA_DEVICE_ORDER",)),
    Case(
        'std::string p = "/usr/local/cuda-12.4/lib64";\n',
        output='std::string p = "/usr/local/musa/lib";\n',
    ),
    Case(
        'void f() { system("nvidia-smi -L"); }\n',
        findings=("nvidia-smi",),
        fixed='void f() { system("mthreads-gmi -L"); }\n',
    ),
)

_FOLDER = late_pattern(rb"/(?:usr/local|opt)/cuda(?:-\d+(?:\.\d+)*)?(?:/lib64\b)?(?![\w.-])")
_NAME = late_pattern(rb"(CUDA_[A-Z_]+)(?:=|\Z)")
_ENVIRONMENT = frozenset(
    b"getenv secure_getenv setenv putenv unsetenv _putenv _putenv_s GetEnvironmentVariable".split()
)
_RUNNING = frozenset(b"system popen _popen execlp execl execvp".split())
_TELLING = frozenset(b"printf fprintf puts fputs perror sprintf snprintf printf_s".split())


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Strings of which a call says what they are, and folders in any string that is not printed."""
    src = unit.src
    for text in texts(src, unit.regions):
        folders = list(_FOLDER.finditer(text.data))
        named = _NAME.match(text.data)
        tools = list(tool_pattern().finditer(text.data))
        if not (folders or named or tools):
            continue
        before = tokens_before(src, text.start)
        call, streamed = call_around(before), before[-1:] and before[-1].text == b"<<"
        if call in _TELLING or streamed or (b" " in text.data and call not in _RUNNING):
            continue
        if named is not None and call in _ENVIRONMENT:
            yield from _variable(text, named)
        for match in folders:
            if text.is_plain(*match.span()):
                new = match[0].split(b"/cuda")[0] + b"/musa" + (b"/lib" if match[0].endswith(b"/lib64") else b"")
                yield Edit(*text.span(*match.span()), match[0], new, CODE, "rule", "safe", "rules/build/names.toml")
        if call in _RUNNING:
            for match in tools:
                if text.is_plain(*match.span()):
                    yield tool_finding(CODE, match[0], *text.span(*match.span()))


def _variable(text: Text, named: re.Match[bytes]) -> Iterator[Edit | Finding]:
    if not text.is_plain(*named.span(1)):
        return
    start, end = text.span(*named.span(1))
    name = named[1].decode()
    row = names("environment").get(name)
    if row is not None and row.musa:
        yield Edit(start, end, named[1], row.musa.encode(), CODE, "rule", "safe", row.note)
    else:
        said = f"{name}: no public MUSA source shows a variable for it; one that nobody reads does nothing, in silence."
        yield Finding(CODE, "warning", start, end, said, effort=EFFORT, name=name)
