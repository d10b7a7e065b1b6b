"""The table of constructs: each row names a code that speaks of its example, what the names make of it, or a reason."""

import pytest

from musify_ai.records import Options
from musify_ai.source.splicing import splice
from musify_ai.translate import registry, translate
from musify_ai.translate.covered import Construct, constructs, covered_by


def _identity(row: Construct) -> str:
    return f"{row.kind}-{row.name}"


@pytest.mark.parametrize("row", [row for row in constructs() if row.codes], ids=_identity)
def test_a_row_s_codes_speak_of_its_example(row: Construct) -> None:
    assert set(row.codes) <= set(registry.codes())
    translation = translate(row.example.encode(), row.path, _options(row))
    said = {finding.code for finding in translation.findings} | {edit.rule for edit in translation.edits}
    assert set(row.codes) <= said


@pytest.mark.parametrize("row", [row for row in constructs() if row.becomes], ids=_identity)
def test_names_settle_a_row_without_a_finding(row: Construct) -> None:
    translation = translate(row.example.encode(), row.path, _options(row))
    output = splice(row.example.encode(), [edit for edit in translation.edits if edit.safety == "safe"]).decode()
    assert row.becomes in output
    assert not translation.findings


def test_every_row_has_one_answer_and_its_name_once() -> None:
    rows = constructs()
    assert all(sum((bool(row.codes), bool(row.becomes), bool(row.reason))) == 1 for row in rows)
    assert all(bool(row.example) != bool(row.reason) for row in rows)
    names = [(row.kind, row.name) for row in rows]
    assert len(set(names)) == len(names)


def test_a_code_s_page_lists_the_constructs_it_covers() -> None:
    assert [row.kind for row in covered_by("mus305")] == ["unsupported"]
    shown = registry.page("MUS305")
    assert "## Constructs it covers" in shown and "prop.warpSize on host vs 32 in device code" in shown
    assert "## Constructs it covers" not in registry.page("MUS518")


def _options(row: Construct) -> Options:
    return Options()._replace(**{key: value for key in ("archs", "sdk") if (value := getattr(row, key))})
