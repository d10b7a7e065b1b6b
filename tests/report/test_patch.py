"""The patch is taken by git itself and gives the translated tree."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musify_ai.records import Edit, FileResult, Options, Run, Tool
from musify_ai.report.hunks import hunks
from musify_ai.report.patch import render
from musify_ai.source import splice


def edit(start: int, old: bytes, new: bytes) -> Edit:
    return Edit(start, start + len(old), old, new, "names.runtime", "seen", applied=True)


def run_of(files: dict[str, tuple[bytes, list[Edit]]]) -> tuple[Run, dict[str, tuple[bytes, bytes]]]:
    results = tuple(FileResult(p, None, "changed", edits=tuple(edits)) for p, (_, edits) in sorted(files.items()))
    texts = {p: (src, splice(src, edits)) for p, (src, edits) in files.items()}
    return Run(Tool("musify-ai", "0", ""), "migrate", Options(), results), texts


def applied(tmp_path: Path, files: dict[str, tuple[bytes, list[Edit]]], repository: Path | None = None) -> None:
    run, texts = run_of(files)
    subprocess.run(["git", "init", "-q", repository or tmp_path], check=True)
    for path, (src, _) in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(src)
    patch = render(run, texts)
    done = subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], cwd=tmp_path, input=patch, capture_output=True)
    assert done.returncode == 0, (done.stderr, patch)
    for path, (_, after) in texts.items():
        assert (tmp_path / path).read_bytes() == after


@pytest.mark.parametrize(
    "src",
    [
        b"cudaFree(p);\n",
        b"cudaFree(p);",
        b"a\r\ncudaFree(p);\r\nb\r\n",
        b"\xef\xbb\xbf// \xd6\xd0\xce\xc4\ncudaFree(p);\n",
        b"".join(b"line %d\n" % i for i in range(20)) + b"cudaFree(p);\n" + b"end\n" * 20,
    ],
    ids=["one line", "no last newline", "CRLF", "BOM and GBK", "in the middle"],
)
def test_git_takes_the_patch(tmp_path: Path, src: bytes) -> None:
    applied(tmp_path, {"src/a.cu": (src, [edit(src.index(b"cudaFree"), b"cudaFree", b"musaFree")])})


def test_git_takes_the_patch_in_a_folder_of_a_larger_repository(tmp_path: Path) -> None:
    src = b"cudaFree(p);\n"
    edits = [edit(0, b"cudaFree", b"musaFree")]
    files = {"src/a.cu": (src, edits), "b c.cu": (src, edits), "核.cu": (src, edits)}
    (tmp_path / "part").mkdir()
    applied(tmp_path / "part", files, repository=tmp_path)


def test_names_with_blanks_quotes_and_other_letters(tmp_path: Path) -> None:
    src = b"cudaFree(p);\n"
    edits = [edit(0, b"cudaFree", b"musaFree")]
    applied(
        tmp_path, {"a b.cu": (src, edits), 'q"\\.cu': (src, edits), "核.cu": (src, edits), "plain.cu": (src, edits)}
    )


def test_edits_that_add_and_take_away_lines(tmp_path: Path) -> None:
    src = b"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve"
    edits = [
        edit(0, b"", b"zero\n"),
        edit(src.index(b"two"), b"two\n", b""),
        edit(src.index(b"four"), b"four\nfive", b"4\n4.5\n5"),
        edit(len(src), b"", b"\nthirteen\n"),
    ]
    applied(tmp_path, {"a.cu": (src, edits)})


def test_a_file_that_becomes_empty_and_one_that_was(tmp_path: Path) -> None:
    src = b"x\n"
    run, texts = run_of({"a": (src, [edit(0, b"x\n", b"")])})
    assert b"@@ -1 +0,0 @@\n-x\n" in render(run, texts)
    assert hunks(b"", [edit(0, b"", b"x\n")])[0][:4] == (0, 0, 1, 1)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from([b"aa", b"b", b"\n", b"\n\n", b"c\n", b"\r\n"]), max_size=30),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 4), st.sampled_from([b"", b"X", b"\n", b"Y\nZ", b"\n\nW"]))),
)
def test_hunks_rebuild_the_output(pieces: list[bytes], cuts: list[tuple[int, int, bytes]]) -> None:
    src = b"".join(pieces)
    edits: list[Edit] = []
    position = -1
    for start, length, new in sorted(cuts):
        if start > position and start + length <= len(src) and src[start : start + length] != new:
            edits.append(edit(start, src[start : start + length], new))
            position = start + length
    before = src.split(b"\n")
    lines = [line + b"\n" for line in before[:-1]] + ([before[-1]] if before[-1] else [])
    out: list[bytes] = []
    position = 0
    for hunk in hunks(src, edits, context=1):
        begin = hunk.before_start - 1 if hunk.before_count else hunk.before_start
        out += lines[position:begin]
        old = [line.text for line in hunk.lines if line.kind != "+"]
        new_lines = [line.text for line in hunk.lines if line.kind != "-"]
        assert old == lines[begin : begin + hunk.before_count]
        assert len(new_lines) == hunk.after_count
        out += new_lines
        position = begin + hunk.before_count
    out += lines[position:]
    assert b"".join(out) == splice(src, edits)
