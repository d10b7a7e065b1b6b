from collections.abc import Mapping
from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.backends.toolchain import Toolchain
from musify_ai.records import Options, Verdict
from musify_ai.verify import Checked, verify

DATA = Path(__file__).parents[1] / "data" / "verify"
FILES = {name: name for name in ("plain.cu", "pieces.cuh", "warps.cu", "broken.cu", "nowhere.cu", "beyond.cu")}


@pytest.fixture(scope="session")
def build_cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """A cache of the session's own: nothing that is asserted may rest on what another run left behind."""
    if Toolchain.detect() is None:
        pytest.skip("no C++ compiler (g++ or clang++) on this machine: nothing can be built or run")
    return Cache(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def checked(build_cache: Cache) -> Checked:
    """Both folders of tests/data/verify compared once."""
    broken = (DATA / "musa" / "broken.cu").read_bytes()
    start = broken.index(b"asm(")
    macro = broken.index(b"#define LANE(")
    unsettled = {"broken.cu": [(start, start + 3, "MUS401"), (macro + 18, macro + 21, "MUS402")]}
    return verify(
        DATA / "cuda", DATA / "musa", files=FILES, unsettled=unsettled, options=Options(jobs=2), cache=build_cache
    )


@pytest.fixture(scope="session")
def verdicts(checked: Checked) -> Mapping[str, Verdict]:
    """The verdicts by name, with the instantiation where there is one."""
    return {v.name + (f"<{v.instantiation}>" if v.instantiation else ""): v for v in checked.verdicts}
