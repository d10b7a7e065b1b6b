"""The action for GitHub: its script run as a runner would run it, with inputs that try to get out."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="reading action.yml needs PyYAML (it comes with pre-commit, the extra 'dev')")

ROOT = Path(__file__).parents[2]
WARP = "__global__ void k(int* p) { p[0] = warpSize; }\n"

pytestmark = pytest.mark.skipif(
    not (shutil.which("git") and shutil.which("bash")), reason="the action's script needs git and bash"
)


def action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return found


def git(where: Path, *arguments: str) -> str:
    named = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    return subprocess.run(["git", *named, *arguments], cwd=where, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    (place / "src").mkdir(parents=True)
    (place / "src" / "old.cu").write_text(WARP)
    git(place, "init")
    git(place, "add", ".")
    git(place, "commit", "-m", "base")
    return place


class Ended:
    def __init__(self, project: Path, **inputs: str) -> None:
        base = project.parent
        tools = base / "bin"
        tools.mkdir(exist_ok=True)
        for name, text in (
            ("musify-ai", f'exec "{sys.executable}" -m musify_ai "$@"'),
            ("python", f'exec "{sys.executable}" "$@"'),
        ):
            (tools / name).write_text(f"#!/bin/sh\n{text}\n")
            (tools / name).chmod(0o755)
        given = {name: str(row.get("default", "")) for name, row in action()["inputs"].items()} | {
            name.replace("_", "-"): value for name, value in inputs.items()
        }
        environment = {
            **os.environ,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "GITHUB_OUTPUT": str(base / "output"),
            "GITHUB_STEP_SUMMARY": str(base / "summary.md"),
            **{f"INPUT_{name.upper().replace('-', '_')}": value for name, value in given.items()},
        }
        script = ROOT / "templates" / "action" / "check.sh"
        done = subprocess.run(
            ["bash", script], cwd=project, env=environment, capture_output=True, text=True, check=False
        )
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        sarif = project / given["sarif"]
        self.sarif = json.loads(sarif.read_text()) if sarif.is_file() else None
        summary = base / "summary.md"
        self.summary = summary.read_text() if summary.is_file() else ""
        self.written = (base / "output").is_file() and "written=true" in (base / "output").read_text()

    @property
    def found(self) -> list[str]:
        assert self.sarif is not None
        return [row["ruleId"] for row in self.sarif["runs"][0]["results"]]


def test_its_script_is_called_with_every_input_as_a_variable() -> None:
    step = next(step for step in action()["runs"]["steps"] if step.get("id") == "check")
    assert step["run"] == 'bash "$GITHUB_ACTION_PATH/templates/action/check.sh"'
    text = (ROOT / "templates" / "action" / "check.sh").read_text()
    assert all(f"${name}" in text for name in step["env"])
    for each in action()["runs"]["steps"]:
        assert "${{" not in each.get("run", ""), "text of an input must not become text of a script"


def test_findings_fail_it_and_go_to_a_file_and_the_summary(project: Path) -> None:
    ended = Ended(project)
    assert ended.status == 1
    assert ended.found == ["MUS301"]
    assert ended.written
    assert "MUS301" in ended.summary
    assert "::" not in ended.out


def test_without_an_upload_they_are_annotations(project: Path) -> None:
    assert "::warning file=src/old.cu,line=1" in Ended(project, upload="false").out


def test_a_pull_request_answers_for_what_it_brings(project: Path) -> None:
    base = git(project, "rev-parse", "HEAD").strip()
    assert Ended(project, since=base).status == 0
    (project / "src" / "new.cu").write_text(WARP)
    ended = Ended(project, since=base)
    assert ended.status == 1
    assert [
        r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in ended.sarif["runs"][0]["results"]
    ] == ["src/new.cu"]


def test_a_base_that_the_clone_lacks_is_said_and_everything_shown(project: Path) -> None:
    ended = Ended(project, since="0" * 40)
    assert ended.status == 1
    assert "fetch-depth: 0" in ended.out


def test_paths_and_arguments_are_split_as_words(project: Path) -> None:
    (project / "a b.cu").write_text(WARP)
    ended = Ended(project, paths="src\n'a b.cu'", arguments="--ignore 'MUS3'")
    assert (ended.status, ended.found) == (0, [])
    assert Ended(project, paths="'a b.cu'").found == ["MUS301"]
    assert Ended(project, paths="").found == ["MUS301", "MUS301"]


@pytest.mark.parametrize("name", ["paths", "arguments", "since", "fail_on"])
@pytest.mark.parametrize("text", ["$(touch got-out)", "`touch got-out`", "; touch got-out", "x\ntouch got-out", "*"])
def test_nothing_in_an_input_is_run(project: Path, name: str, text: str) -> None:
    Ended(project, **{name: text})
    assert not (project / "got-out").exists()


def test_wrong_use_fails_loudly_and_leaves_no_file(project: Path) -> None:
    ended = Ended(project, arguments="--select MUS99")
    assert ended.status == 2
    assert ended.sarif is None
    assert not ended.written
    assert "::error::" in ended.out
    assert "no code MUS99" in ended.err


def test_a_path_that_begins_with_a_dash_is_a_path(project: Path) -> None:
    (project / "-x.cu").write_text(WARP)
    assert Ended(project, paths="-x.cu").found == ["MUS301"]
