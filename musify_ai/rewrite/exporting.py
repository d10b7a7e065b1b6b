"""``llm export``: what was tried and how it was judged, as conversations with a reward, for fine-tuning.

The reward is that of MusaCoder's training (arXiv:2606.04847, MooreEval): -1 where no code came, where it did not build
or run, or was no honest rewrite, and where no result is right; -1/2 + q/2 for results of which a share q, between 0 and
1, is right; 1 + l min(max(s - 1, 0), m) for a verified rewrite that is s times as fast, with constants l and m. Nobody
has measured s here, so that term is 0 unless a caller knows better.

What says nothing of the answer has no reward and is left out: a server that did not answer, a machine that could not
check, and answers whose results were right as far as anybody looked, with a check that would not have noticed wrong
ones. To call those wrong would teach what is not known.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from musify_ai import __version__
from musify_ai.rewrite.outcomes import Tried, tried_from_json
from musify_ai.rewrite.providers.recordings import Recording, request_to_json
from musify_ai.rewrite.store import Kept, Store

_SHARE = re.compile(r"\b(\d+) of (\d+) elements differ")
UNSAID = "unknown"


class Rewards(NamedTuple):
    """The constants: ``failed`` for what gives no right result, ``wrong`` and ``share`` for results of which a share q
    is right (``wrong + share * q``), ``right`` for a verified rewrite, ``speed`` and ``most`` for one that is faster
    (``right + speed * min(max(speedup - 1, 0), most)``)."""

    failed: float = -1.0
    wrong: float = -0.5
    share: float = 0.5
    right: float = 1.0
    speed: float = 0.0
    most: float = 0.0

    def of(self, tried: Tried, speedup: float = 1.0) -> float | None:
        """The reward of an attempt; None where it says nothing of the answer."""
        if tried.outcome == "accepted":
            return self.right + self.speed * min(max(speedup - 1.0, 0.0), self.most)
        if tried.outcome in ("infra", "budget"):
            return None
        if tried.outcome != "numeric":
            return self.failed
        said = f"{tried.reason}\n{tried.report}"
        shares = [1 - int(differ) / int(of) for differ, of in _SHARE.findall(said) if int(of)]
        if not shares:
            return None if _is_undecided(tried) else self.failed
        right = min(shares)  # on several archs: as right as on the worst of them
        return self.wrong + self.share * right if 0 < right < 1 else self.failed


def _is_undecided(tried: Tried) -> bool:
    """Whether all results were right, and what is missing is that the check would have noticed wrong ones."""
    return tried.gate == "teeth" or "equal-weak" in tried.reason


class Licences(NamedTuple):
    """Under what the code that was sent, and what a model answers, may be used: nothing here knows either."""

    code: str = UNSAID
    answers: str = UNSAID


def trajectories(
    store: Store, rewards: Rewards | None = None, licences: Licences | None = None
) -> Iterator[dict[str, Any]]:
    """A JSON object for each attempt of the store's rewrites whose answer is kept, in the order of their hashes.

    ``messages`` is the conversation with the answer as its last; ``reward``, ``outcome``, ``gate`` and ``reason`` what
    was said of it; ``provenance`` where it comes from. Each request of a construct stands there once, however often it
    was judged. Attempts without an answer, and those without a reward, are left out.
    """
    rewards, licences = rewards or Rewards(), licences or Licences()
    recorded: dict[str, Recording] = {recording.key: recording for recording in store.recordings()}
    seen: set[tuple[str, str]] = set()
    for kept in store.rewrites():
        for number, value in enumerate(kept.record["tries"]):
            tried = tried_from_json(value)
            recording = recorded.get(tried.request)
            reward = rewards.of(tried)
            if recording is None or reward is None or (kept.key, tried.request) in seen:
                continue
            seen.add((kept.key, tried.request))
            messages = request_to_json(recording.request)["messages"]
            yield {
                "messages": [*messages, {"role": "assistant", "content": recording.answer.text}],
                "reward": reward,
                "outcome": tried.outcome,
                "gate": tried.gate,
                "reason": tried.reason,
                "turn": tried.turn,
                "attempt": number,
                "tokens": tried.usage._asdict(),
                "provenance": _provenance(kept, recording, tried, rewards),
                "licence": licences._asdict(),
            }


def _provenance(kept: Kept, recording: Recording, tried: Tried, rewards: Rewards) -> dict[str, Any]:
    """Where an attempt comes from, and what it was judged by."""
    return {
        "construct": kept.key,
        "request": tried.request,
        "kind": kept.record["kind"],
        "model": recording.answer.model,
        "provider": recording.identity,
        "sampling": recording.request.sampling._asdict(),
        "archs": kept.record["archs"],
        "sdk": kept.record["sdk"],
        "checks": kept.record["notes"] if tried.outcome == "accepted" else [],
        "rewards": rewards._asdict(),
        "speedup": None,
        "tool": f"musify-ai {__version__}",
    }


def lines(
    store: Store, rewards: Rewards | None = None, licences: Licences | None = None, *, accepted: bool = False
) -> Iterator[str]:
    """The objects as JSON lines; with ``accepted`` those of accepted attempts only."""
    for each in trajectories(store, rewards, licences):
        if not accepted or each["outcome"] == "accepted":
            yield json.dumps(each, ensure_ascii=False, sort_keys=True) + "\n"
