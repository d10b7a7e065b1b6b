"""The MUSA names there are: those seen in real MUSA code or headers, and those that stand in a published table only.

The emulated MUSA headers declare nothing else. The rows are the emulator's own: never made from the translator's
rules, or a wrong pair of names would cancel out. A ``listed`` row is added by hand, one name at a time.
"""

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

MANIFEST = Path(__file__).with_name("manifest.tsv")
LIBRARIES = Path(__file__).with_name("manifest_libraries.tsv")
PYTORCH = Path(__file__).with_name("manifest_pytorch.tsv")
"""Rows ``name<TAB>kind<TAB>seen|listed<TAB>where``; lines that start with # say something about what follows. The
second file has what the libraries need, the third torch_musa."""

EVIDENCE = ("seen", "listed")


class Row(NamedTuple):
    """One MUSA name, its kind (function, type, enum, macro, header ...), its evidence and where that is."""

    name: str
    kind: str
    evidence: str
    where: str


class ManifestError(Exception):
    """The manifest, or what was declared by it, is at fault."""


def parse(text: str) -> dict[str, Row]:
    """Rows by name. Raises `ManifestError` for a row that is no row, or a name that stands twice."""
    rows: dict[str, Row] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4 or not all(cells) or cells[2] not in EVIDENCE:
            raise ManifestError(f"manifest line {number}: expected name, kind, seen or listed, where: {line!r}")
        row = Row(*cells)
        if row.name in rows:
            raise ManifestError(f"manifest line {number}: {row.name} stands there twice")
        rows[row.name] = row
    return rows


@functools.cache
def rows() -> dict[str, Row]:
    """The manifest, by name."""
    return parse("".join(path.read_text(encoding="utf-8") for path in (MANIFEST, LIBRARIES, PYTORCH)))


def unproven(names: Iterable[str]) -> set[str]:
    """Those of some names that no MUSA code or header is known to use: they stand in a published table only."""
    known = rows()
    return {name for name in names if name in known and known[name].evidence == "listed"}


def missing(names: Iterable[str]) -> set[str]:
    """Those of some names that have no row at all."""
    return set(names) - rows().keys()
