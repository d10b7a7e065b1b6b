"""The fact sheets (``rules/facts/*.toml``): what a model is told of a kind of construct, as data with a version.

A sheet names the codes it is for, and with ``names`` what a finding's name has to hold; the first one that fits, by
``order`` and then by name, is a finding's own. ``kind`` chooses the prompt template.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.records import Finding
from musify_ai.rewrite.units import Example, Sheet
from musify_ai.rules.locating import data_dir

_KEYS = {"kind", "version", "codes", "names", "order", "slower", "vanishing", "kernel", "facts", "examples"}


class SheetInvalid(ValueError):
    """A file of facts is none."""


class Known(NamedTuple):
    """A sheet with what it is for. ``slower`` says that a right rewrite of the kind is slower by design. ``order`` says
    which sheet is asked first; the lower one wins. Findings whose names begin with one of ``vanishing`` may leave
    nothing behind; ``kernel`` says that the kernels around the construct may have to change with it."""

    sheet: Sheet
    kind: str
    codes: tuple[str, ...]
    names: tuple[str, ...]
    order: int
    slower: bool
    examples: tuple[Example, ...]
    vanishing: tuple[str, ...] = ()
    kernel: bool = False

    def vanishes(self, finding: Finding) -> bool:
        """Whether nothing may be left of a construct."""
        return bool(self.vanishing) and finding.name.startswith(self.vanishing)

    def fits(self, finding: Finding) -> bool:
        """Whether the sheet speaks of a finding."""
        if finding.code not in self.codes:
            return False
        return not self.names or any(name in finding.name for name in self.names)


@cache
def load() -> tuple[Known, ...]:
    """All sheets, in the order they are asked. `SheetInvalid` for one that is none."""
    return read(data_dir() / "facts")


def read(folder: Path) -> tuple[Known, ...]:
    """The sheets of a folder."""
    found = []
    for place in sorted(folder.glob("*.toml")):
        try:
            found.append(_known(place.stem, tomllib.loads(place.read_text(encoding="utf-8"))))
        except (ValueError, KeyError, TypeError) as problem:
            raise SheetInvalid(f"{place}: {problem}") from None
    return tuple(sorted(found, key=lambda each: (each.order, each.sheet.name)))


def sheet_of(finding: Finding, sheets: Sequence[Known]) -> Known | None:
    """The sheet that speaks of a finding; None where none does."""
    return next((each for each in sheets if each.fits(finding)), None)


def _known(name: str, value: dict[str, Any]) -> Known:
    unknown = value.keys() - _KEYS
    if unknown:
        raise SheetInvalid(f"unknown keys: {', '.join(sorted(unknown))}")
    sheet = Sheet(name, int(value["version"]), tuple(str(fact).strip() for fact in value["facts"]))
    examples = tuple(
        Example(each["before"].strip(), each["after"].strip(), str(each["case"])) for each in value.get("examples", ())
    )
    return Known(
        sheet, str(value["kind"]), tuple(value["codes"]), tuple(value.get("names", ())), int(value.get("order", 50)),
        bool(value.get("slower", False)), examples, tuple(value.get("vanishing", ())), bool(value.get("kernel", False)),
    )  # fmt: skip
