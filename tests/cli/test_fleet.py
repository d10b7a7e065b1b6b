"""``fleet``: a table over repositories, of which a bad one is a row and ends nothing."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from musify_ai.cli.fleet import _table
from musify_ai.project import fleet as fleets
from musify_ai.project.refusals import Refused

Command = Callable[..., Any]
KERNEL = 'void f() { cudaFree(0); }\n__global__ void k() { asm volatile("bar.sync 1;"); }\n'


@pytest.fixture
def repositories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two repositories, one of them in git, one that is not there, and one whose settings are wrong."""
    for name in ("one", "two", "wrong"):
        (tmp_path / "repos" / name).mkdir(parents=True)
        (tmp_path / "repos" / name / "a.cu").write_text(KERNEL)
    (tmp_path / "repos" / "wrong" / "musify-ai.toml").write_text("nonsense = 1\n")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "all")):
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *who, *words], cwd=tmp_path / "repos" / "one", check=True)
    place = tmp_path / "repos" / "fleet.toml"
    place.write_text(
        '[[repo]]\npath = "one"\n[[repo]]\npath = "gone"\n[[repo]]\npath = "wrong"\n'
        '[[repo]]\nname = "group/second"\npath = "two"\noptions = ["--arch", "mp_31"]\n'
    )
    return place


def test_every_repository_has_a_row_and_what_is_done_is_not_done_again(
    musify: Command, repositories: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = musify("fleet", repositories, "--out", "out", "--no-verify", "--format", "json")
    assert ended.status == 1
    found = json.loads(ended.out)
    assert found["summary"] == {
        "repositories": 4, "not_migrated": 2, "files": 2, "changed": 2, "failed": 0, "edits": 2, "residue": 0,
    }  # fmt: skip
    rows = {row["name"]: row for row in found["repositories"]}
    assert list(rows) == ["one", "gone", "wrong", "group/second"]
    assert "no such file" in rows["gone"]["error"] and "unknown key 'nonsense'" in rows["wrong"]["error"]
    assert rows["one"]["kernels"] == {"unchecked": 1} and rows["one"]["severities"] == {"error": 1}
    assert "musaFree" in (tmp_path / "out" / "group" / "second" / "a.cu").read_text()
    assert json.loads((tmp_path / "out" / "reports" / "group" / "second" / "report.json").read_text())["options"][
        "archs"
    ] == ["mp_31"]

    begun: list[str] = []
    idle: list[bool] = []
    run = subprocess.run

    def noted(command: list[str], **given: Any) -> Any:
        if "migrate" in command:
            begun.append(Path(command[command.index("migrate") + 1]).name)
            if idle:
                return subprocess.CompletedProcess(command, 9, b"", b"")
        return run(command, **given)

    monkeypatch.setattr(fleets.subprocess, "run", noted)
    (tmp_path / "repos" / "wrong" / "musify-ai.toml").unlink()
    ended = musify("fleet", repositories, "--out", "out", "--no-verify")
    assert begun == ["gone", "wrong", "two"]  # only what is in git can be known to be as it was
    lines = ended.out.splitlines()
    assert [line.split()[0] for line in lines] == ["repository", "one", "wrong", "group/second", "together", "gone:"]
    assert lines[4].split()[1:5] == ["3", "3", "0", "3"]
    begun.clear()
    idle.append(True)
    (tmp_path / "repos" / "one" / "a.cu").write_text(KERNEL + "\n")
    ended = musify("fleet", repositories, "--out", "out", "--no-verify")
    assert "one" in begun and "one: not migrated: migrate ended with status 9" in ended.out


def test_a_run_that_says_little_is_not_counted_with_the_equal_ones() -> None:
    row = fleets.Fared("a", "", 1.0, kernels={"equal-emulated": 3, "equal-assumed": 1, "equal-weak": 2, "differs": 1})
    heads, figures = (line.split("  ") for line in _table([row]).splitlines())
    cells = dict(zip((each.strip() for each in heads if each), (each.strip() for each in figures if each), strict=True))
    assert (cells["kernels"], cells["equal"], cells["weakly"]) == ("7", "4", "2")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "[[repo]] tables"),
        ("[[repo]]\n", "wants a path"),
        ('[[repo]]\npath = "a"\nurl = "b"\n', "wants a path"),
        ('[[repo]]\npath = "a"\n[[repo]]\npath = "b/a"\n', "a is there already"),
        ('[[repo]]\npath = "a"\nname = "../a"\n', "cannot be the name"),
        ('[[repo]]\npath = "a"\nname = "reports"\n', "cannot be a name"),
        ('[[repo]]\npath = "a"\nname = "state/a"\n', "cannot be a name"),
        ('[[repo]]\npath = "a"\nname = "a/b"\n[[repo]]\npath = "a"\n', "in each other"),
        ('[[repo]]\npath = "a"\n[[repo]]\npath = "a"\nname = "a/b"\n', "in each other"),
        ('[[repo]]\npath = "a"\noptions = ["--out=x"]\n', "for the fleet to say"),
        ("[[repo]\n", "not valid TOML"),
    ],
)
def test_a_file_that_is_no_fleet_is_refused(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "fleet.toml").write_text(text)
    with pytest.raises(Refused) as refused:
        fleets.read_fleet(tmp_path / "fleet.toml")
    assert word in str(refused.value)


def test_options_that_are_the_fleets_own_are_refused(musify: Command, repositories: Path) -> None:
    ended = musify("fleet", repositories, "--out", "out", "--in-place")
    assert ended.status == 2 and "--in-place is for the fleet" in ended.err and not os.path.exists("out")


def test_a_result_holds_for_what_the_files_among_its_options_say(repositories: Path, tmp_path: Path) -> None:
    repository, rules = fleets.Repository("one", tmp_path / "repos" / "one"), tmp_path / "rules.toml"
    rules.write_text("a")
    first = [fleets._key(repository, options) for options in (("--rules", str(rules)), (f"--rules={rules}",))]
    rules.write_text("b")
    again = [fleets._key(repository, options) for options in (("--rules", str(rules)), (f"--rules={rules}",))]
    assert all(first) and not set(first) & set(again)
