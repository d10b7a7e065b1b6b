"""``--direction m2c``: MUSA names back to CUDA's. Names and headers only; what a port changed besides stays a port."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from musify_ai.records import Edit, Finding, Grade, Options, Safety
from musify_ai.rules import RENAMED, load
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.names import messages
from musify_ai.translate.names.includes import include_tokens
from musify_ai.translate.names.tier import defined_in
from musify_ai.translate.names.views import FileView

NO_WAY_BACK = "MUS113"

# CUDA and MUSA both have these: as a MUSA name each is CUDA's own, not the alias that became it.
_SHARED = frozenset((b"__half", b"__half2"))
_VMM = b"CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED"
# Where two names or headers became one, the one that code for today's CUDA writes.
_PREFERRED = {
    b"MUBLAS_GEMM_DEFAULT": b"CUBLAS_GEMM_DEFAULT",
    b"MUBLAS_TENSOR_OP_MATH": b"CUBLAS_TENSOR_OP_MATH",
    _VMM.replace(b"CU_", b"MU_").replace(b"MEMORY", b"ADDRESS"): _VMM,
    b"mublas.h": b"cublas_v2.h",
}
_LOOKS_MUSA = late_pattern(
    rb"(?:__)?(?:MUSA|MUSART|MUSACC)_\w+|__MUSA\w*__|musa[A-Z]\w*|mu[A-Z][a-z]\w*|MU_[A-Z]\w*|"
    rb"(?:mublas|mufft|murand|musparse|musolver|mudnn|mccl|mtrtc|mtml)[A-Z]\w*|__mt_\w+|__musa_\w+"
)


class Back(NamedTuple):
    """MUSA names and include tokens with the CUDA ones that they stand for, and the grade of each name's pair."""

    names: dict[bytes, bytes]
    headers: dict[bytes, bytes]
    grades: dict[bytes, Grade]


@lru_cache(maxsize=4)
def back(sdk: str, overlay: str, own: tuple[str, ...]) -> Back:
    """The rules read the other way. The first of two names that became one counts, but for `_PREFERRED`."""
    rules = load("main", sdk, overlay, own)
    names: dict[bytes, bytes] = {}
    grades: dict[bytes, Grade] = {}
    for cuda, musa in rules.names.items():
        if musa in _SHARED or rules.label(cuda).library == "torch":
            continue
        if names.setdefault(musa, cuda) == cuda or _PREFERRED.get(musa) == cuda:
            names[musa] = cuda
            treatment = rules.label(cuda).treatment
            grades[musa] = "seen" if treatment == "seen" else "table" if treatment == "table" else "prefix"
    headers: dict[bytes, bytes] = {}
    for token, header in rules.headers.items():
        if header.treatment in RENAMED and header.library != "torch":
            headers.setdefault(header.musa, token)
    headers.update((musa, cuda) for musa, cuda in _PREFERRED.items() if musa in headers)
    return Back(names, headers, grades)


def translate_back(unit: FileView) -> Iterator[Edit | Finding]:
    """The edits that take a file's MUSA names back, and a note for each name that has no way back.

    What the file defines itself, members and qualified names stay, as on the way there.
    """
    options: Options = unit.options
    known = back(options.sdk, options.overlay, options.rules)
    for start, end, token, _ in include_tokens(unit.src, unit.regions, unit.words):
        cuda = known.headers.get(token)
        if cuda is not None:
            yield Edit(start, end, token, cuda, "headers.back", "table", "safe", "the rules read backwards")
    held = known.names.keys() & unit.words
    alike = {word for word in unit.words - held if _LOOKS_MUSA.fullmatch(word)}
    names = held | alike
    if not names:
        return
    there = defined_in(unit, names, ())
    noted: set[bytes] = set()
    for found in there.used:
        if found.name in there.own:
            continue
        cuda = known.names.get(found.name)
        if cuda is not None:
            grade = known.grades[found.name]
            safety: Safety = "unsafe" if grade == "prefix" else "safe"
            edit = Edit(
                found.start, found.end, found.name, cuda, "names.back", grade, safety, "the rules read backwards"
            )
            yield edit
            if grade == "prefix":
                yield messages.derived(edit, found.name.decode("ascii"), "", applied=options.unsafe_fixes)
        elif found.name not in noted:
            noted.add(found.name)
            yield _no_way_back(found.start, found.end, found.name.decode("utf-8", "replace"))


def _no_way_back(start: int, end: int, name: str) -> Finding:
    return Finding(
        NO_WAY_BACK,
        "warning",
        start,
        end,
        f"{name} was left: no CUDA name became it, so there is no way back by name. Write this place for CUDA by hand.",
        effort="hours",
        settled=False,
        name=name,
    )
