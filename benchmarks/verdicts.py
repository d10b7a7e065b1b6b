"""What becomes of every kernel of whole projects: ``PYTHONPATH=. python benchmarks/verdicts.py TREE... --json FILE``.

Each tree (a checkout, or a folder of one: ``HeCBench/src/n*-cuda``) is migrated into a scratch folder, together with
the files above it that it includes by ``"../..."``, and then checked file by file, each file in a process of its own
with a time budget. What was found is kept in ``--json FILE`` after every file, and a later run goes on from there:
only files that are new, or whose verdicts ``--redo TEXT`` names, are checked again. Printed are kernels by headline
and a histogram of reasons. Nothing is written into the trees.

A kernel counts by the worst of its instantiations; it counts as run where an emulated run of both sides came to an
end in each, and as run in part where it did in some.
"""

import argparse
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Any

from musify_ai.kernels import find_kernels
from musify_ai.project import migrate
from musify_ai.project.checking import Sides, paired, verify_sides
from musify_ai.project.discovery import walk
from musify_ai.records import Options
from musify_ai.records.verdicts import HEADLINES

RAN = frozenset(each for each in HEADLINES if each not in ("build-failed", "not-checkable", "unchecked"))
"""Headlines that stand on a run of both sides."""
LATE = "no verdict within the time budget of its file"
BEGUN = 0.75
"""Of a file's time, after how much no further kernel is begun: else those that have a verdict would lose it."""
_OUTSIDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"(\.\./[^"\n]+)"', re.M)

Rows = dict[str, dict[str, Any]]


def staged(tree: Path, place: Path) -> Path:
    """A copy of a tree below ``place``, with what it includes from above itself; the copy's folder."""
    outside: dict[Path, None] = {}
    waiting = [each for each in tree.rglob("*") if each.is_file() and _is_source(each)]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        for name in _OUTSIDE.findall(path.read_bytes()):
            target = Path(os.path.normpath(path.parent / name.decode("utf-8", "surrogateescape")))
            if target.is_file() and tree not in target.parents and target not in seen:
                outside[target] = None
                seen.add(target)
                waiting.append(target)
    root = Path(os.path.commonpath([tree, *(path.parent for path in outside)]))
    shutil.copytree(tree, place / tree.relative_to(root), symlinks=True, ignore=shutil.ignore_patterns(".git"))
    for path in outside:
        (place / path.relative_to(root)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place / path.relative_to(root))
    return place / tree.relative_to(root)


