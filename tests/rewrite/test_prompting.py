"""What a model is sent: everything it needs, nothing that is nobody's business, the same for the same unit."""

import re

import jinja2
import pytest

from musify_ai.rewrite import prompting
from musify_ai.rewrite.gates.protocol import Refused
from musify_ai.rewrite.prompting import repair_for, request_for, template_version, user_text
from musify_ai.rewrite.providers.protocol import Sampling
from musify_ai.rewrite.sheets import SheetInvalid, load, read
from musify_ai.translate import registry
from tests.rewrite.projects import SOURCE, project


@pytest.fixture
def unit(tmp_path):
    return project(tmp_path)[0].units[0]


def test_a_request_has_the_function_the_facts_and_the_target(unit):
    text = user_text(unit)
    for told in ("cp.async.cg.shared.global [%0], [%1], 16;", "twice<<<", "mp_22", "128 lanes", "SDK 5.2",
                 "commit_group", "MUS405", "fetch"):  # fmt: skip
        assert told in text, told
    assert "Dear model" not in text and "where it goes" not in text and "Copies 16 bytes later" not in text


def test_data_stands_between_marks_that_nobody_can_know_before(unit, tmp_path):
    marks = set(re.findall(r"^(?:BEGIN|END) (\w{16})$", user_text(unit), re.M))
    assert len(marks) == 1
    other = project(tmp_path / "b", {"a.cu": SOURCE.replace("wait_all", "wait_group 0")})[0].units[0]
    assert marks.isdisjoint(re.findall(r"^BEGIN (\w{16})$", user_text(other), re.M))


def test_equal_units_make_equal_requests_and_a_repair_carries_the_last_answer_only(unit):
    first = request_for(unit, Sampling())
    assert first == request_for(unit, Sampling())
    refused = Refused("numeric", "y differs (seed 77, schedule forward)", "element 3 \x1b[31mis 1\x1b[0m (seed 77, x)")
    again = repair_for(first, unit, "old answer", refused, Sampling())
    assert [each.role for each in again.messages] == ["system", "user", "assistant", "user"]
    assert again.messages[:2] == first.messages and again.messages[2].content == "old answer"
    said = again.messages[3].content
    assert "element 3 is 1" in said and "77" not in said and "\x1b" not in said and "numeric" in said
    third = repair_for(again, unit, "newer answer", refused, Sampling())
    assert "old answer" not in "".join(each.content for each in third.messages)


def test_a_template_that_asks_for_what_there_is_not_is_an_error(unit, tmp_path, monkeypatch):
    for name in ("base", "system", "repair"):
        (tmp_path / f"{name}.j2").write_text((prompting.prompts_dir() / f"{name}.j2").read_text())
    (tmp_path / "construct.j2").write_text("{{ naem }}")
    (tmp_path / "async-copies.j2").write_text("{{ naem }}")
    monkeypatch.setattr(prompting, "prompts_dir", lambda: tmp_path)
    prompting._environment.cache_clear()
    try:
        with pytest.raises(jinja2.UndefinedError, match="naem"):
            user_text(unit)
    finally:
        prompting._environment.cache_clear()


def test_every_template_renders_for_a_unit(unit):
    for path in prompting.prompts_dir().glob("*.j2"):
        if path.stem not in ("base", "system", "repair"):
            assert unit.name in user_text(unit._replace(kind=path.stem))


def test_a_templates_edit_changes_its_version(tmp_path, monkeypatch):
    for path in prompting.prompts_dir().glob("*.j2"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(prompting, "prompts_dir", lambda: tmp_path)
    seen = set()
    for name in ("system", "base", "repair", "construct"):
        template_version.cache_clear()
        seen.add(template_version("construct"))
        path = tmp_path / f"{name}.j2"
        path.write_text(path.read_text() + "\nmore")
    template_version.cache_clear()
    seen.add(template_version("construct"))
    template_version.cache_clear()
    assert len(seen) == 5


def test_the_sheets_speak_of_codes_that_there_are(tmp_path):
    sheets = load()
    known = set(registry.codes())
    assert len(sheets) >= 7
    for each in sheets:
        assert set(each.codes) <= known and each.sheet.facts and each.sheet.version >= 1, each.sheet.name
        assert each.kind and all(len(fact) < 600 for fact in each.sheet.facts)
    (tmp_path / "bad.toml").write_text('kind = "x"\nversion = 1\ncodes = []\nfacts = []\nfcats = []\n')
    with pytest.raises(SheetInvalid, match=r"bad.toml.*fcats"):
        read(tmp_path)
