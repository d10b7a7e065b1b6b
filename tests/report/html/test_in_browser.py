"""The page in headless Chromium: every finding of the JSON is there, the filters do what they say, nothing goes wrong.

Each page is opened once; what the tests ask is asked there by a script and comes back in the dumped document.
"""

import html as entities
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from musify_ai.project import check
from musify_ai.records import Options, Verdict
from musify_ai.report import html, json_report

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
GALLERY = Path(__file__).parents[3] / "corpus" / "gallery"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH to open the page in")

# Put before everything else in the page, and after it.
_WATCH = """<script>
window.faults = [];
addEventListener("error", (event) => faults.push(String(event.message || event.target.tagName)), true);
addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
console.error = console.warn = (...said) => faults.push(said.join(" "));
</script>"""
_ASK = "<script>" + (Path(__file__).parent / "asking.js").read_text(encoding="utf-8") + "</script>"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The report in JSON, what the page answered, and its dumped document."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(GALLERY, folder / "gallery")
    outcome = check([folder / "gallery"], Options(verify=False, jobs=1))
    prefix = f"{folder}/gallery/"
    files = tuple(f._replace(path=f.path.removeprefix(prefix)) for f in outcome.run.files)
    texts = {path.removeprefix(prefix): both for path, both in outcome.texts.items()}
    verdicts = (
        Verdict("src/device_info.cu", "made_up", 8, None, "equal-assumed", None, (), {"mp_31": "equal-emulated"}, ()),
        Verdict("src/saxpy.cu", "saxpy", 7, None, "differs", "y", (), {"mp_31": "differs"}, ()),
    )
    run = outcome.run._replace(files=files, verdicts=verdicts)
    from musify_ai.translate.registry import page

    codes = {finding.code for file in files for finding in file.findings}
    text = html.render(run, texts, pages={code: page(code) for code in codes})
    text = text.replace("<head>", "<head>" + _WATCH, 1).replace("</body>", _ASK + "</body>", 1)
    (folder / "page.html").write_text(text, encoding="utf-8")
    dom = _dump(folder / "page.html", folder / "profile")
    asked = re.search(r'<pre id="asked">(.*?)</pre>', dom, re.S)
    assert asked is not None, dom[-2000:]
    return json_report.document(run), json.loads(entities.unescape(asked[1])), dom


def _dump(page: Path, profile: Path) -> str:
    assert CHROMIUM is not None
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=20000",
        "--window-size=1440,1000", "--dump-dom", page.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    return done.stdout.decode("utf-8", "replace")


Opened = tuple[dict[str, Any], dict[str, Any], str]


def test_nothing_goes_wrong_and_nothing_is_fetched(opened: Opened) -> None:
    _, asked, _ = opened
    assert asked["faults"] == []
    assert asked["fetched"] == []


def test_every_finding_of_the_json_is_on_the_page(opened: Opened) -> None:
    document, asked, dom = opened
    wanted = sorted(f"{f['path']}:{f['line']}" for f in document["findings"])
    assert len(wanted) > 10
    assert sorted(asked["before"]) == wanted
    seen = re.sub(r"</?(?:code|b)[^>]*>", "", dom)
    for finding in document["findings"]:
        assert entities.escape(finding["message"].replace("`", ""), quote=False) in seen, finding


def test_every_edit_of_the_json_is_on_the_page(opened: Opened) -> None:
    document, _, dom = opened
    lines: dict[tuple[str, str], list[int]] = {}
    for edit in document["edits"]:
        if edit["rule"].startswith(("names.", "headers.")) and edit["safety"] == "safe":
            lines.setdefault((edit["old"], edit["path"]), []).append(edit["line"])
    assert len(lines) > 30
    part = dom[dom.index('id="renames"') : dom.index('id="files"')]
    for (old, path), where in lines.items():
        places = ", ".join(map(str, where))
        assert re.search(rf"<code>{re.escape(old)}</code>(?:(?!</details>).)*>{path}</a> <[^>]*>{places}<", part, re.S)


def test_filters_show_what_they_are_asked_for(opened: Opened) -> None:
    document, asked, _ = opened
    findings = document["findings"]
    by_path, kernels, renames = asked["by_path"]
    assert sorted(by_path) == sorted(f"{f['path']}:{f['line']}" for f in findings if "device_info" in f["path"])
    assert kernels == ["src/device_info.cu"]
    assert set(renames) == {"src/device_info.cu"}
    by_code, kernel_count, rename_count, told = asked["by_code"]
    wanted = sorted(f"{f['path']}:{f['line']}" for f in findings if f["code"] == "MUS301")
    assert sorted(by_code) == wanted
    assert kernel_count == 2  # no code is held against a kernel
    assert rename_count == 0
    assert re.fullmatch(r"\d+ of [\d,]+ shown", told)
    assert asked["count"].startswith(f"{len(wanted)} place")
    assert asked["by_effort"] == ["hours"] * sum(f["effort"] == "hours" for f in findings)
    assert sorted(asked["by_severity"]) == sorted(
        f"{f['path']}:{f['line']}" for f in findings if f["severity"] == "error"
    )
    assert asked["by_headline"] == ["differs"]
    assert asked["nothing"][0] == 0
    assert asked["nothing"][1] >= 3
    assert asked["after"] == asked["before"]
    assert asked["bar"] is True


def test_a_link_unfolds_what_it_leads_to_and_keys_walk(opened: Opened) -> None:
    _, asked, _ = opened
    assert asked["unfolded"] is True
    assert (asked["second"], asked["first"]) == (1, 0)
    assert asked["focused"] in ("DIV", "SUMMARY")
    before, after, theme = asked["theme"]
    assert before != after
    assert theme in ("light", "dark")
    assert asked["help"] is True


def test_without_scripts_all_of_it_is_there(opened: Opened, tmp_path: Path) -> None:
    document, _, dom = opened
    bare = re.sub(r"<script>.*?</script>", "", dom, flags=re.S)
    bare = re.sub(r'<pre id="asked">.*?</pre>', "", bare, flags=re.S)
    # The filter bar and the switch are for scripts; without one they do not show.
    from_source = html.render(check([GALLERY / "src" / "ballot.cu"], Options(verify=False, jobs=1)).run, {})
    assert '<form id="filter" hidden' in from_source
    assert '<button type="button" id="theme" hidden' in from_source
    assert all(f["path"] in bare for f in document["findings"])
