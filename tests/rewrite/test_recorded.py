"""The answers of a real model that are kept here: none is stale, and what makes them stale is noticed and told."""

import shutil
import tomllib

import pytest

from benchmarks import llm_record
from benchmarks.llm_record import FOLDER, POLICY, Question, stale, update
from musify_ai.backends import sandbox
from musify_ai.project import migrate
from musify_ai.records import Options
from musify_ai.report.text import render
from musify_ai.rewrite import prompting
from musify_ai.rewrite.gates.protocol import Refused
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.opening import Asked
from musify_ai.rewrite.prompting import repair_for, request_for
from musify_ai.rewrite.providers.protocol import Answer, Request, Sampling, Usage
from musify_ai.rewrite.providers.recordings import Recording, read_all, write
from musify_ai.rewrite.sheets import load
from tests.rewrite.projects import RIGHT, SOURCE, WRONG, fenced, project

GREEDY = Sampling(max_tokens=POLICY.max_tokens)


@pytest.fixture(scope="module")
def asked():
    return llm_record.questions()


def test_no_recording_is_stale(asked):
    left = stale(FOLDER, asked)
    told = "\n".join(f"{why}: {', '.join(files)}" for why, files in left.items())
    assert not left, f"{told}\n{llm_record.HOW}"


def test_no_construct_is_asked_about_with_its_own_answer_for_an_example(asked):
    shown = [(sheet.kind, example) for sheet in load() for example in sheet.examples]
    assert {example.case for _, example in shown} & set(asked)
    for _, example in shown:
        if example.case in asked:
            assert example.after not in asked[example.case].messages[1].content, example.case
    of_kind = [(example, name) for kind, example in shown for name, each in asked.items() if each.kind == kind]
    assert any(example.after in asked[name].messages[1].content for example, name in of_kind)


def test_recordings_say_where_they_come_from_and_are_of_one_model(asked):
    about = tomllib.loads((FOLDER / "about.toml").read_text("utf-8"))
    index = tomllib.loads((FOLDER / "recorded.toml").read_text("utf-8"))
    assert about["licence"].startswith("Apache-2.0") and len(about["sha256"]) == 64
    assert {each.identity for each in read_all(FOLDER)} == {about["identity"]} == {index["identity"]}
    assert set(index["constructs"]) <= set(asked)
    assert all(each.request.sampling.temperature == 0 for each in read_all(FOLDER))


@pytest.fixture
def own(tmp_path):
    """Recordings of one construct of our own, a first answer and a repair, and what would be asked."""
    found, _ = project(tmp_path / "p")
    (unit,) = found.units
    first = request_for(unit, GREEDY)
    repair = repair_for(first, unit, fenced(WRONG), Refused("numeric", "y differs"), GREEDY)
    folder = tmp_path / "kept"
    more = [
        Recording("openai:m", request, Answer(text, "stop", Usage(1, 1), "m"))
        for request, text in ((first, fenced(WRONG)), (repair, fenced(RIGHT)))
    ]
    asked = {"a": Question(first.messages, unit.kind)}
    assert update(folder, more, "openai:m", asked) == ["a"]
    return folder, asked, unit


def test_what_fits_is_taken_and_what_does_not_is_left(own):
    folder, asked, _ = own
    assert stale(folder, asked) == {} and len(list(folder.glob("*.json"))) == 2
    first, _ = read_all(folder)
    others = [
        first._replace(identity="openai:other"),
        first._replace(request=Request(first.request.messages, GREEDY._replace(temperature=0.7))),
        first._replace(request=Request(first.request.messages[:1], GREEDY)),
    ]
    assert update(folder, others, "openai:m", asked) == ["a"] and len(list(folder.glob("*.json"))) == 2


@pytest.mark.parametrize(
    ("name", "why"), [("base", "nobody asks"), ("system", "nobody asks"), ("repair", "a repair made")]
)
def test_an_edit_of_a_template_is_noticed(own, tmp_path, monkeypatch, name, why):
    folder, _, unit = own
    prompts = shutil.copytree(prompting.prompts_dir(), tmp_path / "prompts")
    edited = prompts / f"{name}.j2"
    edited.write_text(edited.read_text().replace("{% block task %}", "Please. {% block task %}") + "Thank you.\n")
    monkeypatch.setattr(prompting, "prompts_dir", lambda: prompts)
    prompting._environment.cache_clear()
    prompting.template_version.cache_clear()
    try:
        now = {"a": Question(request_for(unit, GREEDY).messages, unit.kind)}
        left = stale(folder, now)
        assert next(iter(left)).startswith(why) and len(left) == (1 if name == "repair" else 2), left
        update(folder, [], "openai:m", now)
        assert stale(folder, now) == {} and len(list(folder.glob("*.json"))) == (1 if name == "repair" else 0)
    finally:
        monkeypatch.undo()
        prompting._environment.cache_clear()
        prompting.template_version.cache_clear()


def test_another_fact_and_another_construct_are_noticed(own):
    folder, _, unit = own
    (sheet,) = unit.sheets
    for changed in (
        unit._replace(sheets=(sheet._replace(facts=(*sheet.facts, "One more.")),)),
        unit._replace(launches=("twice<<<1, 32>>>(x, y, n)",)),
    ):
        left = stale(folder, {"a": Question(request_for(changed, GREEDY).messages, changed.kind)})
        assert [len(files) for files in left.values()] == [2, 1]


@pytest.mark.skipif(bool(sandbox.missing()), reason=f"code from a model is not run here: {sandbox.missing()}")
def test_the_gallery_is_migrated_with_them(tmp_path):
    """One file of it: the whole of it is what `make migrate` does."""
    source = tmp_path / "gallery"
    shutil.copytree(llm_record.GALLERY, source)
    told = Asked(f"replay:{FOLDER}", tmp_path / "s.sqlite", policy=POLICY)
    done = migrate(source / "src" / "handoff.cu", tmp_path / "handoff.mu", Options(verify=False), asked=told)
    (rewrite,) = done.run.rewrites
    assert rewrite.attempts and not [each for each in rewrite.attempts if "missing" in each.detail], rewrite
    assert "1 construct: 1 " in render(done.run, done.texts) and "not judged" not in render(done.run, done.texts)


def test_where_there_is_no_sandbox_what_is_replayed_is_not_run_and_the_summary_says_so(tmp_path, monkeypatch):
    found, _ = project(tmp_path / "p")
    request = request_for(found.units[0], GREEDY)
    write(tmp_path / "kept", Recording("openai:m", request, Answer(fenced(RIGHT), "stop", Usage(1, 1), "m")))
    ran = []
    gates = tuple(g._replace(check=lambda c: ran.append(c)) if g.runs else g for g in GATES)
    monkeypatch.setattr("musify_ai.rewrite.gates.sequence.GATES", gates)
    monkeypatch.setenv(sandbox.SWITCH, "off")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text(SOURCE)
    told = Asked(f"replay:{tmp_path / 'kept'}", tmp_path / "s.sqlite", policy=POLICY)
    done = migrate(tmp_path / "src", tmp_path / "out", Options(verify=False), asked=told)
    text = " ".join(render(done.run, done.texts).split())
    assert "1 construct: 1 not judged (there is no sandbox here, so code from a model is neither built" in text
    assert not ran and (tmp_path / "out" / "a.cu").read_text() == SOURCE.replace("cuda", "musa")
