"""``migrate --llm`` from recorded answers: a wrong answer, its repair, every gate, the edit, the report."""

import json

import pytest

from musify_ai.backends import sandbox
from musify_ai.project import migrate
from musify_ai.project.refusals import Refused
from musify_ai.records import Options
from musify_ai.report.json_report import document
from musify_ai.report.text import render
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.loop import Policy
from musify_ai.rewrite.opening import Asked
from musify_ai.rewrite.providers.recordings import write
from musify_ai.rewrite.providers.scripted import Scripted
from musify_ai.rewrite.store import Store
from tests.rewrite.projects import RIGHT, SOURCE, WRONG, fenced

pytestmark = pytest.mark.skipif(
    bool(sandbox.missing()), reason=f"code from a model is not run here: {sandbox.missing()}"
)


@pytest.fixture
def answered(monkeypatch):
    """Answers in a model's place, whatever is asked for."""

    def answer(*answers):
        provider = Scripted(list(answers))
        monkeypatch.setattr("musify_ai.rewrite.opening.provider_of", lambda spec, seconds=0: provider)
        return provider

    return answer


def source(folder, text=SOURCE):
    folder.mkdir()
    (folder / "a.cu").write_text(text)
    return folder


def test_a_refused_answer_its_repair_and_everything_that_follows(tmp_path, answered, monkeypatch):
    provider = answered(fenced(WRONG), fenced(RIGHT))
    src, out = source(tmp_path / "src"), tmp_path / "out"
    asked = Asked("scripted", tmp_path / "store.sqlite")
    outcome = migrate(src, out, Options(), asked=asked)
    assert (out / "a.cu").read_text() == SOURCE.replace("cuda", "musa").replace(
        SOURCE[SOURCE.index("__device__") : SOURCE.index("\n\n__global__")], RIGHT
    )
    (verdict,) = outcome.run.verdicts
    assert verdict.headline == "equal-emulated" and set(verdict.by_arch) == {"mp_22", "mp_31"}
    (rewrite,) = outcome.run.rewrites
    assert [each.outcome for each in rewrite.attempts] == ["numeric", "accepted"]
    assert "y differs" in rewrite.attempts[0].detail and rewrite.accepted.new.decode().strip() == RIGHT
    assert "y differs" in provider.asked[1].messages[-1].content
    (file,) = outcome.run.files
    assert [finding.code for finding in file.findings] == ["MUS901"]
    assert "slower by design" in file.findings[0].message and "after 2 attempts" in file.findings[0].message
    (edit,) = [each for each in file.edits if each.evidence == "llm"]
    assert edit.applied and edit.safety == "unsafe" and edit.rule == "MUS405" and edit.line == 4
    assert file.residue == ()
    value = document(outcome.run)
    assert value["summary"]["edits"]["by_evidence"]["llm"] == 1 and len(value["rewrites"]) == 1
    json.dumps(value)

    # What was accepted is there for the next project, without a model; a recording does as well as the model did.
    # (Those gates have been through it above; what is asked here is who is asked.)
    monkeypatch.setattr("musify_ai.rewrite.gates.sequence.GATES", tuple(each for each in GATES if not each.runs))
    provider = answered()
    again = migrate(src, tmp_path / "again", Options(verify=False), asked=asked)
    assert (tmp_path / "again" / "a.cu").read_bytes() == (out / "a.cu").read_bytes() and not provider.asked
    assert "kept earlier" in again.run.files[0].findings[0].message
    with Store(tmp_path / "store.sqlite") as store:
        for recording in store.recordings():
            write(tmp_path / "recorded", recording)
    monkeypatch.undo()
    monkeypatch.setattr(
        "musify_ai.rewrite.gates.sequence.GATES", tuple(each for each in GATES if each.name == "equality")
    )
    asked = Asked(f"replay:{tmp_path / 'recorded'}", tmp_path / "other.sqlite")
    replayed = migrate(src, tmp_path / "replayed", Options(verify=False), asked=asked)
    assert (tmp_path / "replayed" / "a.cu").read_bytes() == (out / "a.cu").read_bytes()
    assert [each.outcome for each in replayed.run.rewrites[0].attempts] == ["numeric", "accepted"]


def test_what_is_not_accepted_stays_as_it_was_with_the_reason(tmp_path, answered):
    answered(fenced(WRONG), "sorry")
    src, out = source(tmp_path / "src"), tmp_path / "out"
    asked = Asked("scripted", tmp_path / "store.sqlite", policy=Policy(1, 0))
    outcome = migrate(src, out, Options(archs=("mp_31",)), asked=asked)
    assert (out / "a.cu").read_text() == SOURCE.replace("cuda", "musa")
    (file,) = outcome.run.files
    assert [finding.code for finding in file.findings] == ["MUS405", "MUS405"]
    for finding in file.findings:
        assert "refused (2 attempts; the best one at the gate `equality`, numeric: " in finding.message
    assert outcome.run.verdicts[0].headline == "unchecked"
    (rewrite,) = outcome.run.rewrites
    assert rewrite.accepted is None and [each.outcome for each in rewrite.attempts] == ["numeric", "extract"]
    assert "1 construct: 1 refused" in render(outcome.run, outcome.texts)


def test_where_there_is_no_sandbox_nothing_is_run_and_the_finding_says_so(tmp_path, answered, monkeypatch):
    provider = answered()  # nobody is asked: no answer could be taken
    monkeypatch.setenv(sandbox.SWITCH, "off")
    asked = Asked("scripted", tmp_path / "store.sqlite")
    outcome = migrate(source(tmp_path / "src"), tmp_path / "out", Options(verify=False), asked=asked)
    assert all("there is no sandbox here" in finding.message for finding in outcome.run.files[0].findings)
    assert outcome.run.rewrites[0].accepted is None
    assert not provider.asked
    assert "1 construct: 1 not judged (there is no sandbox here, so code from a model is neither built nor run" in (
        render(outcome.run, outcome.texts).replace("\n", " ")
    )


def test_a_spec_that_is_none_and_a_style_that_does_not_go_with_it_are_refused(tmp_path):
    src = source(tmp_path / "src")
    for spec in ("gpt", "openai:localhost", "openai:http://x/v1", f"replay:{tmp_path}/none", "replay:", "none:x"):
        with pytest.raises(Refused, match="--llm"):
            migrate(src, tmp_path / "out", Options(), asked=Asked(spec, tmp_path / "s.sqlite"))
    with pytest.raises(Refused, match="--style tokens"):
        migrate(src, tmp_path / "out", Options(style="alias"), asked=Asked("none", tmp_path / "s.sqlite"))
    assert not (tmp_path / "out").exists()
