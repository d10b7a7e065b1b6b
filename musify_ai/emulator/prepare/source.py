"""One file through all the steps of preparation."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from musify_ai.emulator.prepare.captures import SharedName, captures
from musify_ai.emulator.prepare.launches import launches
from musify_ai.emulator.prepare.pointers import kernel_casts, launch_casts, named_kernels
from musify_ai.emulator.prepare.ptx import asm_statements, refusals
from musify_ai.emulator.prepare.scan import Replacement, Scan, apply
from musify_ai.emulator.prepare.shared_memory import Aliases, shared_memory, specifier_aliases
from musify_ai.emulator.prepare.words import file_names, noinline, waiting_loops

Side = Literal["cuda", "musa"]

_TRIGGERS = (
    *(b"<<<", b"__shared__", b"__noinline__", b"LaunchKernel", b"LaunchCooperativeKernel", b"while", b"asm"),
    *(b"KernelNodeParams", b"GetFuncBySymbol", b'extern "C" __global__'),
)


class Problem(NamedTuple):
    """Something that could not be prepared: the line (from 1), a short code, and what it is."""

    line: int
    code: str
    message: str


class Prepared(NamedTuple):
    """A file as the compiler is to see it, with as many lines as before, and what could not be prepared."""

    text: bytes
    problems: tuple[Problem, ...]


def prepare(
    src: bytes, side: Side, *, path: str | None = None, aliases: Mapping[bytes, tuple[bytes, ...]] | None = None
) -> Prepared:
    """Make one file compilable against the emulator's headers of a side. Never raises on odd input.

    With ``path`` the file calls itself by that name (``__FILE__``). ``aliases`` are macros of other files that stand
    for ``__shared__`` (`specifier_aliases`), where the caller knows them.
    """
    known: Aliases = {**(aliases or {}), **specifier_aliases(src)}
    triggers = _TRIGGERS + ((b"__FILE__",) if path is not None else ())
    if not any(trigger in src for trigger in (*triggers, *known)):
        return Prepared(src, ())
    scan = Scan(src)
    file = (
        b'"' + path.encode("utf-8", "surrogateescape").replace(b"\\", b"/").replace(b'"', b"'") + b'"' if path else b""
    )
    problems: list[Problem] = []
    replacements: list[Replacement] = []
    declared: list[SharedName] = []
    for item in shared_memory(scan, known, declared):
        if isinstance(item, Replacement):
            replacements.append(item)
        else:
            problems.append(Problem(scan.line(item[0]), "shared-memory", item[1]))
    if side == "cuda" and b"asm" in src:
        for change, problem in asm_statements(scan):
            replacements.append(change)
            if problem is not None:
                problems.append(Problem(scan.line(problem[0]), "asm", problem[1]))
    elif b"asm" in src:
        replacements += refusals(scan)
    replacements += captures(scan, declared)
    replacements += launches(scan, file or b"__FILE__")
    replacements += [*noinline(scan), *launch_casts(scan), *kernel_casts(scan), *named_kernels(scan)]
    replacements += waiting_loops(scan)
    if path is not None:
        replacements += file_names(scan, file)
    return Prepared(apply(scan, replacements), tuple(sorted(problems)))
