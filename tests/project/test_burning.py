"""What each run into a tree left: places fall away as they are worked on or decided about."""

import json
from pathlib import Path

import pytest

from musify_ai.cli.output import text_of
from musify_ai.project import migrate
from musify_ai.project.burning import Day, burned, tally_of
from musify_ai.project.ledger import FOLDER, Ledger
from musify_ai.project.refusals import Refused
from musify_ai.records import Options, Run, Verdict

OPTIONS = Options(verify=False, jobs=1)
SOURCE = """#include <cuda_runtime.h>
__global__ void k() {
  asm volatile("bar.sync 1;");
}
__global__ void l() {
  asm volatile("bar.sync 2;");
}
"""


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    source, out = tmp_path / "src", tmp_path / "out"
    source.mkdir()
    (source / "a.cu").write_text(SOURCE)
    migrate(source, out, OPTIONS)
    return source, out


def test_a_place_that_was_edited_in_the_new_tree_is_open_no_more(trees: tuple[Path, Path]) -> None:
    source, out = trees
    migrate(source, out, OPTIONS)
    (first,) = burned(out)
    assert (first.codes, first.kernels) == ({"MUS407": 2}, {"unchecked": 2}) and first.open == 2
    text = (out / "a.cu").read_text()
    (out / "a.cu").write_text("// above\n" + text.replace('asm volatile("bar.sync 1;");', "__syncthreads();"))
    again = migrate(source, out, OPTIONS)
    assert [day.open for day in burned(out)] == [2, 1]
    start = SOURCE.index("asm")
    assert [(path, code, at) for path, code, at, _ in again.by_hand] == [("a.cu", "MUS407", start)]
    told = " ".join(text_of(again, "text").split())
    assert "findings 1: 1 error by hand 1 finding more on lines edited there since" in told and "a.cu:6:" in told
    assert "a.cu:3:" not in told and len(json.loads(text_of(again, "json"))["findings"]) == 2
    (out / "a.cu").unlink()
    migrate(source, out, OPTIONS)
    assert [day.open for day in burned(out)] == [2, 1, 0]


def test_what_was_decided_is_open_no_more_and_what_is_new_is(trees: tuple[Path, Path]) -> None:
    source, out = trees
    found = migrate(source, out, OPTIONS).run.files[0].findings
    finding = next(each for each in found if each.code == "MUS407")
    (source / "musify-triage.toml").write_text(
        '[[decision]]\nstate = "waived"\ncode = "MUS407"\npath = "a.cu"\nline = 3\n'
        f'fingerprint = "{finding.fingerprint}"\nname = "Ann"\non = "2026-01-01"\nreason = "dead code"\n'
    )
    migrate(source, out, OPTIONS)
    assert [day.open for day in burned(out)] == [2, 1]
    (source / "b.cu").write_text(SOURCE)
    migrate(source, out, OPTIONS)
    assert [day.open for day in burned(out)] == [2, 1, 3]


def test_kernels_are_counted_by_headline_and_by_what_is_in_their_way(trees: tuple[Path, Path]) -> None:
    source, out = trees
    by_arch = {"mp_22": "unchecked"}
    verdicts = tuple(
        Verdict("a.cu", name, 1, None, "unchecked", reason, (), by_arch, ())
        for name, reason in (("k", "MUS407: left in"), ("l", "MUS407 and MUS401"), ("m", "no compiler"))
    )
    run = Run(migrate(source, out, OPTIONS).run.tool, "migrate", OPTIONS, (), verdicts)
    with Ledger(out / FOLDER) as ledger:
        ledger.finish(*tally_of(run, source, out, ledger))
    last = burned(out)[-1]
    assert last._replace(day="") == Day("", {}, {}, {"unchecked": 3}, {"MUS401": 1, "MUS407": 2})


def test_a_tree_without_a_ledger_has_no_history(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="has no ledger"):
        burned(tmp_path)
