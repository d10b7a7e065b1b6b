"""The checker's own teeth: every mutant of the kernels in corpus/gallery and corpus/kernels, and what became of it.

Usage: python benchmarks/mutants.py [FOLDER ...]

Each folder is migrated to a scratch folder and checked with --mutants. Printed are the mutants made, those rejected (by
a run, or for what their text lacks), those that compile to the same code, those excused by hand (the folder's
musify-ai.toml has the reasons) and those that survive; and the kernels that are not equal though their translation is
right. Takes minutes.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (ROOT / "corpus/gallery", ROOT / "corpus/kernels")


def musify(*arguments: str | Path) -> dict[str, Any]:
    """The JSON object of a command."""
    command = [sys.executable, "-m", "musify_ai", *map(str, arguments), "--format", "json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode == 2:
        sys.exit(done.stderr.decode())
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Print the table."""
    folders = [Path(each).resolve() for each in sys.argv[1:]] or list(FOLDERS)
    total: Counter[str] = Counter()
    heads = ("folder", "kernels", "made", "run", "text", "same", "excused", "left", "s")
    print("{:<20} {:>7} {:>6} {:>6} {:>5} {:>5} {:>7} {:>5} {:>6}".format(*heads))
    for folder in folders:
        start = time.monotonic()
        counts: Counter[str] = Counter()
        left: list[str] = []
        with tempfile.TemporaryDirectory() as work:
            out = Path(work) / "out"
            musify("migrate", folder, "--out", out, "--no-verify")
            for kernel in musify("verify", folder, out, "--mutants")["kernels"]:
                counts["kernels"] += 1
                rows = [each["mutants"] for each in kernel["evidence"] if each.get("mutants")]
                if not rows:
                    left.append(f"{kernel['name']}: {kernel['headline']}, no mutants ({kernel['reason'] or ''})")
                for row in rows:
                    for key in ("made", "killed", "by_text", "equivalent"):
                        counts[key] += row[key]
                    counts["excused"] += len(row["excused"])
                    counts["left"] += len(row["survivors"]) + len(row["unreached"])
                    left += [f"{kernel['name']}: {text}" for text in (*row["survivors"], *row["unreached"])]
        print(_row(folder.name, counts, time.monotonic() - start))
        for text in left:
            print(f"    {text}")
        total += counts
    print(_row("all", total, 0))
    meant = total["made"] - total["equivalent"] - total["excused"]
    rejected = total["killed"] + total["by_text"]
    print(f"rejected of those that mean something else: {rejected} of {meant}, {rejected / max(meant, 1):.2%};"
          f" excused by hand: {total['excused'] / max(total['made'], 1):.2%} of all")  # fmt: skip


def _row(name: str, counts: Counter[str], seconds: float) -> str:
    cells = [counts[key] for key in ("kernels", "made", "killed", "by_text", "equivalent", "excused", "left")]
    return "{:<20} {:>7} {:>6} {:>6} {:>5} {:>5} {:>7} {:>5} {:>6.0f}".format(name, *cells, seconds)


if __name__ == "__main__":
    main()
