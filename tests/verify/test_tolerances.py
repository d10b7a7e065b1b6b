"""What two real devices may part in: nothing that no operation explains, and no more than the operations do."""

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from musify_ai.verify.comparing import compare
from musify_ai.verify.results import Place
from musify_ai.verify.tolerances import (
    DIVIDE,
    EXACT,
    FUNCTIONS,
    FUSED,
    SUM,
    Tolerated,
    operations_in,
    tolerance,
    usual_size,
)

OUT = Place("out", 4, 4, ((0, 4, "f"),))


def floats(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


@pytest.mark.parametrize("dtype", ["", "int32", "uint8"])
def test_what_is_no_float_is_exact(dtype: str) -> None:
    assert tolerance(dtype, {"expf", SUM}, 1000) == EXACT


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_a_copy_is_exact(dtype: str) -> None:
    assert tolerance(dtype, ()) == EXACT


def test_a_function_may_be_off_on_both_sides() -> None:
    one_ulp = 2.0**-23
    got = tolerance("float32", {"expf"})
    assert got.relative == 4 * one_ulp
    assert got.why == ("expf: 2 ulp a side",)
    assert got.takes(1.0, 1.0 + 4 * one_ulp)
    assert not got.takes(1.0, 1.0 + 6 * one_ulp)


def test_fast_functions_have_more_room_than_exact_ones_and_double_less() -> None:
    assert tolerance("float32", {"__expf"}).relative > tolerance("float32", {"expf"}).relative
    assert tolerance("float64", {"exp"}).relative < tolerance("float32", {"expf"}).relative
    single_in_double = tolerance("float64", {"expf"}).relative
    assert single_in_double == pytest.approx(tolerance("float32", {"expf"}).relative)


def test_a_sum_grows_with_the_root_of_its_terms() -> None:
    few, many = (tolerance("float32", {SUM}, terms).relative for terms in (100, 10_000))
    assert many == pytest.approx(10 * few)
    assert tolerance("float32", {SUM}, 1).relative == 0


@given(
    st.sampled_from(("float64", "float32", "float16", "bfloat16")),
    st.sets(st.sampled_from(sorted({*FUNCTIONS, DIVIDE, FUSED, SUM}))),
    st.sampled_from(sorted({*FUNCTIONS, DIVIDE, FUSED, SUM})),
    st.integers(1, 1 << 20),
)
def test_more_to_do_never_narrows(dtype: str, operations: set[str], more: str, terms: int) -> None:
    less, wider = (tolerance(dtype, each, terms) for each in (operations, operations | {more}))
    assert less.relative <= wider.relative
    assert less.absolute <= wider.absolute


@given(st.floats(allow_nan=True), st.floats(allow_nan=True), st.floats(0, 1e9))
def test_taking_is_the_same_both_ways_and_never_mixes_nan_or_infinity(a: float, b: float, usual: float) -> None:
    room = tolerance("float32", {"expf", SUM}, 64)
    assert room.takes(a, b, usual) == room.takes(b, a, usual)
    if math.isnan(a) != math.isnan(b) or (math.isinf(a) and a != b):
        assert not room.takes(a, b, usual)


def test_what_cancels_is_measured_by_the_usual_size() -> None:
    room = tolerance("float32", {FUSED})
    assert room.takes(1e-8, -1e-8, usual=1.0)
    assert not room.takes(1e-3, -1e-3, usual=1.0)
    assert not room.takes(1e-8, -1e-8, usual=0.0)


def test_usual_size_is_the_median_of_what_says_something() -> None:
    assert usual_size([0.0, math.nan, math.inf, -2.0, 1.0, 300.0]) == 2.0
    assert usual_size([0.0, math.nan]) == 0.0


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        (b"{ out[i] = in[i]; }", set()),
        (b"{ y[i] = a * x[i] + y[i]; }", {FUSED}),
        (b"{ y[i] = expf(x[i]) / s; }", {"expf", DIVIDE}),
        (b"{ for (int k = 0; k < n; ++k) s += x[k]; }", {SUM}),
        (b"{ atomicAdd(out, x[i]); }", {SUM}),
        (b"{ y[i] = __fdividef(x[i], 3.f); }", {"__fdividef"}),
        (b"{ y[0] = norm(3, x); }", {SUM}),
    ],
)
def test_operations_are_read_off_the_text(code: bytes, wanted: set[str]) -> None:
    assert operations_in(code) == wanted


def test_comparing_with_tolerance_tells_only_what_is_beyond_it() -> None:
    given_, off = floats(1, 2, 3, 4), floats(1.0000002, 2, 3.5, 4)
    plain = compare(given_, off, OUT)
    assert plain is not None
    assert (plain.first, plain.differing) == (0, 2)
    room = Tolerated(frozenset({"expf"}))
    real = compare(given_, off, OUT, tolerated=room)
    assert real is not None
    assert (real.first, real.differing, real.worst_error) == (2, 1, 0.5)
    assert compare(given_, floats(1.0000002, 2, 3, 4), OUT, tolerated=room) is None
    new = compare(given_, floats(1, 2, math.nan, 4), OUT, tolerated=room)
    assert new is not None
    assert new.new_nan


def test_integers_and_unknown_bytes_stay_exact_beside_floats() -> None:
    place = Place("p", 1, 8, ((0, 4, "f"), (4, 4, "i")))
    room = Tolerated(frozenset({"expf"}))
    assert compare(struct.pack("<fi", 1, 2), struct.pack("<fi", 1.0000002, 2), place, tolerated=room) is None
    assert compare(struct.pack("<fi", 1, 2), struct.pack("<fi", 1, 3), place, tolerated=room) is not None
