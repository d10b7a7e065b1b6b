"""Each lowered form against the emulator's instruction library, bit for bit; the benchmark does it on more values."""

from pathlib import Path

import pytest

from tests.translate.ptx.compared import COMPILER, compare, everything, one

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler on PATH to run lowered code with")


def test_lowered_statements_compute_what_the_library_computes(tmp_path: Path) -> None:
    assert compare(everything(), 400, tmp_path) == []


def test_the_comparison_sees_a_shift_that_does_not_clamp(tmp_path: Path) -> None:
    """The way a vendor's port has it."""
    wrong = compare([one("shl.b32 %0, %1, %2;", "r", "rr", "d0 = a0 << (a1 & 31);")], 400, tmp_path)
    assert len(wrong) == 1
