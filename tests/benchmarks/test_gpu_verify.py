"""Programs prepared for a GPU that comes later: a stand-in compiler builds them, a shell runs them, verdicts come back."""

import subprocess
from pathlib import Path

import pytest

from benchmarks.gpu_verify import main
from musify_ai.backends.toolchain import Toolchain
from tests.standins.mcc import install

pytestmark = pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler (g++ or clang++)")

ADD = """#include <cuda_runtime.h>
__global__ void add(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + 1;
}
"""


def test_prepared_run_elsewhere_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for side, text in (("cuda", ADD), ("musa", ADD.replace("cuda_", "musa_"))):
        (tmp_path / side).mkdir()
        (tmp_path / side / "add.cu").write_text(text)
    monkeypatch.setenv("MUSA_HOME", str(install(tmp_path / "home", [])))
    folder = tmp_path / "prepared"
    asked = ["--backend", "mcc", "--arch", "mp_22", "--original", str(tmp_path / "cuda"), "--translation"]
    asked.append(str(tmp_path / "musa"))
    assert main(["--compare", str(folder), *asked]) == 2  # nothing has come back yet
    assert main(["--prepare", str(folder), *asked]) == 0
    jobs = list((folder / "jobs").iterdir())
    assert jobs and all((each / "plan").read_text() and (each / "program").read_text() for each in jobs)
    done = subprocess.run(["sh", str(folder / "run.sh"), str(folder / "results")], capture_output=True, text=True)
    assert done.returncode == 0 and f"{len(jobs)} jobs run" in done.stdout, done.stderr
    capsys.readouterr()
    assert main(["--compare", str(folder), *asked]) == 0
    said = capsys.readouterr().out
    assert "1 kernels equal, 0 not" in said and "no GPU ran this" in said

    # What came back decides, and nothing else does: without a result the kernel is not equal.
    for contents in (folder / "results").glob("*/contents"):
        contents.write_bytes(bytes(len(contents.read_bytes())))
    for lines in (folder / "results").glob("*/lines"):
        lines.write_text("")
    assert main(["--compare", str(folder), *asked]) == 1
