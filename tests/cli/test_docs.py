"""The pages under docs/ are those that the rules make."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

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
