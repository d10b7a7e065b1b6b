"""The wheel holds everything that a run needs: it is built, installed alone, and run from there."""

import json
import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = [tool for tool in ("build", "hatchling") if find_spec(tool) is None]

pytestmark = pytest.mark.skipif(bool(TOOLS), reason=f"building a wheel needs {', '.join(TOOLS)} (the extra 'dev')")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, cwd=out)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    return place


def run(installed: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", "musify_ai", *arguments], capture_output=True, text=True, cwd=cwd, env=environment
    )


def test_it_holds_what_lies_outside_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for name in (
        "musify_ai/rules/_compiled.tab",
        "musify_ai/rules/_compiled_bulk.tab",
        "musify_ai/_data/rules/names/runtime.toml",
        "musify_ai/_data/templates/reports/report.html.j2",
    ):
        assert name in names
    tracked = subprocess.run(["git", "ls-files", "musify_ai", "rules", "templates"], capture_output=True, cwd=ROOT)
    if tracked.returncode == 0:
        for name in os.fsdecode(tracked.stdout).splitlines():
            inside = name if name.startswith("musify_ai/") else f"musify_ai/_data/{name}"
            assert inside in names or not (ROOT / name).exists(), name
    assert not any(name.startswith(("tests/", "corpus/", "benchmarks/")) for name in names)


def test_the_command_is_registered(installed: Path) -> None:
    text = next(installed.glob("*.dist-info")).joinpath("entry_points.txt").read_text()
    assert "musify-ai = musify_ai.cli.starting:run" in text


def test_checking_and_migrating_work_from_there(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_bytes(b"#include <cuda_runtime.h>\nint x = cudaSuccess;\n")
    checked = run(installed, tmp_path, "check", "--format", "json", "src/a.cu")
    assert checked.returncode == 0, checked.stderr
    assert json.loads(checked.stdout)["summary"]["pending"] == 2
    done = run(installed, tmp_path, "migrate", "src", "--out", "dst", "--no-verify", "--report", "report")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "dst" / "a.cu").read_bytes() == b"#include <musa_runtime.h>\nint x = musaSuccess;\n"
    assert "Can I merge this?" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "musaMalloc" in run(installed, tmp_path, "query", "cudaMalloc").stdout


def test_the_compiled_rules_are_taken_as_they_are(installed: Path, tmp_path: Path) -> None:
    table = installed / "musify_ai" / "rules" / "_compiled.tab"
    before = table.stat().st_mtime_ns, table.read_bytes()
    assert run(installed, tmp_path, "query", "cudaFree").returncode == 0
    (tmp_path / "a.cu").write_bytes(b"int x = cudaSuccess;\n")
    assert run(installed, tmp_path, "check", "a.cu").returncode == 0
    assert (table.stat().st_mtime_ns, table.read_bytes()) == before
