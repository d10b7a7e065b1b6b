"""Constructs of CUDA that a rename does not settle, as data: what MUSA does with each, and which codes say so.

``rules/constructs/unsupported.toml`` has what public MUSA code shows to be missing or different,
``rules/constructs/frequent.toml`` what CUDA projects use in the most files. A test holds every row's example against
the rules, and ``benchmarks/coverage.py`` holds the rows against the lists that they were made from.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.rules.locating import data_dir

FILES = ("unsupported", "frequent")
_LISTS = ("codes", "archs")


class Construct(NamedTuple):
    """One row. It has ``codes``, or ``becomes`` (names settle it: the output holds that text and nothing is found),
    or a ``reason`` why no rule speaks of it. ``status`` is what MUSA does, where a source says."""

    kind: str
    name: str
    status: str = ""
    codes: tuple[str, ...] = ()
    becomes: str = ""
    reason: str = ""
    example: str = ""
    path: str = "a.cu"
    archs: tuple[str, ...] = ()
    sdk: str = ""


def read(folder: Path) -> tuple[Construct, ...]:
    """The rows of a folder's two files, in order."""
    found = []
    for kind in FILES:
        for row in tomllib.loads((folder / f"{kind}.toml").read_text("utf-8"))["construct"]:
            given: dict[str, Any] = {key: tuple(row[key]) if key in _LISTS else row[key] for key in row}
            found.append(Construct(kind, **given))
    return tuple(found)


@lru_cache(maxsize=1)
def constructs() -> tuple[Construct, ...]:
    """The rows of the installation."""
    return read(data_dir() / "constructs")


def covered_by(code: str) -> tuple[Construct, ...]:
    """The constructs that a code speaks of."""
    return tuple(each for each in constructs() if code.upper() in each.codes)
