"""When the compiled table is made anew, and what it holds."""

import os

import pytest

from musify_ai.rules import compiling
from musify_ai.rules.linting import lint
from musify_ai.rules.reading import RulesInvalid, read
from musify_ai.rules.table import Rules, TableInvalid, pack


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A checkout with two rules and a place for the compiled table."""
    rules = tmp_path / "rules"
    (rules / "names").mkdir(parents=True)
    (rules / "headers").mkdir()
    (rules / "names" / "runtime.toml").write_text(
        'library = "runtime"\n\n[seen.function]\ncudaMalloc = { musa = "musaMalloc", source = "there" }\n'
    )
    (rules / "headers" / "cuda.toml").write_text('library = "cuda"\n\n[table]\n"cuda.h" = "musa.h"\n')
    monkeypatch.setattr(compiling, "data_dir", lambda: rules)
    monkeypatch.setattr(compiling, "compiled_path", lambda part="main": tmp_path / "out" / f"{part}.tab")
    monkeypatch.setattr(compiling, "_loaded", {})
    (tmp_path / "out").mkdir()
    return rules


def reload():
    compiling._loaded.clear()
    return compiling.load()


def test_it_is_kept_and_used_again(folder, monkeypatch):
    first = reload()
    assert first.names == {b"cudaMalloc": b"musaMalloc"}
    assert first.headers[b"cuda.h"].musa == b"musa.h"
    monkeypatch.setattr(compiling, "compile_rules", lambda *_: pytest.fail("compiled although nothing changed"))
    assert reload().version == first.version


def test_a_change_makes_it_anew(folder):
    first = reload()
    path = folder / "names" / "runtime.toml"
    path.write_text(path.read_text() + 'cudaNew = { musa = "musaNew", source = "there" }\n')
    second = reload()
    assert second.names[b"cudaNew"] == b"musaNew"
    assert second.version != first.version


def test_a_touched_file_has_the_same_version(folder):
    first = reload()
    os.utime(folder / "names" / "runtime.toml", (1, 1))
    assert reload().version == first.version


@pytest.mark.parametrize("spoiled", [b"", b"musify-rules 1\n", b"\0" * 6, b"x" * 1000])
def test_a_spoiled_table_is_made_anew(folder, spoiled):
    reload()
    compiling.compiled_path().write_bytes(spoiled)
    assert reload().names == {b"cudaMalloc": b"musaMalloc"}


def test_a_folder_that_cannot_be_written_to_does_no_harm(folder, monkeypatch):
    missing = folder / "nowhere" / "main.tab"
    monkeypatch.setattr(compiling, "compiled_path", lambda part="main": missing)
    assert reload().names == {b"cudaMalloc": b"musaMalloc"}
    assert not missing.exists()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[seen.function]\n", "no library"),
        ('library = "x"\n[gone.function]\n', "unknown section"),
        ('library = "x"\n[seen.function]\na = 3\n', "a string or a table"),
        ('library = "x"\n[seen.function]\na = { musa = "b", colour = "red" }\n', "unknown key colour"),
        ('library = "x"\n[seen.function]\na = { note = "b" }\n', "no MUSA name"),
        ('library = "x"\n[seen]\na = "b"\n', "needs a kind"),
        ("library = ", "runtime.toml"),
    ],
)
def test_a_file_that_is_no_rules_says_so(folder, text, complaint):
    (folder / "names" / "runtime.toml").write_text(text)
    with pytest.raises(RulesInvalid, match=complaint):
        read(folder)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ('b = "c"\na = "d"\n', "does not sort after"),
        ('cuda = "musa"\n', "bare prefix"),
        ('a = "a"\n', "renamed to itself"),
        ('a = "b"\nb = "c"\n', "which is renamed itself"),
        ('a = "c"\nb = "c"\n', "all become c"),
        ('"a::b" = "c"\n', "no identifier"),
        ('a = "b::c"\n', "no identifier"),
        ('cudaMalloc = "musaMalloc2"\n', "is also in"),
    ],
)
def test_lints(folder, lines, fault):
    (folder / "names" / "test.toml").write_text(f'library = "test"\n\n[table.function]\n{lines}')
    assert any(fault in line for line in lint(folder)), lint(folder)


def test_a_seen_name_says_where(folder):
    (folder / "names" / "test.toml").write_text('library = "test"\n\n[seen.function]\na = "b"\n')
    assert any("not where" in line for line in lint(folder))


def test_a_table_cut_short_is_refused():
    with pytest.raises(TableInvalid):
        Rules(pack([], "v", "s").replace(b"musify-rules", b"other-rules"))
    with pytest.raises(TableInvalid):
        Rules(b"nothing")
