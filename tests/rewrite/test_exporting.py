"""Attempts as training data: the conversation, the reward, where it comes from."""

import json

import pytest

from musify_ai.rewrite.answering import Answering
from musify_ai.rewrite.exporting import Licences, Rewards, lines
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
        ("numeric", "mp_31: 25 of 100 elements differ\nmp_22: 99 of 100 elements differ", -0.495),
        ("numeric", "mp_31: 25 of 100 elements differ\nmp_22: 100 of 100 elements differ", -1.0),
        ("numeric", "y differs: 100 of 100 elements differ", -1.0),
        ("numeric", "a buffer is missing", -1.0),
        ("compile", "25 of 100 elements differ", -1.0),
        ("nondeterministic", "25 of 100 elements differ", -1.0),
        ("runtime", "", -1.0),
        ("extract", "", -1.0),
        ("truncated", "", -1.0),
        ("signature", "", -1.0),
        ("forbidden", "", -1.0),
        ("cheating", "", -1.0),
        ("timeout", "", -1.0),
        ("infra", "it could not be checked", None),
        ("budget", "", None),
    ],
)
def test_rewards(outcome, report, reward):
    said = Rewards().of(Tried("greedy", "", "", outcome, report=report))
    assert said is None if reward is None else said == pytest.approx(reward)


def test_what_nobody_knows_is_neither_right_nor_wrong():
    weak = Tried("greedy", "", "", "numeric", "teeth", "the check would not notice wrong versions of it: a.cu:3: <= n")
    assert Rewards().of(weak) is None
    assert Rewards().of(weak._replace(gate="equality", reason="k is equal-weak: 2 lines were not reached")) is None
    assert Rewards().of(weak._replace(gate="equality", reason="k is differs: the translation gives more")) == -1


def test_constants_can_be_others():
    tried = Tried("greedy", "", "", "numeric", reason="25 of 100 elements differ")
    assert Rewards(wrong=-1, share=2).of(tried) == pytest.approx(0.5)
    right = tried._replace(outcome="accepted")
    assert Rewards(right=3).of(right) == 3
    fast = Rewards(speed=0.5, most=2)
    assert [fast.of(right, s) for s in (0.5, 1.0, 2.0, 9.0)] == [1, 1, 1.5, 2] and fast.of(tried, 9.0) < 0


def test_each_answered_attempt_is_a_conversation(tmp_path):
    found, site = project(tmp_path / "p")

    def check(candidate):
        if b"0.0f" in candidate.code:
            return Refused("numeric", "y differs", "10 of 40 elements differ")
        return Passed(("twice: equal-emulated",))

    with Store(tmp_path / "s.sqlite") as store:
        ask = Answering(store, Scripted([fenced(WRONG), fenced(RIGHT)])).ask
        work(found.units, site, Setting(store, ask, "scripted", Judge((Gate("g", check),)), Policy()))
        rows = [json.loads(line) for line in lines(store, licences=Licences("MIT", "Apache-2.0"))]
        assert next(json.loads(line) for line in lines(store, accepted=True))["outcome"] == "accepted"
        again = Setting(store, ask, "scripted", Judge((Gate("g", check),)), Policy(4))
        work(found.units, site, again)
        assert len(list(lines(store))) == 2  # judged anew under another policy: the same requests, once
    first, second = rows
    assert [message["role"] for message in first["messages"]] == ["system", "user", "assistant"]
    assert first["messages"][-1]["content"] == fenced(WRONG)
    assert (first["reward"], first["outcome"], first["gate"]) == (-0.125, "numeric", "g")
    assert [message["role"] for message in second["messages"]][-3:] == ["assistant", "user", "assistant"]
    assert (
        second["reward"] == 1
        and second["turn"] == "repair"
        and second["licence"] == {"code": "MIT", "answers": "Apache-2.0"}
    )
    assert second["provenance"]["model"] == "scripted" and second["provenance"]["checks"] == ["twice: equal-emulated"]
    assert first["provenance"]["checks"] == [] and first["provenance"]["rewards"]["wrong"] == -0.5
    assert second["provenance"]["request"] != first["provenance"]["request"] and first["provenance"]["speedup"] is None


def test_a_file_without_licences_says_so(tmp_path):
    found, site = project(tmp_path / "p")
    with Store(tmp_path / "s.sqlite") as store:
        ask = Answering(store, Scripted([fenced(RIGHT)])).ask
        work(found.units, site, Setting(store, ask, "scripted", Judge(()), Policy()))
        (row,) = [json.loads(line) for line in lines(store)]
    assert row["licence"] == {"code": "unknown", "answers": "unknown"}
