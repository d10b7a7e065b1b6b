"""Inputs from a person's file and from a launch log."""

import json
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.toolchain import Toolchain
from musify_ai.records import Options
from musify_ai.verify import verify
from musify_ai.verify.given import Given, GivenBuffer, GivenError, from_log, parse, read, written
from musify_ai.verify.proposing import propose

needs_compiler = pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler")


def test_a_file_says_what_it_says(tmp_path: Path) -> None:
    file = tmp_path / "musify-inputs.toml"
    file.write_text(
        "[kernels.spmv]\ngrid = 8\nblock = [16, 8]\nshared = 64\n"
        "values = { rows = 100, alpha = [0.5, 1.5], beta = 2.0 }\n"
        '[kernels.spmv.buffers]\noffsets = { elements = 101, fill = "monotone", below = 500 }\n[kernels."n::k"]\n'
    )
    assert read(file) == {
        "spmv": Given(
            (8, 1, 1), (16, 8, 1), 64, {"rows": 100}, {"alpha": (0.5, 1.5), "beta": (2.0, 2.0)},
            {"offsets": GivenBuffer(101, "monotone", 500)},
        ),
        "n::k": Given(),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"kernel": {}}, "unknown key 'kernel'; there is kernels"),
        ({"kernels": {"k": {"grids": 1}}}, "kernels.k: unknown key 'grids'"),
        ({"kernels": {"k": {"grid": 0}}}, "kernels.k.grid: one to three numbers above 0, not 0"),
        ({"kernels": {"k": {"block": [1, 2, 3, 4]}}}, "kernels.k.block"),
        ({"kernels": {"k": {"shared": -1}}}, "kernels.k.shared: bytes"),
        ({"kernels": {"k": {"values": {"n": "7"}}}}, "kernels.k.values.n: a whole number"),
        ({"kernels": {"k": {"buffers": {"x": {"fill": "odd"}}}}}, "buffers.x.fill: one of random"),
        ({"kernels": {"k": {"buffers": {"x": 7}}}}, "kernels.k.buffers.x: a table"),
        ({"kernels": 7}, "kernels: a table"),
    ],
)
def test_what_is_wrong_is_named(table: dict[str, Any], says: str) -> None:
    with pytest.raises(GivenError) as found:
        parse(table, "f.toml")
    assert says in str(found.value)


def test_no_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_text("[kernels")
    with pytest.raises(GivenError, match=r"f\.toml"):
        read(tmp_path / "f.toml")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    kernels = {
        "k": Given((2, 1, 1), (64, 2, 1), 0, {"n": -5}, {"alpha": (0.25, 1.25)}, {"x": GivenBuffer(9, "random", 7)}),
        'odd<"a">': Given(None, None, None, {"n.0": 1}),
    }
    (tmp_path / "f").write_text(written(kernels, {"lost": "why\nit is"}))
    assert read(tmp_path / "f") == {**kernels, "lost": Given()}
    assert "# why it is\n[kernels.lost]" in (tmp_path / "f").read_text()


def test_a_log_gives_the_first_good_launch_of_each_kernel() -> None:
    argument = {"kind": "int", "size": 4, "value": 9}
    pointer = {"kind": "pointer", "size": 4, "element": "int", "const": True, "allocation": 400, "offset": 80}
    row = {
        "kernel": "n::k<int>",
        "error": 0,
        "grid": [2, 1, 1],
        "block": [32, 1, 1],
        "shared": 8,
        "arguments": [argument, pointer],
    }
    lines = [
        "no JSON",
        json.dumps({**row, "error": 9}),
        json.dumps({**row, "arguments": [argument]}),
        json.dumps(row),
        json.dumps({**row, "grid": [7, 1, 1]}),
        json.dumps({**row, "kernel": "unknown"}),
    ]
    assert from_log(lines, {"k": ("n", "x")}) == {
        "k": Given((2, 1, 1), (32, 1, 1), 8, {"n": 9}, {}, {"x": GivenBuffer(-320)}, learnt=True)
    }


KERNEL = """#include <%s_runtime.h>
// Only a key of 1000 and more than 700 elements go on; no made input has such a key.
__global__ void keyed(const int* x, int* y, int key, int n) {
    if (key < 1000 || n < 700) __trap();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + key;
}
"""


@needs_compiler
def test_a_person_knows_better(tmp_path: Path) -> None:
    for side, name in (("old", "cuda"), ("new", "musa")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "k.cu").write_text(KERNEL % name)
    files, options = {"k.cu": "k.cu"}, Options(archs=("mp_31",))

    def headline(**changed: str) -> tuple[str, str | None, bool]:
        (found,) = verify(tmp_path / "old", tmp_path / "new", files=files, options=options._replace(**changed)).verdicts
        return found.headline, found.reason, "inputs-given" in found.notes

    assert headline()[0] == "not-checkable"
    proposed = propose(tmp_path / "old", files, options)
    assert "# inputs: the original ends with trap" in proposed
    (tmp_path / "old" / "musify-inputs.toml").write_text(
        proposed.replace("[kernels.keyed]", "[kernels.keyed]\nvalues = { key = 1234, n = 800 }")
    )
    assert headline() == ("equal-emulated", None, True)
    again = propose(tmp_path / "old", files, options)
    assert "key = 1234" in again
    assert "block = [" in again

    other = tmp_path / "other.toml"
    other.write_text("[kernels.keyed]\nvalues = { key = 7 }\n")
    assert headline(inputs=str(other))[0] == "not-checkable"
    other.write_text("[kernel]\n")
    with pytest.raises(GivenError):
        headline(inputs=str(other))

    log = tmp_path / "log"
    arguments = [
        *(
            {"kind": "pointer", "size": 4, "element": "int", "const": False, "allocation": 4000, "offset": 0}
            for _ in "xy"
        ),
        *({"kind": "int", "size": 4, "value": value} for value in (2000, 900)),
    ]
    row = {"kernel": "keyed", "error": 0, "grid": [4, 1, 1], "block": [256, 1, 1], "shared": 0, "arguments": arguments}
    log.write_text(json.dumps(row))
    (tmp_path / "old" / "musify-inputs.toml").unlink()
    assert headline(launches=str(log)) == ("equal-emulated", None, True)
