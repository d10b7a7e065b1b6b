"""Rules that look at the bytes before they make tokens find what they would find without that look."""

from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.translate.memory import runtime_differences, vector_volatile
from musify_ai.translate.unit import Unit
from musify_ai.translate.warps import groups_of_32, lane_arithmetic

PIECES = [
    *("threadIdx", ".", "x", "tid", "lane", "kWarps", "WARP_SIZE", "numThreads", "n", "blockDim", "block_size", "sums"),
    *("/", "%", ">>", "&", "*", "=", "<=", "==", "!=", "(", ")", "[", "]", ",", ";", "{", "}", "<", ">", "+"),
    *(
        "32",
        "31",
        "5",
        "0x20",
        "32u",
        "0x1f",
        "7",
        "1.32",
        "'a'",
        '"x"',
        '"=="',
        "/* 32 ; */",
        "// ==\n",
        "\n",
        " \\\n",
    ),
    *("#define ", "__shared__ ", "float ", "volatile ", "int4 ", "const ", "cudaGetErrorString", "strcmp", "return "),
    *("__global__ void k() {", "__device__ int f(", "#include <x.h>\n"),
]
SOURCES = st.lists(st.sampled_from(PIECES), max_size=40).map(
    lambda parts: "".join(part if part[-1:] in " \n" else part + " " for part in parts).encode()
)


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
@given(src=SOURCES)
def test_a_first_look_changes_nothing(rule: ModuleType, look: str, src: bytes) -> None:
    shown = list(rule.find(Unit("a.cu", src)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rule, look, lambda *_: True)
        assert list(rule.find(Unit("a.cu", src))) == shown


def test_vectors_are_looked_for_by_every_name_that_cuda_has() -> None:
    for scalar in ("char", "uchar", "short", "ushort", "int", "uint", "longlong", "ulonglong", "float", "double"):
        for count in (2, 3, 4):
            unit = Unit("a.cu", f"volatile {scalar}{count} v;".encode())
            assert len(list(vector_volatile.find(unit))) == 1
