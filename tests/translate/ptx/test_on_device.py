"""Memory, atomics, shuffles and registers in PTX against a model of the manual, on the emulated device, both archs."""

import shutil
from pathlib import Path

import pytest

from tests.translate.ptx import manual
from tests.translate.ptx.on_device import compare

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on PATH to build the device with")


def test_a_part_of_each_family_is_what_the_manual_says(tmp_path: Path) -> None:
    """All of it is the benchmark's (`benchmarks/ptx_oracle.py`), on more rows."""
    forms = [*manual.registers(), *manual.orderings()][::3]
    for family, step in ((manual.accesses(), 9), (manual.atomics(), 4), (manual.shuffles(), 3)):
        forms += list(family)[::step]
    assert compare(forms, 256, tmp_path, ("mp_22", "mp_31")) == []


def test_votes_are_what_the_manual_says_where_a_warp_has_32_lanes(tmp_path: Path) -> None:
    assert compare(list(manual.votes()), 256, tmp_path, ("mp_31",)) == []


def test_the_comparison_sees_a_model_that_differs(tmp_path: Path) -> None:
    form = next(manual.registers())
    wrong = compare([form._replace(model=lambda number, rows: [number])], 256, tmp_path, ("mp_31",))
    assert len(wrong) == 2
    assert all("differs from the manual" in each for each in wrong)
