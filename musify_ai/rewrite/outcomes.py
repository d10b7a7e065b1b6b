"""What came of a unit, attempt by attempt, and how it is kept."""

from typing import Any, Literal, NamedTuple

from musify_ai.records import Verdict
from musify_ai.rewrite.gates.protocol import FailureClass
from musify_ai.rewrite.providers.protocol import Usage
from musify_ai.rewrite.units import WorkUnit

Turn = Literal["greedy", "repair", "sample", "store"]


class Tried(NamedTuple):
    """One attempt: the hash of its request, of its prompt alone, how it came out and at which gate, what was said.

    ``outcome`` is ``accepted`` or a class. ``code`` is what was taken out of the answer, empty where nothing was. An
    attempt without an answer has no tokens.
    """

    turn: Turn
    request: str
    prompt_sha256: str
    outcome: Literal["accepted"] | FailureClass
    gate: str = ""
    reason: str = ""
    report: str = ""
    code: str = ""
    usage: Usage = Usage()


class Rewritten(NamedTuple):
    """What came of a unit: the attempts in order, the accepted code of each of its functions (none where none was),
    and what goes with it."""

    unit: WorkUnit
    model: str
    tries: tuple[Tried, ...]
    codes: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    origin: Literal["model", "store"] = "model"

    @property
    def code(self) -> bytes | None:
        """The accepted code of the unit's first function; None where nothing was accepted."""
        return self.codes[0] if self.codes else None

    @property
    def best(self) -> Tried | None:
        """The attempt that got furthest, the last of several."""
        return max(self.tries, key=lambda each: (_FAR[each.outcome], self.tries.index(each)), default=None)


_FAR: dict[str, int] = {
    "budget": 0, "infra": 1, "extract": 2, "truncated": 2, "forbidden": 3, "cheating": 3, "signature": 4, "compile": 5,
    "runtime": 6, "timeout": 6, "numeric": 7, "nondeterministic": 8, "accepted": 9,
}  # fmt: skip


def tried_to_json(tried: Tried) -> dict[str, Any]:
    """An attempt as a JSON object."""
    return {**tried._asdict(), "usage": tried.usage._asdict()}


def tried_from_json(value: dict[str, Any]) -> Tried:
    """The attempt of a JSON object."""
    return Tried(**{**value, "usage": Usage(**value["usage"])})
