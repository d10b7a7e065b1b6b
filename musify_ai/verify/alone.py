"""A kernel built by itself, with just what it needs of its unit: the way out where the whole unit does not build."""

from collections.abc import Mapping, Sequence

from musify_ai.backends.diagnostics import missing_header
from musify_ai.backends.emulated import MAIN, BuildFailure, Emulated, Side, Unit
from musify_ai.emulator import pytorch
from musify_ai.kernels.callgraph import CallGraph
from musify_ai.kernels.closure import closure
from musify_ai.records import Kernel
from musify_ai.verify.branches import build_watched
from musify_ai.verify.building import (
    CHANGES_MEANING,
    PERMISSIVE,
    Registration,
    SideBuild,
    SideSource,
    Unsettled,
    first_error,
    functions_to_stub,
    main_text,
    unsettled_headers,
)
from musify_ai.verify.closures import includes
from musify_ai.verify.patches import FileParts, Reason, base_name, refuse_asm

MOST_ROUNDS = 8
"""Rounds in which headers that are not here, and instantiations that do not build, are left out."""


def build_alone(
    backend: Emulated,
    side: Side,
    macro: int,
    source: SideSource,
    kernel: Kernel,
    registrations: Sequence[Registration],
    unsettled: Mapping[str, Sequence[Unsettled]],
) -> SideBuild:
    """Build one kernel's closure, in all its instantiations at once; those that do not build are dropped with the
    reason. What it reaches that is unsettled makes it a stub without building anything."""
    graph = None
    for parts, function, reason in functions_to_stub(source.files, unsettled):
        graph = graph or CallGraph(
            {path: each.src for path, each in source.files.items()},
            {path: each.outline for path, each in source.files.items()},
        )
        if graph.reaches(kernel, parts.path, function.body_start):
            return SideBuild(None, reason.code, stubbed={base_name(kernel.name): reason})
    texts = {path: parts.src for path, parts in source.files.items()}
    for parts, span, _ in unsettled_headers(source.files, unsettled):
        texts[parts.path] = _blanked(texts[parts.path], span)
    headers = {path: text for path, text in texts.items() if path != source.unit}
    of_pytorch = any(
        pytorch.is_pytorch(include.name) for each in source.files.values() for include in includes(each.src)
    )
    namespaces = pytorch.NAMESPACES if of_pytorch else frozenset()
    text = closure(texts[source.unit], kernel, headers, namespaces)
    parts = FileParts(source.unit, text)
    if side == "musa":
        text = refuse_asm(parts, text)
    text_of_main, ids = main_text(SideSource(source.unit, {source.unit: parts}, ()), registrations)
    lines = text_of_main.split("\n")
    first = [f"#include <{pytorch.MAIN}>"] if of_pytorch else []
    dropped: dict[str, Reason] = {}
    defines = source.defines
    for _ in range(MOST_ROUNDS):
        unit = Unit({source.unit: text}, "\n".join([*first, *lines]), defines=defines)
        watched = build_watched(backend, unit, side, macro, {source.unit: parts})
        result = watched.built if watched is not None else backend.build(unit, side, macro)
        if not isinstance(result, BuildFailure):
            return SideBuild(result, dropped=dropped, unit=unit, watched=watched)
        fewer = _without_missing(text, result)
        refused = _refused(result, {line + len(first): name for line, name in ids.items()})
        if any(CHANGES_MEANING in each.message for each in result.diagnostics) and defines == source.defines:
            defines = (*defines, *PERMISSIVE)
        elif fewer == text and refused and {each.id for each in registrations} - dropped.keys() - refused.keys():
            dropped |= refused
            lines = ["" if ids.get(number) in dropped else line for number, line in enumerate(lines, 1)]
        elif fewer == text:
            break
        text = fewer
    message = first_error(result)
    return SideBuild(None, message, dropped={each.id: Reason("", message) for each in registrations} | dropped)


def _refused(failure: BuildFailure, ids: Mapping[int, str]) -> dict[str, Reason]:
    """The registrations whose instantiation fails, with the error; empty where some error is not of one alone."""
    out: dict[str, Reason] = {}
    for each in failure.diagnostics:
        places = ((each.file, each.line), *each.needed_by)
        name = next((ids[line] for path, line in places if path == MAIN and line in ids), None)
        if name is None:
            return {}
        out.setdefault(name, Reason("", f"{each.file}:{each.line}: {each.message}"))
    return out


def _without_missing(text: bytes, failure: BuildFailure) -> bytes:
    """A closure without the includes of headers that are not here: what the kernel needs of them is missing by name."""
    missing = {missing_header(diagnostic) for diagnostic in failure.diagnostics}
    for each in includes(text):
        if each.name in missing:
            text = _blanked(text, (each.start, each.end))
    return text


def _blanked(text: bytes, span: tuple[int, int]) -> bytes:
    """A text with some bytes blank: offsets and lines stay."""
    gone = bytes(byte if byte in b"\r\n" else 0x20 for byte in text[span[0] : span[1]])
    return text[: span[0]] + gone + text[span[1] :]
