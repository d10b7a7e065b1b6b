"""The lockstep schedule gives old warp-synchronous code what old hardware gave it; race mode names its races."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.toolchain import Toolchain
from musify_ai.verify.single import Asked, run_program

SOURCE = Path(__file__).parents[1] / "data" / "emulator_races" / "lockstep.cu"

pytestmark = pytest.mark.skipif(Toolchain.detect() is None, reason="no C++ compiler: the schedules are not tested")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache"))


def ran(cache: Cache, tmp_path: Path, schedule: str, mode: str = "plain") -> tuple[dict[str, str], list[Any]]:
    out = tmp_path / "out"
    with out.open("wb") as stream:
        done = run_program(Asked((SOURCE,), "cuda", "sm_80", mode, schedule), stdout=stream.fileno(), cache=cache)
    assert done.status == 0
    return dict(line.split(" ", 1) for line in out.read_text().splitlines()), list(done.faults)


def test_lockstep_gives_what_a_warp_in_step_gives(cache: Cache, tmp_path: Path) -> None:
    assert ran(cache, tmp_path, "lockstep") == ({"pipeline": "1", "reduce": "1", "meet": "1", "handed": "6 0"}, [])


def test_other_schedules_show_what_such_code_relies_on(cache: Cache, tmp_path: Path) -> None:
    forward, _ = ran(cache, tmp_path, "forward")
    assert (forward["pipeline"], forward["meet"], forward["handed"]) == ("0", "0", "6 0")


def test_race_mode_names_the_variable_and_both_lines(cache: Cache, tmp_path: Path) -> None:
    results, faults = ran(cache, tmp_path, "lockstep", "races")
    assert results["pipeline"] == "1"
    text = SOURCE.read_text().splitlines()
    read = next(n for n, line in enumerate(text, 1) if "passed[t - 1]" in line)
    written = next(n for n, line in enumerate(text, 1) if "passed[t] = x + t" in line)
    races = [each for each in faults if each["kind"] == "race" and each["kernel"] == "pipeline"]
    assert {(each["variable"], frozenset((each["line"], each["other_line"]))) for each in races} == {
        ("passed", frozenset((read, written)))
    }


def test_a_program_that_was_not_built_for_it_is_refused(cache: Cache, tmp_path: Path) -> None:
    run_program(Asked((SOURCE,), "cuda", "sm_80"), stdout=subprocess.DEVNULL, cache=cache)
    programs = [path for path in (cache.root / "program").rglob("program") if b"lockstep" in path.read_bytes()]
    refused = [
        subprocess.run([path], env={"MUSIFY_EMU_SCHEDULE": "lockstep"}, capture_output=True, timeout=120)
        for path in programs
    ]
    assert any(done.returncode == 96 and b"--schedule lockstep" in done.stderr for done in refused)
