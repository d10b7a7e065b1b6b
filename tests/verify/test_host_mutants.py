"""Mutants of host code: where they are, and what a whole program's comparison makes of them."""

from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.emulated import Unit
from musify_ai.records import Options
from musify_ai.verify.mutation.host import find, write
from musify_ai.verify.program import verify_program

PROGRAM = """#include <cstdio>
#include <musa_runtime.h>
#define CHECK(call) do { if ((call) != musaSuccess) return 1; } while (0)
__global__ void scale(const float* in, float* out, int n, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 2.0f + offset;
}
int main() {
    const int n = 300;
    float host[n], back[n] = {};
    for (int i = 0; i < n; ++i) host[i] = i * 0.5f;
    float *in, *out;
    int offset = 3;
    CHECK(musaMalloc((void**)&in, sizeof host));
    CHECK(musaMalloc((void**)&out, sizeof host));
    CHECK(musaMemcpy(in, host, sizeof host, musaMemcpyHostToDevice));
    musaMemset(out, 0, sizeof host);
    scale<<<(n + 127) / 128, dim3(128)>>>(in, out, n, offset);
    CHECK(musaMemcpy(back, out, sizeof host, musaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += back[i] * (i + 1);
    std::printf("%.3f\\n", sum);
    return 0;
}
"""


def test_copies_fills_and_launches_have_mutants() -> None:
    unit = Unit({"m.cu": PROGRAM.encode()}, '#include "m.cu"\n')
    found = [(site.kind, site.shown) for site in find([unit])]
    assert found == [
        ("a copy left out", "musaMemcpy(in, host, sizeof host, musaMemcpyHostToDevice)"),
        ("half the bytes", "sizeof host"),
        ("a copy turned round", "musaMemcpy(in, host, sizeof host, musaMemcpyHostToDevice)"),
        ("a fill left out", "musaMemset(out, 0, sizeof host)"),
        ("half the bytes", "sizeof host"),
        ("a block fewer", "(n + 127) / 128"),
        ("half the threads", "dim3(128)"),
        ("a number one too high", "in"),
        ("arguments swapped", "in, out"),
        ("arguments swapped", "in, n"),
        ("arguments swapped", "in, offset"),
        ("a number one too high", "out"),
        ("arguments swapped", "out, n"),
        ("arguments swapped", "out, offset"),
        ("a number one too high", "n"),
        ("arguments swapped", "n, offset"),
        ("a number one too high", "offset"),
        ("a copy left out", "musaMemcpy(back, out, sizeof host, musaMemcpyDeviceToHost)"),
        ("half the bytes", "sizeof host"),
        ("a copy turned round", "musaMemcpy(back, out, sizeof host, musaMemcpyDeviceToHost)"),
    ]
    (written,) = write([unit], find([unit]))
    assert written.sources["m.cu"].count(b"\n") == PROGRAM.count("\n")


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    root = tmp_path_factory.mktemp("host")
    for side in ("cuda", "musa"):
        (root / side).mkdir()
        (root / side / "m.cu").write_text(PROGRAM.replace("musa", side), "utf-8")
    return root / "cuda", root / "musa"


def test_only_what_changes_nothing_survives(sides: tuple[Path, Path], build_cache: Cache) -> None:
    options = Options(archs=("mp_31",), mutants=True, jobs=2)
    program = verify_program(*sides, files={"m.cu": "m.cu"}, options=options, cache=build_cache)
    (row,) = program.evidence
    assert row.mutants is not None
    # The kernel stores every element that is read back: whether the buffer was filled before shows nowhere. Pointers
    # and numbers are never swapped, and an address is no number.
    assert row.mutants.survivors == (
        "m.cu:17: a fill left out (musaMemset(out, 0, sizeof host))",
        "m.cu:17: half the bytes (sizeof host)",
    )
    assert row.mutants.made == row.mutants.killed + 2 == 14
    assert row.outcome == "equal-weak"
    assert row.detail.startswith("2 of 14 mutants survive (m.cu:17: a fill left out")
