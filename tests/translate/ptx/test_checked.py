"""Kernels with inline PTX, migrated and checked: the emulator runs the PTX on one side and the C++ on the other."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# Equal in every run; the lowered code has a way that the made inputs do not take (a subnormal, a shuffle out of range,
# a failed exchange), and that the instructions keep to themselves on the other side. The verdict says so.
_UNREACHED = ("floats", "segments", "looped")
_SOURCES = Path(__file__).parents[2] / "data" / "translate"


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on PATH to build kernels with")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("inline_ptx.cu", ("carries", "floats", "accesses", "lanes", "halves", "bits")),
        ("inline_ptx_bf16.cu", ("packed",)),
        ("inline_ptx_forms.cu", ("numbers", "shared_numbers", "vectors", "segments", "rounded", "looped")),
    ],
)
def test_every_kernel_is_equal_on_32_and_128_lanes(name: str, expected: tuple[str, ...], tmp_path: Path) -> None:
    source, report = tmp_path / "kernels.cu", tmp_path / "report"
    shutil.copy(_SOURCES / name, source)
    command = [sys.executable, "-m", "musify_ai", "migrate", str(source), "--out", str(tmp_path / "out.cu")]
    ran = subprocess.run([*command, "--report", str(report)], capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "asm" not in (tmp_path / "out.cu").read_text()
    kernels = json.loads((report / "report.json").read_text())["kernels"]
    wanted = {name: "equal-weak" if name in _UNREACHED else "equal-emulated" for name in expected}
    assert {kernel["name"]: kernel["headline"] for kernel in kernels} == wanted
    weak = [kernel["reason"] for kernel in kernels if kernel["headline"] == "equal-weak"]
    assert all(reason.startswith("not reached, and other than in the original: ") for reason in weak)
