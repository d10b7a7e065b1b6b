"""Wrong translations made to get past the checker: for some sizes, values, orders and launches only."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from musify_ai.backends.cache import Cache
from musify_ai.records import Options, Verdict
from musify_ai.verify import verify

PAIRS = Path(__file__).parents[1] / "data" / "verify" / "attack"
UNITS = [path.name for path in sorted(PAIRS.glob("*.cu"))]
_PICK = re.compile(r"\[\[(.*?)\|\|(.*?)\]\](?!\])", re.DOTALL)
MUST = {"wrong": {"differs"}, "weak": {"equal-weak"}, "right": {"equal-emulated"}}


@pytest.fixture(scope="module")
def attacked(build_cache: Cache, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Verdict]:
    root = tmp_path_factory.mktemp("attack")
    for number, side in enumerate(("cuda", "musa"), start=1):
        (root / side).mkdir()
        for name in UNITS:
            text = _PICK.sub(lambda match, number=number: match[number], (PAIRS / name).read_text("utf-8"))
            (root / side / name).write_text(text.replace("cuda_runtime.h", f"{side}_runtime.h"), "utf-8")
    files = {name: name for name in UNITS}
    options = Options(archs=("mp_31",), jobs=2)
    checked = verify(root / "cuda", root / "musa", files=files, options=options, cache=build_cache)
    return {verdict.name: verdict for verdict in checked.verdicts}


def _names() -> list[str]:
    found = re.compile(r"__global__ void ((?:wrong|weak|right)_\w+)\(")
    return [name for unit in UNITS for name in found.findall((PAIRS / unit).read_text("utf-8"))]


@pytest.mark.parametrize("name", _names())
def test_headline(attacked: Mapping[str, Verdict], name: str) -> None:
    got = attacked[name]
    assert got.headline in MUST[name.split("_", 1)[0]], (got.headline, got.reason)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("wrong_atomic", "a race only in the translation: global memory of argument 2"),
        ("weak_fence", "fences-not-raced"),
        ("weak_volatile", "volatile-not-raced"),
        ("weak_wide", "sizes-not-reached"),
        ("weak_print", "prints-differ"),
        ("weak_past", "past the end of the dynamic shared memory tile of 256 bytes"),
        ("weak_many", "under a launch that the program does not make"),
        (
            "weak_rare",
            "not reached, and other than in the original: unreached.cu:10 (v * 77777u == 1234567891 never holds)",
        ),
        ("weak_gone", "not reached in the original, and other in the translation: unreached.cu:18"),
        ("weak_case", "not reached, and other than in the original: unreached.cu:27 (case -1900000001:)"),
        ("weak_little", "5 of 13 lines are reached; not unreached.cu:40-47 (in[i] * 77777u != 1234567891 always"),
        ("weak_stride", "under a launch that the program does not make"),
        ("weak_one_block", "under a launch that the program does not make"),
        ("weak_fence_scope", "scopes-not-shown"),
        ("weak_atomic_scope", "scopes-not-shown"),
        ("weak_assert", "assertions-not-run"),
        ("weak_restrict", "aliasing-not-run"),
    ],
)
def test_why_it_says_less(attacked: Mapping[str, Verdict], name: str, reason: str) -> None:
    assert attacked[name].reason is not None
    assert reason in (attacked[name].reason or "")
