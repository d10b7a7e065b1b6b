"""Handing over to the checker: what it is given, and what is said where it cannot run. The checker is made up here."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from musify_ai.project import Refused, checking, migrate, verify_port
from musify_ai.records import Evidence, Options, Verdict

KERNEL = b"#include <cuda_runtime.h>\n__global__ void twice(float *p) { p[threadIdx.x] *= 2; }\n"
OPTIONS = Options()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_bytes(KERNEL)
    (tmp_path / "src" / "b.h").write_bytes(b"int b();\n")
    return tmp_path / "src"


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the checker was called with, each time; it answers that one kernel is equal."""
    calls: list[Any] = []

    def verify(sides: Any, options: Options, kernels: Sequence[str], progress: object, **_: object) -> checking.Result:
        calls.append(sides)
        assert all((sides.translation / new).is_file() for new in sides.files.values())
        repeat = "musify-ai verify there somewhere --kernel twice --arch mp_22"
        row = Evidence("emulated", ("a", "b"), "mp_22", 128, (), (), (), (), 0.0, (), "equal-emulated", "", repeat)
        return checking.Result((Verdict("a.cu", "twice", 2, None, "equal-emulated", None, (), {}, (row,)),))

    monkeypatch.setattr(checking, "verify_sides", verify)
    return calls


def cannot(monkeypatch: pytest.MonkeyPatch, problem: Exception) -> None:
    def verify(*_: object, **__: object) -> checking.Result:
        raise problem

    monkeypatch.setattr(checking, "verify_sides", verify)


def headlines(verdicts: Sequence[Verdict]) -> list[tuple[str, str, str | None]]:
    return [(v.name, v.headline, v.reason) for v in verdicts]


def test_a_new_tree_is_checked_where_it_is(tree: Path, tmp_path: Path, given: list[Any]) -> None:
    run = migrate(tree, tmp_path / "out", OPTIONS).run
    (sides,) = given
    assert (sides.original, sides.translation) == (tree, tmp_path / "out")
    assert sides.files == {"a.cu": "a.cu", "b.h": "b.h"}
    assert run.verdicts[0].evidence[0].repeat == (
        f"musify-ai verify {tree} {tmp_path / 'out'} --kernel twice --arch mp_22"
    )


def test_a_single_file_is_checked_with_what_it_includes(tree: Path, tmp_path: Path, given: list[Any]) -> None:
    (tree / "sub").mkdir()
    (tree / "a.cu").write_bytes(b'#include "b.h"\n#include <sub/c.cuh>\n#include "../d.h"\n' + KERNEL)
    (tree / "sub" / "c.cuh").write_bytes(b'#include "e.h"\nint x = cudaSuccess;\n')
    (tree / "sub" / "e.h").write_bytes(b'#include "c.cuh"\n')
    (tree / "unrelated.cu").write_bytes(KERNEL)
    (tmp_path / "d.h").touch()
    run = migrate(tree / "a.cu", tmp_path / "x.cu", OPTIONS).run
    (sides,) = given
    assert sides.original == tree
    assert sorted(sides.files) == ["a.cu", "b.h", "sub/c.cuh", "sub/e.h"]
    assert [v.name for v in run.verdicts] == ["twice"]
    assert [f.path for f in run.files] == ["a.cu"]
    assert not sides.translation.exists()
    assert run.verdicts[0].evidence[0].repeat == ""


def test_a_single_file_that_stands_alone_can_be_checked_again(tree: Path, tmp_path: Path, given: list[Any]) -> None:
    run = migrate(tree / "a.cu", tmp_path / "x.cu", OPTIONS).run
    assert f"{tree / 'a.cu'} {tmp_path / 'x.cu'}" in run.verdicts[0].evidence[0].repeat


def test_in_place_is_checked_before_the_tree_is_touched(tree: Path, given: list[Any]) -> None:
    run = migrate(tree, None, OPTIONS, way="in-place").run
    (sides,) = given
    assert sides.original == tree
    assert sides.translation != tree
    assert not sides.translation.exists()
    assert run.verdicts[0].headline == "equal-emulated"
    assert run.verdicts[0].evidence[0].repeat == ""


def test_what_cannot_be_built_is_told_in_places_of_the_translation(
    tree: Path, tmp_path: Path, given: list[Any]
) -> None:
    src = KERNEL + b'__device__ void odd() { asm volatile("wgmma.fence.sync.aligned;"); }\n'
    (tree / "a.cu").write_bytes(src)
    migrate(tree, tmp_path / "out", OPTIONS)
    ((start, end, code), *_) = given[0].unsettled["a.cu"]
    assert b"asm" in (tmp_path / "out" / "a.cu").read_bytes()[start:end]
    assert code.startswith("MUS4")


