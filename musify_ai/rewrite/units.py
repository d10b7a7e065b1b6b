"""The work unit: functions that hold constructs no rule settles, with what a model must know to rewrite them.

What an answer replaces are whole function definitions of the translated text, so that an answer has one shape whatever
the construct is. Functions that one kernel runs make one unit, for a kernel can be checked only once all of them are
rewritten: a copy, its commit and its wait stand in three functions more often than in one.
"""

from typing import NamedTuple

from musify_ai.records import Finding


class Sheet(NamedTuple):
    """A fact sheet (``rules/facts/<name>.toml``): sentences that a model is told of a construct, and its version,
    which is part of the canonical hash."""

    name: str
    version: int
    facts: tuple[str, ...]


class Example(NamedTuple):
    """A verified rewrite of the kind: functions before and after, and the construct of the corpus that they are of."""

    before: str
    after: str
    case: str = ""


class Drop(NamedTuple):
    """A line outside of functions that nothing needs once a unit is rewritten (the include of a header that MUSA
    lacks): its bytes in the translated file and in the original, and the finding that goes with it."""

    place: str
    start: int
    end: int
    original_start: int
    original_end: int
    finding: Finding


class WorkUnit(NamedTuple):
    """A function to be rewritten.

    ``path`` and ``place`` are its file in the original and in the translation. ``[start, end)`` is the function in the
    translated bytes ``text_of_file``, ``body_start`` the offset of its brace; ``[original_start, original_end)`` the
    same function in the original's bytes. ``kind`` chooses the prompt template, ``findings`` are those inside the
    function that are not settled, the first one giving the unit its id. ``context`` are definitions that the function
    needs (callees, types, macros), as translated, in order; ``launches`` launch expressions as text; ``kernels`` the
    kernels through which the function is checked, and ``kernel_paths`` the original's files that define them.
    ``slower`` says that a right rewrite is slower by design, ``may_vanish`` that a right one may be empty. ``also`` are
    the unit's further functions, each as a unit of one;
    ``optional`` says of such a function that it may stay as it is. ``drops`` are lines that go with the construct.
    """

    path: str
    place: str
    name: str
    kind: str
    findings: tuple[Finding, ...]
    text: bytes
    start: int
    body_start: int
    end: int
    original: bytes
    original_start: int
    original_end: int
    context: tuple[str, ...]
    launches: tuple[str, ...]
    kernels: tuple[str, ...]
    kernel_paths: tuple[str, ...]
    archs: tuple[str, ...]
    sdk: str
    sheets: tuple[Sheet, ...]
    examples: tuple[Example, ...]
    slower: bool = False
    may_vanish: bool = False
    optional: bool = False
    also: tuple["WorkUnit", ...] = ()
    drops: tuple[Drop, ...] = ()

    @property
    def pieces(self) -> tuple["WorkUnit", ...]:
        """The unit's functions, each alone, in the order of file and place."""
        return (self._replace(also=(), drops=()), *self.also)

    @property
    def everything(self) -> tuple[Finding, ...]:
        """The findings of all its functions."""
        return tuple(finding for piece in self.pieces for finding in piece.findings)

    @property
    def names(self) -> str:
        """Its functions' names, for people."""
        return ", ".join(piece.name for piece in self.pieces)

    @property
    def region(self) -> bytes:
        """The function as it was translated so far: what is sent, and what an answer replaces."""
        return self.text[self.start : self.end]

    @property
    def original_region(self) -> bytes:
        """The function as it stands in the original."""
        return self.original[self.original_start : self.original_end]

    @property
    def head(self) -> bytes:
        """The function's head: everything before its body."""
        return self.text[self.start : self.body_start]

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the findings, each once."""
        return tuple(dict.fromkeys(finding.code for finding in self.findings))
