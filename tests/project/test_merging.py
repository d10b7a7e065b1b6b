"""Merging three texts: what is taken from which, and that no line of a person's is ever lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.project.marks import marks
from musify_ai.project.merging import merge

BASE = b"one\ntwo\nthree\nfour\nfive\n"


@pytest.mark.parametrize(
    ("edited", "anew", "merged"),
    [
        (BASE, b"new\n", b"new\n"),
        (b"mine\n", BASE, b"mine\n"),
        (b"mine\n", b"mine\n", b"mine\n"),
        (BASE.replace(b"two", b"TWO"), BASE.replace(b"four", b"4"), b"one\nTWO\nthree\n4\nfive\n"),
        (b"zero\n" + BASE, BASE + b"six\n", b"zero\n" + BASE + b"six\n"),
        (BASE.replace(b"two\n", b""), BASE.replace(b"five", b"5"), b"one\nthree\nfour\n5\n"),
        (BASE + b"end", b"top\n" + BASE, b"top\n" + BASE + b"end"),
    ],
)
def test_changes_of_two_sides_come_together(edited: bytes, anew: bytes, merged: bytes) -> None:
    assert merge(BASE, edited, anew) == (merged, ())


def test_a_line_changed_twice_is_a_conflict_between_markers() -> None:
    merged = merge(BASE, BASE.replace(b"three", b"3 by hand"), BASE.replace(b"three", b"3 anew"))
    assert merged.text == (
        b"one\ntwo\n<<<<<<< edited by hand\n3 by hand\n=======\n3 anew\n>>>>>>> migrated anew\nfour\nfive\n"
    )
    assert merged.conflicts == marks(merged.text) == (3,)


def test_a_conflict_keeps_the_ends_of_lines_and_closes_those_without_one() -> None:
    merged = merge(b"a\r\nb", b"a\r\nmine", b"a\r\ntheirs")
    assert merged.text == (b"a\r\n<<<<<<< edited by hand\r\nmine\r\n=======\r\ntheirs\r\n>>>>>>> migrated anew\r\n")


def test_a_deletion_against_a_change_is_a_conflict() -> None:
    merged = merge(BASE, BASE.replace(b"three\n", b""), BASE.replace(b"three", b"3"))
    assert merged.conflicts == (3,)
    assert b"<<<<<<< edited by hand\n=======\n3\n>>>>>>>" in merged.text


def test_files_that_both_sides_added_share_what_they_have_alike() -> None:
    merged = merge(b"", b"head\nmine\nfoot\n", b"head\ntheirs\nfoot\n")
    assert merged.text.startswith(b"head\n<<<<<<<") and merged.text.endswith(b">>>>>>> migrated anew\nfoot\n")


_line = st.sampled_from([b"{", b"}", b"", b"a", b"b", b"int x;", b"=======", b"\tcall();"])
_text = st.lists(_line, max_size=14)


@st.composite
def _edited(draw: st.DrawFn, base: list[bytes], word: bytes) -> tuple[list[bytes], list[bytes]]:
    """A text edited in places, and the lines that the edit put in, each of its own."""
    lines, own = list(base), []
    for number in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(lines)))
        end = min(len(lines), at + draw(st.integers(0, 2)))
        new = [b"%s %d %d" % (word, number, i) for i in range(draw(st.integers(0, 2)))]
        lines[at:end] = new
        own += new
    return lines, [line for line in own if line in lines]


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_every_line_that_somebody_wrote_survives_and_a_second_merge_changes_nothing(data: st.DataObject) -> None:
    base = data.draw(_text)
    edited, mine = data.draw(_edited(base, b"mine"))
    anew, theirs = data.draw(_edited(base, b"theirs"))
    texts = [b"".join(line + b"\n" for line in lines) for lines in (base, edited, anew)]
    if data.draw(st.booleans()) and texts[1]:
        texts[1] = texts[1][:-1]  # no end of line at the end
    merged = merge(*texts)
    lines = merged.text.splitlines()
    assert not [line for line in mine + theirs if line not in lines]
    assert len(merged.conflicts) == len(marks(merged.text))
    assert all(lines[at - 1].startswith(b"<<<<<<< ") for at in merged.conflicts)
    # What was merged is from now on what a person made of the new text: with that unchanged nothing more happens.
    assert merge(texts[2], merged.text, texts[2]).text == merged.text
    if not merged.conflicts:
        assert not [line for line in lines if line not in edited and line not in anew]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"a\n<<<<<<< HEAD\nb\n||||||| 1234567\nc\n=======\nd\n>>>>>>> other\n", (2,)),  # with its base
        (b"<<<<<<< Updated upstream\r\nb\r\n=======\r\nd\r\n>>>>>>> Stashed changes\r\n", (1,)),
        (b"<<<<<<< x\n=======\n>>>>>>> y\nz\n<<<<<<<\n=======\n>>>>>>>\n", (1, 5)),
        (b"b\n=======\nd\n>>>>>>> 1a2b3c4d5e (change)\n", (4,)),  # half resolved
        (b"b\n<<<<<<< HEAD\nd\n", (2,)),
        (b"k<<<<<<1, 1>>>>>>();\n<<<<<<<<< x\n=======\n>>>>>>>>> y\n", ()),
        (b"Title\n=======\n>>>>>>> quoted by mail\n", ()),
        (b"// <<<<<<< HEAD\n// =======\n// >>>>>>> x\n", ()),
        (b"<<<<<<< part one >>>>>>>\n", ()),
    ],
)
def test_marks_are_told_from_what_only_looks_like_them(text: bytes, lines: tuple[int, ...]) -> None:
    assert marks(text) == lines
