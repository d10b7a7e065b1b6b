"""Every rule's own cases: what must be left alone, and what must be found, edited and left settled."""

import re

import pytest

from musify_ai.records import Edit, Finding, Options
from musify_ai.source.splicing import resolve, splice, undo
from musify_ai.translate import translate
from musify_ai.translate.cases import Case, Rule
from musify_ai.translate.documented import DOCUMENTED
from musify_ai.translate.registry import RULES, UnknownCode, codes, load, page, rule
from musify_ai.translate.translation import run_rule, unsettled_spans
from musify_ai.translate.unit import Unit

_MODULES = [load(entry) for entry in RULES]
_VALID = [
    pytest.param(module, source, id=f"{module.CODE}-{number}")
    for module in _MODULES
    for number, source in enumerate(module.VALID)
]
_INVALID = [
    pytest.param(module, case, id=f"{module.CODE}-{number}")
    for module in _MODULES
    for number, case in enumerate(module.INVALID)
]


def _found(
    module: Rule, source: str, path: str, archs: tuple[str, ...] = (), sdk: str = ""
) -> tuple[bytes, list[Edit], list[Finding]]:
    """The items of one rule, suppressions applied, with the other rules asked first as `translate` does."""
    src = source.encode("utf-8")
    options = Options()
    unit = Unit(path, src, options._replace(archs=archs or options.archs, sdk=sdk or options.sdk))
    if any(entry.late and entry.code == module.CODE for entry in RULES):
        unit.unsettled = unsettled_spans([each for entry in RULES if not entry.late for each in run_rule(entry, unit)])
    held = list(module.find(unit)) if not module.TRIGGERS.isdisjoint(unit.words) else []
    edits = [each for each in held if isinstance(each, Edit) and not unit.excluded(each.start, each.end, each.rule)]
    findings = [
        each for each in held if isinstance(each, Finding) and not unit.excluded(each.start, each.end, each.code)
    ]
    return src, edits, sorted(findings, key=lambda each: (each.start, each.end))


def _applied(src: bytes, edits: list[Edit]) -> str:
    kept, refused = resolve(edits)
    assert not refused
    out = splice(src, kept)
    assert undo(out, kept) == src
    return out.decode("utf-8")


@pytest.mark.parametrize(("module", "source"), _VALID)
def test_valid_source_is_left_alone(module: Rule, source: str) -> None:
    # A rule over build files or Python sees nothing in C++: what it leaves alone has to be a file of its own kind.
    own_kind = {"build", "python"} & set(module.__name__.split("."))
    _, edits, findings = _found(module, source, module.INVALID[0].path if own_kind else "case.cu")
    assert edits == []
    assert findings == []


@pytest.mark.parametrize(("module", "case"), _INVALID)
def test_invalid_source_is_found_and_edited(module: Rule, case: Case) -> None:
    src, edits, findings = _found(module, case.source, case.path, case.archs, case.sdk)
    assert tuple(src[each.start : each.end].decode("utf-8") for each in findings) == case.findings
    assert all(each.code == module.CODE for each in findings)
    assert all(each.rule == module.CODE and each.evidence == "rule" for each in edits)
    safe = [each for each in edits if each.safety == "safe"]
    assert _applied(src, safe) == (case.source if case.output is None else case.output)
    suggested = [each.edit for each in findings if each.edit is not None]
    assert all(each.safety != "safe" and each.rule == module.CODE for each in suggested)
    expected = case.output if case.fixed is None else case.fixed
    assert _applied(src, edits + suggested) == (case.source if expected is None else expected)


@pytest.mark.parametrize(("module", "case"), _INVALID)
def test_a_second_run_edits_nothing(module: Rule, case: Case) -> None:
    for unsafe in (False, True):
        options = Options(unsafe_fixes=unsafe)
        first = translate(case.source.encode("utf-8"), case.path, options)
        applied = [each for each in first.edits if each.safety == "safe" or unsafe]
        once = splice(case.source.encode("utf-8"), applied)
        again = translate(once, case.path, options)
        assert [each for each in again.edits if each.safety == "safe" or unsafe] == []


@pytest.mark.parametrize("module", _MODULES, ids=lambda module: module.CODE)
def test_the_module_says_what_the_table_says(module: Rule) -> None:
    entry = next(entry for entry in RULES if entry.code == module.CODE)
    assert entry.triggers == module.TRIGGERS
    assert rule(module.CODE) is module
    assert module.INVALID
    assert len(module.VALID) >= 2
    assert module.WHY.strip() and module.INSTEAD.strip() and module.EXAMPLE.strip() and module.REFERENCES
    assert all(not reference.startswith("/") for reference in module.REFERENCES)


@pytest.mark.parametrize("module", _MODULES, ids=lambda module: module.CODE)
def test_the_page_has_every_heading(module: Rule) -> None:
    text = page(module.CODE)
    headings = re.findall(r"^##? (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    assert headings[0] == f"{module.CODE}: {module.TITLE}"
    assert headings[1:6] == ["Why it matters", "Example", "Use instead", "Fix safety", "Effort"]


def test_codes_are_distinct_and_sorted() -> None:
    codes = [entry.code for entry in RULES]
    assert codes == sorted(set(codes))


def test_codes_without_a_module_have_pages() -> None:
    assert set(DOCUMENTED) == {
        "MUS000",
        "MUS001",
        "MUS002",
        "MUS113",
        "MUS117",
        "MUS120",
        "MUS121",
        "MUS122",
        "MUS123",
        "MUS813",
        "MUS901",
    }
    for code in codes():
        assert page(code).startswith(f"# {code}: ")


def test_an_unknown_code_is_a_clear_error() -> None:
    with pytest.raises(UnknownCode, match="no rule has the code MUS999"):
        rule("MUS999")
