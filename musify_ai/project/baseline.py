"""Findings that a project has accepted: kept in a file by fingerprint, so that only new ones count.

A fingerprint is made of a finding's code and the text of its line, so lines put in above leave it as it is.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.project.refusals import Refused
from musify_ai.records import FileResult, Run

FORMAT = 1

Known = Counter[tuple[str, str, str]]
"""Path, code and fingerprint of each accepted finding."""


class Compared(NamedTuple):
    """A run without what its baseline holds, how many findings that were, and how many of the baseline are gone."""

    run: Run
    known: int
    gone: int


def written(run: Run) -> str:
    """The baseline of a run: every finding that it holds, sorted, one a line."""
    rows = sorted(_keys(run.files))
    lines = ",\n".join("    " + json.dumps(row) for row in rows)
    return f'{{\n  "format": {FORMAT},\n  "rules": {json.dumps(run.tool.rules)},\n  "findings": [\n{lines}\n  ]\n}}\n'


def read_baseline(path: Path) -> Known:
    """The findings in a baseline file. `Refused` for any other file."""
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        if document["format"] != FORMAT:
            raise ValueError(f"a baseline of format {document['format']}")
        return Counter((str(file), str(code), str(fingerprint)) for file, code, fingerprint in document["findings"])
    except OSError as problem:
        raise Refused(f"cannot read the baseline {path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError) as problem:
        raise Refused(f"{path} is no baseline ({problem}); make it with --write-baseline") from None


def without_known(run: Run, known: Known, folder: str = "") -> Compared:
    """The run with the findings of a baseline taken out, each as often as the baseline has it.

    ``folder`` is the one that the run's paths are relative to, as seen from where the baseline was written.
    """
    left = known.copy()
    files = []
    taken = 0
    for file in run.files:
        kept = []
        for finding in file.findings:
            paths = (file.path, f"{folder}/{file.path}") if folder else (file.path,)
            keys = ((path, finding.code, finding.fingerprint) for path in paths)
            key = next((each for each in keys if left[each] > 0), None)
            if key is not None:
                left[key] -= 1
                taken += 1
            else:
                kept.append(finding)
        files.append(file if len(kept) == len(file.findings) else file._replace(findings=tuple(kept)))
    looked_at = {file.path for file in run.files} | {f"{folder}/{file.path}" for file in run.files if folder}
    gone = sum(count for (path, _, _), count in left.items() if path in looked_at)
    return Compared(run._replace(files=tuple(files)), taken, gone)


def _keys(files: Iterable[FileResult]) -> Iterable[tuple[str, str, str]]:
    return ((file.path, finding.code, finding.fingerprint) for file in files for finding in file.findings)
