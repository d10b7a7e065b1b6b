"""How well a family's findings fit what a person says of real sites: ``python -m benchmarks.precision CHECKOUT...``.

``labels/FAMILY.tsv`` and ``labels/held_out/FAMILY.tsv`` hold sites of public repositories (repository, path, line,
label) that were drawn by wide patterns (`draw_sites`) and labelled by reading them, not by what the rules say: 1 where
a port has to look at or change the line for this family's reasons, 0 where it must be left in peace. Every third file,
by a hash of its name, is held out: rules are tuned on the others only, and both figures are printed.

What a label of 1 asks for:

- guards: a condition or an expression over a macro that nvcc or CUDA's headers define and mcc does not, or over the
  number of an NVIDIA arch or version, in host code too.
- warps: a 32, 31 or 5 that means a warp; a shuffle without a width; a vote, match or reduction over the warp;
  `warpSize`. A use of a constant whose definition is the place to look at is 0.
- memory: launches, copies, synchronisation, limits and objects that MUSA lacks or answers differently.
- types: a type or operation that a target arch lacks or has in part: bf16, fp8, double in device code, 128-bit
  arithmetic, signed 64-bit and bf16 atomics, half's functions, `__ldg` of more than a scalar.
- libraries: a call or type whose MUSA counterpart is no plain rename, PyTorch's included. An include is the name
  tier's, but for headers of CUTLASS 2. So is a name that the tier itself reports.

A site is predicted where a finding of the family touches its line, at its own span or a related one, or a rule's edit
does. Checkouts are given as ``owner/name=PATH``, several for one repository if need be. Prints precision and recall of
each family over the sites found, its findings for each 1,000 lines, and how many of these are false if the sample is
right about them.
"""

import argparse
from collections import Counter, defaultdict
from pathlib import Path

from musify_ai.translate import Translation, translate

LABELS = Path(__file__).parent / "labels"
FAMILIES = {
    "guards": ("MUS2",),
    "warps": ("MUS3",),
    "ptx": ("MUS4",),
    "memory": ("MUS5",),
    "types": ("MUS6",),
    "libraries": ("MUS7", "MUS802"),
}
PARTS = {"tuned": LABELS, "held out": LABELS / "held_out"}


def touched(src: bytes, translation: Translation, codes: tuple[str, ...]) -> set[int]:
    """The lines that the findings and edits of a family touch."""
    spans = [(each.start, each.end) for each in translation.edits if each.rule.startswith(codes)]
    for finding in translation.findings:
        if finding.code.startswith(codes):
            spans.append((finding.start, finding.end))
            spans += [(each.start, each.end) for each in finding.related if not each.path]
    lines: set[int] = set()
    for start, end in spans:
        first = src.count(b"\n", 0, start) + 1
        lines.update(range(first, first + src.count(b"\n", start, max(end - 1, start)) + 1))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="+", metavar="OWNER/NAME=PATH")
    parser.add_argument("--wrong", action="store_true", help="list the tuned sites that the rules get wrong")
    parser.add_argument("--family", action="append", choices=FAMILIES, help="only these families")
    arguments = parser.parse_args()
    roots: dict[str, list[Path]] = defaultdict(list)
    for name, _, path in (each.partition("=") for each in arguments.checkouts):
        roots[name].append(Path(path))
    for family, codes in FAMILIES.items():
        if arguments.family and family not in arguments.family:
            continue
        for part, folder in PARTS.items():
            if (folder / f"{family}.tsv").is_file():
                counts = judged(folder / f"{family}.tsv", codes, roots, arguments.wrong and part == "tuned")
                print(f"{family:<9} {part:<8} {summary(counts)}", flush=True)


def judged(table: Path, codes: tuple[str, ...], roots: dict[str, list[Path]], listed: bool) -> Counter[str]:
    """The outcomes of a table's sites; with ``listed`` those that the rules get wrong are printed."""
    sites: dict[tuple[str, str], list[tuple[int, bool]]] = defaultdict(list)
    for row in table.read_text().splitlines()[1:]:
        repository, path, line, label = row.split("\t")
        sites[repository, path].append((int(line), label == "1"))
    counts: Counter[str] = Counter()
    for (repository, path), labelled in sorted(sites.items()):
        file = next((root / path for root in roots.get(repository, ()) if (root / path).is_file()), None)
        if file is None:
            counts["absent"] += len(labelled)
            continue
        src = file.read_bytes()
        translation = translate(src, path)
        lines = touched(src, translation, codes)
        counts["lines"] += src.count(b"\n")
        counts["findings"] += sum(each.code.startswith(codes) for each in translation.findings)
        for line, wanted in labelled:
            outcome = {(1, 1): "true", (1, 0): "false", (0, 1): "missed", (0, 0): "quiet"}[line in lines, wanted]
            counts[outcome] += 1
            if listed and outcome in ("false", "missed"):
                text = src.split(b"\n")[line - 1].strip().decode("utf-8", "replace")
                print(f"  {outcome:6} {repository} {path}:{line}  {text[:100]}")
    return counts


def summary(counts: Counter[str]) -> str:
    """The figures of some outcomes in a line."""
    found, wanted = counts["true"] + counts["false"], counts["true"] + counts["missed"]
    precision, recall = counts["true"] / max(found, 1), counts["true"] / max(wanted, 1)
    thousand = 1000 * counts["findings"] / max(counts["lines"], 1)
    return (
        f"{found + counts['missed'] + counts['quiet']:4} sites ({wanted} wanted, {counts['absent']} not found), "
        f"precision {precision:.2f} ({counts['false']} false), recall {recall:.2f} ({counts['missed']} missed); "
        f"{thousand:.1f} findings in 1,000 lines of these files, {thousand * (1 - precision):.2f} of them false "
        "by the sample"
    )


if __name__ == "__main__":
    main()
