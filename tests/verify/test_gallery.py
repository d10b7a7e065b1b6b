"""The gallery: the headlines of its expected translation, and every wrong translation caught."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.records import Options, Verdict
from musify_ai.verify import Checked, verify
from musify_ai.verify.program import verify_program

_spec = importlib.util.spec_from_file_location("verify_gallery", Path(__file__).with_name("gallery.py"))
assert _spec is not None and _spec.loader is not None
gallery = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(gallery)

WRONGS: list[dict[str, Any]] = gallery.wrongs()
KERNELS: list[dict[str, Any]] = gallery.FACTS["kernel"]


@pytest.fixture(scope="module")
def expected(build_cache: Cache) -> Checked:
    return verify(
        gallery.ORIGINAL,
        gallery.EXPECTED,
        files=gallery.FILES,
        unsettled=gallery.unsettled(),
        options=Options(jobs=2),
        cache=build_cache,
    )


def of_kernel(checked: Checked, row: dict[str, Any]) -> list[Verdict]:
    return [v for v in checked.verdicts if (v.path, v.name) == (row["file"], row["name"])]


@pytest.mark.parametrize("row", KERNELS, ids=[row["name"] for row in KERNELS])
def test_expected_headline(expected: Checked, row: dict[str, Any]) -> None:
    found = of_kernel(expected, row)
    assert found, "no verdict"
    assert [v.instantiation for v in found] == row.get("instantiations", [None])
    for verdict in found:
        assert verdict.headline == row["headline"], verdict.reason
        for arch, outcome in row.get("by_arch", {}).items():
            assert verdict.by_arch[arch] == outcome
        assert set(row.get("notes", ())) <= set(verdict.notes)
        if "code" in row:
            assert verdict.reason is not None
            assert verdict.reason.startswith(row["code"])
        if verdict.headline.startswith("equal"):
            assert all(any(b.varies for b in e.buffers) for e in verdict.evidence)


def test_every_kernel_has_its_row(expected: Checked) -> None:
    assert {(v.path, v.name) for v in expected.verdicts} == {(row["file"], row["name"]) for row in KERNELS}


def test_nothing_else_fails(expected: Checked) -> None:
    assert expected.failures == ()


@pytest.mark.parametrize("row", [w for w in WRONGS if w.get("scope") != "program"], ids=lambda row: row["id"])
def test_wrong_translation(build_cache: Cache, tmp_path: Path, row: dict[str, Any]) -> None:
    tree = gallery.spoil(row, tmp_path)
    done = verify(
        gallery.ORIGINAL, tree, files=gallery.FILES, options=Options(jobs=1), kernels=[row["kernel"]], cache=build_cache
    )
    headlines = {v.headline for v in done.verdicts}
    assert row["expect"] in headlines, [v.reason for v in done.verdicts]
    assert headlines <= {"differs", "build-failed"} or len(done.verdicts) > 1


@pytest.mark.parametrize("row", [w for w in WRONGS if w.get("scope") == "program"], ids=lambda row: row["id"])
def test_wrong_host_code(build_cache: Cache, tmp_path: Path, row: dict[str, Any]) -> None:
    tree = gallery.spoil(row, tmp_path)
    program = verify_program(
        gallery.ORIGINAL,
        tree,
        files=gallery.FILES,
        unsettled=gallery.unsettled(),
        arguments=[row["kernel"]],
        options=Options(archs=("mp_31",), jobs=2),
        cache=build_cache,
    )
    assert [e.outcome for e in program.evidence] == [row["expect"]], program.evidence[0].detail


@pytest.mark.parametrize("check", ["saxpy", "fir", "matmul", "hash"])
def test_its_program_runs_alike_on_both_sides(build_cache: Cache, check: str) -> None:
    program = verify_program(
        gallery.ORIGINAL,
        gallery.EXPECTED,
        files=gallery.FILES,
        unsettled=gallery.unsettled(),
        arguments=[check],
        options=Options(jobs=2),
        cache=build_cache,
    )
    assert program.path == "src/main.cu"
    assert [(e.arch, e.outcome, e.detail) for e in program.evidence] == [
        ("mp_22", "equal-emulated", ""),
        ("mp_31", "equal-emulated", ""),
    ]
