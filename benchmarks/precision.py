"""How well a family's findings fit what a person says of real sites: ``python benchmarks/precision.py CHECKOUT...``.

``labels/FAMILY.tsv`` holds sites of public repositories (repository, path, line, label) that were drawn by a wide
pattern and labelled by reading them, before looking at what the rules say: 1 where a port has to look at or change
the line, 0 where it must be left in peace. A site is predicted where a finding or a rule's edit of the family touches
its line. Checkouts are given as ``owner/name=PATH``. Prints precision and recall of each family over the sites found,
its findings for each 1,000 lines, and how many of these are false if the sample is right about them.
"""

import argparse
from collections import defaultdict
from pathlib import Path

from musify_ai.translate import Translation, translate

LABELS = Path(__file__).parent / "labels"
FAMILIES = {"guards": "MUS2", "warps": "MUS3", "ptx": "MUS4", "memory": "MUS5", "types": "MUS6", "libraries": "MUS7"}


def touched(src: bytes, translation: Translation, code: str) -> set[int]:
    """The lines that the findings and edits of a family touch."""
    spans = [(each.start, each.end) for each in translation.findings if each.code.startswith(code)]
    spans += [(each.start, each.end) for each in translation.edits if each.rule.startswith(code)]
    lines: set[int] = set()
    for start, end in spans:
        first = src.count(b"\n", 0, start) + 1
        lines.update(range(first, first + src.count(b"\n", start, max(end - 1, start)) + 1))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="+", metavar="OWNER/NAME=PATH")
    parser.add_argument("--wrong", action="store_true", help="list the sites that the rules get wrong")
    arguments = parser.parse_args()
    roots = {name: Path(path) for name, _, path in (each.partition("=") for each in arguments.checkouts)}
    for table in sorted(LABELS.glob("*.tsv")):
        code = FAMILIES[table.stem]
        sites: dict[tuple[str, str], list[tuple[int, bool]]] = defaultdict(list)
        for row in table.read_text().splitlines()[1:]:
            repository, path, line, label = row.split("\t")
            sites[repository, path].append((int(line), label == "1"))
        counts = {"true": 0, "false": 0, "missed": 0, "quiet": 0, "absent": 0, "lines": 0, "findings": 0}
        for (repository, path), labelled in sorted(sites.items()):
            file = roots.get(repository, Path("/nowhere")) / path
            if not file.is_file():
                counts["absent"] += len(labelled)
                continue
            src = file.read_bytes()
            translation = translate(src, path)
            lines = touched(src, translation, code)
            counts["lines"] += src.count(b"\n")
            counts["findings"] += sum(each.code.startswith(code) for each in translation.findings)
            for line, wanted in labelled:
                outcome = {(1, 1): "true", (1, 0): "false", (0, 1): "missed", (0, 0): "quiet"}[line in lines, wanted]
                counts[outcome] += 1
                if arguments.wrong and outcome in ("false", "missed"):
                    text = src.split(b"\n")[line - 1].strip().decode("utf-8", "replace")
                    print(f"  {outcome:6} {repository} {path}:{line}  {text[:100]}")
        found, wanted = counts["true"] + counts["false"], counts["true"] + counts["missed"]
        precision, recall = counts["true"] / max(found, 1), counts["true"] / max(wanted, 1)
        thousand = 1000 * counts["findings"] / max(counts["lines"], 1)
        print(
            f"{table.stem}: {found + counts['missed'] + counts['quiet']} sites ({counts['absent']} not found), "
            f"precision {precision:.2f}, recall {recall:.2f}; {thousand:.1f} findings in 1,000 lines of these files, "
            f"{thousand * (1 - precision):.2f} of them false by the sample"
        )


if __name__ == "__main__":
    main()
