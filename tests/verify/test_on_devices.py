"""Kernels by a real backend with a stand-in for its compiler: built, run, compared, led back; never a GPU's verdict."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.gpu_verify import main as gpu_verify
from musify_ai.backends.toolchain import Toolchain
from musify_ai.project import verify_port
from musify_ai.records import Evidence, Options, Run, Verdict
from musify_ai.rules.overlay import read_overlay
from tests.standins import ssh
from tests.standins.mcc import install

pytestmark = pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler (g++ or clang++)")

KERNELS = """#include <cuda_runtime.h>
#include "scale.cuh"
__device__ int counter;
__constant__ float factor[2] = {2.0f, 3.0f};
struct Pair { float a; int b; };
template <class T> __global__ void scaled(const T* x, T* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = scale(x[i]) + y[i];
}
__global__ void sums(const float* x, float* out, Pair p, int n) {
    extern __shared__ float part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] * factor[i & 1] + p.a : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) { out[blockIdx.x] = part[0]; atomicAdd(&counter, 1); }
}
__global__ void wrong(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + 1;
}
void run(const float* x, float* y, const double* d, double* e, const int* a, int* b, int n) {
    scaled<float><<<(n + 127) / 128, 128>>>(x, y, n);
    scaled<double><<<(n + 127) / 128, 128>>>(d, e, n);
    sums<<<(n + 127) / 128, 128, 128 * sizeof(float)>>>(x, y, Pair{1.0f, 2}, n);
    wrong<<<(n + 127) / 128, 128>>>(a, b, n);
    cudaDeviceSynchronize();
}
"""
SCALE = "template <class T> __device__ inline T scale(T x) { return T(2) * x; }\n"
ABSENT = """#include <cuda_runtime.h>

