"""How well a model does over constructs that are known to be settleable: what came of each, and the shares of them.

``first`` is the share that its greedy answer settles, ``repaired`` that with the repairs after it, ``sampled`` that
with the samples too (a model is asked for those only where the others failed, as in `musify_ai.rewrite.loop`). Shares
are of the constructs that were judged: where a server gave no answer, or one could not be run, the model is not to
blame and not to be praised; those are counted apart.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

Came = Literal["accepted", "refused", "unjudged", "settled", "no-unit"]
"""``settled``: rules left nothing to ask; ``no-unit``: there is something left, and nothing that can be asked;
``unjudged``: no answer came, or none that could be looked at here."""

NO_FAULT = frozenset(("infra", "budget"))
"""Classes of a last attempt that say nothing of the model."""


class Turned(NamedTuple):
    """One attempt: ``turn`` is greedy, repair or sample, ``outcome`` accepted or a class, ``gate`` the one that
    refused, ``request`` its request's hash. ``seconds`` is how long the answer took, None where nobody saw it come
    (after a kill)."""

    turn: str
    outcome: str
    gate: str
    reason: str
    request: str
    tokens_in: int
    tokens_out: int
    seconds: float | None


class Row(NamedTuple):
    """What came of a construct, by ``kind`` and ``name``. ``why`` says more where nothing was asked. ``checked`` is the
    time in seconds that the gates took."""

    kind: str
    name: str
    code: str
    came: Came
    turns: tuple[Turned, ...] = ()
    why: str = ""
    checked: float = 0.0
    accepted: str = ""

    @property
    def won(self) -> str:
        """The turn that was accepted, the best of several: greedy, repair or sample; empty for none."""
        turns = {each.turn for each in self.turns if each.outcome == "accepted"}
        return next((turn for turn in ("greedy", "repair", "sample") if turn in turns), "")


class Share(NamedTuple):
    """What came of some constructs: how many there are of each fate, how many each turn won, and the cost."""

    of: int
    settled: int
    no_unit: int
    unjudged: int
    first: int
    repaired: int
    sampled: int
    calls: int
    tokens_in: int
    tokens_out: int
    seconds: float
    timed: int
    checked: float

    @property
    def judged(self) -> int:
        """The constructs that shares are of."""
        return self.of - self.settled - self.no_unit - self.unjudged


def share_of(rows: Iterable[Row]) -> Share:
    """The figures of some constructs."""
    some = list(rows)
    came = Counter(row.came for row in some)
    won = Counter(row.won for row in some)
    # A repair that repeats what was said before makes a request that was made before: it costs nothing.
    turns = list({turn.request: turn for row in some for turn in row.turns if turn.tokens_out}.values())
    seconds = [turn.seconds for turn in turns if turn.seconds is not None]
    first, repaired = won["greedy"], won["greedy"] + won["repair"]
    return Share(
        len(some), came["settled"], came["no-unit"], came["unjudged"], first, repaired, repaired + won["sample"],
        len(turns), sum(turn.tokens_in for turn in turns), sum(turn.tokens_out for turn in turns),
        sum(seconds), len(seconds), sum(row.checked for row in some),
    )  # fmt: skip


def by_kind(rows: Sequence[Row]) -> dict[str, Share]:
    """The figures of each kind, in the order of their names."""
    return {kind: share_of(row for row in rows if row.kind == kind) for kind in sorted({row.kind for row in rows})}


def failures(rows: Iterable[Row]) -> dict[str, int]:
    """How often attempts came to each class, and at which gate: ``numeric at equality`` and the like, most first."""
    found = Counter(
        f"{turn.outcome} at {turn.gate}" if turn.gate else turn.outcome
        for row in rows
        for turn in row.turns
        if turn.outcome != "accepted"
    )
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def to_json(rows: Sequence[Row], **about: Any) -> dict[str, Any]:
    """Everything as one JSON object; ``about`` says of which model, policy and versions."""
    return {
        **about,
        "total": _share_json(share_of(rows)),
        "by_kind": {kind: _share_json(share) for kind, share in by_kind(rows).items()},
        "failures": failures(rows),
        "units": [_row_json(row) for row in rows],
    }


def table(rows: Sequence[Row], *, repairs: int, samples: int) -> str:
    """The figures for a person: one line a kind, one for all, and what the attempts failed by."""
    last = f"at {1 + repairs + samples}" if samples else ""
    heads = ("kind", "units", "asked", "pass at 1", "repaired", last, "calls", "tokens in", "out", "s a call")
    lines = [_line(heads)]
    total = share_of(rows)
    for kind, share in (*by_kind(rows).items(), ("all", total)):
        asked = share.judged
        seconds = f"{share.seconds / share.timed:.1f}" if share.timed else "-"
        cells = (
            kind, str(share.of), str(asked), _percent(share.first, asked),
            _percent(share.repaired, asked) if repairs else "-", _percent(share.sampled, asked) if samples else "",
            str(share.calls), str(share.tokens_in), str(share.tokens_out), seconds,
        )  # fmt: skip
        lines.append(_line(cells))
    lines.append("")
    if total.settled or total.no_unit or total.unjudged:
        apart = {"settled by rules": total.settled, "nothing to ask": total.no_unit, "not judged": total.unjudged}
        lines.append("apart: " + ", ".join(f"{count} {what}" for what, count in apart.items() if count))
    lines.append(f"checking took {total.checked:.0f} s; {total.timed} of {total.calls} calls were timed")
    lines += [f"{count:5}  {what}" for what, count in failures(rows).items()]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    widths = (18, 6, 6, 12, 12, 12, 6, 10, 8, 9)
    first, *rest = zip(cells, widths, strict=True)
    return first[0].ljust(first[1]) + "".join(cell.rjust(width) for cell, width in rest)


def _percent(part: int, of: int) -> str:
    return f"{part}/{of} {100 * part / of:.0f} %" if of else "-"


def _share_json(share: Share) -> dict[str, Any]:
    judged = share.judged
    rates = {
        "pass_at_1": share.first / judged if judged else None,
        "pass_after_repair": share.repaired / judged if judged else None,
        "pass_at_k": share.sampled / judged if judged else None,
    }
    return {**share._asdict(), "judged": judged, **rates}


def _row_json(row: Row) -> dict[str, Any]:
    return {**row._asdict(), "won": row.won, "turns": [turn._asdict() for turn in row.turns]}


def row_from_json(value: dict[str, Any]) -> Row:
    """The row of a JSON object that was made of its fields."""
    return Row(**{**value, "turns": tuple(Turned(**turn) for turn in value["turns"])})
