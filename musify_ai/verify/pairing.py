"""Which kernel of the original is compared with which of the translation, in which instantiation, by which unit."""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from musify_ai.kernels import find_kernels, find_launches
from musify_ai.kernels.launches import callee_name
from musify_ai.records import Kernel, Launch
from musify_ai.source import Token, tokens
from musify_ai.verify.branches import Span, neutral
from musify_ai.verify.closures import HOST_SUFFIXES, UNIT_SUFFIXES, Closure, Sources
from musify_ai.verify.instantiating import Instantiator
from musify_ai.verify.patches import base_name

GUESSED = "instantiation-guessed"


class Pair(NamedTuple):
    """One kernel in one instantiation, on both sides. ``translated`` is None where the translation lacks it.

    ``arguments`` are the template arguments of each side, None for a plain function. Of one kernel's ``guessed`` pairs
    the first that runs stands for all; ``absent`` says that the translation instantiates the kernel, but not so.
    """

    id: str
    original: Kernel
    translated: Kernel | None
    arguments: tuple[tuple[str, ...], tuple[str, ...]] | None
    guessed: bool = False
    absent: bool = False

    def expression(self, side: int) -> str:
        """The kernel as C++ names it on a side (0 the original, 1 the translation)."""
        kernel = self.translated if side and self.translated is not None else self.original
        if self.arguments is None:
            return kernel.name
        return f"{kernel.name}<{', '.join(self.arguments[side])}>"

    @property
    def instantiation(self) -> str | None:
        """The original's template arguments as text."""
        return ", ".join(self.arguments[0]) if self.arguments is not None else None


class UnitPlan(NamedTuple):
    """A translation unit of the original, its counterpart, what both take in, and the kernels it is to check."""

    original: str
    translated: str
    closures: tuple[Closure, Closure]
    pairs: tuple[Pair, ...]
    launches: tuple[Launch, ...]
    translated_launches: tuple[Launch, ...]


def is_unit(path: str, src: bytes) -> bool:
    """Whether a file is compiled by itself as device code."""
    suffix = PurePosixPath(path).suffix
    return suffix in UNIT_SUFFIXES or (suffix in HOST_SUFFIXES and (b"__global__" in src or b"<<<" in src))


def plan_units(
    originals: Sources,
    translations: Sources,
    files: Mapping[str, str],
    wanted: Collection[str] = (),
    instantiator: Instantiator | None = None,
    paths: Collection[str] = (),
) -> list[UnitPlan]:
    """The units to build, each with its kernels; a header's kernel goes to the first unit that uses it, and to the
    header itself where none includes it. ``wanted`` names kernels and ``paths`` the files that define them, all where
    empty."""
    kernels: dict[str, tuple[Kernel, ...]] = {}
    launches: dict[str, tuple[Launch, ...]] = {}
    units: list[str] = []
    for path in sorted(files):
        src = originals.read(path)
        if src is None:
            continue
        if not paths or path in paths:
            found = find_kernels(src, path)
            kernels[path] = tuple(each for each in found if not wanted or _wanted(each, wanted))
        launches[path] = find_launches(src, path)
        if is_unit(path, src):
            units.append(path)
    closures = {unit: originals.closure(unit) for unit in units}
    chosen: dict[str, list[Kernel]] = {}
    for path, ours in kernels.items():
        for kernel in ours:
            unit = _unit_of(path, kernel, units, closures, launches)
            chosen.setdefault(unit, []).append(kernel)
    plans = []
    for unit in sorted(chosen):
        closure = closures.get(unit) or originals.closure(unit)
        plans.append(_plan(unit, closure, chosen[unit], originals, translations, files, instantiator))
    return plans


def _wanted(kernel: Kernel, wanted: Collection[str]) -> bool:
    return kernel.name in wanted or kernel.name.rsplit("::", 1)[-1] in wanted


def _unit_of(
    path: str, kernel: Kernel, units: Sequence[str], closures: Mapping[str, Closure],
    launches: Mapping[str, tuple[Launch, ...]],
) -> str:  # fmt: skip
    if path in closures:
        return path
    takers = [unit for unit in units if path in closures[unit].files]
    name = base_name(kernel.name).decode()
    for unit in takers:
        for file in closures[unit].files:
            if any(callee_name(launch) == name for launch in launches.get(file, ())):
                return unit
    return takers[0] if takers else path


def _plan(
    unit: str, closure: Closure, kernels: Sequence[Kernel], originals: Sources, translations: Sources,
    files: Mapping[str, str], instantiator: Instantiator | None,
) -> UnitPlan:  # fmt: skip
    counterpart = files.get(unit, unit)
    other = translations.closure(counterpart)
    launches = _launches(originals, closure)
    other_launches = _launches(translations, other)
    pairs: list[Pair] = []
    found: dict[str, tuple[Kernel, ...]] = {}
    twins: list[Kernel | None] = []
    for kernel in kernels:
        path = files.get(kernel.path, kernel.path)
        if path not in found:
            src = translations.read(path)
            found[path] = find_kernels(src, path) if src is not None else ()
        mine = find_kernels(originals.read(kernel.path) or b"", kernel.path)
        twins.append(_counterpart(kernel, mine, found[path]))
    if instantiator is not None:
        kernels = instantiator.resolve(kernels, originals, closure, "cuda")
        known = [each for each in twins if each is not None]
        resolved = iter(instantiator.resolve(known, translations, other, "musa"))
        twins = [None if each is None else next(resolved) for each in twins]
    for kernel, translated in zip(kernels, twins, strict=True):
        for pair in _pairs(kernel, translated, launches, other_launches):
            pairs.append(pair._replace(id=f"k{len(pairs)}"))
    return UnitPlan(unit, counterpart, (closure, other), tuple(pairs), launches, other_launches)


