"""Prepared source compiled and run on a device of one thread at a time: conversions, copies, slots."""

import shutil
import subprocess
from pathlib import Path

import pytest

from musify_ai.emulator.prepare import prepare

DATA = Path(__file__).parent.parent / "data" / "emulator_prepare"
COMPILER = shutil.which("g++") or shutil.which("clang++")

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no g++ or clang++ on this machine")


def build_and_run(text: bytes, directory: Path) -> str:
    source, program = directory / "unit.cpp", directory / "unit"
    source.write_bytes(text)
    assert COMPILER is not None
    command = [COMPILER, "-std=c++17", "-O1", "-w", f"-I{DATA}", "-o", str(program), str(source)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert built.returncode == 0, built.stderr[:4000]
    ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=30, check=False)
    return ran.stdout


@needs_compiler
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_constructs_run(tmp_path: Path, newline: bytes) -> None:
    src = (DATA / "constructs.cu").read_bytes().replace(b"\n", newline)
    prepared = prepare(src, "cuda")
    assert prepared.problems == ()
    assert prepared.text.count(b"\n") == src.count(b"\n")
    assert build_and_run(prepared.text, tmp_path) == "ok\n"


@needs_compiler
def test_a_compiler_message_points_at_the_users_line(tmp_path: Path) -> None:
    src = (
        b'#include "serial_device.h"\n__global__ void k(float p) {\n  __shared__ int a[\n    4];\n}\n'
        b"int main() {\n  k<<<1,\n    1>>>(1.5);\n  undeclared();\n}\n"
    )
    source = tmp_path / "unit.cpp"
    source.write_bytes(prepare(src, "cuda").text)
    assert COMPILER is not None
    command = [COMPILER, "-std=c++17", f"-I{DATA}", "-fsyntax-only", str(source)]
    messages = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stderr
    assert "unit.cpp:9:" in messages
