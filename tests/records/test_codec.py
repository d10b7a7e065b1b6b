"""Records as plain values and back."""

import json

import pytest

from musify_ai.records import Buffer, Evidence, Failure, Verdict
from musify_ai.records.codec import plain, restored
from musify_ai.records.verdicts import Coverage, Mutants

EVIDENCE = Evidence(
    "emulated", ("a", "b"), "mp_22", 128, (1, 2), ("forward",), (0,), (Buffer("p", 3, True, 0.5),), 0, ("x",),
    "equal-assumed", "why", "musify-ai verify", Mutants(3, 1, 1, 1, (), (), ()), Coverage(1, 1, 2, 1, ("b",)),
)  # fmt: skip
VERDICT = Verdict(
    "ä.cu",
    "k",
    3,
    None,
    "equal-assumed",
    None,
    ("n",),
    {"mp_22": "equal-assumed"},
    (EVIDENCE, EVIDENCE._replace(mutants=None)),
)


@pytest.mark.parametrize("record", [VERDICT, VERDICT._replace(instantiation="int"), Failure("a", "check", "e", "h")])
def test_what_is_kept_comes_back_as_it_was(record: Verdict | Failure) -> None:
    assert restored(type(record), json.loads(json.dumps(plain(record)))) == record


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, 3), (2, "3"), (2, True), (4, "equal"), (6, "n"), (6, [1]), (7, []), (8, [[1]]), (3, 5)],
)
def test_what_is_no_such_record_is_refused(place: int, value: object) -> None:
    rows = plain(VERDICT)
    rows[place] = value
    with pytest.raises(ValueError, match=r"."):
        restored(Verdict, rows)


@pytest.mark.parametrize("value", [None, [], {}, "x", [1] * 9, [1] * 10])
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        restored(Verdict, value)


def test_what_is_no_record_cannot_be_kept() -> None:
    with pytest.raises(TypeError):
        plain((b"bytes",))
