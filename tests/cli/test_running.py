"""``musify-ai run``: programs on the emulated device, how they end and what is said of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.toolchain import Toolchain
from musify_ai.verify.single import side_of

Command = Callable[..., Any]

PROGRAM = """#include <@_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void shift(int* p, int by) {
  __shared__ int line[64];
  line[threadIdx.x] = p[threadIdx.x];
#ifdef SYNCED
  __syncthreads();
#endif
  p[threadIdx.x] = line[(threadIdx.x + by) % 64];
}
__global__ void past(int* p, int n) { p[n + threadIdx.x] = 1 << n; }
int main(int argc, char** argv) {
  int *p, lanes;
  @Malloc(&p, 64 * sizeof(int));
  @DeviceGetAttribute(&lanes, @DevAttrWarpSize, 0);
  shift<<<1, 64>>>(p, argc);
  if (argc > 2) past<<<1, 1>>>(p, atoi(argv[2]));
  printf("%d arguments, %d lanes, error %d\\n", argc - 1, lanes, (int)@DeviceSynchronize());
  return argc > 1 ? atoi(argv[1]) : 0;
}
"""

needs_compiler = pytest.mark.skipif(
    Toolchain.detect() is None, reason="no C++ compiler (g++ or clang++) on this machine: nothing can be run"
)


@pytest.fixture(autouse=True)
def one_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tmp_path_factory.getbasetemp()
    base = base.parent if base.name.startswith("popen-") else base
    monkeypatch.setenv("MUSIFY_AI_CACHE", str(base / "musify-ai-cache"))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "shift.cu").write_text(PROGRAM.replace("@", "cuda"))
    (tmp_path / "shift.mu").write_text(PROGRAM.replace("@", "musa"))
    return tmp_path / "shift.cu"


@needs_compiler
def test_the_exit_status_and_the_output_are_the_programs(musify: Command, program: Path):
    ended = musify("run", program, "--", "5")
    assert (ended.status, ended.out, ended.err) == (5, "1 arguments, 32 lanes, error 0\n", "")


@needs_compiler
@pytest.mark.parametrize(("arch", "lanes"), [("mp_22", 128), ("mp_31", 32)])
def test_a_musa_program_runs_with_the_lanes_of_its_arch(musify: Command, program: Path, arch: str, lanes: int):
    ended = musify("run", "--arch", arch, program.with_suffix(".mu"))
    assert (ended.status, ended.out) == (0, f"0 arguments, {lanes} lanes, error 0\n")


@needs_compiler
def test_races_are_findings_and_leave_the_status_alone(musify: Command, program: Path):
    ended = musify("run", "--races", "--format", "json", program, "--", "0")
    told = json.loads(ended.out)
    assert (ended.status, told["status"], told["mode"]) == (0, 0, "races")
    assert ended.err == "1 arguments, 32 lanes, error 0\n"
    race = told["findings"][0]
    assert (race["kind"], race["variable"], race["file"], race["other_line"], race["line"]) == (
        "race", "line", "shift.cu", 6, 10,
    )  # fmt: skip
    assert musify("run", "--races", "--fail-on", "findings", program).status == 1
    assert musify("run", "--races", "--fail-on", "findings", "-D", "SYNCED", program).status == 0


@needs_compiler
def test_sanitizers_name_the_line(musify: Command, program: Path):
    ended = musify("run", "--sanitize", "--format", "json", program, "--", "0", "64")
    told = json.loads(ended.out)
    assert ended.status == told["status"] != 0
    assert {(each["line"], each["kind"]) for each in told["findings"]} == {(12, "sanitizer")}
    messages = " ".join(each["message"] for each in told["findings"])
    assert "shift exponent 64" in messages
    assert "AddressSanitizer" in messages


@needs_compiler
def test_what_the_device_notices_is_told_on_stderr(musify: Command, program: Path):
    ended = musify("run", program, "--", "0", "64")
    assert ended.status == 0
    assert "out-of-bounds in past" in ended.err


@needs_compiler
def test_what_the_host_does_too_early_or_where_it_may_not_is_told_by_line(musify: Command, tmp_path: Path):
    file = tmp_path / "early.cu"
    file.write_text(
        "#include <cuda_runtime.h>\n#include <cstdio>\nint main() {\n  int *d, *h;\n  volatile int seen = 0;\n"
        "  cudaMalloc(&d, 64);\n  cudaMallocHost(&h, 64);\n  cudaMemset(d, 0, 64);\n"
        "  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost);\n"
        "  seen = h[1];\n"
        "  cudaDeviceSynchronize();\n"
        "  seen = d[2];\n"
        '  printf("%d\\n", seen == 0);\n}\n'
    )
    assert musify("run", file).err == ""
    ended = musify("run", file, "--streams", "late", "--protect", "--format", "json")
    found = json.loads(ended.out)["findings"]
    assert [(each["kind"], each["line"]) for each in found] == [("unsynchronised", 10), ("host-access", 12)]


@needs_compiler
def test_what_does_not_build_says_why(musify: Command, tmp_path: Path):
    (tmp_path / "broken.cu").write_text("#include <cuda_runtime.h>\nint main() { return cudaNoSuchCall(); }\n")
    ended = musify("run", tmp_path / "broken.cu")
    assert (ended.status, ended.out) == (2, "")
    assert "broken.cu:2" in ended.err
    assert "cudaNoSuchCall" in ended.err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--arch", "mp_22"), "there is sm_80, sm_90"),
        (("--schedule", "sideways"), "there is forward, reverse, random, "),
        (("--poison", "256"), "a byte from 0 to 255"),
        (("--races", "--sanitize"), "two builds"),
        (("--protect", "--sanitize"), "two builds"),
        (("--stray-reads", "--sanitize"), "one of the two"),
        (("--streams", "never"), "there is at-once, late, late-reverse"),
        (("--fail-on", "differs"), "there is findings"),
    ],
)
def test_wrong_use_is_told_before_anything_is_built(
    musify: Command, program: Path, options: tuple[str, ...], says: str
):
    ended = musify("run", *options, program)
    assert (ended.status, ended.out) == (2, "")
    assert says in ended.err


def test_a_file_that_is_not_there(musify: Command):
    ended = musify("run", "missing.cu")
    assert (ended.status, ended.out) == (2, "")
    assert "no such file: missing.cu" in ended.err


def test_python_is_no_program_for_the_device(musify: Command, tmp_path: Path):
    (tmp_path / "train.py").write_text("import torch\n")
    ended = musify("run", tmp_path / "train.py")
    assert (ended.status, ended.out) == (2, "")
    assert "give the C++ file that holds main" in ended.err


@needs_compiler
def test_a_part_of_a_program_says_how_its_parts_are_given(musify: Command, tmp_path: Path):
    (tmp_path / "part.cu").write_text("int of() { return 3; }\n")
    (tmp_path / "main.cu").write_text("int of();\nint main() { return of(); }\n")
    ended = musify("run", "part.cu")
    assert (ended.status, "FILE has no main" in ended.err) == (2, True)
    ended = musify("run", "main.cu", "part.cu")
    assert ended.status == 2
    assert "musify-ai: part.cu is given to the program as an argument" in ended.err
    assert ended.err.endswith("give it with --with.\n")
    assert musify("run", "main.cu", "--with", "part.cu").status == 3


@pytest.mark.parametrize(
    ("text", "arch", "side"),
    [
        ("thrust::sort(d.begin(), d.end());", "mp_31", "musa"),
        ("thrust::sort(d.begin(), d.end());", "", "cuda"),
        ("thrust::sort(d.begin(), d.end());", "sm_90", "cuda"),
        ("cudaFree(p);", "mp_31", "cuda"),
        ("musaFree(p);", "", "musa"),
    ],
)
def test_a_file_that_names_neither_side_is_for_the_arch_that_is_asked_for(
    tmp_path: Path, text: str, arch: str, side: str
):
    (tmp_path / "a.cu").write_text(text)
    assert side_of(tmp_path / "a.cu", arch) == side
