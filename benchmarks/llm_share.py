"""Of the constructs that MUSA has no counterpart for: the share settled by rules, by the store, and left for a model.

Usage: python -m benchmarks.llm_share CHECKOUT...

Each checkout is translated in memory; nothing is sent, built or run. A construct is a place that a fact sheet of the
LLM stage speaks of (inline PTX of all kinds, warps, barriers, clusters, tensor cores, textures, libcu++ and so on).
Settled by rules: an edit was made there. By the store: the function is equal, names apart, to one that is asked about
already. For a model: the rest of what can be asked. Apart stands what nobody can be asked about, with the reasons.
"""

import argparse
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from musify_ai.project.rewriting import surveyed
from musify_ai.project.running import translated
from musify_ai.records import Options
from musify_ai.rewrite.sheets import load, sheet_of
from musify_ai.rewrite.working import grouped

LOWERED = "MUS401"
"""The code of inline PTX that rules lower: no sheet speaks of it, since nothing is left there."""


class Shares(NamedTuple):
    """Places by how they are settled, the constructs that a model would be asked about, why others cannot be."""

    rules: int
    store: int
    model: int
    apart: Counter[str]
    constructs: int

    @property
    def all(self) -> int:
        """All places."""
        return self.rules + self.store + self.model + self.apart.total()


def shares(source: Path) -> Shares:
    """The shares of a checkout."""
    options = Options()
    treated = translated(source, options)
    sheets = load()
    codes = {code for sheet in sheets for code in sheet.codes} | {LOWERED}
    rules = sum(edit.applied and edit.rule in codes for item in treated for edit in item.processed.result.edits)
    survey = surveyed(source, treated, options).survey
    store = model = 0
    groups = grouped(survey.units)
    for group in groups:
        (first, _), *others = group
        model += len(first.everything)
        store += sum(len(unit.everything) for unit, _ in others)
    apart = Counter(each.why.partition(":")[0] for each in survey.left if sheet_of(each.finding, sheets) is not None)
    return Shares(rules, store, model, apart, len(groups))


def main() -> None:
    """Print a line a checkout."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("checkouts", nargs="+", type=Path)
    print(f"{'project':20} {'places':>7} {'by rules':>12} {'by store':>9} {'for a model':>18} {'apart':>6}")
    for source in parser.parse_args().checkouts:
        found = shares(source)
        share = f"{found.rules} {100 * found.rules / found.all:.0f} %" if found.all else "0"
        asked = f"{found.model} ({found.constructs} to ask)"
        print(f"{source.name:20} {found.all:7} {share:>12} {found.store:9} {asked:>18} {found.apart.total():6}")
        for why, count in found.apart.most_common():
            print(f"{'':20} {count:7} {why}")


if __name__ == "__main__":
    main()
