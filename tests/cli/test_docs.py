"""The pages under docs/ are those that the rules make."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from musify_ai.cli.main import cli
from musify_ai.cli.pages import pages
from musify_ai.translate.registry import codes

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_folder_is_what_the_rules_make() -> None:
    there = {place.relative_to(DOCS).as_posix(): place.read_text("utf-8") for place in DOCS.rglob("*.md")}
    made = pages()
    stale = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
    assert not stale, f"docs/ is stale, write it anew with `make docs`: {stale}"


def test_each_code_and_each_library_has_a_page() -> None:
    made = pages()
    assert {f"codes/{code}.md" for code in codes()} <= made.keys()
    assert "`cudaMalloc` → `musaMalloc`" in made["api/runtime.md"]
    assert "[runtime](api/runtime.md)" in made["README.md"]


def test_pages_that_are_no_more_go(musify: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "docs" / "codes").mkdir(parents=True)
    (tmp_path / "docs" / "codes" / "MUS999.md").touch()
    (tmp_path / "docs" / "own.txt").touch()
    assert musify("rules", "docs", "--out", "docs").status == 0
    assert not (tmp_path / "docs" / "codes" / "MUS999.md").exists()
    assert (tmp_path / "docs" / "own.txt").exists()
    assert (tmp_path / "docs" / "README.md").exists()


def commands() -> list[tuple[str, list[str]]]:
    """Every command line of ours in a code block of a page, of the README or of a guide."""
    found = []
    for place in (DOCS.parent / "README.md", *sorted((DOCS / "guide").glob("*.md"))):
        for block in re.findall(r"^```(?:sh|yaml)\n(.*?)^```", place.read_text("utf-8"), re.M | re.S):
            for line in block.splitlines():
                words = shlex.split(line.split("- ", 1)[-1] if "- musify-ai" in line else line, comments=True)
                if words[:1] == ["musify-ai"]:
                    end = next((at for at, word in enumerate(words) if word in ("|", ">", "&&")), len(words))
                    found.append((f"{place.name}: {line.strip()}", words[1:end]))
    return found


def test_each_command_in_the_pages_is_one(musify: Callable[..., Any]) -> None:
    shown = commands()
    assert len(shown) > 8
    for where, words in shown:
        group: click.Command = cli
        context = click.Context(cli)
        while isinstance(group, click.Group):
            name, *words = words
            command = group.get_command(context, name)
            assert command is not None, where
            group = command
        try:
            group.make_parser(click.Context(group)).parse_args(list(words))
        except click.UsageError as problem:
            pytest.fail(f"{where}: {problem.format_message()}")


def test_each_guide_is_in_the_index_and_its_links_lead_somewhere() -> None:
    made = pages()
    for name in made:
        if name.startswith("guide/"):
            assert f"]({name})" in made["README.md"], name
            for target in re.findall(r"\]\(([^)#:]+)\)", made[name]):
                assert (DOCS / "guide" / target).resolve().exists(), f"{name}: {target}"


def test_the_settings_files_in_the_guide_are_yaml_and_name_our_hooks() -> None:
    yaml = pytest.importorskip("yaml", reason="reading the examples needs PyYAML, which comes with pre-commit")
    hooks = {hook["id"] for hook in yaml.safe_load((DOCS.parent / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    inputs = yaml.safe_load((DOCS.parent / "action.yml").read_text("utf-8"))["inputs"]
    text = pages()["guide/ci.md"]
    for block in re.findall(r"^```yaml\n(.*?)^```", text, re.M | re.S):
        yaml.safe_load(block)
        for name in re.findall(r"- id: (\S+)", block):
            assert name in hooks
    assert set(re.findall(r"^\| `([a-z-]+)` \| .* \| .* \|$", text, re.M)) == set(inputs)
