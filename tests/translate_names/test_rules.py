"""The pages of the name tier's codes and the cases beside them."""

import pytest

from musify_ai.records import Edit
from musify_ai.source.splicing import resolve, splice
from musify_ai.translate import translate
from musify_ai.translate.names import messages, without_repeats
from musify_ai.translate.registry import NAME_RULES, RULES, load, page, triggered
from tests.translate_names.view import View, after, run

MODULES = [load(entry) for entry in NAME_RULES]
CASES = [pytest.param(module, case, id=module.CODE) for module in MODULES for case in module.INVALID]


@pytest.mark.parametrize(
    ("module", "source"), [pytest.param(m, source, id=m.CODE) for m in MODULES for source in m.VALID]
)
def test_valid_source_raises_nothing(module, source):
    assert list(module.find(View(source.encode()))) == []


@pytest.mark.parametrize(("module", "case"), CASES)
def test_invalid_source_is_found(module, case):
    data = case.source.encode()
    found = list(module.find(View(data)))
    assert tuple(data[each.start : each.end].decode() for each in found) == case.findings
    assert {each.code for each in found} == {module.CODE}
    assert after(case.source) == (case.source if case.output is None else case.output)
    if case.fixed is not None:
        edits, _ = resolve(run(data, unsafe_fixes=True)[0])
        assert splice(data, edits).decode() == case.fixed


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.CODE)
def test_the_page_is_whole(module):
    text = page(module.CODE)
    assert text.startswith(f"# {module.CODE}: {module.TITLE}")
    assert module.WHY.strip() and module.INSTEAD.strip() and module.REFERENCES
    assert module.CODE in {each.code for each in run(module.EXAMPLE)[1]}


def test_every_code_of_the_tier_has_a_page():
    codes = [entry.code for entry in NAME_RULES]
    own = {value for name, value in vars(messages).items() if name.isupper() and isinstance(value, str)}
    assert own <= set(codes)
    assert codes == sorted(codes)
    assert not {entry.code for entry in RULES} & set(codes)
    assert not [entry for entry in triggered([b"cudaMalloc", b"nvtxRangePop"]) if entry in NAME_RULES]


def test_a_construct_rule_speaks_instead():
    findings = translate(b"void f() { CUtensorMap m; cutensorCreate(&h); }", "a.cu").findings
    assert [(each.code, each.name) for each in findings if each.name == "CUtensorMap"] == [("MUS507", "CUtensorMap")]
    assert [each.code for each in findings if each.name == "cutensorCreate"] == ["MUS101"]


def test_repeats_go_and_edits_stay():
    found = [each for part in run("cudaFree(p); atomicExch(q, 1);") for each in part]
    assert without_repeats(found) == found
    spoken = found[-1]._replace(code="MUS501")
    assert [each.code for each in without_repeats([*found, spoken]) if not isinstance(each, Edit)] == ["MUS501"]


def test_a_construct_says_in_its_stead_that_a_place_does_not_build():
    source = b"void f() { cutensorCreate(&h); }"
    name = next(each for each in translate(source, "a.cu").findings if each.code == "MUS101")
    construct = name._replace(code="MUS502", settled=True)
    assert without_repeats([name, construct]) == [construct._replace(settled=False)]
    assert without_repeats([name._replace(settled=True), construct]) == [construct]
