"""The type gate over whole projects: ``PYTHONPATH=. python benchmarks/typegate.py TREE...``.

Each tree is migrated into a scratch folder, and libclang reads every unit of the translation that has kernels, against
our declarations of MUSA. The translation is ours and right as far as a build can tell, so what the gate says against a
kernel is looked at by hand: it is a false alarm or a fault of ours. Printed are kernels, those with something said
against them, and the gate's processor time a kernel. Nothing is built, and nothing is written into the trees.
Times are right with ``MUSIFY_AI_SANDBOX=off`` only: what bubblewrap starts does not count as ours.
"""

import argparse
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.verdicts import staged
from musify_ai.backends.emulated import Emulated
from musify_ai.backends.toolchain import Toolchain
from musify_ai.project import migrate
from musify_ai.project.checking import paired
from musify_ai.records import ARCHS, Options
from musify_ai.verify.building import Unsettled
from musify_ai.verify.closures import Sources
from musify_ai.verify.instantiating import Instantiator
from musify_ai.verify.pairing import plan_units
from musify_ai.verify.typegate import PASSES
from musify_ai.verify.units import UnitCheck


class Row(NamedTuple):
    """A kernel: its unit and name, what the gate says of it, and its share of the unit's time."""

    unit: str
    kernel: str
    said: str
    seconds: float


def measure(tree: Path, toolchain: Toolchain) -> Iterator[Row]:
    """What the gate says of a tree's kernels."""
    with tempfile.TemporaryDirectory() as scratch:
        staged(tree, Path(scratch) / "source")
        source, out = Path(scratch) / "source", Path(scratch) / "out"
        migrate(source, out, Options(verify=False, unsafe_fixes=True))
        sides, _ = paired(source, out, Options(unsafe_fixes=True))
        backend = Emulated(toolchain)
        originals = Sources(source, sides.files, with_macro=False)
        translations = Sources(out, sides.files.values(), with_macro=True)
        instantiator = Instantiator(backend.cache.root / "headers")
        spans = {path: [Unsettled(*each) for each in found] for path, found in sides.unsettled.items()}
        for plan in plan_units(originals, translations, sides.files, (), instantiator):
            check = UnitCheck(backend, plan, originals, translations, spans, Options())
            before = _spent()
            said = check.types(ARCHS["mp_22"])
            each = (_spent() - before) / max(len(said), 1)
            for pair in plan.pairs:
                yield Row(plan.original, pair.original.name, said[pair.id], each)


def _spent() -> float:
    return sum(
        use.ru_utime + use.ru_stime
        for use in (resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF))
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    asked = parser.parse_args()
    toolchain = Toolchain.detect()
    if toolchain is None:
        sys.exit("there is no C++ compiler, which the backend's names of things come from")
    rows: list[Row] = []
    for tree in asked.trees:
        found = list(measure(tree.resolve(), toolchain))
        rows += found
        wrong = [row for row in found if row.said != PASSES]
        print(f"{tree.name}: {len(found)} kernels, {len(wrong)} with something against them", flush=True)
        for row in wrong:
            print(f"    {row.kernel}: {row.said[:220]}")
    wrong = [row for row in rows if row.said != PASSES]
    times = sorted(row.seconds for row in rows) or [0.0]
    print(
        f"{len(rows)} kernels (each instantiation), {len(wrong)} with something against them, "
        f"{1000 * sum(times) / len(times):.0f} ms a kernel in the mean, {1000 * times[len(times) // 2]:.0f} median"
    )


if __name__ == "__main__":
    main()
