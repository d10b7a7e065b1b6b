"""libcu++ on the CPU device's CUDA side; on the MUSA side nothing is known of it, so it is not there."""

import os
from pathlib import Path

from musify_ai.backends.cache import Cache
from musify_ai.emulator import libraries
from musify_ai.verify.single import Asked, run_program

DATA = Path(__file__).parents[2] / "data" / "emulator" / "libraries"


def test_atomics_barriers_pipelines_and_the_standard_library(device):
    ran = device.run("libraries/libcu.cpp", "cuda", 32)
    lines = ran.out.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == []
    assert len(lines) == 8
    assert ran.kinds() == {"trap"}  # the one that is asked for


def test_a_barrier_orders_for_race_mode_and_a_missing_wait_is_a_race(tmp_path):
    asked = Asked((DATA / "libcu_races.cu",), "cuda", "sm_80", "races")
    with open(os.devnull, "w") as nowhere:
        ran = run_program(asked, stdout=nowhere.fileno(), cache=Cache(tmp_path))
    assert ran.status == 0
    races = {(f["kernel"].replace(" ", ""), f["variable"]) for f in ran.findings if f["kind"] == "race"}
    assert races == {("turns<false>", "row")}


def test_musa_has_no_header_of_it():
    assert not [name for name in libraries.HEADERS["musa"] if name.startswith(("cuda/", "nv"))]
