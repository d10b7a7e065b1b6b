"""Why a verdict is what it is, in one sentence for a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from musify_ai.records import Verdict


def why(verdict: Verdict) -> str:
    """The reason and the notes, each once: what a kernel's headline rests on may be a note on an arch too."""
    return "; ".join(dict.fromkeys(part for part in (verdict.reason, *verdict.notes) if part))
