"""CUB on the CPU device: what each collective and algorithm gives, and that its misuse shows."""

import os
from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.verify.single import Asked, run_program

DATA = Path(__file__).parents[2] / "data" / "emulator" / "libraries"

# Where the width of a warp changes nothing: once for each side, not once more with 128 lanes.
both = pytest.mark.parametrize("side", [("cuda", 32), ("musa", 32)], indirect=True, ids=["cuda", "musa"])


def test_collectives_of_a_block_and_of_a_warp(passes):
    passes("cub_collectives.cpp", 23)


@both
def test_device_wide_algorithms_and_iterators(passes, side):
    ran = passes("cub_device.cpp", {"cuda": 41, "musa": 36})
    # the one finding: a range that is no multiple of its bins, where CUB 1.12 writes out of bounds
    assert ran.kinds() == ({"out-of-bounds"} if side[0] == "musa" else set())


@pytest.mark.long
def test_storage_that_is_used_again_without_a_barrier_is_a_race(tmp_path):
    with open(os.devnull, "w") as nowhere:
        ran = run_program(
            Asked((DATA / "cub_races.cu",), "cuda", "sm_80", "races"), stdout=nowhere.fileno(), cache=Cache(tmp_path)
        )
    assert ran.status == 0
    races = {(f["kernel"].replace(" ", ""), f["variable"]) for f in ran.findings if f["kind"] == "race"}
    assert races == {("sums<false>", "storage"), ("scans<false>", "storage"), ("moves<false>", "storage")}


@pytest.mark.parametrize("poison", [0x00, 0xA5])
def test_threads_that_have_no_result_get_poison(run, poison):
    lines = run("libraries/cub_misuse.cpp", poison=poison).out.splitlines()
    assert lines[-1] == f"others 64 {bytes([poison] * 4).hex().lstrip('0') or 0}"


def test_a_collective_that_part_of_a_block_calls_is_reported_where_it_is_called(run):
    found = [f for f in run("libraries/cub_misuse.cpp", "divergent").findings if f["kind"] == "barrier-divergence"]
    assert found
    assert str(found[0]["file"]).endswith("cub_misuse.cpp")