def _launches(sources: Sources, closure: Closure) -> tuple[Launch, ...]:
    return tuple(each for path in closure.files for each in find_launches(sources.read(path) or b"", path))


def _counterpart(kernel: Kernel, mine: Sequence[Kernel], theirs: Sequence[Kernel]) -> Kernel | None:
    """The translated kernel: of the same name (among overloads the same in order), else the one in the same place."""
    same = [each for each in theirs if each.name == kernel.name]
    own = [each for each in mine if each.name == kernel.name]
    order = next((i for i, each in enumerate(own) if each.start == kernel.start), 0)
    if same:
        return same[order] if order < len(same) else same[-1]
    if len(mine) == len(theirs):
        place = next((i for i, each in enumerate(mine) if each.start == kernel.start), -1)
        candidate = theirs[place] if place >= 0 else None
        if candidate is not None and not any(each.name == candidate.name for each in mine):
            return candidate
    return None


def _pairs(
    kernel: Kernel, translated: Kernel | None, launches: Sequence[Launch], other: Sequence[Launch]
) -> list[Pair]:
    if not kernel.template:
        return [Pair("", kernel, translated, None)]
    mine = instantiations(kernel, launches)
    theirs = instantiations(translated, other) if translated is not None else []
    if not mine:
        return [Pair("", kernel, translated, (each, each), guessed=True) for each in _guesses(kernel)]
    if len(mine) == len(theirs):
        return [Pair("", kernel, translated, each) for each in zip(mine, theirs, strict=True)]
    known = {_neutral(each): each for each in theirs}
    return [
        Pair("", kernel, translated, (each, other or each), absent=other is None and bool(theirs))
        for each in mine
        for other in [known.get(_neutral(each))]
    ]


def _neutral(arguments: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Template arguments without what is the vendor's in a name: ``__nv_bfloat16`` is ``__mt_bfloat16``."""
    encoded = [each.encode("utf-8", "surrogateescape") for each in arguments]
    return tuple(neutral(each, Span(0, len(each))) for each in encoded)


def instantiations(kernel: Kernel, launches: Sequence[Launch]) -> list[tuple[str, ...]]:
    """The sets of template arguments that a kernel is used with, as the text tells them."""
    found = {each.arguments: None for each in kernel.instantiations}
    name = base_name(kernel.name).decode()
    if not found:
        for launch in launches:
            if callee_name(launch) == name:
                arguments = _written_arguments(launch.callee)
                if arguments and len(arguments) <= len(kernel.template) and not _is_parameter(kernel, arguments):
                    found.setdefault(arguments)
    return list(found)


def _is_parameter(kernel: Kernel, arguments: Sequence[str]) -> bool:
    """Whether some type among a launch's arguments is the launching template's own: it has the name of the kernel's
    parameter in that place, and says nothing of what it stands for."""
    for written, argument in zip(kernel.template, arguments, strict=False):
        toks = [token.text.decode("utf-8", "replace") for token in tokens(written.split("=", 1)[0].encode())]
        if toks[:1] in (["typename"], ["class"]) and toks[-1] == argument:
            return True
    return False


def _written_arguments(callee: str) -> tuple[str, ...]:
    """The template arguments at the end of ``ns::k<a, b>``."""
    text = callee.strip()
    if not text.endswith(">") or "<" not in text:
        return ()
    inner = text[text.index("<") + 1 : -1]
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(inner):
        if letter in "<([{":
            depth += 1
        elif letter in ">)]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(inner[start:at].strip())
            start = at + 1
    return tuple(each for each in (*parts, inner[start:].strip()) if each)


_ACCUMULATOR = re.compile(r"acc|compute|opmath|float", re.IGNORECASE)


def _guesses(kernel: Kernel) -> list[tuple[str, ...]]:
    """Plain template arguments where nothing tells the real ones, in order of preference: ``float`` for types, then
    ``__half`` for those that are no accumulators (kernels of mixed precision specialise what they call for those)."""
    return list(dict.fromkeys(_guess(kernel, each) for each in ("float", "__half")))


def _guess(kernel: Kernel, element: str) -> tuple[str, ...]:
    """Plain template arguments: a type for types, small powers of two for sizes."""
    out = []
    for written in kernel.template:
        toks: list[Token] = tokens(written.encode("utf-8", "replace"))
        texts = [token.text for token in toks]
        if b"=" in texts:
            break  # a default, and defaults for all that follow
        if texts[:1] in ([b"typename"], [b"class"]):
            out.append("float" if _ACCUMULATOR.search(texts[-1].decode("utf-8", "replace")) else element)
        elif b"bool" in texts:
            out.append("true")
        else:
            name = texts[-1].lower() if texts else b""
            out.append("128" if b"block" in name or b"thread" in name else "32" if b"warp" in name else "4")
    return tuple(out)
