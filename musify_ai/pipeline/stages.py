"""The stages that `process` takes a file through, as their callers may replace them: what each is given and answers."""

from collections.abc import Callable, Sequence
from typing import Protocol

from musify_ai.records import Edit, Finding, Options
from musify_ai.styles import Use

Span = tuple[int, int, str]


class Translated(Protocol):
    """What a translator answers."""

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Edits in order, of which no two overlap."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was not settled."""

    @property
    def excluded(self) -> tuple[tuple[int, int], ...]:
        """Spans that the file itself says to leave alone."""

    @property
    def uses(self) -> tuple[Use, ...]:
        """Names that are left to aliases, where the style leaves any."""

    @property
    def owned(self) -> frozenset[bytes]:
        """Names of the table that the file defines itself, where the style has to know."""


class Counted(Protocol):
    """What the residue count answers: names left over, as spans of the output."""

    @property
    def known(self) -> tuple[Span, ...]:
        """Those on the count's own list."""

    @property
    def pattern(self) -> tuple[Span, ...]:
        """Those that only look like CUDA names."""


Translator = Callable[[bytes, str, Options], Translated]
Screen = Callable[[bytes, str, Options], bool]
Counter = Callable[[bytes, Sequence[tuple[int, int]]], Counted]
