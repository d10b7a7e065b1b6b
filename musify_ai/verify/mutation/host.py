"""Mutants of host code: what a whole program's comparison would have to notice between its launches.

A copy or a fill left out (the buffer is stale), turned round, or of half its bytes; a block fewer, half the threads; a
number one too high, two arguments swapped. All are built once behind a switch, which the environment sets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from musify_ai.backends.emulated import Built, Emulated, Unit
from musify_ai.backends.harness_files import harness_dir
from musify_ai.records import Mutants
from musify_ai.syntax.tree import parse
from musify_ai.verify.patches import FileParts

if TYPE_CHECKING:
    from tree_sitter import Node

ROUNDS = 4
MOST = 60
"""Mutants of a program that are run; each takes a run of it."""

_COPY = re.compile(
    r"(?:cuda|musa)Memcpy(?:Async|2D|2DAsync|ToSymbol|FromSymbol|ToSymbolAsync|FromSymbolAsync)?|(?:cu|mu)Memcpy\w+"
)
_FILL = re.compile(r"(?:cuda|musa)Memset(?:Async)?|(?:cu|mu)MemsetD\w+")
_BYTES = re.compile(r"(?:cuda|musa)Mem(?:cpy|set)(?:Async)?")
_TURNED = {
    f"{vendor}Memcpy{way}": f"{vendor}Memcpy{other}"
    for vendor in ("cuda", "musa")
    for way, other in (("HostToDevice", "DeviceToHost"), ("DeviceToHost", "HostToDevice"))
}


class HostSite(NamedTuple):
    """Insertions into a file that make one mutant: ``(offset, 0 for an end and 1 for a beginning, text)``."""

    number: int
    path: str
    line: int
    kind: str
    shown: str
    inserted: tuple[tuple[int, int, bytes], ...]

    def describe(self) -> str:
        """The mutant in words."""
        return f"{self.path}:{self.line}: {self.kind} ({self.shown})"


def find(units: Sequence[Unit]) -> list[HostSite]:
    """The places in the host functions of some units, in files in the order of their names."""
    sources = {path: src for unit in units if unit.language == "c++" for path, src in unit.sources.items()}
    found: list[HostSite] = []
    for path in sorted(sources):
        src = sources[path]
        if b"<<<" not in src and b"emcpy" not in src and b"emset" not in src:
            continue
        bodies = [(f.body_start, f.body_end) for f in FileParts(path, src).functions if f.kind == "host"]
        waiting = [parse(src).root_node]
        while waiting:
            node = waiting.pop()
            if not any(node.start_byte < end and node.end_byte > start for start, end in bodies):
                continue
            if node.type in ("preproc_def", "preproc_function_def", "ERROR"):
                continue
            if node.type == "call_expression" and not node.has_error:
                for kind, shown, inserted in _of(node, src, len(found)):
                    line = node.start_point[0] + 1
                    found.append(HostSite(len(found) + 1, path, line, kind, shown, tuple(inserted)))
            waiting.extend(reversed(node.children))
    return found


def _of(call: Node, src: bytes, before: int) -> Iterator[tuple[str, str, list[tuple[int, int, bytes]]]]:
    """What can be changed at a call; ``before`` numbers are taken."""
    number = before

    def wrapped(name: str, node: Node, more: bytes = b"") -> list[tuple[int, int, bytes]]:
        return [
            (node.start_byte, 1, b"::musify_host::%b<%d>((" % (name.encode(), number)),
            (node.end_byte, 0, b")%b)" % more),
        ]

    arguments = _arguments(call)
    launch = next((each for each in call.children if each.type == "kernel_call_syntax"), None)
    if launch is not None:
        shape = [each for each in launch.named_children if each.type != "comment"]
        for kind, name, node in zip(("a block fewer", "half the threads"), ("fewer", "half"), shape, strict=False):
            number += 1
            yield kind, _text(node, src), wrapped(name, node)
        plain = [each for each in arguments if each.type == "identifier"]
        for index, one in enumerate(plain):
            number += 1
            yield "a number one too high", _text(one, src), wrapped("next", one)
            for two in plain[index + 1 :]:
                number += 1
                texts = _text(one, src), _text(two, src)
                both = [
                    *wrapped("other", one, b", (%b)" % texts[1].encode()),
                    *wrapped("other", two, b", (%b)" % texts[0].encode()),
                ]
                yield "arguments swapped", ", ".join(texts), both
        return
    function = call.child_by_field_name("function")
    name = _text(function, src) if function is not None and function.type == "identifier" else ""
    if not (_COPY.fullmatch(name) or _FILL.fullmatch(name)):
        return
    number += 1
    what = "a copy left out" if _COPY.fullmatch(name) else "a fill left out"
    yield what, _text(call, src), [
        (call.start_byte, 1, b"MUSIFY_LEFT_OUT(%d, " % number), (call.end_byte, 0, b")")
    ]  # fmt: skip
    if _BYTES.fullmatch(name) and len(arguments) >= 3:
        number += 1
        yield "half the bytes", _text(arguments[2], src), wrapped("half", arguments[2])
    for each in arguments:
        turned = _TURNED.get(_text(each, src)) if each.type == "identifier" else None
        if turned is not None:
            number += 1
            before_it = b"(::musify_host::on<%d>() ? %b : " % (number, turned.encode())
            yield "a copy turned round", _text(call, src), [(each.start_byte, 1, before_it), (each.end_byte, 0, b")")]


def _arguments(call: Node) -> list[Node]:
    found = call.child_by_field_name("arguments")
    return [each for each in found.named_children if each.type != "comment"] if found is not None else []


def _text(node: Node, src: bytes) -> str:
    text = " ".join(src[node.start_byte : node.end_byte].decode("utf-8", "replace").split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def write(units: Sequence[Unit], sites: Sequence[HostSite]) -> list[Unit]:
    """The units with their sites behind their numbers; every line stays where it is."""
    by_path: dict[str, list[HostSite]] = {}
    for site in sites:
        by_path.setdefault(site.path, []).append(site)
    header = harness_dir() / "musify_host_mutants.h"
    out = []
    for unit in units:
        sources = {path: _mutated(src, by_path.get(path, ())) for path, src in unit.sources.items()}
        held = unit.language == "c++" and any(path in by_path for path in unit.sources)
        out.append(unit._replace(sources=sources, main=f'#include "{header}"\n{unit.main}') if held else unit)
    return out


def _mutated(src: bytes, sites: Sequence[HostSite] | tuple[()]) -> bytes:
    inserted = []
    for site in sites:
        for offset, side, text in site.inserted:
            # A later site lies inside an earlier one: it begins after it and ends before it.
            inserted.append((offset, side, site.number if side else -site.number, text))
    out, at = [], 0
    for offset, _, _, text in sorted(inserted):
        out += [src[at:offset], text]
        at = offset
    return b"".join([*out, src[at:]])


class MutatedProgram:
    """A program with its mutants, built for the MUSA side; ``failure`` says why there is none."""

    def __init__(self, backend: Emulated, units: Sequence[Unit], macro: int, jobs: int) -> None:
        self.sites = find(units)
        self.failure = ""
        self.built: Built | None = None
        for _ in range(ROUNDS):
            result = backend.build_program(write(units, self.sites), "musa", macro, jobs)
            if isinstance(result, Built):
                self.built = result
                return
            # Lines that do not build so go without mutants: a macro that pastes its argument, say.
            bad = {(each.file, each.line) for each in result.diagnostics}
            kept = [site for site in self.sites if (site.path, site.line) not in bad]
            if len(kept) == len(self.sites):
                break
            self.sites = kept
        self.failure = "the text with mutants in it does not build"


def tried(
    sites: Sequence[HostSite], reached: Sequence[int], differs: Callable[[int], bool], excused: Sequence[str] = ()
) -> tuple[Mutants, int]:  # fmt: skip
    """What became of a program's mutants, and how many were left untried.

    ``differs`` runs the program with one of them. Only those are run whose place a run reaches; one without a place of
    its own (two arguments of different types) is none. ``excused`` are descriptions of those that change nothing.
    """
    known = {site.number: site for site in sites}
    numbers = [number for number in dict.fromkeys(reached) if number in known]
    run = numbers[:MOST]
    living = [known[number].describe() for number in run if not differs(number)]
    pardoned = tuple(each for each in living if any(each.endswith(words) for words in excused))
    mutants = Mutants(
        made=len(run), killed=len(run) - len(living), by_text=0, equivalent=0, excused=pardoned, unreached=(),
        survivors=tuple(each for each in living if each not in pardoned),
    )  # fmt: skip
    return mutants, len(numbers) - len(run)
