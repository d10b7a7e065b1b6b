"""The page: everything escaped, nothing fetched, each edit beside its rule."""

import re
from html.parser import HTMLParser

import pytest

from musify_ai.records import Edit, FileResult, Options, Run, Tool
from musify_ai.report import html
from musify_ai.source import splice

Texts = dict[str, tuple[bytes, bytes]]


class Page(HTMLParser):
    """Tags with their attributes, and whether every opened one was closed."""

    VOID = frozenset({"meta", "br", "link", "img", "col"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_is_whole_and_fetches_nothing(run: Run, texts: Texts) -> None:
    page = Page(html.render(run, texts))
    assert page.open == []
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "b", "wider", "k", "somewhere"}
    for _, attributes in page.tags:
        assert not {"src", "onclick", "style"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in html.render(run, texts)


def test_source_and_messages_are_escaped(run: Run, texts: Texts) -> None:
    text = html.render(run, texts)
    assert "// &lt;b&gt;&amp;" in text
    assert "a warp is &lt;wider&gt;" in text
    assert "&lt;k&gt;" in text
    assert "<b>" not in text


def test_each_edit_has_its_rule_and_evidence_beside_it(run: Run, texts: Texts) -> None:
    text = html.render(run, texts)
    assert "<mark>cudaFree</mark>" in text
    assert "<mark>musaFree</mark>" in text
    assert "names.runtime, seen: seen &lt;somewhere&gt;" in text
    assert "names.runtime, prefix, unsafe, derived" in text


def test_a_suggestion_is_shown_in_its_line(run: Run, texts: Texts) -> None:
    page = html.render(run, texts)
    assert '<pre><mark class="new">musaNew</mark>();</pre>' in page
    assert "<td>minutes</td>" in page
    assert "1 hours" not in page


def test_only_an_equality_that_says_something_is_green(run: Run, texts: Texts) -> None:
    weak = run._replace(verdicts=(run.verdicts[0]._replace(headline="equal-weak"),))
    assert 'class="good"' in html.render(run, texts)
    assert 'class="good"' not in html.render(weak, texts)


def test_every_row_of_a_diff_is_four_cells_wide(run: Run, texts: Texts) -> None:
    src = b"a\ncudaX\ncudaY\nb\nc\n"
    edits = (
        Edit(2, 7, b"cudaX", b"musaX\nmore", "MUS401", "rule", applied=True),
        Edit(8, 13, b"cudaY", b"musaY", "names.runtime", "seen", applied=True),
        Edit(16, 16, b"", b"new\n", "MUS201", "rule", applied=True),
    )
    file = FileResult("a.cu", "a.cu", "changed", edits=edits)
    page = html.render(run._replace(files=(file,)), {"a.cu": (src, splice(src, edits))})
    rows = re.findall(r'<tr class="(?:kept|old|new)">(.*?)</tr>', page, re.S)
    covered = 0
    for row in rows:
        cells = row.count("<td")
        assert cells + (covered > 0) == 4
        covered = max(0, covered - 1)
        span = re.search(r'rowspan="(\d+)"', row)
        covered = int(span[1]) - 1 if span else covered
    assert covered == 0
    assert len(rows) == 5 + 4


def test_verdicts_show_evidence_and_the_sentences_of_assumptions(run: Run, texts: Texts) -> None:
    text = html.render(run, texts, assumptions={"warp128-ballot-segment": "A ballot answers for its segment."})
    assert "equal-assumed" in text
    assert "rests on warp128-ballot-segment" in text
    assert "A ballot answers for its segment." in text
    assert "musify-ai verify a b" in text


def test_light_and_dark(run: Run, texts: Texts) -> None:
    text = html.render(run, texts)
    assert "prefers-color-scheme: dark" in text
    assert '<meta name="color-scheme" content="light dark">' in text


def test_gbk_comments_are_readable_and_controls_are_not_passed_on() -> None:
    src = "cudaFree(p); // 显存 \x01".encode("gbk")
    edit = Edit(0, 8, b"cudaFree", b"musaFree", "names.runtime", "seen", applied=True)
    file = FileResult("a.cu", "a.cu", "changed", encoding="gb18030", edits=(edit,))
    run = Run(Tool("musify-ai", "0", ""), "migrate", Options(), (file,))
    text = html.render(run, {"a.cu": (src, splice(src, [edit]))})
    assert "显存" in text
    assert "\x01" not in text


@pytest.mark.parametrize("step", [1, 10], ids=["one hunk", "many hunks"])
def test_a_huge_file_is_cut_and_says_so(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MAX_LINES", 100)
    src = b"cudaFree(p);\n" * 200
    edits = tuple(
        Edit(i * 13, i * 13 + 8, b"cudaFree", b"musaFree", "names.runtime", "seen", applied=True)
        for i in range(0, 200, step)
    )
    file = FileResult("a.cu", "a.cu", "changed", edits=edits)
    run = Run(Tool("musify-ai", "0", ""), "migrate", Options(), (file,))
    text = html.render(run, {"a.cu": (src, splice(src, edits))})
    assert "report.json has every edit" in text
    assert text.count('<tr class="') <= 100 + 20


def test_an_empty_run() -> None:
    page = Page(html.render(Run(Tool("musify-ai", "0", ""), "migrate", Options(), ()), {}))
    assert page.open == []
