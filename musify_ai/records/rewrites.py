"""An answer of a model to a finding, and how it fared. Only the record: the stage itself comes later."""

from typing import NamedTuple

from musify_ai.records.changes import Edit


class Attempt(NamedTuple):
    """One answer: the hash of what was sent, the outcome (``accepted`` or a failure class), what was said of it."""

    prompt_sha256: str
    outcome: str
    detail: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


class Rewrite(NamedTuple):
    """The rewriting of one finding (by its id): model, attempts in order, and the edit that passed every gate."""

    finding: str
    path: str
    model: str
    attempts: tuple[Attempt, ...] = ()
    accepted: Edit | None = None
