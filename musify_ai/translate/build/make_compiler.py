"""MUS810: nvcc in Makefiles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.kinds import build_system
from musify_ai.translate.build.make_shell import commands_named_nvcc
from musify_ai.translate.build.make_view import Line, Makefile, makefile
from musify_ai.translate.build.words import Word, words_in
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS810"
TITLE = "nvcc in a Makefile"
WHY = """
mcc is called where nvcc was, with two differences. It takes `.mu` files for device code but a `.cu` file only behind
`-x musa`, and that holds for every input behind it, object files too, until `-x none`. And it does not link the runtime
by itself.
"""
EXAMPLE = """
app: app.cu util.o
	nvcc -o $@ app.cu util.o
"""
INSTEAD = """
`mcc -o $@ -x musa app.cu -x none util.o -lmusart`, with the SDK's `lib` folder searched. A command whose inputs cannot
be told apart by reading is a finding; `$^` over sources and objects is split by `filter`.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/tutorial_on_musa: musa_quick_start/0_example_mul (mcc, -x musa, -lmusart)",
    "MUSA SDK 5.2 programming guide: a first kernel (-L/usr/local/musa/lib)",
)
TRIGGERS = frozenset((b"nvcc", b"NVCC", b"cu", b"CUDACC", b"CUDA_CC", b"CUDA_NVCC"))
_LINK = " -L$(or $(MUSA_HOME),/usr/local/musa)/lib -lmusart"
VALID = ("# nvcc a.cu\n", "all:\n\tg++ a.cpp\n")
INVALID = (
    Case(
        "app: app.cu util.o\n\tnvcc -o $@ app.cu util.o\n",
        output=f"app: app.cu util.o\n\tmcc -o $@ -x musa app.cu -x none util.o{_LINK}\n",
        path="Makefile",
    ),
    Case(
        "CC = nvcc\n%.o: %.cu Makefile\n\t$(CC) -O3 -c $< -o $@\n",
        output="CC = mcc\n%.o: %.cu Makefile\n\t$(CC) -O3 -x musa -c $< -o $@\n".replace(
            "-x musa -c $<", "-c -x musa $<"
        ),
        path="Makefile",
    ),
    Case(
        "NVCC ?= nvcc\na: a.o\n\t$(NVCC) a.o -o a\n",
        output=f"NVCC ?= mcc\na: a.o\n\t$(NVCC) a.o -o a{_LINK}\n",
        path="Makefile",
    ),
    Case(
        "a: a.cu b.o\n\tnvcc $^ -o a\n",
        output=f"a: a.cu b.o\n\tmcc -x musa $(filter %.cu,$^) -x none $(filter-out %.cu,$^) -o a{_LINK}\n",
        path="Makefile",
    ),
    Case(
        "src = a.cu\nobj = $(src:.cu=.o)\na: $(obj)\n\tnvcc $(obj) -o $@\n",
        output=f"src = a.cu\nobj = $(src:.cu=.o)\na: $(obj)\n\tmcc $(obj) -o $@{_LINK}\n",
        path="Makefile",
    ),
    Case(
        "a: a.cu\n\tnvcc $(firstword a.cu b.o) -o $@ x$(S)y.cu\n",
        output=f"a: a.cu\n\tmcc $(firstword a.cu b.o) -o $@ -x musa x$(S)y.cu{_LINK}\n",
        path="Makefile",
    ),
)

