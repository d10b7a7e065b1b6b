"""The driver for real devices, built by the stand-in for mcc: it reports what the CPU device's own driver does."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.device_programs import DeviceRun, Loaded, OnDevice
from musify_ai.backends.emulated import Built, Emulated, Unit
from musify_ai.backends.limits import scratch
from musify_ai.backends.machines import Here
from musify_ai.backends.mcc import MccGpu
from musify_ai.backends.toolchain import Toolchain
from musify_ai.records import ARCHS
from tests.standins.mcc import install

pytestmark = pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler (g++ or clang++)")

SOURCE = """#include <musa_runtime.h>
#include <musa_fp16.h>
#include <assert.h>
#include <stdio.h>
__device__ int counter;
__device__ int started = 7;
__constant__ float factor[3];
__global__ void counts(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { a[i] += 1; atomicAdd(&counter, 1); }
    if (i == 0) { a[0] = started; started += 1; }
}
__global__ void prints(const int* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3) printf("%d %d at %p\\n", i, a[i], b);
    if (i < n) b[i] = a[i] * factor[i % 3];
}
__global__ void halves(const __half* x, __half* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2half(a * __half2float(x[i]) / (i % 5));
}
__global__ void outside(int* a, int n) {
    if (threadIdx.x == 0) a[n] = 1;
    a[threadIdx.x] = 5;
}
__global__ void asserts(int* a, int n) {
    assert(a[threadIdx.x] >= 0);
    a[threadIdx.x] = n;
}
"""
NAMES = ("counts", "prints", "halves", "outside", "asserts")
MAIN = '#include "k.mu"\nstatic const int musify_registered[] = {0,\n' + "".join(
    f'::musify_check::musify_add_kernel("{name}", &{name}),\n' for name in NAMES
) + "".join(
    f'::musify_check::musify_add_symbol("{name}", {name}, {flags}),\n'
    for name, flags in (("counter", "false, false"), ("started", "false, true"), ("factor", "true, false"))
) + "};\n"  # fmt: skip
UNIT = Unit({"k.mu": SOURCE.encode()}, MAIN)
MP_22 = ARCHS["mp_22"]


def plan(kernel: str, *slots: str, seeds: str = "seed 1 small\nseed 2 special") -> list[str]:
    symbols = ["symbol counter 61 zero", "symbol started 61 keep", "symbol factor 61 random"]
    lines = [f"slot {number} {text}" for number, text in enumerate(slots)]
    return [
        f"kernel {kernel}", "lanes 128", "cpu 5", "grid 2 1 1", "block 64 1 1", "shared 0", *lines, *symbols,
        *seeds.split("\n"), "schedule forward", "schedule reverse", "poison 255",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OnDevice, Loaded]]:
    with pytest.MonkeyPatch.context() as patch, Here().session() as session:
        patch.setenv("MUSA_HOME", str(install(tmp_path_factory.mktemp("sdk") / "home")))
        on = OnDevice(MccGpu(), Here(), session)
        program = on.build(UNIT, MP_22)
        assert isinstance(program, Loaded), program.text
        yield on, program


def rows(done: DeviceRun) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in done.lines]


@pytest.fixture(scope="module")
def emulated() -> tuple[Emulated, Built]:
    toolchain = Toolchain.detect()
    assert toolchain is not None
    backend = Emulated(toolchain)
    built = backend.build(UNIT, "musa", MP_22.macro)
    assert isinstance(built, Built), built.text
    return backend, built


@pytest.mark.parametrize(
    ("kernel", "slots"),
    [
        ("counts", ("buffer 128 61 random", "int 100")),
        ("prints", ("buffer 128 61 random", "buffer 128 61 zero", "int 128")),
        ("halves", ("buffer 128 61 random", "buffer 128 61 random", "float 0.25 2", "int 128")),
    ],
)
def test_both_drivers_report_the_same(
    device: tuple[OnDevice, Loaded], emulated: tuple[Emulated, Built], kernel: str, slots: tuple[str, ...]
) -> None:
    on, program = device
    text = plan(kernel, *slots)
    done = on.run(program, text)
    assert done.trouble == ""
    assert done.report is not None
    assert (done.report.name, done.report.emulated) == ("emulated mp_22", True)
    with scratch() as work:
        (work / "plan").write_text("\n".join(text) + "\n")
        assert emulated[0].run(emulated[1], ["run", "plan", "out"], cwd=work).ok
        lines = (work / "out").read_text().splitlines()
    ours = [json.loads(line) for line in lines if '"varies"' not in line]
    theirs = rows(done)
    assert len(ours) == len(theirs) == 4
    for mine, other in zip(ours, theirs, strict=True):
        keys = ("shape", "seed", "schedule", "poison", "state", "printed")
        assert {key: mine[key] for key in keys} == {key: other[key] for key in keys}
        assert mine["buffers"] == [each[:4] for each in other["buffers"]]
    changed = [each for row in theirs for each in row["buffers"] if each[4] >= 0]
    assert changed, "what a case changed is there to be looked at"
    assert max(each[4] for each in changed) < len(done.contents)


def test_a_variable_begins_as_its_definition_has_it(device: tuple[OnDevice, Loaded]) -> None:
    done = device[0].run(device[1], plan("counts", "buffer 128 61 random", "int 100"))
    firsts = [done.contents[row["buffers"][0][4] :][:4] for row in rows(done)]
    assert firsts == [b"\x07\0\0\0"] * 4, "whatever a case before left in it"


def test_a_write_past_the_end_is_seen(device: tuple[OnDevice, Loaded]) -> None:
    done = device[0].run(device[1], plan("outside", "buffer 64 61 random", "int 64"))
    for row in rows(done):
        assert [each["kind"] for each in row["findings"]] == ["out-of-bounds"]


def test_after_a_fault_the_next_case_runs(device: tuple[OnDevice, Loaded]) -> None:
    seeds = "seed 1 small\nseed 2 negative\nseed 3 small"
    done = device[0].run(device[1], plan("asserts", "buffer 64 61 random", "int 64", seeds=seeds))
    states = [(row["seed"], row["state"]) for row in rows(done)]
    assert states == [(1, "ok"), (1, "ok"), (2, "assert"), (2, "assert"), (3, "ok"), (3, "ok")]
    assert done.report is not None


def test_sections_have_sizes_of_their_own(device: tuple[OnDevice, Loaded]) -> None:
    first = plan("counts", "buffer 128 61 random", "int 100", seeds="seed 1 small")
    second = plan("counts", "buffer 640 61 random", "int 90", seeds="seed 1 small")
    done = device[0].run(device[1], [*first, "next", *second])
    written = [(row["shape"], row["buffers"][0][1]) for row in rows(done)]
    assert written == [(0, 100), (0, 100), (1, 90), (1, 90)]


def test_a_plan_of_another_kernel_is_no_run(device: tuple[OnDevice, Loaded]) -> None:
    done = device[0].run(device[1], plan("absent"))
    assert done.lines == ()
    assert "ended early" in done.trouble


def test_a_program_that_is_not_there(device: tuple[OnDevice, Loaded]) -> None:
    assert device[0].describe(Loaded(str(Path("b9")))) == []
