"""The plain kernels that the checker's own teeth are tried on (benchmarks/mutants.py)."""

import tomllib
from pathlib import Path

import pytest

from musify_ai.cli.choices import options_from
from musify_ai.kernels import find_kernels
from musify_ai.pipeline import process
from musify_ai.records import Options

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
FOLDER = CORPUS / "kernels"
FILES = sorted(FOLDER.glob("*.cu"))
KERNELS = {kernel.name for file in FILES for kernel in find_kernels(file.read_bytes(), file.name)}


def test_there_are_forty() -> None:
    assert len(KERNELS) == 40


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_names_are_all_that_a_port_changes(file: Path) -> None:
    done = process(file.read_bytes(), file.name, Options())
    assert done.result.edits
    assert all(edit.evidence == "seen" for edit in done.result.edits)
    assert [f for f in done.result.findings if f.severity != "note"] == []
    assert done.result.residue == ()


@pytest.mark.parametrize("folder", ["gallery", "kernels"])
def test_each_excuse_names_a_kernel_and_gives_a_reason(folder: str) -> None:
    table = tomllib.loads((CORPUS / folder / "musify-ai.toml").read_text())
    excused = options_from(CORPUS / folder).excused
    assert len(excused) == len(table["excused-mutants"])
    known = {
        kernel.name for file in (CORPUS / folder).rglob("*.cu") for kernel in find_kernels(file.read_bytes(), file.name)
    }
    assert {kernel for kernel, _, _ in excused} <= known
    assert all(len(reason.split()) > 3 for _, _, reason in excused)