_SOURCE = "MooreThreads/tutorial_on_musa: musa_quick_start/0_example_mul"
_NVCC_WORD = late_pattern(rb"(?<![\w.-])nvcc(?:\.exe)?(?![\w.-])")
# A macro's text, and a string of several words.
_TEXTS = late_pattern(rb"-D\S*\\\"[^\n]*?\\\"|-D\w+=(?:'[^']*'|\"[^\"]*\"|\S+)|'[^'\n]*[ \t][^'\n]*'")
_IN_DEFINE = late_pattern(rb"(?m)(?:^|[;&|])[\t @+-]*(nvcc|\$?\$[({](?:NVCC|CUDACC|CUDA_CC|CUDA_NVCC)[)}])[ \t]")
# What may stand before the compiler in a command: make's marks and references, a launcher, a setting.
_BEFORE = late_pattern(
    r"[@+(-]+|[@+-]*\$[({][\w.-]+[)}]|[@+-]*(?:if|then|else|do|while|!|time|env|exec|sudo|nice|ccache|sccache|distcc|cd)"
    r"|[@+-]*[A-Za-z_]\w*=.*"
)
_SAYING = late_pattern(rb"\$\((?:info|warning|error) [^()]*(?:\([^()]*\)[^()]*)*\)")
_SEPARATOR = late_pattern(rb"&&|\|\||;|\||\$\(Q\)")
_CU = late_pattern(r"(?:^|[^\w])?[^\s]*\.cu$", re.IGNORECASE)
# A variable that another file sets, named for sources.
_NAMED_SOURCES = late_pattern(r"\$[({]\w*(?:CU_?(?:DA)?_?(?:SRCS?|SOURCES?|FILES?)|SRCS?|SOURCES?)[)}]", re.IGNORECASE)
_NO_LINK = frozenset(("-c", "-dc", "--device-c", "-dlink", "--device-link", "-ptx", "--ptx", "-cubin", "--cubin",
                      "-fatbin", "--fatbin", "-M", "-MM", "-E", "--compile", "-lib", "--lib", "--version", "-V",
                      "-dw"))  # fmt: skip
_VALUED = frozenset(("-o", "-I", "-L", "-D", "-U", "-include", "-isystem", "-MF", "-MT", "-MQ", "-x", "--x", "-arch",
                     "-code", "-gencode", "-Xcompiler", "-Xptxas", "-Xlinker", "-ccbin", "-std", "-t", "--threads",
                     "--compiler-options", "--generate-code", "-odir", "-maxrregcount"))  # fmt: skip


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The edits and findings of a Makefile."""
    if build_system(unit.path) != "make":
        return
    view = makefile(unit)
    for line in view.lines:
        if line.kind in ("recipe", "define"):
            for start, end in commands_named_nvcc(unit.src, line.value, line.value_end):
                yield _edit(unit, start, end, "mcc")
        elif line.kind != "other":
            for start, end in _values(unit.src, line.value, line.value_end):
                yield _edit(unit, start, end, "mcc")
        if line.kind == "recipe":
            for start, end in _commands(view, line):
                yield from _command(unit, view, line, words_in(unit.src, start, end))
        elif line.kind == "define":
            yield from _defined(unit, line)


def _values(src: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Each `nvcc` of a value, a list or a condition that is the compiler: not in what is said, in a macro's text or in
    a longer string."""
    said = [match.span() for match in (*_SAYING.finditer(src, start, end), *_TEXTS.finditer(src, start, end))]
    for match in _NVCC_WORD.finditer(src, start, end):
        if not any(begin <= match.start() < stop for begin, stop in said):
            yield match.span()


def _defined(unit: Unit, line: Line) -> Iterator[Finding]:
    """A command in a `define`: what it is handed is put in later."""
    match = _IN_DEFINE.search(unit.src, line.value, line.value_end)
    if match is None or re.search(rb"-x[ \t]+(?:cu|musa|c\+\+)\b", unit.src[line.value : line.value_end]):
        return
    yield Finding(
        CODE, "warning", match.start(1), match.end(1),
        "this command stands in a define, so what it is handed is not read here: mcc takes a .cu file for device code "
        "behind `-x musa` only, and links with -L$(MUSA_HOME)/lib -lmusart. Write both where they are wanted.",
        effort=EFFORT, name="define",
    )  # fmt: skip


def _commands(view: Makefile, line: Line) -> Iterator[tuple[int, int]]:
    """The shell commands of a recipe line."""
    begin = line.value
    for match in [*_SEPARATOR.finditer(view.src, line.value, line.value_end), None]:
        end = line.value_end if match is None else match.start()
        if match is not None and view.src.count(b"(", begin, end) != view.src.count(b")", begin, end):
            continue  # inside $(shell ...)
        yield begin, end
        begin = end if match is None else match.end()


