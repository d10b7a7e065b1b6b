"""Settings files: where they are found, what they may say, and that the command line wins."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from musify_ai.cli.config import settings_for

Command = Callable[..., Any]
CUDA = b"#include <cuda_runtime.h>\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_bytes(CUDA)
    return tmp_path


def archs(ended: Any) -> list[str]:
    found: list[str] = json.loads(ended.out)["options"]["archs"]
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[project]\nname = "x"\n[tool.musify-ai]\narch = ["mp_21"]\n'),
        ("musify-ai.toml", 'arch = ["mp_21"]\n'),
    ],
)
def test_both_files_are_read_and_the_command_line_wins(musify: Command, project: Path, name: str, text: str) -> None:
    (project / name).write_text(text)
    assert archs(musify("check", "--format", "json", "src/a.cu")) == ["mp_21"]
    assert archs(musify("check", "--format", "json", "src")) == ["mp_21"]
    assert archs(musify("check", "--format", "json", "--arch", "mp_31,mp_22", "src")) == ["mp_31", "mp_22"]


def test_the_nearest_file_holds_alone(musify: Command, project: Path) -> None:
    (project / "musify-ai.toml").write_text('arch = ["mp_21"]\n')
    (project / "src" / "musify-ai.toml").write_text('fail-on = ["pending"]\n')
    ended = musify("check", "--format", "json", "src/a.cu")
    assert archs(ended) == ["mp_22", "mp_31"]
    assert ended.status == 1


def test_a_pyproject_that_does_not_name_us_is_passed_by(musify: Command, project: Path) -> None:
    (project / "musify-ai.toml").write_text('arch = ["mp_21"]\n')
    (project / "src" / "pyproject.toml").write_text("this is [ no toml\n")
    assert archs(musify("check", "--format", "json", "src/a.cu")) == ["mp_21"]


def test_looking_stops_at_a_repository(project: Path) -> None:
    (project / "musify-ai.toml").write_text('arch = ["mp_21"]\n')
    (project / "src" / ".git").mkdir()
    assert settings_for(project / "src" / "a.cu") == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("archs = []\n", ["unknown key 'archs'", "did you mean 'arch'"]),
        ("unsafe_fixes = true\n", ["did you mean 'unsafe-fixes'"]),
        ("seeds = true\n", ["seeds must be a whole number"]),
        ('arch = "mp_22"\n', ["arch must be a list", 'such as arch = ["mp_22"]']),
        ('[tool.musify-ai]\narch = ["mp_22"]\n', ["at the top", "not under [tool.musify-ai]"]),
        ("arch = [1]\n", ["arch must be a list"]),
        ("arch = []\n", ["no target arch"]),
        ('style = "semantic"\nsdk = "4.3"\n', ["comes with SDK 5.2", "alias"]),
        ("seeds = \n", ["not valid TOML"]),
        ("seeds = 1\n", ["at least 2"]),
        ("jobs = -2\n", ["jobs"]),
    ],
)
def test_what_a_file_may_not_say_is_wrong_use(musify: Command, project: Path, text: str, words: list[str]) -> None:
    (project / "musify-ai.toml").write_text(text)
    ended = musify("check", "src")
    assert (ended.status, ended.out) == (2, "")
    assert all(word in ended.err for word in words), ended.err


@pytest.mark.parametrize("text", ['[tool]\nmusify-ai = "yes"\n', "tool = 3  # musify-ai\n"])
def test_a_table_that_is_none_is_wrong_use(musify: Command, project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(text)
    assert musify("check", "src").status == 2


@pytest.mark.parametrize("line", ['arch = ["mp_99"]', 'select = ["MUS99"]', 'style = "rebrandd"', "seeds = 1"])
def test_a_value_that_is_none_is_told_with_the_file_it_stands_in(musify: Command, project: Path, line: str) -> None:
    (project / "musify-ai.toml").write_text(line + "\n")
    ended = musify("check", "src")
    assert (ended.status, ended.out) == (2, "")
    assert f"{project / 'musify-ai.toml'}: " in ended.err
    (project / "musify-ai.toml").write_text("")
    assert "musify-ai.toml" not in musify("check", "--arch", "mp_99", "src").err
