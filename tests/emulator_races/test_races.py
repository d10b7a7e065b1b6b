"""Race mode: what races is named by variable and lines, and what does not race is left alone."""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.toolchain import Toolchain
from musify_ai.verify.single import Asked, run_program

DATA = Path(__file__).parents[1] / "data" / "emulator_races"
GALLERY = Path(__file__).parents[2] / "corpus" / "gallery"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]

# kernel as launched -> (mark in the source, variable, argument) of each race that must be named
RACING = {
    "multiply<float,16,false>": [("left", "left", 0), ("right", "right", 0)],
    "reduce<128,false>": [("part", "part", 0)],
    "warp_synchronous": [("lane_sums", "lane_sums", 0)],
    "half_synced": [("half", "half", 0)],
    "count_plainly": [("total", "", 2)],
    "count_symbol": [("counter", "counter", 0)],
    "histogram_unsynced": [("bins", "bins", 0)],
    "bytes_overlap": [("bytes", "", 1)],
    "read_then_written": [("word", "word", 0)],
    "neighbours": [("window", "window", 0)],
    "staged<false>": [("stage", "stage", 0)],
}
QUIET = ("multiply<float,16,true>", "reduce<128,true>", "warp_synced", "count_atomically", "exchange", "same_value",
         "flag", "bytes_apart", "copies", "staged<true>", "handed")  # fmt: skip


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module", params=COMPILERS or ["g++"])
def compiler(request: pytest.FixtureRequest) -> str:
    if not COMPILERS:
        pytest.skip("no C++ compiler (g++ or clang++): race mode is not tested")
    return str(request.param)


@pytest.fixture(scope="module")
def found(compiler: str, cache: Cache) -> list[Mapping[str, Any]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CXX", compiler)
        ran = run_program(Asked((DATA / "races.cu",), "cuda", "sm_80", "races"), stdout=_nowhere(), cache=cache)
    assert ran.status == 0
    return [each for each in ran.findings if each["kind"] == "race"]


def _nowhere() -> int:
    return os.open(os.devnull, os.O_WRONLY)


def marked(mark: str, order: str) -> set[int]:
    lines = (DATA / "races.cu").read_text().splitlines()
    return {i for i, line in enumerate(lines, 1) if re.search(rf"//.*\b{mark} {order}\b", line)}


def of_kernel(found: list[Mapping[str, Any]], kernel: str) -> list[Mapping[str, Any]]:
    return [each for each in found if str(each["kernel"]).replace(" ", "") == kernel]


@pytest.mark.parametrize("kernel", RACING)
def test_a_race_is_named_by_variable_and_lines(found: list[Mapping[str, Any]], kernel: str):
    races = of_kernel(found, kernel)
    for mark, variable, argument in RACING[kernel]:
        about = [r for r in races if r.get("variable", "") == variable and r["argument"] == argument]
        assert about, (kernel, races)
        assert all(r["file"].endswith("races.cu") and r["other_file"].endswith("races.cu") for r in about)
        firsts, seconds = marked(mark, "first"), marked(mark, "second")
        assert any(r["line"] in (seconds or firsts) and (not firsts or r["other_line"] in firsts) for r in about), about
    assert {r.get("variable", "") for r in races} <= {variable for _, variable, _ in RACING[kernel]}


@pytest.mark.parametrize("kernel", QUIET)
def test_what_is_ordered_is_no_race(found: list[Mapping[str, Any]], kernel: str):
    assert of_kernel(found, kernel) == []


def test_the_last_block_needs_its_fence(found: list[Mapping[str, Any]]):
    [race, *_] = of_kernel(found, "last_block")
    assert race["line"] in marked("parts", "second")
    assert race["other_line"] in marked("parts", "first")
    assert "thread 0 of block" in race["message"]
    assert len(of_kernel(found, "last_block")) == 1  # of the launch without a fence


def test_the_correct_kernels_of_the_gallery_report_none(cache: Cache):
    if Toolchain.detect() is None:
        pytest.skip("no C++ compiler (g++ or clang++): race mode is not tested")
    sources = sorted((GALLERY / "src").glob("*.cu"))
    asked = Asked(tuple(sources), "cuda", "sm_80", "races", includes=(GALLERY / "include", GALLERY / "src"))
    ran = run_program(asked, stdout=_nowhere(), cache=cache)
    assert ran.status == 0
    assert [each for each in ran.findings if each["kind"].startswith("race")] == []


def test_the_musa_side_watches_too(cache: Cache, tmp_path: Path):
    if Toolchain.detect() is None:
        pytest.skip("no C++ compiler (g++ or clang++): race mode is not tested")
    text = (
        "#include <musa_runtime.h>\n"
        "__global__ void shift(int* out) {\n"
        "  __shared__ int line[256];\n"
        "  line[threadIdx.x] = threadIdx.x;\n"
        "  __syncwarp();\n"
        "  out[threadIdx.x] = line[(threadIdx.x + 32) % 256];\n"
        "}\n"
        "int main() { int* p; musaMalloc(&p, 1024); shift<<<1, 256>>>(p); return musaDeviceSynchronize(); }\n"
    )
    (tmp_path / "shift.mu").write_text(text)
    ran = run_program(Asked((tmp_path / "shift.mu",), "musa", "mp_22", "races"), cache=cache)
    races = [each for each in ran.findings if each["kind"] == "race"]
    assert {(each["variable"], each["other_line"], each["line"]) for each in races} >= {("line", 4, 6)}
