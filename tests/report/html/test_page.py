"""The page: everything escaped, nothing fetched, each edit beside its rule, nothing dropped in silence."""

import re

import pytest

from musify_ai.records import Attempt, Decided, Edit, FileResult, Finding, Options, Rewrite, Run, Tool
from musify_ai.report import html
from musify_ai.report.html import page as module
from musify_ai.source import splice
from tests.report.html.parsed import Page

Texts = dict[str, tuple[bytes, bytes]]
NO_FILES = Run(Tool("musify-ai", "0", ""), "migrate", Options(), ())


def renamed(count: int, step: int = 1, *, rule: str = "names.runtime") -> tuple[Run, Texts]:
    """A run over one file of many equal lines, of which every ``step``-th was edited."""
    src = b"cudaFree(p);\n" * count
    edits = tuple(
        Edit(i * 13, i * 13 + 8, b"cudaFree", b"musaFree", rule, "seen", applied=True, line=i + 1, column=1)
        for i in range(0, count, step)
    )
    file = FileResult("a.cu", "a.cu", "changed", edits=edits)
    return NO_FILES._replace(files=(file,)), {"a.cu": (src, splice(src, edits))}


def test_the_page_is_whole_and_fetches_nothing(run: Run, texts: Texts) -> None:
    text = html.render(run, texts)
    page = Page(text)
    assert page.open == []
    names = {tag for tag, _ in page.tags}
    assert not names & {"link", "img", "iframe", "object", "embed", "wider", "k", "somewhere"}
    for _, attributes in page.tags:
        assert not {"src", "onclick", "onerror", "style", "srcset"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#")
    for word in ("url(", "@import", "http:", "https:", "//cdn"):
        assert word not in text


def test_every_link_leads_somewhere(run: Run, texts: Texts) -> None:
    page = Page(html.render(run, texts, pages={"MUS301": "# MUS301: Wide\n\n## Why it matters\n\nIt is.\n"}))
    there = [attributes["id"] for _, attributes in page.tags if attributes.get("id")]
    assert len(there) == len(set(there))
    wanted = {attributes["href"] for tag, attributes in page.tags if tag == "a"}
    assert "#MUS301" in wanted
    assert {link.removeprefix("#") for link in wanted if link} <= set(there)


def test_source_and_messages_are_escaped(run: Run, texts: Texts) -> None:
    text = html.render(run, texts)
    assert "// &lt;b&gt;&amp;" in text
    assert "a warp is &lt;wider&gt;" in text
    assert "&lt;k&gt;" in text
    assert "<b>&" not in text


HOSTILE = "</script><script>document.title='x'</script>\x1b[31mred\x00\u202eevil\u2066\u200b\x9b\ufeff\udcfe&lt;"


@pytest.mark.parametrize("where", ["path", "message", "source", "name", "detail", "error", "encoding", "prompt"])
def test_hostile_text_is_harmless_and_visible_wherever_it_stands(where: str, run: Run, texts: Texts) -> None:
    file = run.files[0]
    if where == "path":
        renamed_file = file._replace(path=HOSTILE)
        run, texts = run._replace(files=(renamed_file,)), {HOSTILE: texts["a.cu"]}
    elif where == "message":
        run = run._replace(files=(file._replace(findings=(file.findings[0]._replace(message=HOSTILE),)),))
    elif where == "source":
        data = HOSTILE.encode("utf-8", "surrogateescape") + b"\ncudaFree(p);\n"
        at = data.index(b"cudaFree")
        edit = Edit(at, at + 8, b"cudaFree", b"musaFree", "MUS401", "rule", "safe", HOSTILE, True, 2, 1)
        finding = Finding("MUS301", "note", 0, at - 1, "m", line=1, column=1)
        changed = FileResult("a.cu", "a.cu", "changed", edits=(edit,), findings=(finding,))
        run, texts = run._replace(files=(changed,)), {"a.cu": (data, splice(data, (edit,)))}
    elif where == "name":
        run = run._replace(verdicts=(run.verdicts[0]._replace(name=HOSTILE),))
    elif where == "detail":
        row = run.verdicts[0].evidence[0]._replace(detail=HOSTILE, repeat=HOSTILE)
        run = run._replace(verdicts=(run.verdicts[0]._replace(evidence=(row,), reason=HOSTILE),))
    elif where == "error":
        run = run._replace(failed=(run.failed[0]._replace(error=HOSTILE, hint=HOSTILE),))
    elif where == "encoding":
        run = run._replace(files=(file._replace(encoding=HOSTILE, reason=HOSTILE),))
    else:
        attempt = Attempt("0" * 64, "wrong-result", HOSTILE)
        run = run._replace(rewrites=(Rewrite(HOSTILE, HOSTILE, HOSTILE, (attempt,)),))
    text = html.render(run, texts)
    page = Page(text)
    assert page.open == []
    assert sum(tag == "script" for tag, _ in page.tags) == 1
    assert not set(text) & set("\x00\x1b\x9b\u202e\u2066\u200b\ufeff")
    text.encode("utf-8")
    if where != "encoding":
        for name in ("ESC", "NUL", "U+202E", "U+2066", "U+200B", "U+009B", "U+FEFF", "FE"):
            assert f'<b class="odd">{name}</b>' in text


def test_each_edit_has_its_rule_evidence_and_safety(run: Run, texts: Texts) -> None:
    text = html.render(run, texts)
    assert "<mark>cudaFree</mark>" in text
    assert "<mark>musaFree</mark>" in text
    assert 'names.runtime <span class="g seen">seen</span></small>' in text
    assert 'names.runtime <span class="g prefix">prefix</span> <span class="g unsafe">unsafe</span>' not in text
    assert '<ins>musaNew</ins>(); <span class="g unsafe">suggested, unsafe</span>' in text


def test_an_edit_of_meaning_stands_before_renames_and_by_itself() -> None:
    src = b"a\ncudaX\nb\nc\nd\ne\nf\ng\nh\ni\ncudaY\n"
    name = Edit(2, 7, b"cudaX", b"musaX", "names.runtime", "seen", applied=True, line=2)
    at = src.index(b"cudaY")
    meant = Edit(at, at + 5, b"cudaY", b"musaY\nmore", "MUS401", "rule", applied=True, line=11)
    file = FileResult("a.cu", "a.cu", "changed", edits=(name, meant))
    text = html.render(NO_FILES._replace(files=(file,)), {"a.cu": (src, splice(src, (name, meant)))})
    meaning = text[text.index('id="meaning"') : text.index('id="renames"')]
    assert meaning.index("cudaY") < meaning.index("Renames only, elsewhere in this file") < meaning.index("cudaX")
    assert 'id="files"' not in text


@pytest.mark.parametrize(
    ("change", "part"),
    [({"safety": "unsafe"}, "meaning"), ({"evidence": "prefix"}, "meaning"), ({"evidence": "llm"}, "meaning"),
     ({"evidence": "table"}, "files"), ({"rule": "headers.cuda"}, "files"), ({"rule": "MUS201"}, "meaning")],
)  # fmt: skip
def test_only_what_a_table_names_and_is_safe_counts_as_a_rename(change: dict[str, str], part: str) -> None:
    run, texts = renamed(1)
    edit = run.files[0].edits[0]._replace(**change)
    text = html.render(run._replace(files=(run.files[0]._replace(edits=(edit,)),)), texts)
    assert {name for name in ("meaning", "files") if f'<section class="part" id="{name}"' in text} == {part}


def test_every_row_of_a_diff_is_four_cells_wide() -> None:
    src = b"a\ncudaX\ncudaY\nb\nc\n"
    edits = (
        Edit(2, 7, b"cudaX", b"musaX\nmore", "MUS401", "rule", applied=True),
        Edit(8, 13, b"cudaY", b"musaY", "names.runtime", "seen", applied=True),
        Edit(16, 16, b"", b"new\n", "MUS201", "rule", applied=True),
    )
    file = FileResult("a.cu", "a.cu", "changed", edits=edits)
    text = html.render(NO_FILES._replace(files=(file,)), {"a.cu": (src, splice(src, edits))})
    table = text[text.index('<table class="diff">') : text.index("</table>", text.index('<table class="diff">'))]
    rows = re.findall(r"<tr(?: class=\"\w\")?>(.*?)</tr>", table, re.S)
    assert all(row.count("<td") == 4 or 'colspan="4"' in row for row in rows)
    assert sum('class="o"' in row for row in rows) == 2
    assert sum('class="w"' in row for row in rows) == 4


def test_equal_renames_are_one_line_with_every_place() -> None:
    run, texts = renamed(1200)
    text = html.render(run, texts)
    (group,) = re.findall(r'<details class="box" data-group>.*?</details>', text[text.index('id="renames"') :], re.S)
    assert '<span class="n" data-count>1,200</span><span><code>cudaFree</code>' in group
    assert ", ".join(str(line) for line in range(1, 1201)) in group


@pytest.mark.parametrize("step", [1, 10], ids=["one hunk", "many hunks"])
@pytest.mark.parametrize("rule", ["names.runtime", "MUS401"])
def test_a_huge_file_has_each_changed_line_once(rule: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NAME_ROWS", 50)
    monkeypatch.setattr(module, "MEANING_ROWS", 50)
    text = html.render(*renamed(200, step, rule=rule))
    assert '<table class="diff">' not in text
    assert text.count("<del>cudaFree</del><ins>musaFree</ins>") == 200 // step
    assert "not shown" not in text


def test_what_there_is_no_room_for_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NAME_ROWS", 50)
    monkeypatch.setattr(module, "LINES", 100)
    text = html.render(*renamed(2000, 10))
    shown = text.count("<del>cudaFree</del>")
    assert shown == 50  # two lines a change
    assert "300 changed lines of this file are not shown" in text
    assert "report.json has every edit" in text


def test_sources_are_shown_before_build_files_and_have_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MEANING_ROWS", 5)
    files, texts = [], {}
    for path, rule in (("a/Makefile", "MUS803"), ("b.cu", "MUS401")):
        src = b"cudaFree\n" * 2
        edit = Edit(0, 8, b"cudaFree", b"musaFree", rule, "rule", applied=True, line=1, source="because")
        files.append(FileResult(path, path, "changed", edits=(edit,)))
        texts[path] = (src, splice(src, (edit,)))
    text = html.render(NO_FILES._replace(files=tuple(files)), texts)
    meaning = text[text.index('<section class="part" id="meaning"') :]
    source, build = meaning.index("<code>b.cu</code>"), meaning.index("<code>a/Makefile</code>")
    assert source < meaning.index('<table class="diff">') < build < meaning.index('<div class="lines">')
    # A line alone has its rule and evidence too.
    assert 'MUS803 <span class="g rule">rule</span> <em>because</em></small><del>cudaFree</del>' in meaning[build:]


def test_without_the_text_of_a_file_its_edits_still_stand(run: Run) -> None:
    text = html.render(run, {})
    assert "<del>cudaFree</del><ins>musaFree</ins>" in text
    assert "The source was not at hand" in text
    assert "a warp is &lt;wider&gt;" in text


def test_a_check_shows_what_it_would_do_as_pending() -> None:
    run, texts = renamed(1, rule="MUS401")
    edit = run.files[0].edits[0]._replace(applied=False)
    run = run._replace(command="check", files=(run.files[0]._replace(edits=(edit,), output=None),))
    text = html.render(run, {"a.cu": (texts["a.cu"][0], texts["a.cu"][0])})
    assert "<mark>musaFree</mark>" in text
    assert '<span class="g">pending</span>' in text
    assert "1 edit pending" in text


def test_an_edit_not_made_and_told_of_by_no_finding_is_shown() -> None:
    run, texts = renamed(1)
    edit = run.files[0].edits[0]._replace(applied=False, safety="unsafe", evidence="prefix")
    text = html.render(run._replace(files=(run.files[0]._replace(edits=(edit,)),)), texts)
    assert "Edits not made" in text
    assert "<del>cudaFree</del><ins>musaFree</ins>" in text


def test_one_message_for_many_places_is_read_once() -> None:
    src = b"warpSize\n" * 30
    found = tuple(
        Finding("MUS301", "warning", i * 9, i * 9 + 8, "say `32`", line=i + 1, column=1, fingerprint=f"f{i}")
        for i in range(30)
    )
    file = FileResult("dir/a.cu", None, "unchanged", findings=found)
    waived = found[3]._replace(decided=Decided("waived", "an <owner>", "2026-11-30", "never run here"))
    file = file._replace(findings=(*found[:3], waived, *found[4:]))
    text = html.render(NO_FILES._replace(files=(file,)), {"dir/a.cu": (src, src)})
    assert text.count("say <code>32</code>") == 1
    assert re.findall(r"<code>dir/a\.cu:(\d+)</code>", text) == [str(i) for i in range(1, 31)]
    assert text.count("waived by an &lt;owner&gt;, 2026-11-30: never run here") == 1
    assert "Decided by persons: 1 waived." in text
    assert "29 and 1 closed" in text


def test_only_an_equality_that_says_something_is_green(run: Run, texts: Texts) -> None:
    weak = run._replace(verdicts=(run.verdicts[0]._replace(headline="equal-weak", by_arch={}, evidence=()),))
    assert '<span class="dot good"></span><h3>equal-assumed' in html.render(run, texts)
    assert '<span class="dot open"></span><h3>equal-weak' in html.render(weak, texts)


def test_verdicts_show_evidence_and_the_sentences_of_assumptions(run: Run, texts: Texts) -> None:
    text = html.render(run, texts, assumptions={"warp128-ballot-segment": "A ballot answers for its segment."})
    seen = Page(text).text
    assert "rests on warp128-ballot-segment" in seen
    assert "A ballot answers for its segment." in seen
    assert "musify-ai verify a b" in seen
    assert "3 sets of inputs (seeds 1, 2, 3); orders of threads: forward; fresh memory filled with 0x00, 0xa5" in seen
    assert "y 1,000 yes 0 z 3 no nan" in seen


def test_a_rewrite_shows_its_attempts_and_what_became_of_it(run: Run, texts: Texts) -> None:
    edit = Edit(31, 39, b"warpSize", b"32 /* <b> */", "MUS301", "llm", "unsafe", "a model", True, 3, 1)
    attempts = (Attempt("ab" * 32, "wrong-result", "y[3] <> 4", 1200, 80), Attempt("cd" * 32, "accepted"))
    at = run.files[0].findings[0].start
    rewrites = (
        Rewrite(f"a.cu:{at}:MUS301", "a.cu", "some-model", attempts, edit),
        Rewrite("a.cu:1:MUS405", "a.cu", "some-model", attempts[:1]),
    )
    text = html.render(run._replace(rewrites=rewrites), texts)
    part = Page(text[text.index('<section class="part" id="rewrites"') : text.index('<section class="part" id="ren')])
    assert "1 wrong-result abababababababab 1,200 80 y[3] <> 4 2 accepted cdcdcdcdcdcdcdcd" in part.text
    assert "MUS301: a warp is <wider>" in part.text
    assert "none accepted" in part.text
    assert "32 /* <b> */" in part.text


def test_light_and_dark(run: Run, texts: Texts) -> None:
    text = html.render(run, texts)
    assert "prefers-color-scheme: dark" in text
    assert '<meta name="color-scheme" content="light dark">' in text


def test_gbk_comments_are_readable_and_controls_are_not_passed_on() -> None:
    src = "cudaFree(p); // 显存 \x01".encode("gbk")
    edit = Edit(0, 8, b"cudaFree", b"musaFree", "names.runtime", "seen", applied=True)
    file = FileResult("a.cu", "a.cu", "changed", encoding="gb18030", edits=(edit,))
    text = html.render(NO_FILES._replace(files=(file,)), {"a.cu": (src, splice(src, [edit]))})
    assert "显存" in text
    assert "\x01" not in text


def test_the_middle_of_a_comment_is_coloured_as_one() -> None:
    src = b"/* one\n" + b"plain int\n" * 9 + b"cudaFree */ int x;\n"
    at = src.index(b"cudaFree")
    edit = Edit(at, at + 8, b"cudaFree", b"musaFree", "MUS401", "rule", applied=True)
    file = FileResult("a.cu", "a.cu", "changed", edits=(edit,))
    text = html.render(NO_FILES._replace(files=(file,)), {"a.cu": (src, splice(src, [edit]))})
    assert '<td><i class="c">plain int</i></td>' in text
    assert '<i class="k">int</i> x;' in text


def test_the_middle_of_a_python_string_is_coloured_as_one_on_both_sides() -> None:
    src = b'"""one\n' + b"plain if\n" * 9 + b'cudaFree if\n"""\nif x: pass\n'
    at = src.index(b"cudaFree")
    edit = Edit(at, at + 8, b"cudaFree", b"musa\nFree", "MUS901", "rule", applied=True)
    file = FileResult("setup.py", "setup.py", "changed", edits=(edit,))
    text = html.render(NO_FILES._replace(files=(file,)), {"setup.py": (src, splice(src, [edit]))})
    assert '<td><i class="s">plain if</i></td>' in text
    assert '<td class="w"><mark><i class="s">Free</i></mark><i class="s"> if</i></td>' in text
    assert '<i class="k">if</i> x:' in text


def test_an_empty_run() -> None:
    page = Page(html.render(NO_FILES, {}))
    assert page.open == []
    assert "nothing was run either" in page.text
