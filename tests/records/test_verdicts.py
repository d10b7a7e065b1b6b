import pickle

import pytest

from musify_ai.records import HEADLINES, Edit, Finding, Headline, Options, headline_of


@pytest.mark.parametrize(
    ("by_arch", "varies", "expected"),
    [
        ({}, False, "unchecked"),
        ({"mp_22": "equal-emulated", "mp_31": "equal-emulated"}, False, "equal-emulated"),
        ({"mp_22": "equal-assumed", "mp_31": "equal-emulated"}, False, "equal-assumed"),
        ({"mp_22": "differs", "mp_31": "equal-emulated"}, False, "arch-dependent"),
        ({"mp_22": "differs", "mp_31": "equal-emulated"}, True, "differs"),
        ({"mp_22": "differs", "mp_31": "differs"}, False, "differs"),
        ({"mp_22": "differs", "mp_31": "not-checkable"}, False, "differs"),
        ({"mp_21": "differs", "mp_22": "build-failed", "mp_31": "equal-emulated"}, False, "differs"),
        ({"mp_22": "build-failed", "mp_31": "equal-emulated"}, False, "build-failed"),
        ({"mp_22": "unchecked", "mp_31": "not-checkable"}, False, "not-checkable"),
    ],
)
def test_headline(by_arch: dict[str, Headline], varies: bool, expected: Headline) -> None:
    assert headline_of(by_arch, original_varies=varies) == expected


def test_no_headline_but_the_equal_ones_says_equal() -> None:
    assert [h for h in HEADLINES if "equal" in h] == [h for h in HEADLINES if h.startswith("equal-")]
    assert HEADLINES[0] == "differs" and HEADLINES[-1] == "equal-on-hardware"


def test_records_can_be_pickled() -> None:
    finding = Finding("MUS301", "warning", 0, 1, "m", edit=Edit(0, 1, b"a", b"b", "MUS301", "rule"))
    assert pickle.loads(pickle.dumps((finding, Options()))) == (finding, Options())
