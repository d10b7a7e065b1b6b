"""What CMake, Make and nvcc call things, and what they are called for MUSA: `rules/build`, read when first asked."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple

Grade = Literal["seen", "prefix", "none", "version"]


class Counterpart(NamedTuple):
    """What becomes of a name: ``musa`` where there is a counterpart (``seen`` or ``prefix``), and why else not."""

    musa: str
    grade: Grade
    note: str = ""


class Flags(NamedTuple):
    """nvcc's flags by what becomes of them. The sets hold flags without their values."""

    dropped: frozenset[str]
    dropped_valued: frozenset[str]
    telling: tuple[str, ...]
    noted: dict[str, str]
    renamed: dict[str, str]
    passed_on: frozenset[str]
    respelled: dict[str, str]
    unknown: dict[str, str]


@cache
def names(group: str) -> dict[str, Counterpart]:
    """The names of a group (``targets``, ``libraries``, ``variables``, ``functions``, ``environment``)."""
    found: dict[str, Counterpart] = {}
    for grade, rows in _read("names.toml")[group].items():
        for name, value in rows.items():
            if grade in ("none", "version"):
                found[name] = Counterpart("", grade, value)
            else:
                musa, note = (value, "") if isinstance(value, str) else value
                found[name] = Counterpart(musa, grade, note)
    return found


@cache
def sources() -> dict[str, str]:
    """What a row's note stands for where it is the short name of a source."""
    return dict(_read("names.toml")["sources"])


@cache
def flags() -> Flags:
    """The table of nvcc's flags."""
    rows = _read("flags.toml")
    return Flags(
        frozenset(rows["dropped"]["flags"]),
        frozenset(rows["dropped"]["valued"]),
        tuple(rows["dropped"]["telling"]),
        rows["dropped"]["noted"],
        rows["renamed"],
        frozenset(rows["passed-on"]["flags"]),
        rows["respelled"],
        rows["unknown"],
    )


@cache
def _read(name: str) -> dict[str, Any]:
    import tomllib

    from musify_ai.rules.locating import data_dir

    with (data_dir() / "build" / name).open("rb") as file:
        return tomllib.load(file)
