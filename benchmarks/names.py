"""Figures of translation over real source, a row a root: ``python -m benchmarks.names ROOT...``.

A root is a folder (``cutlass/include``), or one with a pattern last, in quotes (``'HeCBench/src/*-cuda'``). A row has
the files and megabytes, files and megabytes a second of CPU (all findings; the name tier alone), how many files give
their input back when the edits are undone, how many a second translation leaves alone, what is left over, and crashes:
files for which a rule failed (MUS000) or the translation raised. Below the table stand the names left over, by root.
"""

import argparse
from collections import Counter
from pathlib import Path
from time import process_time
from typing import NamedTuple

from musify_ai.pipeline.residue import known_names, residue
from musify_ai.records import Edit, Finding, Options
from musify_ai.rules import load
from musify_ai.source.splicing import OffsetMap, splice, undo
from musify_ai.translate import Translation, translate
from musify_ai.translate.names import translate_names
from musify_ai.translate.unit import Unit

SUFFIXES = frozenset((".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".c", ".inl"))
Source = tuple[Path, bytes]


def sources(folders: list[Path]) -> list[Source]:
    """The C++ and CUDA files under some folders."""
    paths = (path for folder in folders for path in sorted(folder.rglob("*")))
    return [(path, path.read_bytes()) for path in paths if path.suffix in SUFFIXES and path.is_file()]


class Row(NamedTuple):
    """What one root gave; seconds are of CPU."""

    root: str
    files: int
    megabytes: float
    seconds: float
    names_seconds: float
    undone: int
    again: int
    crashes: int
    left: Counter[str]
    alike: Counter[str]
    places: list[str]
    evidence: Counter[str]
    codes: Counter[str]
    names: dict[str, Counter[str]]


def measured(root: str, files: list[Source]) -> Row:
    """One root's row."""
    options = Options()
    start = process_time()
    for path, data in files:
        for _ in translate_names(Unit(str(path), data, options)):
            pass
    names_seconds = process_time() - start
    translated: list[Translation | None] = []
    start = process_time()
    for path, data in files:
        try:
            translated.append(translate(data, str(path), options))
        except Exception as problem:
            print(f"  {path}: {type(problem).__name__}: {problem}")
            translated.append(None)
    row = Row(root, len(files), sum(len(data) for _, data in files) / 1e6, process_time() - start, names_seconds,
              *(0, 0, 0), Counter(), Counter(), [], Counter(), Counter(), {})  # fmt: skip
    undone = again = crashes = 0
    for (path, data), result in zip(files, translated, strict=True):
        if result is None or any(each.code == "MUS000" for each in result.findings):
            crashes += 1
            continue
        edits = [edit for edit in result.edits if edit.safety == "safe"]
        output = splice(data, edits)
        undone += undo(output, edits) == data
        second = translate(output, str(path), options)
        again += not any(edit.safety == "safe" for edit in second.edits)
        _count(row, path, output, edits, result)
    return row._replace(undone=undone, again=again, crashes=crashes)


def _count(row: Row, path: Path, output: bytes, edits: list[Edit], result: Translation) -> None:
    """Add a file's residue, findings and evidence to its root's."""
    where = OffsetMap(edits)
    row.evidence.update(edit.evidence for edit in edits)
    for finding in result.findings:
        row.codes[f"{finding.code} {finding.severity}"] += 1
        row.names.setdefault(finding.code, Counter())[finding.name] += 1
    explained = [
        *_spans(result.findings, where),
        *((where.to_output(s), where.to_output(e)) for s, e in result.excluded),
    ]
    found = residue(output, explained)
    row.left.update(name for *_, name in found.known)
    row.alike.update(name for *_, name in found.pattern)
    for begin, end, name in found.known:
        row.places.append(f"{path}: {name}: {output[max(begin - 50, 0) : end + 30]!r}")


def _spans(findings: tuple[Finding, ...], where: OffsetMap) -> list[tuple[int, int]]:
    return [(where.to_output(each.start), where.to_output(each.end)) for each in findings]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", nargs="+")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show the first N places of residue a root")
    parser.add_argument("--names", type=int, default=0, metavar="N", help="list each code with its N commonest names")
    arguments = parser.parse_args()
    load(), known_names()
    print("| root | files | MB | files/s | MB/s | names MB/s | undo exact | second run no-op | residue | by pattern "
          "| crashes |\n|---|---|---|---|---|---|---|---|---|---|---|")  # fmt: skip
    rows = []
    for root in arguments.roots:
        given = Path(root)
        row = measured(root, sources([given] if given.is_dir() else sorted(given.parent.glob(given.name))))
        rows.append(row)
        print(
            f"| {root} | {row.files} | {row.megabytes:.1f} | {row.files / max(row.seconds, 1e-9):.0f} "
            f"| {row.megabytes / max(row.seconds, 1e-9):.1f} | {row.megabytes / max(row.names_seconds, 1e-9):.1f} "
            f"| {row.undone}/{row.files} | {row.again}/{row.files} | {row.left.total()} | {row.alike.total()} "
            f"| {row.crashes} |",
            flush=True,
        )
    for row in rows:
        _print_details(row, arguments.show, arguments.names)


def _print_details(row: Row, show: int, names: int) -> None:
    print(f"\n{row.root}: edits by evidence {dict(row.evidence)}")
    print("  residue:", row.left.most_common(20), "by pattern:", row.alike.most_common(8))
    for place in row.places[:show]:
        print("  ", place)
    if names:
        print("  findings:", dict(sorted(row.codes.items())))
        for code in sorted(row.names):
            print(f"    {code}:", ", ".join(f"{name} {count}" for name, count in row.names[code].most_common(names)))


if __name__ == "__main__":
    main()
