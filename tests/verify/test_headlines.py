"""The headlines that must come out of kernels whose text is right on both sides."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.nvidia import NO_NVCC, Nvcc
from musify_ai.records import Options, Verdict
from musify_ai.verify import verify

CASES = Path(__file__).parents[1] / "data" / "verify" / "headlines" / "cases.cu"


@pytest.fixture(scope="module")
def found(build_cache: Cache, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Verdict]:
    root = tmp_path_factory.mktemp("headlines")
    for side in ("cuda", "musa"):
        (root / side).mkdir()
        text = CASES.read_text("utf-8").replace("cuda_runtime.h", f"{side}_runtime.h")
        (root / side / "cases.cu").write_text(text, "utf-8")
    options = Options(jobs=2, ptx_identity=Nvcc.detect() is not None)
    checked = verify(root / "cuda", root / "musa", files={"cases.cu": "cases.cu"}, options=options, cache=build_cache)
    return {verdict.name: verdict for verdict in checked.verdicts}


def test_an_original_that_counts_on_lockstep_depends_on_its_schedule(found: Mapping[str, Verdict]) -> None:
    got = found["lockstep_sum"]
    assert got.headline == "original-schedule-dependent"
    assert got.reason is not None
    assert got.reason.startswith(
        "the original depends on the order of threads, for with these inputs it has a race: shared variable part"
    )


def test_float_atomics_are_equal_and_depend_on_the_order(found: Mapping[str, Verdict]) -> None:
    got = found["float_atomics"]
    assert got.headline == "equal-emulated"
    assert "order-dependent" in got.notes


def test_what_holds_for_32_lanes_only_depends_on_the_arch(found: Mapping[str, Verdict]) -> None:
    got = found["warp_of_32"]
    assert got.headline == "arch-dependent"
    assert (got.by_arch["mp_22"], got.by_arch["mp_31"]) == ("differs", "equal-emulated")


def test_identical_ptx_excuses_no_assumption_of_32_lanes(found: Mapping[str, Verdict]) -> None:
    if Nvcc.detect() is None:
        pytest.skip(NO_NVCC)
    got = found["warp_of_32"]
    assert "ptx-identical" in got.notes
    assert got.headline == "arch-dependent"
