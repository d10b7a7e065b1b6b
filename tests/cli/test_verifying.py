"""The checker behind the commands, for real: one small kernel, right and wrong, and a machine without a compiler."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends import toolchain
from musify_ai.backends.toolchain import Toolchain

Command = Callable[..., Any]

KERNEL = b"""#include <cuda_runtime.h>
__global__ void twice(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
void run(const float *x, float *y, int n) {
    twice<<<(n + 127) / 128, 128>>>(x, y, n);
    cudaDeviceSynchronize();
}
"""
ODD = (
    KERNEL.replace(b"float y", b"float z")
    .replace(b"twice", b"odd")
    .replace(b"2 * x[i];", b'{ asm volatile("wgmma.fence.sync.aligned;"); y[i] = 2 * x[i]; }')
)

needs_compiler = pytest.mark.skipif(
    Toolchain.detect() is None, reason="no C++ compiler (g++ or clang++) on this machine: nothing can be checked"
)


@pytest.fixture(autouse=True)
def no_cache_of_the_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One cache for these tests (and for all their workers): nothing rests on what other runs left."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if base.name.startswith("popen-") else base
    monkeypatch.setenv("MUSIFY_AI_CACHE", str(base / "musify-ai-cache"))


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr("musify_ai.backends.zig.wheel", lambda: None)  # the tests' own environment has one
    toolchain._detect.cache_clear()
    yield
    toolchain._detect.cache_clear()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "k.cu").write_bytes(KERNEL)
    return tmp_path


def headlines(ended: Any) -> dict[str, str]:
    return {k["name"]: k["headline"] for k in json.loads(ended.out)["kernels"]}


@needs_compiler
def test_a_migrated_kernel_is_equal_and_a_broken_port_of_it_is_not(musify: Command, project: Path) -> None:
    done = musify("migrate", "src", "--out", "dst", "--format", "json", "--fail-on", "differs,unchecked")
    assert (done.status, headlines(done)) == (0, {"twice": "equal-emulated"})
    row = json.loads(done.out)["kernels"][0]["evidence"][0]
    assert row["repeat"].startswith("musify-ai verify src dst --kernel twice --arch mp_22")
    assert any(b["varies"] for b in row["buffers"])

    again = musify(*row["repeat"].split()[1:], "--format", "json")
    assert (again.status, headlines(again)) == (0, {"twice": "equal-emulated"})

    port = project / "dst" / "k.cu"
    port.write_bytes(port.read_bytes().replace(b"2 * x", b"3 * x"))
    wrong = musify("verify", "src", "dst", "--format", "json", "--report", "report")
    assert (wrong.status, headlines(wrong)) == (1, {"twice": "differs"})
    assert "differs" in (project / "report" / "report.html").read_text(encoding="utf-8")

    port.write_bytes(port.read_bytes().replace(b"musaDeviceSynchronize", b"cudaDeviceSynchronize"))
    unbuilt = musify("verify", "src", "dst", "--format", "json")
    assert unbuilt.status == 1


@needs_compiler
def test_a_kernel_that_cannot_be_harnessed_is_named_and_the_others_are_checked(musify: Command, project: Path) -> None:
    (project / "src" / "odd.cu").write_bytes(ODD)
    done = musify("migrate", "src", "--out", "dst", "--format", "json", "--seeds", "2")
    assert done.status == 0
    assert headlines(done) == {"odd": "unchecked", "twice": "equal-emulated"}
    reasons = {k["name"]: k["reason"] for k in json.loads(done.out)["kernels"]}
    assert reasons["odd"].startswith("MUS4")
    alone = musify("verify", "src", "dst", "--kernel", "odd", "--format", "json")
    assert (alone.status, headlines(alone)) == (1, {"odd": "unchecked"})
    assert musify("verify", "src", "dst", "--kernel", "nowhere").status == 2


@needs_compiler
def test_whole_programs_are_run_when_asked_for(musify: Command, project: Path) -> None:
    main = b"""#include <cstdio>
int main(int count, char **words) {
    float *p;
    cudaMallocManaged(&p, 256);
    for (int i = 0; i < 64; i++) p[i] = i + count;
    run(p, p, 64);
    FILE *file = fopen("values/in.txt", "r");
    if (!file) return 3;
    int extra = 0;
    fscanf(file, "%d", &extra);
    printf("%g %s %d %d\\n", p[63], words[1], extra, EXTRA);
    return 0;
}
"""
    (project / "src" / "k.cu").write_bytes(KERNEL + main)
    (project / "beside" / "values").mkdir(parents=True)
    (project / "beside" / "values" / "in.txt").write_text("12")
    musify("migrate", "src", "--out", "dst", "--no-verify")
    words = ("verify", "src", "dst", "--kernel", "twice", "--program", "--argument", "word", "--arch", "mp_31")
    given = ("--data", "beside", "-D", "EXTRA=5")
    same = musify(*words, *given)
    assert same.status == 0
    assert "k.cu     mp_31  equal-emulated" in same.out
    port = project / "dst" / "k.cu"
    port.write_bytes(port.read_bytes().replace(b"%g", b"%f"))
    other = musify(*words, *given)
    assert other.status == 1
    assert "k.cu     mp_31  differs" in other.out
    assert "word 12 5' became" in other.out
    for wrong in (
        ["--argument", "word"],
        ["--schedules", "forward,lockstep"],
        given,
        ["--program", "--data", "src/k.cu"],
    ):
        assert musify("verify", "src", "dst", *wrong).status == 2


@needs_compiler
def test_in_place_is_checked_too(musify: Command, project: Path) -> None:
    done = musify("migrate", "src", "--in-place", "--format", "json", "--seeds", "2", "--arch", "mp_31")
    assert (done.status, headlines(done)) == (0, {"twice": "equal-emulated"})
    assert b"musa_runtime.h" in (project / "src" / "k.cu").read_bytes()


def test_without_a_compiler_the_translation_stands_and_says_so(
    musify: Command, project: Path, no_compiler: None
) -> None:
    done = musify("migrate", "src", "--out", "dst")
    assert (done.status, done.err) == (0, "")
    assert "no C++ compiler" in done.out
    assert (project / "dst" / "k.cu").read_bytes().startswith(b"#include <musa_runtime.h>")
    assert musify("migrate", "src", "--out", "dst", "--fail-on", "unchecked").status == 1


def test_without_a_compiler_verify_is_2(musify: Command, project: Path, no_compiler: None) -> None:
    musify("migrate", "src", "--out", "dst", "--no-verify")
    done = musify("verify", "src", "dst")
    assert (done.status, done.out) == (2, "")
    assert "no C++ compiler" in done.err


@pytest.mark.parametrize(
    ("original", "translation", "words"),
    [("src", "nothing", "no such file"), ("nothing", "src", "no such file"), ("src", "src/k.cu", "two directories")],
)
def test_verify_of_what_is_not_there(
    musify: Command, project: Path, original: str, translation: str, words: str
) -> None:
    done = musify("verify", original, translation)
    assert (done.status, done.out) == (2, "")
    assert words in done.err
