"""The gallery and its expected translation: what they promise as bytes, before any tool looks at them."""

import re
import tomllib
from pathlib import Path

import pytest

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
ORIGINAL = CORPUS / "gallery"
EXPECTED = CORPUS / "gallery-musa"

FILES = sorted(p.relative_to(ORIGINAL).as_posix() for p in ORIGINAL.rglob("*") if p.is_file())
TRANSLATED = [f for f in FILES if f.endswith((".cu", ".cuh", ".h"))]
BUILD_FILES = ["CMakeLists.txt", "Makefile"]
EXPECTATIONS = tomllib.loads((CORPUS / "gallery-expected.toml").read_text())

# Tokens that a guard may change together with the macro; thresholds stand only beside it.
GUARD = {b"__CUDA_ARCH__": b"__MUSA_ARCH__", b"800": b"220", b"900": b"310"}


def test_both_trees_hold_the_same_files() -> None:
    assert sorted(p.relative_to(EXPECTED).as_posix() for p in EXPECTED.rglob("*") if p.is_file()) == FILES
    assert len(TRANSLATED) >= 20


@pytest.mark.parametrize("path", [f for f in FILES if f not in (*TRANSLATED, *BUILD_FILES)])
def test_other_files_are_copied(path: str) -> None:
    assert (ORIGINAL / path).read_bytes() == (EXPECTED / path).read_bytes()


@pytest.mark.parametrize("path", TRANSLATED)
def test_nothing_but_names_guards_and_assembly_changes(path: str) -> None:
    before = (ORIGINAL / path).read_bytes().split(b"\n")
    after = (EXPECTED / path).read_bytes().split(b"\n")
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        if old == new:
            continue
        if old.lstrip().startswith(b"asm"):
            assert b"asm" not in new
            assert len(old) - len(old.lstrip()) == len(new) - len(new.lstrip())
            continue
        old_tokens, new_tokens = re.findall(rb"\w+|\W", old), re.findall(rb"\w+|\W", new)
        assert len(old_tokens) == len(new_tokens)
        for a, b in zip(old_tokens, new_tokens, strict=True):
            if b"__CUDA_ARCH__" in old:
                assert b == GUARD.get(a, a)
            else:
                assert a == b or (a.startswith(b"cuda") and b == b"musa" + a[4:])


@pytest.mark.parametrize("tree", [ORIGINAL, EXPECTED], ids=lambda tree: tree.name)
def test_encodings_are_as_promised(tree: Path) -> None:
    saxpy = (tree / "src/saxpy.cu").read_bytes()
    assert saxpy.startswith(b"\xef\xbb\xbf")
    assert saxpy.count(b"\n") == saxpy.count(b"\r\n") > 50

    sobel = (tree / "src/sobel.cu").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        sobel.decode("utf-8")
    text = sobel.decode("gbk")
    assert "边缘检测" in text
    # the second byte of a character is a backslash, and no backslash is in the text
    assert sobel.count(b"\\") >= 3
    assert "\\" not in text

    for path in TRANSLATED:
        if path not in ("src/saxpy.cu", "src/sobel.cu"):
            assert (tree / path).read_bytes().isascii(), path


def test_comments_and_strings_still_speak_of_cuda() -> None:
    utils = (EXPECTED / "include/cuda_utils.cuh").read_text()
    for kept in ('"cudaMalloc failed"', "see cudaGetLastError in the CUDA manual", "cudaCheck(", "int cudaMalloc = 0;"):
        assert kept in utils
    assert "cudaMalloc was called" in (EXPECTED / "src/main.cu").read_text()


def test_expectations_name_every_kernel_and_real_lines() -> None:
    kernels = set()
    for path in TRANSLATED:
        text = (ORIGINAL / path).read_bytes().decode("latin-1")
        kernels |= {(path, name) for name in re.findall(r"__global__ void (?:__launch_bounds__\(\w+\) )?(\w+)\(", text)}
    assert {(k["file"], k["name"]) for k in EXPECTATIONS["kernel"]} == kernels
    assert len(kernels) == len(EXPECTATIONS["kernel"]) == 21
    for finding in EXPECTATIONS["finding"]:
        line = (ORIGINAL / finding["file"]).read_bytes().split(b"\n")[finding["line"] - 1].decode()
        assert finding.get("name", "") in line