def _is_source(path: Path) -> bool:
    return path.suffix in (".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".inl")


def kernels_of(root: Path) -> dict[str, list[tuple[str, int]]]:
    """The files below a folder that define kernels, with each one's name and line."""
    found = {}
    for entry in walk(root):
        if entry.role == "source" and entry.kind == "file":
            src = (root / entry.path).read_bytes()
            kernels = find_kernels(src, entry.path) if b"__global__" in src else ()
            if kernels:
                found[entry.path] = [(each.name, each.line) for each in kernels]
    return found


def checked(sides: Sides, path: str, options: Options) -> list[dict[str, Any]]:
    """The verdicts of the kernels that one file defines."""
    result = verify_sides(sides, options, (), None, (path,))
    rows = []
    for verdict in result.verdicts:
        assumptions = {each for row in verdict.evidence for each in row.assumptions}
        varies = any(buffer.varies for row in verdict.evidence for buffer in row.buffers)
        rows.append(
            {
                "name": verdict.name, "line": verdict.line, "instantiation": verdict.instantiation,
                "headline": verdict.headline, "reason": verdict.reason or "", "notes": list(verdict.notes),
                "by_arch": dict(verdict.by_arch), "varies": varies, "assumptions": sorted(assumptions),
            }
        )  # fmt: skip
    return rows


def within(seconds: float, sides: Sides, path: str, options: Options) -> list[dict[str, Any]] | None:
    """`checked` in a process of its own; None where the time was up or it ended without an answer."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.setsid()
                answer.write_text(json.dumps(checked(sides, path, options)), "utf-8")
                status = 0
            except Exception as problem:
                print(f"{path}: {type(problem).__name__}: {problem}", file=sys.stderr, flush=True)
            finally:
                os._exit(status)
        end = monotonic() + seconds
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if monotonic() > end:
                os.killpg(child, signal.SIGKILL)  # what it started dies with it
                os.waitpid(child, 0)
                return None
            sleep(0.05)
        if not answer.exists():
            return None
        found: list[dict[str, Any]] = json.loads(answer.read_text("utf-8"))
        return found


def measure(tree: Path, rows: Rows, asked: argparse.Namespace) -> Iterator[None]:
    """Check a tree's files that ``rows`` lacks; yields after each."""
    options = Options(
        archs=tuple(asked.arch) or Options().archs, seeds=asked.seeds, mutants=asked.mutants, jobs=1,
        unsafe_fixes=asked.unsafe_fixes, time_budget=int(asked.seconds * BEGUN),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        source = staged(tree, Path(scratch) / "source")
        base = Path(scratch) / "source"
        inside = source.relative_to(base).as_posix()
        files = {
            path: found
            for path, found in kernels_of(base).items()
            if (inside == "." or path.startswith(f"{inside}/")) and all(each in path for each in asked.only)
        }
        files = {path: found for path, found in files.items() if _is_due(rows.get(_key(tree, path)), asked.redo)}
        if not files:
            return
        out = Path(scratch) / "out"
        migrate(base, out, options._replace(verify=False))
        sides, _ = paired(base, out, options)
        for path, kernels in files.items():
            start = perf_counter()
            found = within(asked.seconds, sides, path, options) if path in sides.files else None
            if found is None:
                found = [
                    {"name": name, "line": line, "instantiation": None, "headline": "unchecked", "reason": LATE}
                    for name, line in kernels
                ]
            rows[_key(tree, path)] = {"kernels": found, "seconds": round(perf_counter() - start, 1)}
            counts = Counter(each["headline"] for each in found)
            print(f"{tree.name}/{path}: {_counts(counts)} ({perf_counter() - start:.0f} s)", flush=True)
            yield


def _key(tree: Path, path: str) -> str:
    return f"{tree.name}:{path}"


def _is_due(row: dict[str, Any] | None, redo: Sequence[str]) -> bool:
    """Whether a file is to be checked: it never was, or a verdict of it holds a text that is to be looked at again."""
    if row is None:
        return True
    texts = [f"{each['headline']}: {each['reason']}" for each in row["kernels"]]
    return any(part in text for part in redo for text in texts)


def summary(rows: Rows) -> str:
    """A table of kernels by tree and headline, and the histogram of reasons below it."""
    lines = ["tree | files | kernels | run | run in part | by headline (worst of a kernel's instantiations)"]
    reasons: Counter[tuple[str, str]] = Counter()
    trees: dict[str, dict[tuple[str, str, int], list[dict[str, Any]]]] = {}
    for key, row in rows.items():
        tree, path = key.split(":", 1)
        for each in row["kernels"]:
            trees.setdefault(tree, {}).setdefault((path, each["name"], each["line"]), []).append(each)
    everything: list[list[dict[str, Any]]] = []
    for tree, kernels in [*sorted(trees.items()), ("all", None)]:
        groups = everything if kernels is None else list(kernels.values())
        files = len({path for path, _, _ in kernels}) if kernels is not None else len(rows)
        everything += groups if kernels is not None else []
        lines.append(f"{tree} | {files} | {_cells(groups)}")
    for group in everything:
        worst = min(group, key=lambda each: HEADLINES.index(each["headline"]))
        if worst["headline"] != "equal-emulated":
            reasons[worst["headline"], shortened(worst["reason"])] += 1
    lines.append("")
    ordered = sorted(reasons.items(), key=lambda each: (HEADLINES.index(each[0][0]), -each[1], each[0][1]))
    lines += [f"{count:4}  {headline}: {reason}" for (headline, reason), count in ordered]
    return "\n".join(lines)


def _cells(groups: Sequence[Sequence[dict[str, Any]]]) -> str:
    ran = [sum(each["headline"] in RAN for each in group) for group in groups]
    whole = sum(count == len(group) for count, group in zip(ran, groups, strict=True))
    part = sum(0 < count < len(group) for count, group in zip(ran, groups, strict=True))
    worst = Counter(min((e["headline"] for e in group), key=HEADLINES.index) for group in groups)
    share = f"{whole} ({100 * whole / len(groups):.0f} %)" if groups else "0"
    return f"{len(groups)} | {share} | {part} | {_counts(worst)}"


def shortened(reason: str) -> str:
    """A reason without places, numbers and what a run found, so that alike ones count together."""
    text = re.sub(r"\S*?[\w.+-]+\.\w{1,3}:\d+: ", "", reason)
    text = re.sub(r"element .*", "...", text)
    return re.sub(r"\b(?:0x)?[0-9][0-9a-f.]*\b", "N", text)[:180]


def _counts(counted: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counted.items())) or "none"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("trees", nargs="*", type=Path, metavar="TREE")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep what was found there, and go on from it")
    parser.add_argument("--seconds", type=float, default=240, help="time budget of a file (240)")
    parser.add_argument(
        "--total", type=float, default=float("inf"), help="stop after so many seconds; run again to go on"
    )
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="only files whose path has this")
    parser.add_argument(
        "--redo", action="append", default=[], metavar="TEXT", help="check again where a verdict has this"
    )
    parser.add_argument("--arch", action="append", default=[], help="target arch; may be repeated")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--unsafe-fixes", action="store_true", help="migrate with them: an extension for torch_musa")
    parser.add_argument("--mutants", action="store_true", help="ask for the mutants of each equal kernel")
    asked = parser.parse_args()
    rows: Rows = json.loads(asked.json.read_text("utf-8")) if asked.json and asked.json.exists() else {}
    start = monotonic()
    for tree in asked.trees:
        for _ in measure(tree.resolve(), rows, asked):
            if asked.json:
                asked.json.write_text(json.dumps(rows, indent=0), "utf-8")
            if monotonic() - start > asked.total:
                break
        if monotonic() - start > asked.total:
            print("the time is up; the same command goes on", file=sys.stderr)
            break
    print(summary(rows))


if __name__ == "__main__":
    main()
