"""``musify-ai llm``: a plan that sends nothing, recordings, training data."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from musify_ai.cli.main import cli
from musify_ai.rewrite.answering import Answering
from musify_ai.rewrite.loop import Judge, Policy
from musify_ai.rewrite.providers.scripted import Scripted
from musify_ai.rewrite.store import Store
from musify_ai.rewrite.working import Setting, work
from tests.rewrite.projects import RIGHT, SOURCE, fenced, project


def run(*arguments: str | Path) -> str:
    done = CliRunner().invoke(cli, ["llm", *map(str, arguments)], catch_exceptions=False, standalone_mode=False)
    assert done.exception is None
    return done.output


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text(SOURCE)
    (tmp_path / "src" / "b.cu").write_text(SOURCE.replace("fetch", "load").replace("twice", "double_it"))
    (tmp_path / "src" / "c.cu").write_text('#define WAIT asm volatile("bar.sync 1, 64;" ::: "memory")\n')
    return tmp_path / "src"


def test_a_plan_says_what_would_be_asked_and_writes_nothing(source: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    text = run("plan", source, "--llm-store", tmp_path / "s.sqlite", "--llm-prices", "1,2", "--llm-samples", "1")
    assert "async-copies" in text and "a.cu:7 fetch  MUS405, and 1 more place\n" in text
    assert "1 of 1 distinct construct; 5 calls" in text and "cost" in text
    assert "not asked    1: in a macro" in text
    assert sorted(tmp_path.rglob("*")) == before


def test_a_request_is_shown_whole_and_with_redact_without_names(source: Path, tmp_path: Path) -> None:
    text = run("plan", source, "--llm-store", tmp_path / "s.sqlite", "--show", "1")
    assert "cp.async.cg" in text and "fetch" in text and "--- system" in text and "ignore all rules" not in text
    text = run("plan", source, "--llm-store", tmp_path / "s.sqlite", "--show", "1", "--redact")
    assert "cp.async.cg" in text and not {"fetch", "twice"}.intersection(re.findall(r"\w+", text))


def test_answers_become_recordings_and_training_data(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    found, site = project(tmp_path / "p")
    with Store(path) as store:
        ask = Answering(store, Scripted([fenced(RIGHT)])).ask
        work(found.units, site, Setting(store, ask, "scripted", Judge(()), Policy()))
    assert "wrote 1 recording to" in run("record", tmp_path / "rec", "--llm-store", path)
    assert len(list((tmp_path / "rec").iterdir())) == 1
    assert "wrote 1 attempt to" in run("export", tmp_path / "x.jsonl", "--llm-store", path, "--rewards", "-2,0,0,5")
    (row,) = map(json.loads, (tmp_path / "x.jsonl").read_text().splitlines())
    assert row["reward"] == 5
    # A key follows from the code, not from the file: what was accepted there costs nothing here.
    assert "(in the store: costs nothing)" in run("plan", source, "--llm-store", path)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["llm", "record", str(tmp_path / "r"), "--llm-store", str(tmp_path / "none")])
    assert done.exit_code == 2 and "no store of answers" in done.output
    (tmp_path / "none").write_text("text")
    done = CliRunner().invoke(cli, ["llm", "export", str(tmp_path / "r"), "--llm-store", str(tmp_path / "none")])
    assert done.exit_code == 2 and "not a store" in done.output
