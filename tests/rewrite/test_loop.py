"""The loop with gates of the test's own: what is asked when, what is taken, what is kept."""

import pytest

from musify_ai.rewrite.answering import Answering
from musify_ai.rewrite.budget import Budget, Limits
from musify_ai.rewrite.gates.protocol import Gate, Passed, Refused
from musify_ai.rewrite.loop import Judge, Policy, drawn, rewrite
from musify_ai.rewrite.providers.protocol import Answer, NoAnswer, Usage
from musify_ai.rewrite.providers.scripted import Scripted
from musify_ai.rewrite.store import Store
from musify_ai.rewrite.working import Setting, key_of, work
from tests.rewrite.projects import HEAD, RIGHT, SOURCE, WRONG, fenced, project


def refuses(word, failure="numeric", **more):
    """A gate that refuses code with a word in it."""

    def check(candidate):
        if word.encode() in candidate.code:
            return Refused(failure, f"it holds {word}", **more)
        return Passed((f"no {word}",))

    return Gate(word, check)


def version(number, rest=""):
    return fenced(f"{HEAD} {{\n    *to = *from; // v{number}\n    int v{number} = {number};{rest}\n}}")


class Trial:
    def __init__(self, folder, answers, *gates, policy=None, may_run=True, limits=None, files=None):
        self.survey, self.site = project(folder / "p", files)
        self.provider = Scripted(answers)
        self.path = folder / "store.sqlite"
        self.policy = policy or Policy()
        self.judge = Judge(gates, may_run)
        self.budget = Budget(limits)

    def one(self):
        unit = self.survey.units[0]
        with Store(self.path) as store:
            ask = Answering(store, self.provider, self.budget).ask
            return rewrite(unit, self.site, ask, "scripted", self.judge, self.policy)

    def all(self):
        with Store(self.path) as store:
            ask = Answering(store, self.provider, self.budget).ask
            return work(self.survey.units, self.site, Setting(store, ask, "scripted", self.judge, self.policy))

    def turns(self, done):
        return [(each.turn, each.outcome) for each in done.tries]


def test_the_first_answer_through_every_gate_ends_it(tmp_path):
    trial = Trial(tmp_path, [fenced(RIGHT)], refuses("bad"), refuses("worse"))
    done = trial.one()
    assert trial.turns(done) == [("greedy", "accepted")] and len(trial.provider.asked) == 1
    assert done.code.decode().endswith("*to = *from;\n}") and done.notes == ("no bad", "no worse")
    assert trial.provider.asked[0].sampling.temperature == 0


def test_repairs_are_told_what_was_wrong_and_samples_come_after_them(tmp_path):
    answers = [version(n, " bad();" if n < 7 else "") for n in range(1, 8)]
    trial = Trial(tmp_path, answers, refuses("bad", report="element 3 is wrong"))
    done = trial.one()
    kinds = ["greedy", *["repair"] * 3, *["sample"] * 3]
    assert trial.turns(done) == [(kind, "numeric") for kind in kinds[:-1]] + [("sample", "accepted")]
    for number, request in enumerate(trial.provider.asked[1:4], 1):
        assert request.messages[2].content == answers[number - 1].strip()
        assert "element 3 is wrong" in request.messages[3].content
    samples = trial.provider.asked[4:]
    assert [r.sampling.seed for r in samples] == [1, 2, 3] and all(r.sampling.temperature > 0 for r in samples)
    assert all(r.messages == trial.provider.asked[0].messages for r in samples)


def test_of_samples_that_pass_the_smallest_change_wins(tmp_path):
    answers = [
        version(0, " bad();"),
        version(1, "\n    use(v1);\n    use(to);"),
        version(2),
        version(3, "\n    use(v3);"),
    ]
    trial = Trial(tmp_path, answers, refuses("bad"), policy=Policy(repairs=0))
    done = trial.one()
    assert b"v2" in done.code and trial.turns(done)[1:] == [("sample", "accepted")] * 3


def test_nothing_is_taken_where_nothing_passes(tmp_path):
    trial = Trial(tmp_path, [version(n, " bad();") for n in range(7)], refuses("bad"))
    done = trial.one()
    assert done.code is None and len(done.tries) == 7 and done.best.outcome == "numeric"