__global__ void add(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += 1;
}
void launch(int* a, int n) {
    size_t free_, total;
    cudaMemGetInfo(&free_, &total);
    add<<<(n + 127) / 128, 128>>>(a, n);
}
"""


def as_musa(text: str) -> str:
    return text.replace("cuda_runtime", "musa_runtime").replace("cudaD", "musaD").replace("cudaMem", "musaMem")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    base = tmp_path_factory.mktemp("devices")
    for side, text in (("cuda", str), ("musa", as_musa)):
        (base / side / "src").mkdir(parents=True)
        for name, src in (("kernels.cu", KERNELS), ("scale.cuh", SCALE), ("absent.cu", ABSENT)):
            (base / side / "src" / name).write_text(text(src))
    port = base / "musa" / "src" / "kernels.cu"
    port.write_text(port.read_text().replace("x[i] + 1;", "x[i] + (i % 17 == 3 ? 2 : 1);"))
    return base / "cuda", base / "musa"


@pytest.fixture(scope="module")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("musa") / "home", ["musaMemGetInfo"])


@pytest.fixture(scope="module")
def done(sdk: Path, projects: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    overlay = tmp_path_factory.mktemp("overlay") / "sdk.toml"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUSA_HOME", str(sdk))
        options = Options(archs=("mp_22",), backends=("mcc",), jobs=2)
        return verify_port(*projects, options, overlay=overlay).run, overlay


@pytest.fixture(scope="module")
def verdicts(done: tuple[Run, Path]) -> Mapping[str, Verdict]:
    return {f"{v.name}<{v.instantiation}>" if v.instantiation else v.name: v for v in done[0].verdicts}


@pytest.mark.parametrize("name", ["scaled<float>", "scaled<double>", "sums"])
def test_what_the_backend_built_and_ran_is_equal_and_no_gpu_s(verdicts: Mapping[str, Verdict], name: str) -> None:
    verdict = verdicts[name]
    emulated, device = verdict.evidence
    assert device.method == "device"
    assert device.outcome == "equal-emulated", device.detail
    assert "no GPU ran this (translation: emulated mp_22 is no GPU: the program was built for the CPU)" in device.detail
    assert device.backend[1].startswith("musa mcc 5.2.0")
    assert {b.name for b in device.buffers} == {b.name for b in emulated.buffers}
    assert verdict.headline == "equal-emulated"


def test_no_headline_of_a_gpu_comes_of_a_stand_in(done: tuple[Run, Path]) -> None:
    outcomes = {row.outcome for v in done[0].verdicts for row in v.evidence} | {v.headline for v in done[0].verdicts}
    assert not outcomes & {"equal-on-hardware", "equal-on-nvidia"}


def test_a_difference_is_found_and_named(verdicts: Mapping[str, Verdict]) -> None:
    _, device = verdicts["wrong"].evidence
    assert device.outcome == "differs"
    assert "y differs: element 3 is " in device.detail
    assert "17" in device.detail, "and in what it repeats"


def test_a_name_that_the_sdk_lacks_is_led_back(done: tuple[Run, Path], verdicts: Mapping[str, Verdict]) -> None:
    assert verdicts["add"].headline == "build-failed"
    (failure,) = [each for each in done[0].failed if each.path == "src/absent.cu"]
    assert failure.error.endswith(
        "use of undeclared identifier 'musaMemGetInfo' at src/absent.cu:9"
        " came from edit names.runtime/seen of cudaMemGetInfo at src/absent.cu:9"
    )
    assert "--write-overlay" in failure.hint
    overlay = read_overlay(done[1])
    assert overlay.missing == {b"musaMemGetInfo"}
    assert not overlay.names


def test_the_row_names_the_command_that_repeats_it(verdicts: Mapping[str, Verdict]) -> None:
    assert verdicts["sums"].evidence[1].repeat.endswith("--kernel sums --arch mp_22 --seeds 3 --backend=mcc")


def test_on_another_machine(
    sdk: Path, projects: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    monkeypatch.setenv("PATH", f"{ssh.install(other)}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("MUSA_HOME", raising=False)
    (other / "home" / "profile").write_text(f"MUSA_HOME={sdk}; export MUSA_HOME\n")

    def row(host: str) -> Evidence:
        options = Options(archs=("mp_22",), backends=("mcc",), remotes=(f"mcc={host}",))
        (verdict,) = verify_port(*projects, options, kernels=("wrong",)).run.verdicts
        assert verdict.headline == "differs", "of the CPU device, whatever becomes of another machine"
        return verdict.evidence[1]

    good = row("me@box")
    assert good.outcome == "differs", good.detail
    assert "y differs: element 3 is " in good.detail
    assert " at me@box, emulated mp_22" in good.backend[1]
    assert good.repeat.endswith("--backend=mcc --remote=mcc=me@box")
    assert list((other / "tmp").iterdir()) == []
    bad = row("me@locked")
    assert (bad.outcome, bad.buffers) == ("unchecked", ())
    assert "me@locked: making a scratch folder: the login was refused" in bad.detail


def test_without_any_sdk(projects: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSA_HOME", str(tmp_path))
    options = Options(archs=("mp_22",), backends=("mcc",))
    (verdict,) = verify_port(*projects, options, kernels=("sums",)).run.verdicts
    assert verdict.headline == "equal-emulated"
    assert verdict.evidence[1].outcome == "unchecked"
    assert "no mcc was found: install the MUSA SDK and set MUSA_HOME" in verdict.evidence[1].detail


def test_programs_prepared_here_run_elsewhere_and_compared(
    sdk: Path, projects: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("MUSA_HOME", str(sdk))
    folder = tmp_path / "prepared"
    asked = ["--backend", "mcc", "--arch", "mp_22", "--kernel", "sums", "--kernel", "wrong"]
    asked += ["--original", str(projects[0]), "--translation", str(projects[1])]
    assert gpu_verify(["--compare", str(folder), *asked]) == 2  # nothing has come back yet
    assert gpu_verify(["--prepare", str(folder), *asked]) == 0
    jobs = list((folder / "jobs").iterdir())
    assert jobs
    done = subprocess.run(["sh", str(folder / "run.sh"), str(folder / "results")], capture_output=True, text=True)
    assert done.returncode == 0 and f"{len(jobs)} jobs run" in done.stdout, done.stderr
    capsys.readouterr()
    assert gpu_verify(["--compare", str(folder), *asked]) == 1
    said = capsys.readouterr().out
    assert "1 kernels equal, 1 not" in said and "y differs: element 3" in said and "no GPU ran this" in said
