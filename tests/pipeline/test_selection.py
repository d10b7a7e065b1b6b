"""Codes asked for and left out, and notes said once."""

import pytest

from musify_ai.pipeline import process, selected, without_repeated_notes
from musify_ai.records import FileResult, Finding, Options


@pytest.mark.parametrize(
    ("select", "ignore", "chosen"),
    [
        ((), (), True),
        (("MUS3",), (), True),
        (("MUS2",), (), False),
        ((), ("MUS3",), False),
        (("MUS3",), ("MUS301",), False),
        (("MUS301",), ("MUS3",), True),
        (("MUS301",), ("MUS301",), False),
    ],
)
def test_the_longer_beginning_wins(select: tuple[str, ...], ignore: tuple[str, ...], chosen: bool) -> None:
    assert selected("MUS301", Options(select=select, ignore=ignore)) is chosen


def test_a_note_about_a_name_is_said_once_a_run_and_a_warning_at_each_place() -> None:
    def file(path: str, severity: str) -> FileResult:
        findings = tuple(Finding("MUS102", severity, i, i + 1, "m", name="cudaX") for i in (1, 5))
        return FileResult(path, None, "changed", findings=findings)

    notes = without_repeated_notes([file("a", "note"), file("b", "note")])
    assert [[f.start for f in x.findings] for x in notes] == [[1], []]
    warnings = without_repeated_notes([file("a", "warning"), file("b", "warning")])
    assert [len(x.findings) for x in warnings] == [2, 2]


@pytest.mark.parametrize("asked", [{"select": ("MUS3",)}, {"ignore": ("MUS2",)}, {"select": ("MUS1",)}])
def test_an_edit_whose_rule_is_not_asked_for_leaves_no_residue(asked: dict[str, tuple[str, ...]]) -> None:
    src = b"#if __CUDA_ARCH__ >= 800\nint a;\n#endif\nvoid f() { cudaFree(0); }\n"
    result = process(src, "a.cu", Options()._replace(**asked)).result
    assert not result.residue
