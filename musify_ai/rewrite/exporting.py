"""``llm export``: what was tried and how it was judged, as conversations with a reward, for fine-tuning.

The reward is that of MusaCoder's training (facts of arXiv:2606.04847): -1 where no code came, it did not build or run,
or it was no honest rewrite; between -1/2 and 0 for results of which a share is right; 1 for a verified one, and more
where it is known to be faster. Here a share is not measured, so a wrong result counts as none right, unless its report
says how many elements differ of how many.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from musify_ai import __version__
from musify_ai.rewrite.outcomes import Tried, tried_from_json
from musify_ai.rewrite.providers.recordings import Recording, request_to_json
from musify_ai.rewrite.store import Store

_SHARE = re.compile(r"\b(\d+) of (\d+) elements differ")


class Rewards(NamedTuple):
    """The constants: ``failed`` for what gives no results, ``wrong`` and ``share`` for results of which a share q is
    right (``wrong + share * q``; no result right at all counts as failed), ``right`` for a verified rewrite."""

    failed: float = -1.0
    wrong: float = -0.5
    share: float = 0.5
    right: float = 1.0

    def of(self, tried: Tried) -> float:
        """The reward of an attempt."""
        if tried.outcome == "accepted":
            return self.right
        found = _SHARE.search(f"{tried.reason}\n{tried.report}") if tried.outcome == "numeric" else None
        if found is None:
            return self.failed
        differ, of = int(found[1]), int(found[2])
        right = 1 - differ / of if of else 0.0
        return self.wrong + self.share * right if 0 < right < 1 else self.failed


def trajectories(store: Store, rewards: Rewards | None = None, licence: str = "") -> Iterator[dict[str, Any]]:
    """A JSON object for each attempt of the store's rewrites whose answer is kept, in the order of their hashes.

    ``messages`` is the conversation with the answer as its last; ``reward``, ``outcome``, ``gate`` and ``reason`` what
    was said of it; ``provenance`` where it comes from. Attempts without an answer are left out. ``licence`` is that of
    the code which was sent, for nothing here knows it.
    """
    rewards = rewards or Rewards()
    recorded: dict[str, Recording] = {recording.key: recording for recording in store.recordings()}
    for kept in store.rewrites():
        for number, value in enumerate(kept.record["tries"]):
            tried = tried_from_json(value)
            recording = recorded.get(tried.request)
            if recording is None:
                continue
            messages = request_to_json(recording.request)["messages"]
            yield {
                "messages": [*messages, {"role": "assistant", "content": recording.answer.text}],
                "reward": rewards.of(tried),
                "outcome": tried.outcome,
                "gate": tried.gate,
                "reason": tried.reason,
                "turn": tried.turn,
                "attempt": number,
                "provenance": {
                    "construct": kept.key,
                    "kind": kept.record["kind"],
                    "model": recording.answer.model,
                    "sampling": recording.request.sampling._asdict(),
                    "archs": kept.record["archs"],
                    "sdk": kept.record["sdk"],
                    "checks": kept.record["notes"],
                    "tool": f"musify-ai {__version__}",
                },
                "licence": licence or "unknown: that of the code which was sent",
            }


def lines(store: Store, rewards: Rewards | None = None, licence: str = "", *, accepted: bool = False) -> Iterator[str]:
    """The objects as JSON lines; with ``accepted`` those of accepted attempts only."""
    for each in trajectories(store, rewards, licence):
        if not accepted or each["outcome"] == "accepted":
            yield json.dumps(each, ensure_ascii=False, sort_keys=True) + "\n"