def _command(unit: Unit, view: Makefile, line: Line, words: list[Word]) -> Iterator[Edit | Finding]:
    comment = next((i for i, word in enumerate(words) if word.text.startswith("#")), len(words))
    words = words[:comment]  # the shell's own
    compiler = next((i for i, word in enumerate(words[:6]) if view.is_nvcc(word.text.lstrip("@-+("))), None)
    if compiler is None or not all(_BEFORE.fullmatch(word.text) for word in words[:compiler]):
        return
    rest = words[compiler + 1 :]
    name = words[compiler].text.lstrip("@-+(")
    condition = f"$(filter %mcc,{name})" if view.may_be_another(name) else ""
    spoken = view.expanded(" ".join((name, *(word.text for word in rest)))).split()  # a variable may hold flags too
    inputs = list(_inputs(view, line, rest))
    if "-x" not in spoken and "--x" not in spoken:
        yield from _language(unit, view, rest, inputs, condition)
    for word, kind in inputs:
        if kind == "shell" and "-x" not in spoken:
            yield Finding(
                CODE, "warning", word.start, word.end,
                f"{word.text} is put in by the shell, so what it holds is not read: mcc takes a .cu file for device "
                "code behind `-x musa` only. Write that before it where it may be one.",
                effort=EFFORT, name=word.text,
            )  # fmt: skip
    links = _NO_LINK.isdisjoint(spoken) and any(kind != "flags" for _, kind in inputs)
    if links and not any("cudart" in word or "musart" in word for word in spoken):
        end = words[-1].end
        yield _edit(unit, end, end, f" $(if {condition},{_LINK.strip()})" if condition else _LINK)


def _inputs(view: Makefile, line: Line, words: list[Word]) -> Iterator[tuple[Word, str]]:
    """The words that may be inputs: each ``cu``, ``other``, ``mixed`` or, for a variable, ``flags``."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.text.startswith("-"):
            skip = word.text in _VALUED
        elif re.match(r"\d?[<>]", word.text):
            return  # redirected: no more inputs
        else:
            yield word, _kind(view, line, word.text)


def _kind(view: Makefile, line: Line, text: str) -> str:
    """Whether a word of a command is a ``.cu`` file, something else, both (a list), flags, or cannot be told."""
    if text.startswith(("$$", "`")):
        return "shell"
    rule = view.lines[line.rule]
    prerequisites = view.expanded(view.text(rule)).split("|")[0].split()
    if text in ("$<", "$(<)"):
        suffix = re.match(r"\.cu(?:\.\w+)?$", rule.name)
        return "cu" if suffix or (prerequisites and _is_cu(prerequisites[0])) else "other"
    if text in ("$^", "$+", "$(^)", "$(+)", "$?"):
        held = prerequisites
    else:
        held = view.expanded(text).split()
    if held and all(each.startswith("-") for each in held):
        return "flags"
    plain = [each for each in held if not each.startswith("-")]
    cu = [each for each in plain if _is_cu(each)]
    if cu:
        return "cu" if len(cu) == len(plain) else "mixed"
    return "unknown" if any(each.startswith("$") and each not in ("$@", "$*") for each in plain) else "other"


def _is_cu(text: str) -> bool:
    return text.lower().endswith((".cu", "%.cu)", "*.cu)", ".cu,$^)", ".cu,$+)")) or text.lower().startswith(
        "$(filter%.cu,"
    )


def _language(
    unit: Unit, view: Makefile, words: list[Word], inputs: list[tuple[Word, str]], condition: str
) -> Iterator[Edit | Finding]:
    """``-x musa`` before the first ``.cu`` of each stretch of them, ``-x none`` where other inputs follow; where
    another compiler may be called, in the case of ``condition`` only."""
    on = False
    musa, none = (f"$(if {condition},-x {each})" if condition else f"-x {each}" for each in ("musa", "none"))
    for word, kind in inputs:
        if kind == "mixed" or (kind == "unknown" and _NAMED_SOURCES.match(word.text)):
            if not re.fullmatch(r"\$(?:[\^+?]|[({][\w.-]+[)}])", word.text):
                yield Finding(
                    CODE, "warning", word.start, word.end,
                    f"{word.text} holds .cu files and others: mcc takes a .cu file for device code behind `-x musa` "
                    "only, and object files must not stand behind it. Name the two apart, or rename the sources to "
                    ".mu.",
                    effort=EFFORT, name=word.text,
                )  # fmt: skip
                continue
            lead = "" if on else f"{musa} "
            new = f"{lead}$(filter %.cu,{word.text}) {none} $(filter-out %.cu,{word.text})"
            yield _edit(unit, word.start, word.end, new)
            on = False
        elif kind == "cu" and not on:
            yield _edit(unit, word.start, word.start, f"{musa} ")
            on = True
        elif on and kind in ("other", "unknown"):
            yield _edit(unit, word.start, word.start, f"{none} ")
            on = False


def _edit(unit: Unit, start: int, end: int, new: str) -> Edit:
    return Edit(start, end, unit.src[start:end], new.encode(), CODE, "rule", "safe", _SOURCE)
