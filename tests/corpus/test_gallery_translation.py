"""The translator against the oracle: the gallery's files come out as they were written by hand."""

import filecmp
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from musify_ai.records import Options
from musify_ai.source.splicing import splice
from musify_ai.translate import translate

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
ORIGINAL = CORPUS / "gallery"
EXPECTATIONS = tomllib.loads((CORPUS / "gallery-expected.toml").read_text())
FILES = sorted(p.relative_to(ORIGINAL).as_posix() for p in ORIGINAL.rglob("*") if p.suffix in (".cu", ".cuh", ".h"))
BUILD_FILES = ["CMakeLists.txt", "Makefile"]


@pytest.mark.parametrize("path", [*FILES, *BUILD_FILES])
def test_safe_edits_give_the_expected_translation(path: str) -> None:
    source = (ORIGINAL / path).read_bytes()
    edits = [edit for edit in translate(source, path, Options()).edits if edit.safety == "safe"]
    output = splice(source, edits)
    assert output.split(b"\n") == (CORPUS / "gallery-musa" / path).read_bytes().split(b"\n")
    # and a second run has nothing left to do
    assert [e for e in translate(output, path, Options()).edits if e.safety == "safe"] == []


@pytest.mark.parametrize("path", FILES)
def test_findings_are_just_those_expected(path: str) -> None:
    source = (ORIGINAL / path).read_bytes()
    findings = translate(source, path, Options()).findings
    found = {(f.code, source.count(b"\n", 0, f.start) + 1, f.settled) for f in findings}
    expected = [finding for finding in EXPECTATIONS["finding"] if finding["file"] == path]
    assert found == {(e["code"], e["line"], e.get("settled", True)) for e in expected}
    if path in EXPECTATIONS["quiet"]:
        assert [finding for finding in findings if finding.severity != "note"] == []


def test_the_command_writes_the_expected_tree_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "musa"
    command = [sys.executable, "-m", "musify_ai", "migrate", ORIGINAL, "--out", out, "--no-verify", "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(CORPUS.parent)}
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert ended.returncode == 0, ended.stderr
    report = json.loads(ended.stdout)

    expected = CORPUS / "gallery-musa"
    files = sorted(p.relative_to(expected).as_posix() for p in expected.rglob("*") if p.is_file())
    written = sorted(p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file())
    assert [file for file in written if not file.startswith(".musify-ai")] == files
    assert filecmp.cmpfiles(expected, out, files, shallow=False) == (files, [], [])

    found = {(f["path"], f["code"], f["line"]) for f in report["findings"]}
    assert found == {(f["file"], f["code"], f["line"]) for f in EXPECTATIONS["finding"]}
    assert report["summary"]["residue"] == 0
    assert report["summary"]["build_files"] == "migrated"
