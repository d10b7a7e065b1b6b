"""Guesses at how a kernel template is instantiated, where nothing tells: the first that runs stands for its kernel."""

from collections.abc import Mapping, Sequence

from musify_ai.verify.pairing import Pair
from musify_ai.verify.unit_parts import ArchOutcome

NOT_RUN = ("not-checkable", "unchecked")
"""Outcomes after which the next guess is tried; one that the translation alone does not build is an answer."""


def has_better_guess(
    pair: Pair, pairs: Sequence[Pair], rows: Mapping[str, Sequence[ArchOutcome]], *, last: bool = False
) -> bool:
    """Whether another guess stands for a pair's kernel: the first that ran on the first arch, by the rows so far; at
    the ``last``, where none did, the first of all."""
    mine = _guesses(pair, pairs)
    ran = [each for each in mine if rows[each.id] and rows[each.id][0].outcome.judgement.outcome not in NOT_RUN]
    return pair.guessed and pair not in (ran or (mine if last else [pair]))[:1]


def is_of_another_guess(undefined: str, pair: Pair, pairs: Sequence[Pair], side: int) -> bool:
    """Whether an undefined specialisation is one that only another guess at the kernel calls, by the types that this
    guess alone has."""
    if not pair.guessed or pair.arguments is None or "<" not in undefined:
        return False
    others = {
        text for each in _guesses(pair, pairs) if each.id != pair.id for text in (each.arguments or ((), ()))[side]
    }
    own = set(pair.arguments[side]) - others
    return bool(own) and not any(each in undefined for each in own)


def _guesses(pair: Pair, pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that are guesses at how one kernel is instantiated, in order of preference."""
    return [each for each in pairs if each.guessed and each.original == pair.original]
