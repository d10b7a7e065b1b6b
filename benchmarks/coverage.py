"""Holds the table of constructs (``rules/constructs``) against the lists of facts that it was made from.

    python -m benchmarks.coverage musa_unsupported.tsv constructs.tsv

The first list's first column is every construct that public MUSA code shows to be missing or different; of the
second, whose columns are kind, construct, files and so on, the 60 in the most files are held. Printed are the rows
with a code, those that names settle, those with a reason, and any without a row here; the exit status is 1 for these.
"""

from __future__ import annotations

import sys
from pathlib import Path

from musify_ai.translate.covered import Construct, constructs

FREQUENT = 60


def wanted(unsupported: Path, frequent: Path) -> dict[str, list[str]]:
    """The names that either list asks for."""
    rows = [line.split("\t") for line in frequent.read_text("utf-8").splitlines()[1:]]
    rows.sort(key=lambda row: -int(row[2]))
    return {
        "unsupported": [line.split("\t")[0] for line in unsupported.read_text("utf-8").splitlines()[1:]],
        "frequent": [row[1] for row in rows[:FREQUENT]],
    }


def main(arguments: list[str]) -> int:
    """Print how many rows of each list have what, and name those that have nothing."""
    if len(arguments) != 2:
        print(__doc__)
        return 2
    missing = 0
    for kind, names in wanted(Path(arguments[0]), Path(arguments[1])).items():
        held: dict[str, Construct] = {each.name: each for each in constructs() if each.kind == kind}
        there = [held[name] for name in names if name in held]
        print(
            f"{kind}: {len(names)} rows; {sum(bool(each.codes) for each in there)} with a code, "
            f"{sum(bool(each.becomes) for each in there)} settled by names, "
            f"{sum(bool(each.reason) for each in there)} with a reason, {len(names) - len(there)} without a row"
        )
        for name in names:
            if name not in held:
                print(f"  without a row: {name}")
        for each in there:
            if each.reason:
                print(f"  {each.name}: {each.reason}")
        missing += len(names) - len(there)
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
