"""Figures of the name tier over real source: ``python benchmarks/names.py DIR...``.

Prints files, megabytes and megabytes a second of CPU (the name tier alone, and with the construct rules), how many
files give their input back when the edits are undone, how many a second run leaves alone, and what is left over.
"""

import argparse
from collections import Counter
from pathlib import Path
from time import process_time

from musify_ai.pipeline.residue import known_names, residue
from musify_ai.records import Edit, Finding, Options
from musify_ai.rules import load
from musify_ai.source.splicing import OffsetMap, resolve, splice, undo
from musify_ai.translate import translate
from musify_ai.translate.names import translate_names
from musify_ai.translate.unit import Unit

SUFFIXES = frozenset((".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".c", ".inl"))


def sources(folders: list[Path]) -> list[tuple[Path, bytes]]:
    """The C++ and CUDA files under some folders."""
    paths = (path for folder in folders for path in sorted(folder.rglob("*")))
    return [(path, path.read_bytes()) for path in paths if path.suffix in SUFFIXES and path.is_file()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show the first N places of residue")
    parser.add_argument("--names", type=int, default=12, metavar="N", help="names to list a code")
    arguments = parser.parse_args()
    files = sources(arguments.folders)
    megabytes = sum(len(data) for _, data in files) / 1e6
    load(), known_names()

    start = process_time()
    named = [list(translate_names(Unit(str(path), data, Options()))) for path, data in files]
    spent = process_time() - start
    print(f"{len(files)} files, {megabytes:.1f} MB; name tier {spent:.2f} s CPU, {megabytes / spent:.1f} MB/s")

    undone = again = 0
    edits_of: Counter[str] = Counter()
    for (path, data), found in zip(files, named, strict=True):
        edits, _ = resolve(each for each in found if isinstance(each, Edit) and each.safety == "safe")
        edits_of.update(edit.evidence for edit in edits)
        output = splice(data, edits)
        undone += undo(output, edits) == data
        second = (each for each in translate_names(Unit(str(path), output, Options())) if isinstance(each, Edit))
        again += not any(each.safety == "safe" for each in second)
    print(f"undo gives the input back: {undone}/{len(files)}; second run changes nothing: {again}/{len(files)}")
    print("edits by evidence:", dict(edits_of))

    start = process_time()
    translated = [translate(data, str(path)) for path, data in files]
    print(f"with the construct rules: {megabytes / (process_time() - start):.1f} MB/s")
    codes: Counter[str] = Counter()
    names: dict[str, Counter[str]] = {}
    left: Counter[str] = Counter()
    alike: Counter[str] = Counter()
    shown = 0
    for (path, data), result in zip(files, translated, strict=True):
        edits = [edit for edit in result.edits if edit.safety == "safe"]
        output, where = splice(data, edits), OffsetMap(edits)
        for finding in result.findings:
            codes[f"{finding.code} {finding.severity}"] += 1
            names.setdefault(finding.code, Counter())[finding.name] += 1
        found = residue(output, _explained(result.findings, where))
        left.update(name for *_, name in found.known)
        alike.update(name for *_, name in found.pattern)
        for begin, end, name in found.known:
            if shown < arguments.show:
                print(f"  {path}: {name}: {output[max(begin - 50, 0) : end + 30]!r}")
                shown += 1
    print("findings:", dict(sorted(codes.items())))
    for code in sorted(names):
        print(f"  {code}:", ", ".join(f"{name} {count}" for name, count in names[code].most_common(arguments.names)))
    print("residue:", sum(left.values()), left.most_common(20))
    print("residue by pattern:", sum(alike.values()), alike.most_common(20))


def _explained(findings: tuple[Finding, ...], where: OffsetMap) -> list[tuple[int, int]]:
    return [(where.to_output(each.start), where.to_output(each.end)) for each in findings]


if __name__ == "__main__":
    main()
