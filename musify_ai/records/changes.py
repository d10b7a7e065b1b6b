"""What translating says of a file: the edits, and the findings that need a person (or a later stage)."""

from typing import Literal, NamedTuple

Grade = Literal["seen", "table", "prefix", "rule", "llm"]
"""How well an edit is proven: ``seen`` in real MUSA code or headers, in a published ``table`` only, derived by the
``prefix`` rule, made by a construct ``rule``, or accepted from a model (``llm``)."""

Safety = Literal["safe", "unsafe", "display"]
"""Applied by default, applied with ``--unsafe-fixes``, or only shown."""

Severity = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


class Edit(NamedTuple):
    """Bytes ``[start, end)`` of a file, what stands there and what is to stand there instead.

    ``rule`` is a code (``MUS201``) or, for a plain name, ``names.<library>`` or ``headers.<library>``. ``evidence``
    and ``safety`` are as above; ``source`` says where the evidence comes from, in a phrase. ``applied`` is set by
    the pipeline, which alone decides.
    """

    start: int
    end: int
    old: bytes
    new: bytes
    rule: str
    evidence: Grade
    safety: Safety = "safe"
    source: str = ""
    applied: bool = False
    line: int = 0
    column: int = 0


class Related(NamedTuple):
    """Another place that a finding speaks of; ``path`` is empty for the finding's own file."""

    path: str
    start: int
    end: int
    message: str
    line: int = 0
    column: int = 0


DecidedState = Literal["accepted", "waived", "assigned", "baseline"]
"""What was decided of a finding: it is right as it stands, it will not be done, somebody is to do it; or it is one of
those that a project's baseline holds."""


class Decided(NamedTuple):
    """A person's decision about a finding: who made it, or who is to do what was assigned (``by`` is then who assigned
    it); the day, as ``2026-11-30``; and why. A baseline has neither names nor day."""

    state: DecidedState
    name: str = ""
    on: str = ""
    reason: str = ""
    by: str = ""


class Finding(NamedTuple):
    """A place that was not settled in silence: a code, a span, a message, and the work it takes.

    ``settled`` is false where the translation cannot be built or run as written because of this place (``asm`` left
    in, a name MUSA lacks): the checker then leaves the function out, under this code. ``edit`` is a suggestion that
    nobody has applied. ``name`` is the identifier or opcode the finding is about, where there is one.
    ``fingerprint`` identifies the finding across edits above it; the pipeline computes it. ``decided`` is what persons
    have decided of it, set where a run is told of their decisions.
    """

    code: str
    severity: Severity
    start: int
    end: int
    message: str
    effort: Literal["minutes", "hours", "days"] = "minutes"
    edit: Edit | None = None
    related: tuple[Related, ...] = ()
    settled: bool = True
    name: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    fingerprint: str = ""
    decided: Decided | None = None

    @property
    def closed(self) -> bool:
        """Whether a person has settled it as it stands: it is shown, and counts for nothing."""
        return self.decided is not None and self.decided.state in ("accepted", "waived")

    @property
    def weighs(self) -> bool:
        """Whether it asks for work: a note does not, nor what is closed."""
        return self.severity != "note" and not self.closed
