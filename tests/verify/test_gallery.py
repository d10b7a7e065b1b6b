"""The gallery as whole programs: alike on both sides, and wrong host code caught. Its kernels: `tests/corpus`."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.records import Options
from musify_ai.verify.program import verify_program

_spec = importlib.util.spec_from_file_location("verify_gallery", Path(__file__).with_name("gallery.py"))
assert _spec is not None and _spec.loader is not None
gallery = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(gallery)

WRONGS: list[dict[str, Any]] = gallery.wrongs()


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
