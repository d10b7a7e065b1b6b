"""Attempts as training data: the conversation, the reward, where it comes from."""

import json

import pytest

from musify_ai.rewrite.answering import Answering
from musify_ai.rewrite.exporting import Rewards, lines
from musify_ai.rewrite.gates.protocol import Gate, Passed, Refused
from musify_ai.rewrite.loop import Judge, Policy
from musify_ai.rewrite.outcomes import Tried
from musify_ai.rewrite.providers.scripted import Scripted
from musify_ai.rewrite.store import Store
from musify_ai.rewrite.working import Setting, work
from tests.rewrite.projects import RIGHT, WRONG, fenced, project


@pytest.mark.parametrize(
    ("outcome", "report", "reward"),
    [
        ("accepted", "", 1.0),
        ("numeric", "y differs: 25 of 100 elements differ, worst", -0.125),
        ("numeric", "y differs: 100 of 100 elements differ", -1.0),
        ("numeric", "a buffer is missing", -1.0),
        ("compile", "25 of 100 elements differ", -1.0),
        ("extract", "", -1.0),
        ("cheating", "", -1.0),
        ("timeout", "", -1.0),
    ],
)
def test_rewards(outcome, report, reward):
    assert Rewards().of(Tried("greedy", "", "", outcome, report=report)) == pytest.approx(reward)


def test_constants_can_be_others():
    tried = Tried("greedy", "", "", "numeric", reason="25 of 100 elements differ")
    assert Rewards(wrong=-1, share=2).of(tried) == pytest.approx(0.5)
    assert Rewards(right=3).of(tried._replace(outcome="accepted")) == 3


def test_each_answered_attempt_is_a_conversation(tmp_path):
    found, site = project(tmp_path / "p")

    def check(candidate):
        if b"0.0f" in candidate.code:
            return Refused("numeric", "y differs", "10 of 40 elements differ")
        return Passed(("twice: equal-emulated",))

    with Store(tmp_path / "s.sqlite") as store:
        ask = Answering(store, Scripted([fenced(WRONG), fenced(RIGHT)])).ask
        work(found.units, site, Setting(store, ask, "scripted", Judge((Gate("g", check),)), Policy()))
        rows = [json.loads(line) for line in lines(store, licence="Apache-2.0")]
        assert next(json.loads(line) for line in lines(store, accepted=True))["outcome"] == "accepted"
    first, second = rows
    assert [message["role"] for message in first["messages"]] == ["system", "user", "assistant"]
    assert first["messages"][-1]["content"] == fenced(WRONG)
    assert (first["reward"], first["outcome"], first["gate"]) == (-0.125, "numeric", "g")
    assert [message["role"] for message in second["messages"]][-3:] == ["assistant", "user", "assistant"]
    assert second["reward"] == 1 and second["turn"] == "repair" and second["licence"] == "Apache-2.0"
    assert second["provenance"]["model"] == "scripted" and second["provenance"]["checks"] == ["twice: equal-emulated"]