def test_without_kernels_nothing_is_asked(tree: Path, tmp_path: Path, given: list[Any]) -> None:
    (tree / "a.cu").unlink()
    assert migrate(tree, tmp_path / "out", OPTIONS).run.verdicts == ()
    assert given == []


def test_a_diff_is_not_checked(tree: Path, given: list[Any]) -> None:
    migrate(tree, None, OPTIONS, way="diff")
    assert given == []


def test_not_asked_for_is_said_of_each_kernel(tree: Path, tmp_path: Path, given: list[Any]) -> None:
    run = migrate(tree, tmp_path / "out", Options(verify=False)).run
    assert headlines(run.verdicts) == [("twice", "unchecked", "not asked for (--no-verify)")]
    assert run.verdicts[0].by_arch == {"mp_22": "unchecked", "mp_31": "unchecked"}
    assert given == []


@pytest.mark.parametrize(
    ("reason", "is_fatal"), [(checking.NO_COMPILER, True), (checking.NO_LIBCLANG, False)], ids=["compiler", "libclang"]
)
def test_what_is_missing_is_said_of_each_kernel_and_the_translation_stands(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, is_fatal: bool
) -> None:
    cannot(monkeypatch, checking._CannotCheck(reason, is_fatal=is_fatal))
    run = migrate(tree, tmp_path / "out", OPTIONS).run
    assert headlines(run.verdicts) == [("twice", "unchecked", reason)]
    assert run.failed == ()
    assert b"musa_runtime" in (tmp_path / "out" / "a.cu").read_bytes()


def test_a_fault_of_the_checker_does_not_take_the_translation_along(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cannot(monkeypatch, RuntimeError("odd"))
    run = migrate(tree, tmp_path / "out", OPTIONS).run
    assert headlines(run.verdicts) == [("twice", "unchecked", "the checker failed")]
    assert [(f.stage, "RuntimeError" in f.error) for f in run.failed] == [("check", True)]
    assert (tmp_path / "out" / "a.cu").exists()


@pytest.fixture
def port(tmp_path: Path) -> Path:
    (tmp_path / "port").mkdir()
    (tmp_path / "port" / "a.mu").write_bytes(KERNEL.replace(b"cuda_", b"musa_"))
    return tmp_path / "port"


def test_a_port_is_paired_by_name(tree: Path, port: Path, given: list[Any]) -> None:
    (tree / "cuda").mkdir()
    (tree / "cuda" / "cuda_k.cuh").touch()
    (port / "musa").mkdir()
    (port / "musa" / "musa_k.muh").touch()
    (tree / "alone.cu").write_bytes(KERNEL.replace(b"twice", b"alone"))
    run = verify_port(tree, port, OPTIONS).run
    assert given[0].files == {"a.cu": "a.mu", "cuda/cuda_k.cuh": "musa/musa_k.muh"}
    assert headlines(run.verdicts) == [
        ("twice", "equal-emulated", None),
        ("alone", "unchecked", "the file has no counterpart"),
    ]


def test_two_files_are_a_pair_whatever_their_names(tree: Path, port: Path, given: list[Any]) -> None:
    verify_port(tree / "a.cu", port / "a.mu", OPTIONS)
    assert given[0].files == {"a.cu": "a.mu"}


def test_what_is_unsettled_in_a_port_is_found(tree: Path, port: Path, given: list[Any]) -> None:
    with (port / "a.mu").open("ab") as file:
        file.write(b'__device__ void odd() { asm volatile("wgmma.fence.sync.aligned;"); }\n')
    verify_port(tree, port, OPTIONS)
    assert given[0].unsettled["a.mu"][0][2].startswith("MUS4")


def test_a_port_that_cannot_be_checked_is_refused(
    tree: Path, port: Path, given: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for original, translation, words in (
        (tmp_path / "no", port, "no such file"),
        (tree, tmp_path / "no", "no such file"),
        (tree, port / "a.mu", "two directories or two files"),
        (tree, tree.parent / "src" / "..", "counterpart"),
    ):
        with pytest.raises(Refused, match=words):
            verify_port(original, translation, OPTIONS)
    cannot(monkeypatch, checking._CannotCheck(checking.NO_COMPILER, is_fatal=True))
    with pytest.raises(Refused, match="no C"):
        verify_port(tree, port, OPTIONS)
    cannot(monkeypatch, checking._CannotCheck(checking.NO_LIBCLANG, is_fatal=False))
    assert headlines(verify_port(tree, port, OPTIONS).run.verdicts) == [("twice", "unchecked", checking.NO_LIBCLANG)]


def test_a_kernel_that_is_not_there_is_refused(tree: Path, port: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "verify_sides", lambda *_, **__: checking.Result())
    with pytest.raises(Refused, match="no kernel named thrice"):
        verify_port(tree, port, OPTIONS, kernels=["thrice"])
