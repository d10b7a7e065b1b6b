"""What came of a model's work, in a sentence: what was asked, taken, refused, and what could not be judged here."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from musify_ai.records import Rewrite, Run

UNJUDGED = ("infra", "budget")
"""Outcomes that say nothing of an answer."""


def fate(rewrite: Rewrite) -> str:
    """What came of one: rewritten, refused, not judged, or right as it stands (nobody was asked)."""
    if rewrite.accepted is not None:
        return "rewritten"
    if not rewrite.attempts:
        return "right as translated"
    return "not judged" if rewrite.attempts[-1].outcome in UNJUDGED else "refused"


def told(run: Run) -> str:
    """The sentence; empty for a run without a model. Why something was not judged stands in it, most frequent first."""
    fates = Counter(fate(rewrite) for rewrite in run.rewrites)
    if not fates:
        return ""
    text = ", ".join(f"{count:,} {what}" for what, count in sorted(fates.items(), key=lambda each: (-each[1], each[0])))
    why = Counter(each.attempts[-1].detail for each in run.rewrites if fate(each) == "not judged").most_common(1)
    return f"{sum(fates.values()):,} construct{'s' * (sum(fates.values()) != 1)}: {text}" + (
        f" ({why[0][0]})" if why else ""
    )
