"""Speed against the vendor's own text tool, in one run on the same files:

    python -m benchmarks.speed DIR... --musify-text musify_text.py --table general.json

Each contender is a fresh process over a fresh copy of the files, which it rewrites in place; figures are CPU seconds of
that process, start-up included, the best of ``--repeat`` runs. ``names and guards`` is `translate` with these families
alone, ``all findings`` is `translate` with everything; the commands do more than either (each file is translated again
as a check, its edits are undone, what is left is counted) and run in one process here (``-j 1``).

musify_text.py needs the package ahocorapy; say where it is with PYTHONPATH.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SUFFIXES = frozenset((".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".c", ".inl"))

_VENDOR = """
import argparse, sys
sys.path.insert(0, sys.argv[1])
import musify_text as tool
args = argparse.Namespace(mapping=[sys.argv[2]], extra_mapping=None, direction="c2m", output_method="inplace")
tool.init_ac_automaton(args)
for path in open(sys.argv[3]).read().splitlines():
    tool.transform_file(path, args)
"""
_OURS = """
import sys
from musify_ai.records import Options
from musify_ai.source.splicing import splice
from musify_ai.translate import translate
options = Options(select=tuple(sys.argv[2:]))
for path in open(sys.argv[1]).read().splitlines():
    src = open(path, "rb").read()
    edits = [edit for edit in translate(src, path, options).edits if edit.safety == "safe"]
    if edits:
        open(path, "wb").write(splice(src, edits))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--musify-text", required=True, type=Path)
    parser.add_argument("--table", required=True, type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    paths = [p for folder in arguments.folders for p in sorted(folder.rglob("*")) if p.suffix in SUFFIXES]
    files = [path for path in paths if path.is_file()]
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    print(f"{len(files)} files, {megabytes:.1f} MB")
    python = [sys.executable, "-c"]
    vendor = [*python, _VENDOR, str(arguments.musify_text.resolve().parent), str(arguments.table.resolve())]
    command = [sys.executable, "-m", "musify_ai"]
    contenders = {
        "musify-text": (vendor, True),
        "names and guards": ([*python, _OURS, "{list}", "MUS1", "MUS2"], False),
        "all findings": ([*python, _OURS, "{list}"], False),
        "command fix -j 1": ([*command, "fix", "-j", "1", "{folder}"], False),
        "command check -j 1": ([*command, "check", "--statistics", "-j", "1", "{folder}"], False),
    }
    base = 0.0
    for name, (line, listed) in contenders.items():
        spent = min(_cpu_of([*line, "{list}"] if listed else line, files) for _ in range(arguments.repeat))
        base = base or spent
        print(
            f"{name:<20} {spent:7.2f} s CPU, {len(files) / spent:6.0f} files/s, {megabytes / spent:5.1f} MB/s, "
            f"{base / spent:5.1f} x musify-text"
        )


def _cpu_of(line: list[str], files: list[Path]) -> float:
    """CPU seconds of a command over a copy of the files."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        copies = []
        for number, path in enumerate(files):
            copy = tree / f"{number:05}" / path.name
            copy.parent.mkdir(parents=True)
            shutil.copyfile(path, copy)
            copies.append(str(copy))
        listing = Path(folder) / "files"
        listing.write_text("\n".join(copies))
        given = [part.format(list=listing, folder=tree) if len(part) < 20 else part for part in line]
        before = os.times()
        done = subprocess.run(given, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        after = os.times()
        # A tool may end with a status of its own, but one that fell over has done nothing, and very fast.
        if b"Traceback" in done.stderr:
            raise SystemExit(done.stderr.decode("utf-8", "replace").strip())
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    main()
