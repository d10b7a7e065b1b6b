"""The hooks for pre-commit: what they call exists, and they see the right files."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from musify_ai.cli.main import COMMANDS
from musify_ai.rules.lookup import lookup, names

FILE = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def hooks() -> list[dict[str, str]]:
    """The file's entries. It is flat by intent, so reading it takes no YAML parser."""
    found: list[dict[str, str]] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        key, _, value = line.removeprefix("- ").strip().partition(": ")
        if line.startswith("- "):
            found.append({})
        assert re.fullmatch(r"(?:- |  )[a-z_]+: \S.*", line), line
        found[-1][key] = value
    return found


def test_their_commands_exist() -> None:
    assert [hook["id"] for hook in hooks()] == ["musify-ai-check", "musify-ai-fix", "musify-ai-new-names"]
    for hook in hooks():
        program, command = hook["entry"].split()[:2]
        assert program == "musify-ai"
        assert command in COMMANDS
        assert hook["language"] == "python"
        assert hook["types"] == "[text]"


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("src/a.cu", True),
        ("a.cuh", True),
        ("include/b.hpp", True),
        ("x.cuh.in", True),
        ("detail/k.inl", True),
        ("CMakeLists.txt", True),
        ("sub/CMakeLists.txt", True),
        ("Makefile", True),
        ("src/GNUmakefile", True),
        ("cmake/Find.cmake", True),
        ("rules.mk", True),
        ("MyMakefile", False),
        ("README.md", False),
        ("cuda.py", True),
        ("a.cu.txt", False),
        ("cu", False),
    ],
)
def test_they_are_given_sources_only(path: str, seen: bool) -> None:
    for hook in hooks():
        assert bool(re.search(hook["files"], path)) is seen


def test_a_name_without_a_counterpart_is_new_under_whichever_code() -> None:
    entry = next(hook["entry"] for hook in hooks() if hook["id"] == "musify-ai-new-names")
    codes = tuple(entry.rpartition("--select ")[2].split(","))
    rows = (row for name in names() for row in lookup(name).rows)
    lacking = {row.code for row in rows if row.treatment in ("none", "differs") and row.code}
    assert {"MUS701", "MUS705"} <= lacking
    assert [code for code in lacking if not code.startswith(codes)] == []


@pytest.mark.parametrize(
    "line, named",
    [
        ("import cupy", "cupy"),
        ("m = torch.cuda.jiterator", "torch.cuda.jiterator"),
        ("m = torch.cuda.memory_allocated()", ""),
    ],
)
def test_python_names_are_new_names_too(line: str, named: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"import torch\n{line}\n")
    entry = next(hook["entry"] for hook in hooks() if hook["id"] == "musify-ai-new-names")
    words = entry.split()
    command = [sys.executable, "-m", "musify_ai", "check", *words[words.index("--select") :], str(tmp_path / "a.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == (1 if named else 0), done.stderr
    assert named in done.stdout
