"""The shape of a construct rule, and of the cases that stand beside it and become its tests and its page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from musify_ai.records import Edit, Finding, Safety

if TYPE_CHECKING:
    from musify_ai.translate.unit import Unit


class Case(NamedTuple):
    """Source that a rule has something to say of.

    ``findings`` are the source texts under its findings, in order. ``output`` is the source after the rule's safe
    edits, ``None`` where it makes none; ``fixed`` the source after its safe and unsafe ones, likewise.
    ``archs`` are the targets and ``sdk`` is the SDK, for a rule that speaks of other ones than those that are asked for
    by default.
    """

    source: str
    findings: tuple[str, ...] = ()
    output: str | None = None
    fixed: str | None = None
    path: str = "case.cu"
    archs: tuple[str, ...] = ()
    sdk: str = ""


def in_device(statement: str) -> str:
    """A device function around a statement, for cases."""
    return f"__device__ void f(unsigned& d, unsigned a, unsigned b, const unsigned* p) {{\n  {statement}\n}}\n"


def marked(*statements: str) -> tuple[Case, ...]:
    """A case for each statement, in a device function, with a finding over the whole of it."""
    return tuple(Case(in_device(statement), findings=(statement,)) for statement in statements)


class Rule(Protocol):
    """What a rule's module holds."""

    CODE: str
    TITLE: str
    WHY: str
    EXAMPLE: str
    INSTEAD: str
    SAFETY: Safety
    EFFORT: Literal["minutes", "hours", "days"]
    REFERENCES: tuple[str, ...]
    TRIGGERS: frozenset[bytes]
    VALID: tuple[str, ...]
    INVALID: tuple[Case, ...]

    @staticmethod
    def find(unit: Unit) -> Iterator[Edit | Finding]:
        """The edits and findings of this rule in a file, in any order."""
