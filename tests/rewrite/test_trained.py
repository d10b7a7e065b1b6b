"""A model that was trained here on one family, and is right often and wrong sometimes: what is wrong never lands."""

import pytest

pytest.importorskip("torch", reason="torch is not installed (musify-ai[local-llm])")
pytest.importorskip("transformers", reason="transformers is not installed (musify-ai[local-llm])")

from musify_ai.backends import sandbox
from musify_ai.project import migrate
from musify_ai.records import Options
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.loop import Policy
from musify_ai.rewrite.opening import Asked
from musify_ai.rewrite.prompting import request_for
from musify_ai.rewrite.providers.protocol import Answer, Sampling
from musify_ai.rewrite.providers.transformers import Local, Transformers
from tests.rewrite.projects import project
from tests.rewrite.trained import HELD_OUT, SEEN, UNSEEN, answer, family, source, trained

SHOWN = [each for each in family(SEEN) if each not in HELD_OUT]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    place, loss = trained(tmp_path_factory.mktemp("trained"))
    assert loss < 0.5, "it has learnt nothing"
    return place


def files(constructs):
    return {f"f{n}.cu": source(n, ahead, to, name) for n, (to, name, ahead) in enumerate(constructs)}


@pytest.fixture(scope="module")
def answers(model, tmp_path_factory):
    """What it answers to constructs of the family, asked as the stage asks."""
    constructs = [*SHOWN[::4], *HELD_OUT[::2], *family(UNSEEN)[::3]]
    found, _ = project(tmp_path_factory.mktemp("p"), files(constructs))
    said = Transformers(Local(str(model), "cpu", batch=32)).complete(
        [request_for(unit, Sampling(max_tokens=96)) for unit in found.units]
    )
    assert len(said) == len(constructs) and all(isinstance(each, Answer) for each in said)
    return dict(zip(constructs, (each.text for each in said), strict=True))


def test_it_is_right_often_and_wrong_where_it_was_shown_nothing(answers):
    right = {each for each, text in answers.items() if text.strip() == answer(*each)}
    shown = [each for each in answers if each in SHOWN]
    assert len(right.intersection(shown)) > len(shown) / 2
    assert not [each for each in right if each[2] in UNSEEN]


@pytest.mark.skipif(bool(sandbox.missing()), reason=f"code from a model is not run here: {sandbox.missing()}")
def test_what_is_right_lands_and_what_is_wrong_does_not(model, answers, tmp_path, monkeypatch):
    gates = tuple(gate for gate in GATES if not gate.runs or gate.name == "equality")
    monkeypatch.setattr("musify_ai.rewrite.gates.sequence.GATES", gates)
    right = next(each for each in SHOWN if answers.get(each, "").strip() == answer(*each))
    wrong = next(each for each in family(UNSEEN) if each in answers)
    (tmp_path / "src").mkdir()
    for name, text in files([right, wrong]).items():
        (tmp_path / "src" / name).write_text(text)
    asked = Asked(f"transformers:{model}", tmp_path / "s.sqlite", policy=Policy(0, 1, max_tokens=96))
    out = migrate(tmp_path / "src", tmp_path / "out", Options(archs=("mp_31",), verify=False), asked=asked)
    first, second = out.run.files
    body = f"*{right[0]} = {right[1]}[{right[2]}];"
    assert body in (tmp_path / "out" / "f0.cu").read_text() and first.residue == ()
    assert [finding.code for finding in first.findings] == ["MUS901"]
    assert (tmp_path / "out" / "f1.cu").read_text() == files([right, wrong])["f1.cu"].replace("cuda", "musa")
    assert {finding.code for finding in second.findings} == {"MUS405"}
    tried = [each.outcome for each in out.run.rewrites[1].attempts]
    assert tried and "accepted" not in tried and out.run.rewrites[1].accepted is None
    if answers[wrong].rstrip().endswith("```"):  # a whole answer with another number: it builds, and differs
        assert tried[0] == "numeric" and "y differs" in out.run.rewrites[1].attempts[0].detail
