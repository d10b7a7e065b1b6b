"""Findings that a project has accepted: kept in a file by fingerprint, so that only new ones count.

A fingerprint is made of a finding's code and the text of its line, so lines put in above leave it as it is. Paths are
relative to the folder of the file, wherever one stands when it is written or read.
"""

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.project.refusals import Refused
from musify_ai.records import Run

FORMAT = 2

Known = Counter[tuple[str, str, str]]
"""Path, code and fingerprint of each accepted finding."""
Named = Callable[[str], str]
"""What a file of a run is called among the accepted findings."""


class Compared(NamedTuple):
    """A run without what its baseline holds, how many findings that were, and how many of the baseline are gone."""

    run: Run
    known: int
    gone: int


def named_from(folder: Path, base: Path | None = None) -> Named:
    """How a baseline in ``folder`` calls the files of a run, whose paths are relative to ``base`` (where we stand,
    without one)."""
    return lambda path: os.path.relpath((base or Path()) / path, folder).replace(os.sep, "/")


def written(run: Run, named: Named) -> str:
    """The baseline of a run: every finding that it holds, sorted, one a line."""
    rows = sorted(
        (named(file.path), finding.code, finding.fingerprint) for file in run.files for finding in file.findings
    )
    lines = ",\n".join("    " + json.dumps(row) for row in rows)
    return f'{{\n  "format": {FORMAT},\n  "rules": {json.dumps(run.tool.rules)},\n  "findings": [\n{lines}\n  ]\n}}\n'


def read_baseline(path: Path) -> Known:
    """The findings in a baseline file. `Refused` for any other file."""
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        if document["format"] == 1:
            raise ValueError("an earlier version wrote it, with paths from where one stood then")
        if document["format"] != FORMAT:
            raise ValueError(f"a baseline of format {document['format']}")
        return Counter((str(file), str(code), str(fingerprint)) for file, code, fingerprint in document["findings"])
    except OSError as problem:
        raise Refused(f"cannot read the baseline {path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError) as problem:
        raise Refused(f"{path} is no baseline ({problem}); make it with --write-baseline") from None


def without_known(run: Run, known: Known, named: Named = str) -> Compared:
    """The run with the findings of a baseline taken out, each as often as the baseline has it. ``named`` says what the
    baseline calls a file of the run."""
    left = known.copy()
    files = []
    looked_at = set()
    taken = 0
    for file in run.files:
        kept = []
        path = named(file.path)
        looked_at.add(path)
        for finding in file.findings:
            key = (path, finding.code, finding.fingerprint)
            if left[key] > 0:
                left[key] -= 1
                taken += 1
            else:
                kept.append(finding)
        files.append(file if len(kept) == len(file.findings) else file._replace(findings=tuple(kept)))
    gone = sum(count for (path, _, _), count in left.items() if path in looked_at)
    return Compared(run._replace(files=tuple(files)), taken, gone)
