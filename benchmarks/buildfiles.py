"""What becomes of the build files of public projects.

    python -m benchmarks.buildfiles CHECKOUT... [--list FILE] [--dry-run]

Needs checkouts of any projects; they are only read. For each checkout: its CMake files, Makefiles and setup.py files,
how many speak of CUDA, the edits by code, the findings by code, whether the edits are undone exactly, whether a second
run would change anything, whether the outputs parse (CMake files by CMake's grammar and, where `cmake` is, by `cmake`
itself as scripts whose body is never run; Makefiles by `make -n` with `--dry-run`; setup.py by Python), and the CUDA
names that are left and that nothing explains. `--list FILE` writes one line an edit and a finding.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TextIO

from musify_ai.pipeline.translating import Processed
from musify_ai.project.build_context import called_with_cuda
from musify_ai.project.discovery import Entry, walk
from musify_ai.project.treating import Manner, treat
from musify_ai.records import Options
from musify_ai.source import undo
from musify_ai.translate.build import build_system, is_edited


def main() -> int:
    """Print the table for each checkout given."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--list", type=Path)
    parser.add_argument("--dry-run", action="store_true", help="run `make -n` on Makefiles before and after")
    options = parser.parse_args()
    listing = options.list.open("w", encoding="utf-8", errors="replace") if options.list else None
    faults = 0
    for root in options.checkouts:
        faults += _checkout(root, options.dry_run, listing)
    return 1 if faults else 0


def _checkout(root: Path, dry_run: bool, listing: TextIO | None) -> int:
    entries = [e for e in walk(root) if e.kind == "file" and e.role == "build"]
    manner = Manner("out", Options(), called_with_cuda=called_with_cuda(root, entries))
    counts: Counter[str] = Counter()
    edits: Counter[str] = Counter()
    findings: Counter[str] = Counter()
    residue: Counter[str] = Counter()
    bad: list[str] = []
    for entry in entries:
        treated = treat(root, entry, manner)
        system = build_system(entry.path) or "other"
        counts[system] += 1
        result, src = treated.processed.result, treated.before or b""
        if result.status == "failed":
            bad.append(f"{entry.path}: {result.reason}")
        applied = [e for e in result.edits if e.applied]
        if applied or result.findings:
            counts[f"{system} with CUDA"] += 1
        edits.update(e.rule for e in applied)
        findings.update(f.code for f in result.findings)
        residue.update(name for _, _, name in result.residue)
        if listing is not None:
            _write(listing, root, treated.processed, src)
        bad += _problems(root, entry, treated.processed, src, dry_run)
    print(f"{root.name}: " + ", ".join(f"{n} {k}" for k, n in sorted(counts.items())))
    print("  edits    " + (", ".join(f"{c} {n}" for c, n in sorted(edits.items())) or "none"))
    print("  findings " + (", ".join(f"{c} {n}" for c, n in sorted(findings.items())) or "none"))
    print(
        f"  residue  {residue.total()}" + (f": {', '.join(n for n, _ in residue.most_common(12))}" if residue else "")
    )
    print(f"  faults   {len(bad)}" + "".join(f"\n    {line}" for line in bad[:20]))
    sys.stdout.flush()
    return len(bad)


def _write(listing: TextIO, root: Path, processed: Processed, src: bytes) -> None:
    for edit in processed.result.edits:
        print(
            f"{root.name}/{processed.result.path}:{edit.line}\t{edit.rule}\t{edit.safety}\t{edit.old!r}\t{edit.new!r}",
            file=listing,
        )
    for finding in processed.result.findings:
        text = src[finding.start : finding.end][:80]
        print(
            f"{root.name}/{processed.result.path}:{finding.line}\t{finding.code}\t{finding.severity}\t{text!r}\t"
            f"{finding.message}",
            file=listing,
        )
    for _, _, name in processed.result.residue:
        print(f"{root.name}/{processed.result.path}\tRESIDUE\t{name}", file=listing)


def _problems(root: Path, entry: Entry, processed: Processed, src: bytes, dry_run: bool) -> list[str]:
    output, applied = processed.output, [e for e in processed.result.edits if e.applied]
    if output is None or not applied:
        return []
    bad = []
    if undo(output, applied) != src:
        bad.append(f"{entry.path}: not undone exactly")
    if not is_edited(entry.path):
        bad.append(f"{entry.path}: edited, though of a system that is not")
    system = build_system(entry.path)
    if system == "cmake" and not entry.path.endswith(".in"):
        before, after = _cmake_says(src), _cmake_says(output)
        if after and not before:
            bad.append(f"{entry.path}: cmake: {after}")
    elif system == "python":
        try:
            ast.parse(output)
        except SyntaxError as error:
            bad.append(f"{entry.path}: {error}")
    elif system == "make" and dry_run and not entry.path.endswith((".in", ".am")):
        folder = (root / entry.path).parent
        before, after = _make_says(folder, src), _make_says(folder, output)
        if after and not before:
            bad.append(f"{entry.path}: make: {after}")
    return bad


def _cmake_says(src: bytes) -> str:
    """What CMake's own parser says of a file whose commands are never run."""
    from musify_ai.translate.build.cmake_view import CMakeFile

    if CMakeFile(src).has_error:
        return "the grammar finds an error"
    if shutil.which("cmake") is None:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.cmake"
        script.write_bytes(b"return()\n" + src)
        ran = subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True, check=False)
        return "" if ran.returncode == 0 else ran.stderr.strip().replace("\n", " ")[:200]


def _make_says(folder: Path, src: bytes) -> str:
    """What `make -n` says of a Makefile in its folder; nothing is built. Empty where it has nothing to object to."""
    with tempfile.NamedTemporaryFile(suffix=".mk") as file:
        file.write(src)
        file.flush()
        try:
            ran = subprocess.run(
                ["make", "-n", "-k", "-f", file.name],
                cwd=folder, capture_output=True, check=False, timeout=20, env={"PATH": os.environ["PATH"]},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "timed out"
    said = ran.stderr.decode("utf-8", "replace")
    return " ".join(line for line in said.splitlines() if "missing separator" in line or "unterminated" in line)[:200]


if __name__ == "__main__":
    sys.exit(main())
