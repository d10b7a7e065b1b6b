"""All mutants of a unit's kernels in one text, each behind its number."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from musify_ai.backends.emulated import Unit
from musify_ai.backends.harness_files import harness_dir
from musify_ai.syntax.tree import parse
from musify_ai.verify.mutation.places import Site
from musify_ai.verify.mutation.sites import sites_in
from musify_ai.verify.patches import FileParts, base_name

MOST = 4000
"""Sites of a unit; more are not made (their numbers have to stay below 65,536 in the driver)."""


class Numbered(NamedTuple):
    """A site of a file with its number, from 1, and the base name of the function it is in."""

    number: int
    path: str
    site: Site
    function: bytes


def find(unit: Unit, kernels: Collection[bytes], reached: Collection[bytes]) -> list[Numbered]:
    """The sites in kernels and in device functions that they reach, by base name, in files of a unit."""
    found: list[Numbered] = []
    for path in sorted(unit.sources):
        parts = FileParts(path, unit.sources[path])
        wanted = [f for f in parts.functions if base_name(f.name) in reached and f.kind != "host"]
        if not wanted:
            continue
        tree = parse(parts.src)
        spans: set[tuple[int, int]] = set()
        for function in wanted:
            if (function.body_start, function.body_end) in spans:
                continue
            spans.add((function.body_start, function.body_end))
            kernel = base_name(function.name) in kernels
            for site in sites_in(tree.root_node, parts.src, function.body_start, function.body_end, kernel=kernel):
                if len(found) < MOST:
                    found.append(Numbered(len(found) + 1, path, site, base_name(function.name)))
    return found


def write(unit: Unit, numbered: Iterable[Numbered]) -> Unit:
    """The unit with its sites behind their numbers; every line stays where it is."""
    by_path: dict[str, list[Numbered]] = {}
    for each in numbered:
        by_path.setdefault(each.path, []).append(each)
    sources = {path: _mutated(src, by_path.get(path, [])) for path, src in unit.sources.items()}
    header = harness_dir() / "musify_mutants.h"
    return unit._replace(sources=sources, main=f'#include "{header}"\n{unit.main}')


def _mutated(src: bytes, numbered: Iterable[Numbered]) -> bytes:
    """At one offset what ends comes before what begins; an outer site begins before an inner one and ends after it."""
    inserted: list[tuple[int, int, int, bytes, int]] = []
    for order, (number, _, site, _) in enumerate(numbered):
        before, after = _texts(site, number)
        inserted.append((site.start, 1, order, before, 0))
        if site.moved >= 0:
            text = b" if (::musify_mutant::on<%d>()) { %b; } " % (number, src[site.start : site.end])
            # Outside of whatever begins or ends there.
            behind = site.moved > site.start
            inserted.append((site.moved, 0 if behind else 1, order if behind else -1, text, 0))
        if after:
            inserted.append((site.end, 0, -order, after, 0))
        first, last = site.operator
        if last:
            inserted.append((first, 2, order, b",", last - first))
    out, at = [], 0
    for offset, _, _, text, gone in sorted(inserted):
        out += [src[at:offset], text]
        at = offset + gone
    return b"".join([*out, src[at:]])


def _texts(site: Site, number: int) -> tuple[bytes, bytes]:
    name = b"::musify_mutant::%b<%d>(" % (site.call.encode(), number)
    if site.call == "drop":
        return b"(void)(::musify_mutant::on<%d>() || (" % number, b", true))"
    if site.kind == "body":
        return b" if (" + name + b")) return; ", b""
    return name, b")"


def described(numbered: Mapping[int, Numbered], number: int, unit: Unit) -> str:
    """A mutant in words: where it is and what it does."""
    each = numbered[number]
    text = unit.sources[each.path][each.site.start : each.site.end].split(b"\n", 1)[0][:60]
    shown = f" ({text.decode('utf-8', 'replace').strip()})" if text else ""
    way = "" if each.site.moved < 0 else " down" if each.site.moved > each.site.start else " up"
    return f"{each.path}:{each.site.line}: {each.site.kind}{way}{shown}"
