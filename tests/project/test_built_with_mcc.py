"""The migrated gallery, built as its user would: by CMake with MUSA's modules, and by make, with mcc.

Both are stand-ins (``tests/standins``): an mcc that refuses every flag that is not known to be mcc's and builds for the
CPU device, and modules that do what public MUSA builds rely on. So this shows that the build files say what those take,
and nothing of a real SDK.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.standins import mcc

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "corpus" / "gallery"
CHECKS = re.findall(r'\{"(\w+)", check_', (GALLERY / "src/main.cu").read_text())

pytestmark = [
    pytest.mark.skipif(shutil.which("g++") is None and shutil.which("clang++") is None, reason="no C++ compiler"),
    pytest.mark.skipif(shutil.which("make") is None, reason="no make to build with"),
]

# The two places that the translation leaves to a person (MUS407 and MUS103), finished as the findings advise.
BY_HAND = {
    "src/handoff.cu": (
        (b'    asm volatile("bar.sync 1, 64;" ::: "memory");\n', b"    __syncthreads();\n"),
        (
            b"    } else if (i < n) {\n        y[i] = 2.0f * x[i];\n    }\n",
            b"    } else {\n        pair_barrier();\n        if (i < n) y[i] = 2.0f * x[i];\n    }\n",
        ),
    ),
    "src/device_info.cu": ((b"cudaStreamGetDevice(stream, &device)", b"musaGetDevice(&device)"),),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A MUSA_HOME with the stand-ins for mcc and the CMake modules."""
    place = mcc.install(tmp_path_factory.mktemp("sdk") / "musa")
    shutil.copytree(ROOT / "tests" / "standins" / "cmake", place / "cmake")
    return place


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gallery in a folder with blanks and other letters in its name, migrated and finished by hand."""
    out = tmp_path_factory.mktemp("ported tree é") / "gallery"
    command = [sys.executable, "-m", "musify_ai", "migrate", GALLERY, "--out", out, "--no-verify"]
    ended = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert ended.returncode == 0, ended.stderr
    for path, changes in BY_HAND.items():
        text = (out / path).read_bytes()
        for old, new in changes:
            assert text.count(old) == 1
            text = text.replace(old, new)
        (out / path).write_bytes(text)
    return out


def _run(*command: str | Path, home: Path, cwd: Path) -> str:
    environment = {**os.environ, "MUSA_HOME": str(home), "MUSIFY_EMU_LANES": "128"}
    ended = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=900)
    assert ended.returncode == 0, f"{command}\n{ended.stdout[-3000:]}\n{ended.stderr[-6000:]}"
    return ended.stdout


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake to configure with")
def test_cmake_configures_builds_and_the_program_passes(home: Path, migrated: Path, tmp_path: Path) -> None:
    said = _run("cmake", "-S", migrated, "-B", tmp_path, "-DMUSA_ARCHITECTURES=31", home=home, cwd=tmp_path)
    assert "Found MUSA" in said
    _run("cmake", "--build", tmp_path, "--parallel", "2", home=home, cwd=tmp_path)
    _passes(tmp_path / "tinyops", home, tmp_path)


def test_make_builds_and_the_program_passes(home: Path, migrated: Path, tmp_path: Path) -> None:
    shutil.copytree(migrated, tmp_path / "tree")
    _run("make", "-j2", "ARCH=mp_31", home=home, cwd=tmp_path / "tree")
    _passes(tmp_path / "tree" / "tinyops", home, tmp_path)


def _passes(program: Path, home: Path, cwd: Path) -> None:
    environment = {**os.environ, "MUSIFY_EMU_LANES": "32"}
    ended = subprocess.run([program], capture_output=True, text=True, cwd=cwd, env=environment, timeout=300)
    assert ended.stdout.splitlines()[:-1] == [f"PASS {name}" for name in CHECKS], ended.stdout + ended.stderr
    assert ended.returncode == 0
