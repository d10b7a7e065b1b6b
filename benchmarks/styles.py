"""House styles over real source: what each does to a tree, and what must hold of it whatever the tree is.

    python -m benchmarks.styles TREE ... [--style STYLE ...]

Each tree is migrated into a scratch folder without checking kernels; nothing is written into the checkout. Printed for
each style: files changed, edits, names left to aliases, findings, residue, failures, seconds; how many files do not
come back byte for byte when their edits are undone, how many a second run over the output would change, and for `dual`
how many a build for CUDA would see otherwise than they were.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from musify_ai.project import Outcome, migrate
from musify_ai.records import Options
from musify_ai.source import undo
from musify_ai.styles import STYLES, compat
from musify_ai.styles.branches import as_cuda_sees


class Row(NamedTuple):
    """What a style did to a tree."""

    files: int
    changed: int
    moved: int
    edits: int
    aliases: int
    findings: int
    residue: int
    failed: Sequence[str]
    not_undone: Sequence[str]
    changed_again: Sequence[str]
    seen_otherwise: Sequence[str]
    seconds: float


def measure(tree: Path, options: Options) -> Row:
    """Migrate a tree twice, the second time from the output of the first."""
    with tempfile.TemporaryDirectory() as scratch:
        first, second = Path(scratch) / "first", Path(scratch) / "second"
        start = time.process_time()
        outcome = migrate(tree, first, options)
        seconds = time.process_time() - start
        again = migrate(first, second, options)
        header = first / compat.FOLDER / compat.HEADER
        aliases = len(compat.defined(header.read_bytes())) if header.is_file() else 0
        run = outcome.run
        return Row(
            files=len(run.files),
            changed=sum(file.status == "changed" for file in run.files),
            moved=sum(file.output not in (None, file.path) for file in run.files),
            edits=sum(edit.applied for file in run.files for edit in file.edits),
            aliases=aliases,
            findings=sum(len(file.findings) for file in run.files),
            residue=sum(len(file.residue) for file in run.files),
            failed=[f"{each.path}: {each.error}" for each in run.failed],
            not_undone=_not_undone(outcome),
            changed_again=[
                file.path
                for file in again.run.files
                if file.status == "changed" or file.output not in (None, file.path)
            ],
            seen_otherwise=_seen_otherwise(outcome) if options.style == "dual" else (),
            seconds=seconds,
        )


def _not_undone(outcome: Outcome) -> list[str]:
    found = []
    for file in outcome.run.files:
        before, after = outcome.texts.get(file.path, (b"", b""))
        if undo(after, [edit for edit in file.edits if edit.applied]) != before:
            found.append(file.path)
    return found


def _seen_otherwise(outcome: Outcome) -> list[str]:
    return [
        path
        for path, (before, after) in outcome.texts.items()
        if before and as_cuda_sees(before) != as_cuda_sees(after)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--style", action="append", choices=STYLES)
    arguments = parser.parse_args()
    print("| tree | style | files | changed | moved | edits | aliases | findings | residue | failed | not undone "
          "| changed again | CUDA's side changed | s |")  # fmt: skip
    print("|---" * 14 + "|")
    for tree in arguments.trees:
        for style in arguments.style or STYLES:
            row = measure(tree, Options(style=style, verify=False))
            cells = [len(cell) if isinstance(cell, (list, tuple)) else cell for cell in row]
            cells[-1] = f"{row.seconds:.1f}"
            print("| " + " | ".join(str(cell) for cell in (tree.name, style, *cells)) + " |", flush=True)
            for name in ("failed", "not_undone", "changed_again", "seen_otherwise"):
                for each in getattr(row, name)[:5]:
                    print(f"  {name}: {each}")


if __name__ == "__main__":
    main()
