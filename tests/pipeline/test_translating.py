"""One file's way, with translators made up for each case."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from musify_ai.pipeline import Processed, process
from musify_ai.records import Edit, Finding, Options
from musify_ai.styles import Use
from musify_ai.styles import translate_in_style as translate


class Translation(NamedTuple):
    edits: tuple[Edit, ...] = ()
    findings: tuple[Finding, ...] = ()
    excluded: tuple[tuple[int, int], ...] = ()
    uses: tuple[Use, ...] = ()
    owned: frozenset[bytes] = frozenset()


class Residue(NamedTuple):
    known: tuple[tuple[int, int, str], ...] = ()
    pattern: tuple[tuple[int, int, str], ...] = ()


def rename(src: bytes, path: str, options: Options) -> Translation:
    """``cudaX`` becomes ``musaX``; ``warpSize`` is a finding, ``asm`` one that cannot be built."""
    edits, findings = [], []
    for hit in re.finditer(rb"\bcuda(\w*)", src):
        safety = "unsafe" if hit[1].startswith(b"U") else "safe"
        edits.append(Edit(*hit.span(), hit[0], b"musa" + hit[1], "names.runtime", "seen", safety))
    for hit in re.finditer(rb"warpSize|asm", src):
        settled = hit[0] == b"warpSize"
        code = "MUS301" if settled else "MUS401"
        findings.append(Finding(code, "warning", *hit.span(), "look here", settled=settled))
    return Translation(tuple(edits), tuple(findings))


def count(output: bytes, explained: Sequence[tuple[int, int]]) -> Residue:
    left = [
        (*m.span(), m[0].decode())
        for m in re.finditer(rb"cuda\w*|warpSize", output)
        if not any(start <= m.start() and m.end() <= end for start, end in explained)
    ]
    return Residue(tuple(left))


def run(src: bytes, options: Options | None = None, *, write: bool = True) -> Processed:
    return process(src, "a.cu", options or Options(), write=write, translator=rename, counter=count)


def test_edits_are_spliced_marked_and_placed() -> None:
    src = "int 核; cudaFree(p);\r\n  cudaMalloc(q);".encode()
    done = run(src)
    assert done.output == "int 核; musaFree(p);\r\n  musaMalloc(q);".encode()
    assert [(e.line, e.column, e.applied) for e in done.result.edits] == [(1, 8, True), (2, 3, True)]
    assert done.result.status == "changed"
    assert done.result.sha256_before == sha256(src).hexdigest()
    assert done.result.sha256_after == sha256(done.output).hexdigest()
    assert done.failure is None


def test_check_marks_nothing_and_still_counts_what_would_be_left() -> None:
    done = run(b"cudaFree(p); cudaUnknown", write=False)
    assert [e.applied for e in done.result.edits] == [False, False]
    assert done.result.status == "unchanged"
    assert done.result.sha256_after is None
    assert [name for _, _, name in done.result.residue] == ["cudaUnknown"]


def test_unsafe_edits_only_when_asked_for() -> None:
    assert run(b"cudaUnsafe").output == b"cudaUnsafe"
    assert [e.applied for e in run(b"cudaUnsafe").result.edits] == [False]
    assert run(b"cudaUnsafe", Options(unsafe_fixes=True)).output == b"musaUnsafe"


def test_display_edits_never() -> None:
    def display(src: bytes, path: str, options: Options) -> Translation:
        return Translation((Edit(0, 1, b"a", b"b", "MUS201", "rule", "display"),))

    done = process(b"a", "a.cu", Options(unsafe_fixes=True), translator=display, counter=count)
    assert (done.output, done.result.edits[0].applied) == (b"a", False)


def test_a_finding_explains_a_name_that_is_left_even_after_edits_before_it() -> None:
    def longer(src: bytes, path: str, options: Options) -> Translation:
        return Translation((Edit(0, 1, b"x", b"xxxxxxx", "MUS201", "rule"),) if src[:2] == b"x " else ())

    def both(src: bytes, path: str, options: Options) -> Translation:
        return Translation(longer(src, path, options).edits, rename(src, path, options).findings)

    done = process(b"x warpSize", "a.cu", Options(), translator=both, counter=count)
    assert done.output == b"xxxxxxx warpSize"
    assert done.result.residue == ()


def test_an_ignored_finding_is_not_shown_and_still_explains_and_unsettles() -> None:
    done = run(b"warpSize asm", Options(ignore=("MUS3", "MUS4")))
    assert done.result.findings == ()
    assert done.result.residue == ()
    assert done.unsettled == ((9, 12, "MUS401"),)


def test_what_the_file_says_to_leave_is_no_residue() -> None:
    def told(src: bytes, path: str, options: Options) -> Translation:
        return Translation(excluded=((0, len(src)),))

    assert process(b"cudaFree", "a.cu", Options(), translator=told, counter=count).result.residue == ()


def test_unsettled_places_are_given_in_the_output() -> None:
    def shorten(src: bytes, path: str, options: Options) -> Translation:
        found = rename(src, path, options).findings
        return Translation((Edit(0, 4, b"long", b"s", "MUS201", "rule"),) if src.startswith(b"long") else (), found)

    done = process(b"long asm", "a.cu", Options(), translator=shorten, counter=count)
    assert done.output == b"s asm"
    assert done.unsettled == ((2, 5, "MUS401"),)


def test_a_suggestion_that_was_made_settles_its_finding_but_a_derived_name_stays_known() -> None:
    def suggest(src: bytes, path: str, options: Options) -> Translation:
        if b"new" in src:
            return Translation()
        first = Edit(0, 3, b"old", b"new", "MUS201", "rule", "unsafe")
        second = Edit(4, 7, b"old", b"new", "names.runtime", "prefix", "unsafe")
        return Translation(
            (first, second),
            (
                Finding("MUS201", "warning", 0, 3, "guard", edit=first),
                Finding("MUS103", "warning", 4, 7, "derived", edit=second),
            ),
        )

    done = process(b"old old", "a.cu", Options(unsafe_fixes=True), translator=suggest, counter=count)
    assert [f.code for f in done.result.findings] == ["MUS103"]
    assert [
        f.code for f in process(b"old old", "a.cu", Options(), translator=suggest, counter=count).result.findings
    ] == ["MUS201", "MUS103"]


def test_a_translator_that_raises_costs_its_file_only() -> None:
    def broken(src: bytes, path: str, options: Options) -> Translation:
        raise KeyError("gone")

    done = process(b"cudaFree", "a.cu", Options(), translator=broken, counter=count)
    assert done.output is None
    assert done.result.status == "failed"
    assert done.failure is not None
    assert (done.failure.path, done.failure.stage) == ("a.cu", "translate")
    assert "KeyError" in done.failure.error


def test_edits_that_do_not_fit_the_file_are_not_written() -> None:
    def wrong(src: bytes, path: str, options: Options) -> Translation:
        return Translation((Edit(0, 4, b"xxxx", b"y", "MUS201", "rule"),))

    assert process(b"cudaFree", "a.cu", Options(), translator=wrong, counter=count).output is None


def test_a_translation_that_would_change_again_is_not_written() -> None:
    def growing(src: bytes, path: str, options: Options) -> Translation:
        return Translation((Edit(0, 0, b"", b"x", "MUS201", "rule"),))

    done = process(b"a", "a.cu", Options(), translator=growing, counter=count)
    assert done.output is None
    assert done.failure is not None
    assert "second run" in done.failure.error
    # Nothing is written by a check, so the second translation is saved there.
    assert process(b"a", "a.cu", Options(), write=False, translator=growing, counter=count).failure is None


def test_edits_held_back_in_musa_files_count_as_a_second_change() -> None:
    def musa(src: bytes, path: str, options: Options) -> Translation:
        if src.startswith(b"musa"):
            return Translation(findings=(Finding("MUS001", "note", 0, 1, "edits were not made"),))
        return Translation((Edit(0, 4, b"cuda", b"musa", "names.runtime", "seen"),))

    assert process(b"cuda", "a.cu", Options(), translator=musa, counter=count).output is None


def test_fingerprints_hold_when_lines_are_put_in_above_or_indented() -> None:
    src = b"a(warpSize);\nb(warpSize, warpSize);\na(warpSize);\n"
    before = [f.fingerprint for f in run(src).result.findings]
    moved = b"// line\n" * 50 + src.replace(b"a(", b"\t  a(")
    assert [f.fingerprint for f in run(moved).result.findings] == before
    assert len(set(before)) == 4


def test_findings_have_both_ends() -> None:
    finding = run(b"x\n  warpSize\n").result.findings[0]
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == (2, 3, 2, 11)


def test_encodings_are_named() -> None:
    assert run(b"\xef\xbb\xbfint a;").result.encoding == "utf-8-sig"
    assert run("// 中文注释".encode("gbk")).result.encoding == "gb18030"
    assert run(b"").result.encoding == "ascii"


@given(st.binary(max_size=200))
def test_any_bytes_come_through(src: bytes) -> None:
    done = run(src)
    assert done.failure is None
    assert done.output is not None
    assert done.output.replace(b"musa", b"cuda") == src.replace(b"musa", b"cuda")


@pytest.mark.parametrize(
    ("source", "left"),
    [
        (b"cudaFree(p);  // musify: ignore[names]\n", []),
        (b"cudaFree(p);  // musify: ignore[names.runtime]\nint a;", []),
        (b"cudaFree(p);  // musify: ignore[names]", []),
        (b"cudnnCreate(&h);  // musify: ignore[MUS7]\n", []),
        (b"cudnnCreate(&h); cudnnDestroy(h);  // musify: ignore[MUS1]\n", []),
        (b"#ifdef USE_MUSA\n#include <musa_runtime.h>\n#else\n#include <cuda.h>\n#endif\ncudaFree(p);\n", []),
    ],
)
def test_what_is_suppressed_by_code_or_musa_already_is_explained(source: bytes, left: list[str]) -> None:
    result = process(source, "a.cu", Options()).result
    assert [name for _, _, name in result.residue] == left
    assert result.status == "unchanged"


def test_a_suppression_explains_its_own_place_only() -> None:
    def forgetful(src: bytes, path: str, options: Options) -> Any:
        translation = translate(src, path, options)
        return translation._replace(edits=())

    source = b"cudaFree(p);  // musify: ignore[names]\ncudaFree(q);\n"
    result = process(source, "a.cu", Options(), translator=forgetful).result
    assert [(start, name) for start, _, name in result.residue] == [(source.rindex(b"cudaFree"), "cudaFree")]
