"""Rules that look at the bytes before they make tokens find what they would find without that look."""

from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.records import Options
from musify_ai.translate.first_looks import LOOKS
from musify_ai.translate.front_end import header_order, host_units
from musify_ai.translate.memory import dynamic_parallelism, runtime_differences, vector_volatile
from musify_ai.translate.unit import Unit
from musify_ai.translate.warps import groups_of_32, lane_arithmetic, lanes_counted

PHRASES = (
    *("threadIdx . x / 32", "tid >> 5", "lane & 31", "blockDim . x / 32", "numThreads % 32", "( n + block_size ) / 32"),
    *("WARP_SIZE = 32", "#define WARP_SIZE 32", "kWarps * 32", "32 * kWarps", "blockDim . x <= 32", "n / 32", "x & 5"),
    *("__shared__ float sums [ 32 ]", 'strcmp ( cudaGetErrorString ( n ) , "x" )', "__global__ void k ( ) {", "1.32"),
    *("k <<< 1 , 32 >>> ( )", "}", "\n}", "\nvoid f ( int n ) {", "\nint g ( ) {", "#include <cuda_runtime.h>\n"),
    *("for ( o = 16 ; o > 0 ; o >>= 1 )", "32 * lane", "#include <memory>\n", "__global__\nvoid k ( ) {"),
    *(
        'cudaGetErrorString ( n ) == "x"',
        "puts ( cudaGetErrorString ( n ) )",
        "if ( n == 32 ) return ;",
        "volatile int4",
    ),
)
BETWEEN = ["", " ", " ", " ", "\n", " \\\n", "/* 32 ; */", "// ==\n"]


@st.composite
def sources(draw: st.DrawFn) -> bytes:
    """Phrases that the rules look for, now and then with a comment or a line splice in them."""
    words = [word for phrase in draw(st.lists(st.sampled_from(PHRASES), max_size=6)) for word in phrase.split(" ")]
    gaps = draw(st.lists(st.sampled_from(BETWEEN), min_size=len(words), max_size=len(words)))
    kept = [gap if word[-1:] not in "ex2" or gap else " " for word, gap in zip(words, gaps, strict=True)]
    return "".join(word + gap for word, gap in zip(words, kept, strict=True)).encode()


@pytest.mark.parametrize(
    ("rule", "look"),
    [
        (groups_of_32, "_is_likely"),
        (lane_arithmetic, "_is_likely"),
        (runtime_differences, "_may_compare"),
    ],
    ids=["MUS306", "MUS304", "MUS512"],
)
@settings(max_examples=300, deadline=None)
@given(src=sources())
def test_a_first_look_changes_nothing(rule: ModuleType, look: str, src: bytes) -> None:
    shown = list(rule.find(Unit("a.cu", src)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rule, look, lambda *_: True)
        assert list(rule.find(Unit("a.cu", src))) == shown


@pytest.mark.parametrize(
    "rule", [lane_arithmetic, groups_of_32, lanes_counted, dynamic_parallelism, host_units, header_order]
)
@settings(max_examples=100, deadline=None)
@given(src=sources(), path=st.sampled_from(["a.cu", "a.cpp", "a.C", "b.h"]), wide=st.booleans())
def test_a_look_before_the_import_says_no_only_where_the_rule_has_nothing(
    rule: ModuleType, src: bytes, path: str, wide: bool
) -> None:
    options = Options() if wide else Options(archs=("mp_31",))
    look = LOOKS[rule.CODE]
    with pytest.MonkeyPatch.context() as patch:
        if rule is dynamic_parallelism:
            patch.setattr(rule, "launches_from_kernel", lambda _: True)
        found = list(rule.find(Unit(path, src, options)))
    assert not found or look(Unit(path, src, options))


def test_vectors_are_looked_for_by_every_name_that_cuda_has() -> None:
    for scalar in ("char", "uchar", "short", "ushort", "int", "uint", "longlong", "ulonglong", "float", "double"):
        for count in (2, 3, 4):
            unit = Unit("a.cu", f"volatile {scalar}{count} v;".encode())
            assert len(list(vector_volatile.find(unit))) == 1
