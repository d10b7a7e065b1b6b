"""The constructs of corpus/llm are what they say, and each answer is right as far as reading shows."""

from pathlib import Path

import pytest

from musify_ai.project.constructs import answered, posed
from musify_ai.records import Options
from musify_ai.rewrite.corpus import CaseInvalid, functions_of, laid_out, read
from musify_ai.rewrite.gates.protocol import Passed
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.sheets import load
from musify_ai.verify import given

CASES = read(Path(__file__).parents[2] / "corpus" / "llm")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return posed(CASES, tmp_path_factory.mktemp("llm"), Options())


def test_rules_leave_what_the_corpus_says_that_they_leave(corpus):
    found, _ = corpus
    for one in found:
        case = one.case
        assert (one.unit is None) == case.settled_by_rules, (case.path, one.left)
        assert not one.left, (case.path, one.left)
        if one.unit is None:
            assert one.translated == case.answer, case.path
            continue
        assert one.unit.kind == case.kind and one.unit.slower == case.slower_by_design, case.path
        assert case.code in {finding.code for finding in one.unit.everything}, case.path
        assert case.kernel in one.unit.kernels, case.path


def test_there_are_enough_of_them_and_most_cannot_be_built_as_rules_leave_them(corpus):
    found, _ = corpus
    unsettled = [one for one in found if one.unit and any(not each.settled for each in one.unit.everything)]
    assert len(found) >= 60 and len(unsettled) >= 50
    assert any(one.unit is None for one in found)


def test_every_answer_is_its_file_with_nothing_but_the_units_functions_changed(corpus):
    found, site = corpus
    for one in found:
        if one.unit is not None:
            assert answered(one, site).texts() == {one.unit.place: one.case.answer}, one.case.path


def test_every_answer_gets_through_the_gates_that_read(corpus):
    found, site = corpus
    for one in found:
        if one.unit is not None:
            for piece in answered(one, site).pieces:
                for gate in GATES:
                    if not gate.runs:
                        said = gate.check(piece)
                        assert isinstance(said, Passed), (one.case.path, gate.name, said)


def test_names_are_given_once_and_every_construct_says_why():
    assert len({case.kernel for case in CASES}) == len({case.name for case in CASES}) == len(CASES)
    assert {case.kind for case in CASES} <= {sheet.kind for sheet in load()}
    for case in CASES:
        assert case.why.endswith(".") and 20 < len(case.why) < 200, case.path
        assert b"int main(" in case.original and b"<<<" in case.original, case.path


def test_inputs_are_what_a_file_of_inputs_may_hold(tmp_path):
    kernels = given.read(laid_out(CASES, tmp_path))
    assert set(kernels) == {name for case in CASES for name in case.inputs.get("kernels", {})}
    for case in CASES:
        if case.inputs:
            assert kernels.items() >= given.parse(case.inputs, case.path).items()


def test_a_folder_that_is_no_construct_is_refused_by_name(tmp_path):
    place = tmp_path / "ptx" / "one"
    place.mkdir(parents=True)
    words = 'code = "MUS402"\nkernel = "k"\nsettled_by_rules = false\nslower_by_design = false\nwhy = "w"\n'
    for text, why in (
        (words, "'kind' is missing"),
        (f'kind = "ptx"\nextra = 1\n{words}', "unknown keys: extra"),
        (f'kind = "other"\n{words}', "its folder says ptx"),
        (f'kind = "ptx"\n{words}', "there is no original.cu"),
        ("kind = ", "case.toml"),
    ):
        (place / "case.toml").write_text(text)
        with pytest.raises(CaseInvalid, match=why):
            read(tmp_path)


def test_examples_of_the_sheets_are_answers_of_the_corpus_and_no_construct_is_shown_its_own(corpus):
    found, _ = corpus
    by_name = {f"{one.case.kind}/{one.case.name}": one for one in found}
    for known in load():
        for example in known.examples:
            one = by_name[example.case]
            assert one.unit is not None and one.unit.kind == known.kind, example.case
            before = [piece.region.decode().strip() for piece in one.unit.pieces]
            after = [code.decode().strip() for code in functions_of(one.case.answer, one.unit)]
            assert (example.before, example.after) == ("\n\n".join(before), "\n\n".join(after)), example.case
    for one in found:
        if one.unit is not None:
            assert f"{one.case.kind}/{one.case.name}" not in {each.case for each in one.unit.examples}, one.case.path
    kinds = {one.unit.kind for one in found if one.unit is not None}
    assert kinds == {known.kind for known in load() if known.examples}
