"""What was reached, counted; what was not, named; and what of that weakens a verdict."""

from pathlib import Path

from musify_ai.backends.emulated import Built
from musify_ai.verify.branches import Watched, places_in
from musify_ai.verify.coverage import covered

ORIGINAL = b"""
__global__ void k(int* out, int n) {
    int i = threadIdx.x;
    if (i < n) {
        out[i] = 1;
    }
    if (n > 1000) {
        out[i] = 2;
    }
    switch (n) {
        case 1: out[0] = 3; break;
        case 2: out[0] = 4; break;
    }
}
"""


def watched(src: bytes) -> Watched:
    return Watched(Built(Path("none")), places_in({"a.cu": src}, {}), {"a.cu": src})


def numbers(side: Watched, *, held: tuple[str, ...] = (), failed: tuple[str, ...] = (), fixed: tuple[str, ...] = (),
            entered: tuple[str, ...] = ()) -> frozenset[int]:  # fmt: skip
    """The numbers that a run gives which takes these ways, by the text of the condition or case."""
    found = set()
    for place in side.places:
        text = side.sources[place.path][place.when.start : place.when.end].decode()
        if place.kind == "function" or (place.kind == "switch" and entered) or text in entered:
            found.add(place.number)
        found |= {place.number + step for step, ways in enumerate((failed, held, fixed)) if text in ways}
    return frozenset(found)


BOTH = {"held": ("i < n", "n > 1000"), "failed": ("i < n", "n > 1000"), "entered": ("case 1:", "case 2:")}
SOME = {"held": ("i < n",), "failed": ("i < n", "n > 1000"), "entered": ("case 1:",)}


def test_everything_reached() -> None:
    side = watched(ORIGINAL)
    seen = numbers(side, **BOTH)
    coverage, reasons = covered((side, side), (seen, seen))
    assert coverage is not None
    assert (coverage.lines, coverage.lines_reached, coverage.branches, coverage.branches_reached) == (8, 8, 6, 6)
    assert (coverage.unreached, reasons) == ((), [])


def test_what_is_not_reached_is_named_and_alone_weakens_nothing() -> None:
    side = watched(ORIGINAL)
    seen = numbers(side, **SOME)
    coverage, reasons = covered((side, side), (seen, seen))
    assert coverage is not None
    assert (coverage.lines, coverage.lines_reached, coverage.branches, coverage.branches_reached) == (8, 7, 6, 4)
    assert coverage.unreached == ("a.cu:8 (n > 1000 never holds)", "a.cu:12 (case 2:)")
    assert reasons == []


def test_a_changed_line_that_no_run_reaches_always_weakens() -> None:
    mine, theirs = watched(ORIGINAL), watched(ORIGINAL.replace(b"out[i] = 2", b"out[i] = 5"))
    _, reasons = covered((mine, theirs), (numbers(mine, **SOME), numbers(theirs, **SOME)))
    assert reasons == ["not reached, and other than in the original: a.cu:8 (n > 1000 never holds)"]
    _, reasons = covered((mine, theirs), (numbers(mine, **BOTH), numbers(theirs, **BOTH)))
    assert reasons == []


def test_a_line_that_is_gone_and_was_never_reached_weakens() -> None:
    gone = ORIGINAL.replace(b"    if (n > 1000) {\n        out[i] = 2;\n    }\n", b"")
    mine, theirs = watched(ORIGINAL), watched(gone)
    _, reasons = covered((mine, theirs), (numbers(mine, **SOME), numbers(theirs, **BOTH)))
    assert reasons == ["not reached in the original, and other in the translation: a.cu:8 (n > 1000 never holds)"]


def test_what_the_compiler_knows_is_no_branch_and_its_other_way_no_line() -> None:
    side = watched(ORIGINAL)
    seen = numbers(side, held=("i < n",), failed=("i < n", "n > 1000"), fixed=("n > 1000",), entered=BOTH["entered"])
    coverage, reasons = covered((side, side), (seen, seen))
    assert coverage is not None
    assert (coverage.lines, coverage.lines_reached, coverage.branches, coverage.branches_reached) == (7, 7, 4, 4)
    assert (coverage.unreached, reasons) == ((), [])


def test_few_lines_reached_say_little() -> None:
    early = ORIGINAL.replace(b"    if (i < n) {", b"    if (n != 17) return;\n    if (i < n) {")
    side = watched(early)
    seen = numbers(side, held=("n != 17",))
    coverage, reasons = covered((side, side), (seen, seen))
    assert coverage is not None
    assert coverage.lines_reached * 2 < coverage.lines
    assert reasons == ["2 of 9 lines are reached; not a.cu:5-13 (n != 17 always holds)"]


def test_without_notes_nothing_is_known() -> None:
    side = watched(ORIGINAL)
    assert covered((side, None), (frozenset({1}), frozenset({1}))) == (None, [])
    assert covered((side, side), (frozenset(), frozenset())) == (None, [])
