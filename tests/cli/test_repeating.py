"""Every row of evidence can be repeated: its command, run in a fresh process, comes to the same."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.nvidia import NO_NVCC, Nvcc
from musify_ai.backends.toolchain import Toolchain
from tests.standins.mcc import install

pytestmark = pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler (g++ or clang++)")
ROOT = Path(__file__).parents[2]

# Each kernel: its headline, its body in the original, and what stands in its place in the translation.
AT = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
KERNELS: Mapping[str, tuple[str, str, str]] = {
    "same": ("equal-emulated", "if (i < n) a[i] += FACTOR;", ""),
    "other": ("differs", "if (i < n) a[i] += 1;", "if (i < n) a[i] += 2;"),
    "broken": ("build-failed", "if (i < n) a[i] += 1;", "if (i < n) a[i] += no_such_function(i);"),
    "nothing": ("not-checkable", "if (i < n && n < 0) a[i] = 1;", ""),
    "left": ("unchecked", 'if (i < n) { asm volatile("wgmma.fence.sync.aligned;"); a[i] = 2 * i; }', ""),
    "last": ("original-schedule-dependent", "if (i < n) a[0] = i;", "if (i < n) a[0] = i + 1;"),
    "width": ("arch-dependent", "if (i < n) a[i] += warpSize;", ""),
    "voted": ("equal-assumed", "unsigned m = __activemask(); if (i < n) a[i] += m ? 1 : 2;", ""),
    "weak": ("equal-weak", "if (i < n) atomicAdd(&a[i], 1);", "if (i < n) a[i] += 1;"),
}


def source(side: int) -> str:
    api = ("cuda", "musa")[side]
    out = [f"#include <{api}_runtime.h>", "#ifndef FACTOR", "#error the build gives FACTOR", "#endif"]
    for name, (_, mine, theirs) in KERNELS.items():
        body = theirs if side and theirs else mine
        out += [f"__global__ void {name}(int* a, int n) {{ {AT} {body} }}"]
    out += [
        f"namespace own {{ template <class T> __global__ void typed(T* a, int n) {{ {AT} if (i < n) a[i] *= 2; }} }}"
    ]
    launches = " ".join(f"{name}<<<(n + 127) / 128, 128>>>(a, n);" for name in KERNELS)
    out += [f"void run(int* a, float* f, int n) {{ {launches}"]
    out += ["own::typed<int><<<(n + 127) / 128, 128>>>(a, n); own::typed<float><<<(n + 127) / 128, 128>>>(f, n); }", ""]
    return "\n".join(out)


PROGRAM = """#include <cuda_runtime.h>
#include <cstdio>
__global__ void add(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += n; }
int main(int count, char** words) {
    int *d, h = 0;
    cudaMalloc(&d, 64 * sizeof(int));
    cudaMemset(d, 0, 64 * sizeof(int));
    add<<<1, 64>>>(d, 64);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %s\\n", h, count > 1 ? words[1] : "none");
}
"""


def run(words: list[str], cwd: Path) -> dict[str, Any]:
    """What a command says in a fresh process."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "musify_ai", *words], cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def told(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "repeat"}


@pytest.fixture(autouse=True)
def no_cache_of_the_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tmp_path_factory.getbasetemp()
    base = base.parent if base.name.startswith("popen-") else base
    monkeypatch.setenv("MUSIFY_AI_CACHE", str(base / "musify-ai-cache"))


@pytest.mark.long
def test_kernels_of_every_headline(tmp_path: Path) -> None:
    place = tmp_path / "my project's"
    for side, name in enumerate(("old", "new")):
        (place / name).mkdir(parents=True)
        (place / name / "k.cu").write_text(source(side))
    first = run(["verify", "old", "new", "-D", "FACTOR=3", "--seeds", "4", "--format", "json"], place)
    kernels = {(k["name"], k["instantiation"]): k for k in first["kernels"]}
    headlines = {name: kernels[name, None]["headline"] for name in KERNELS}
    assert headlines == {name: wanted for name, (wanted, _, _) in KERNELS.items()}
    assert len(kernels) == len(KERNELS) + 2
    repeated: dict[str, dict[str, Any]] = {}
    for (name, instantiation), kernel in kernels.items():
        assert kernel["evidence"], name
        # One arch will do, but where they differ.
        for row in kernel["evidence"] if name == "width" else kernel["evidence"][:1]:
            words = shlex.split(row["repeat"])
            assert words[0] == "musify-ai"
            if row["repeat"] not in repeated:
                repeated[row["repeat"]] = run([*words[1:], "--format", "json"], place)
            again = repeated[row["repeat"]]["kernels"]
            assert {each["name"] for each in again} == {name}
            (twin,) = [each for each in again if each["instantiation"] == instantiation]
            assert [told(each) for each in twin["evidence"] if each["method"] == row["method"]] == [told(row)]


@pytest.mark.long
@pytest.mark.skipif(Nvcc.detect() is None, reason=f"rows of nvcc are not repeated: {NO_NVCC}")
def test_rows_of_programs_of_ptx_and_of_real_backends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSA_HOME", str(install(tmp_path / "sdk")))
    for name, text in (("old", PROGRAM), ("new", PROGRAM.replace("cuda", "musa"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.cu").write_text(text)
    words = ["verify", "old", "new", "--arch", "mp_22", "--format", "json", "--backend", "mcc", "--ptx-identity"]
    first = run([*words, "--program", "--argument", "it's a b"], tmp_path)
    (kernel,), (program,) = first["kernels"], first["programs"]
    methods = [row["method"] for row in kernel["evidence"]]
    assert sorted(methods) == ["device", "emulated", "ptx-identity"]
    again: dict[str, Any] = {}
    for row in kernel["evidence"]:
        command = row["repeat"]
        again.setdefault(command, run([*shlex.split(command)[1:], "--format", "json"], tmp_path))
        (twin,) = again[command]["kernels"]
        assert told(row) in [told(each) for each in twin["evidence"]], row["method"]
    (row,) = program["evidence"]
    assert row["outcome"] == "equal-emulated", row["detail"]
    (twin,) = run([*shlex.split(row["repeat"])[1:], "--format", "json"], tmp_path)["programs"][0]["evidence"]
    assert told(twin) == told(row)