def test_gates_after_a_refusal_are_not_asked_and_equal_code_is_looked_at_once(tmp_path):
    looked = []
    last = Gate("last", lambda c: looked.append(c.code) or Refused("numeric", "no"), runs=True)
    same = [fenced(WRONG), fenced(WRONG.replace("    ", "  ")), fenced("\n" + WRONG + "\n")]
    trial = Trial(tmp_path, [version(0, " bad();"), *same], refuses("bad"), last, policy=Policy(3, 0))
    done = trial.one()
    assert [each.gate for each in done.tries] == ["bad", "last", "last", "last"]
    assert len(looked) == 1


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (Answer(fenced(RIGHT), "length", Usage(1, 2), "m"), "truncated"),
        ("no code at all", "extract"),
        (fenced(f"#include <x>\n{RIGHT}"), "forbidden"),
        (NoAnswer("server", "down"), "infra"),
        (NoAnswer("missing", "no recording"), "infra"),
    ],
)
def test_what_is_no_code_has_its_class(tmp_path, answer, failure):
    trial = Trial(tmp_path, [answer, fenced(RIGHT)])
    done = trial.one()
    assert done.tries[0].outcome == failure
    # Without an answer asking goes on in a later run; else the model is asked again.
    assert (done.code is None) == (failure == "infra") and len(trial.provider.asked) == (1 if failure == "infra" else 2)


def test_a_budget_ends_it(tmp_path):
    trial = Trial(tmp_path, [version(n, " bad();") for n in range(9)], refuses("bad"), limits=Limits(calls=2))
    done = trial.one()
    assert trial.turns(done) == [("greedy", "numeric"), ("repair", "numeric"), ("repair", "budget")]


def test_without_a_sandbox_nothing_of_a_model_is_run_or_accepted(tmp_path):
    ran = []
    gate = Gate("run", lambda c: ran.append(c) or Passed(), runs=True)
    done = Trial(tmp_path, [fenced(RIGHT)], refuses("bad"), gate, may_run=False).one()
    assert not ran and done.code is None and done.tries[0].outcome == "infra"
    assert "sandbox" in done.tries[0].reason


def test_the_draw_follows_from_the_code_and_from_nothing_else():
    assert drawn(b"a") == drawn(b"a") != drawn(b"b")
    assert 0 < drawn(b"a") < 1 << 41


RENAMED = (("fetch", "load_tile"), ("from", "src"), ("stage", "tile"), ("address", "at"), ("twice", "double_it"))


def two():
    other = SOURCE
    for old, new in RENAMED:
        other = other.replace(old, new)
    return {"a.cu": SOURCE, "b.cu": other}


def test_equal_constructs_cost_one_call_and_each_place_is_looked_at(tmp_path):
    looked = []
    gate = Gate("look", lambda c: looked.append((c.unit.path, c.code.decode())) or Passed(), runs=True)
    trial = Trial(tmp_path, [fenced(RIGHT)], gate, files=two())
    first, second = trial.survey.units
    assert key_of(first).key == key_of(second).key
    done = trial.all()
    assert [each.unit.path for each in done] == ["a.cu", "b.cu"] and len(trial.provider.asked) == 1
    assert [path for path, _ in looked] == ["a.cu", "b.cu"]
    assert done[1].code.decode().endswith("load_tile(float4* to, const float4* src) {\n    *to = *src;\n}")
    assert done[1].origin == "store"
    again = Trial(tmp_path, [], gate, files=two())
    assert [each.code for each in again.all()] == [each.code for each in done] and len(looked) == 4


def test_a_rewrite_that_fails_in_another_place_is_not_made_there(tmp_path):
    gate = Gate("look", lambda c: Passed() if c.unit.path == "a.cu" else Refused("numeric", "y differs"), runs=True)
    done = Trial(tmp_path, [fenced(RIGHT)], gate, files=two()).all()
    assert done[0].code is not None and done[1].code is None
    assert "accepted elsewhere, not here: y differs" in done[1].best.reason


def test_what_was_refused_is_not_asked_again_under_the_same_policy(tmp_path):
    policy = Policy(1, 1)
    first = Trial(tmp_path, [version(n, " bad();") for n in range(3)], refuses("bad"), policy=policy).all()
    again = Trial(tmp_path, [], refuses("bad"), policy=policy).all()
    assert again[0].tries == first[0].tries and again[0].code is None
    more = Trial(tmp_path, [fenced(RIGHT)], refuses("bad"), policy=Policy(1, 2)).all()
    # The greedy answer and the repair are there already; only the samples are new, and the first one is not.
    assert more[0].code is not None


def test_what_ended_for_want_of_an_answer_is_asked_again(tmp_path):
    assert Trial(tmp_path, [NoAnswer("server", "down")]).all()[0].code is None
    assert Trial(tmp_path, [fenced(RIGHT)]).all()[0].code is not None
