"""What became of the build files of a run."""

from typing import Literal

from musify_ai.records import Run

State = Literal["none", "migrated", "partly migrated", "not migrated"]

CODES = frozenset(f"MUS{number}" for number in (801, 803, 804, 805, 806, 807, 808, 809, 810, 811, 812))
"""The codes of the rules over build files."""


def build_files(run: Run) -> State:
    """`none` where no build file speaks of CUDA; `migrated` where all that does was edited (or is to be, with
    ``check``) and no warning is left; `not migrated` where nothing was, and `partly migrated` between the two."""
    edited = any(edit.rule in CODES and edit.safety == "safe" for file in run.files for edit in file.edits)
    left = any(finding.code in CODES and finding.weighs for file in run.files for finding in file.findings) or any(
        file.reason == "build files are not migrated" for file in run.files
    )
    if edited:
        return "partly migrated" if left else "migrated"
    return "not migrated" if left else "none"
