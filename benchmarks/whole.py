"""Whole repositories migrated without checks, and what that gave.

    python -m benchmarks.whole CHECKOUT... [--keep FOLDER]

Needs checkouts of any projects; they are only read. For each: files, edits, findings by code and by effort, kernels
found, CUDA names left unexplained, Python and CMake files that parsed before and no longer do, whether a second run
changes or says anything else, whether drift finds anything, and times. Exit status 1 where something is wrong.
"""

import argparse
import ast
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import tree_sitter
import tree_sitter_cmake

from musify_ai.project import migrate
from musify_ai.project.drift import drift
from musify_ai.project.ledger import FOLDER
from musify_ai.records import Options, Run

OPTIONS = Options(verify=False)


def main() -> int:
    """Print a block for each checkout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path, help="leave the trees there")
    arguments = parser.parse_args()
    faults = 0
    for source in arguments.checkouts:
        with tempfile.TemporaryDirectory() as scratch:
            folder = arguments.keep or Path(scratch)
            faults += _checkout(source, folder / source.name)
    return 1 if faults else 0


def _checkout(source: Path, out: Path) -> int:
    begin = time.perf_counter()
    first = migrate(source, out, OPTIONS).run
    middle = time.perf_counter()
    second = migrate(source, out, OPTIONS).run
    end = time.perf_counter()
    bad = list(_broken(source, out, first))
    residue = [(file.path, span) for file in first.files for span in file.residue]
    differs = second._replace(tool=first.tool) != first
    drifted = len(drift(source, out, OPTIONS).files)
    edits = Counter(e.rule.split(".")[0] for file in first.files for e in file.edits if e.applied)
    findings = [f for file in first.files for f in file.findings]
    work = [f for f in findings if f.severity != "note"]
    codes = Counter(f.code for f in work)
    changed = sum(file.status == "changed" for file in first.files)
    efforts = Counter(finding.effort for finding in work)
    by_pattern = sum(len(file.residue_pattern) for file in first.files)
    times = f"{middle - begin:.1f} s, again {end - middle:.1f} s"
    print(f"{source.name}: {len(first.files)} files, {changed} changed, {len(first.failed)} failed; {times}")
    print(f"  edits {sum(edits.values())}: {_listed(edits, 12)}")
    print(f"  findings {len(work)} and {len(findings) - len(work)} notes; by effort {_listed(efforts, 3)}")
    print(f"  by code {_listed(codes, 16)}")
    print(
        f"  kernels {len(first.verdicts)}; residue {len(residue)}, by pattern {by_pattern}; no longer parse {len(bad)};"
    )
    print(f"  second run {'DIFFERS' if differs else 'the same'}; drifted {drifted}", flush=True)
    for failure in first.failed[:10]:
        print(f"  failed: {failure.path}: {failure.stage}: {failure.error}")
    for path in bad:
        print(f"  no longer parses: {path}")
    for path, (start, _, name) in residue[:10]:
        print(f"  residue: {path}:{start}: {name}")
    return len(bad) + len(residue) + differs + drifted


def _listed(count: Counter[str], most: int) -> str:
    return ", ".join(f"{name} {number}" for name, number in count.most_common(most))


def _broken(source: Path, out: Path, run: Run) -> Iterator[str]:
    """The files that parsed before and do not now."""
    cmake = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cmake.language()))
    for file in run.files:
        place = out / (file.output or file.path)
        if file.status != "changed" or FOLDER in place.parts:
            continue
        before, after = (source / file.path).read_bytes(), place.read_bytes()
        if file.path.endswith(".py") and _is_python(before) and not _is_python(after):
            yield file.path
        if file.path.endswith((".cmake", "CMakeLists.txt")):
            sound = not cmake.parse(before).root_node.has_error
            if sound and cmake.parse(after).root_node.has_error:
                yield file.path


def _is_python(text: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


if __name__ == "__main__":
    raise SystemExit(main())
