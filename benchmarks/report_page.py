"""The reviewer's page and the assessment of a large tree: how big they are, how long they take to make and to open.

    python -m benchmarks.report_page TREE... [--repeat 5] [--keep DIR]

Needs Chromium (``chromium`` on PATH), which opens each page headless from disk; the times are its own, from the start
of navigation (`performance.timing`). Trees are only read: the run is that of `migrate --diff`, so no kernel is checked.
"""

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from musify_ai.cli.assess import assessment_of
from musify_ai.cli.output import page_of
from musify_ai.project import migrate
from musify_ai.records import Options
from musify_ai.report.assess import page

_ASK = """<script>addEventListener("load", () => setTimeout(() => {
  const t = performance.timing, out = document.createElement("pre");
  out.id = "timed";
  out.textContent = [t.domInteractive - t.navigationStart, t.loadEventEnd - t.navigationStart,
    document.querySelectorAll("*").length].join(" ");
  document.body.append(out);
}));</script></body>"""


def opened(chromium: str, text: str, folder: Path) -> tuple[int, int, int]:
    """Milliseconds until the document can be used, until it is loaded, and its number of elements."""
    place = folder / "page.html"
    place.write_text(text.replace("</body>", _ASK), encoding="utf-8")
    done = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
         "--window-size=1440,1000", "--timeout=60000", "--dump-dom", place.as_uri()],
        capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    found = re.search(rb'<pre id="timed">(\d+) (\d+) (\d+)</pre>', done.stdout)
    if found is None:
        raise SystemExit(f"{chromium} gave no times: {done.stderr[-500:].decode('utf-8', 'replace')}")
    return int(found[1]), int(found[2]), int(found[3])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--repeat", type=int, default=5, help="how often each page is opened")
    parser.add_argument("--keep", type=Path, help="write the pages there")
    given = parser.parse_args(arguments)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("no chromium on PATH")
    print("page | files | edits | findings | run s | page s | MB | elements | usable ms | loaded ms (median, worst)")
    for tree in given.trees:
        begun = time.perf_counter()
        outcome = migrate(tree, None, Options(verify=False), way="diff")
        ran = time.perf_counter() - begun
        for kind in ("report", "assess"):
            begun = time.perf_counter()
            text = page_of(outcome) if kind == "report" else page.render(assessment_of(outcome))
            made = time.perf_counter() - begun
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                (given.keep / f"{tree.name}-{kind}.html").write_text(text, encoding="utf-8")
            with tempfile.TemporaryDirectory() as folder:
                times = [opened(chromium, text, Path(folder)) for _ in range(given.repeat)]
            usable, loaded = ([each[index] for each in times] for index in (0, 1))
            edits, findings = (
                sum(len(getattr(file, what)) for file in outcome.run.files) for what in ("edits", "findings")
            )
            print(
                f"{tree.name} {kind} | {len(outcome.run.files):,} | {edits:,} | {findings:,} | {ran:.1f} | {made:.1f} |"
                f" {len(text.encode()) / 1e6:.2f} | {times[0][2]:,} | {statistics.median(usable):.0f} |"
                f" {statistics.median(loaded):.0f}, {max(loaded)}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
