"""Our translation against ports that people made by hand, and against the vendor's published table.

    python -m benchmarks.ground_truth PAIRS.tsv --repo OWNER/NAME=GITDIR ... --table general.json

PAIRS.tsv names the pairs (columns ``project cuda_repo cuda_rev cuda_path musa_repo musa_path``); both sides are read
from git checkouts (``GITDIR`` may be bare) and nothing is written. Comments are blanked, blanks at line ends and empty
lines dropped on every side. Likeness is that of the sequences of lines, 1 where they are equal.

Three translations are compared with the port: none at all, the table as a whole-word substitution, and ours, each by
three measures. The first counts every line. The second sets aside, for all three alike, the lines of the original on
which one of our findings stands: what we refuse and report. The third sets aside as well what the port wrote anew
beside such a line, and the differences of a class in `ground_truth_classes` that is not ``worse``: where the port left
CUDA names, say, or made its tests smaller. The table's differences are classed by the same rules, and what is set aside
for one is set aside for all. Our classes are printed with their counts, verdicts and reasons; ``--diff N`` prints
differences that no class holds. ``--style rebrand`` reads the original's whole tree besides, to know what it
defines, says how many files are where the port has them, and has a row for a blanket replacement of letters.
"""

import argparse
import json
import re
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Collection
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from benchmarks.ground_truth_classes import Block, Class, class_of
from musify_ai.project.roles import role_of
from musify_ai.records import Options
from musify_ai.rules import load
from musify_ai.source import Lines, OffsetMap, blank, regions, splice
from musify_ai.source.directives import conditionals, directives
from musify_ai.styles import Plan, translate_in_style
from musify_ai.styles.project import plan_for

_WORD = re.compile(rb"[A-Za-z_]\w*")
_INCLUDE = re.compile(rb'(#[ \t]*include[ \t]*[<"])([^>"\n]+)')


_NEAR = 8  # lines within which a port's rewrite of what we report is taken as one


class Pair(NamedTuple):
    """A file before and after a person's port."""

    project: str
    path: str
    original: bytes
    port: bytes
    port_path: str = ""
    tree: tuple[str, str] = ("", "")


class Text(NamedTuple):
    """Lines of code with the line of the original that each comes from."""

    lines: list[bytes]
    origin: list[int]


class Score(NamedTuple):
    """Lines in common and in both texts, with and without the lines set aside."""

    equal: int
    total: int
    open_equal: int
    open_total: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--repo", action="append", default=[], metavar="NAME=GITDIR")
    parser.add_argument("--port-rev", action="append", default=[], metavar="NAME=REV", help="HEAD where not given")
    parser.add_argument("--table", action="append", default=[], type=Path, help="JSON of CUDA names to MUSA names")
    parser.add_argument("--style", default="tokens")
    parser.add_argument("--only", default="", help="only projects that hold this")
    parser.add_argument("--diff", type=int, default=0, metavar="N", help="print the first N unclassed differences")
    arguments = parser.parse_args()
    repos = dict(item.split("=", 1) for item in arguments.repo)
    revisions = dict(item.split("=", 1) for item in arguments.port_rev)
    table: dict[str, str] = {}
    for path in arguments.table:
        table.update(json.loads(path.read_text(encoding="utf-8")))
    options = Options(style=arguments.style)
    by_project: dict[str, list[Pair]] = defaultdict(list)
    for pair in read_pairs(arguments.pairs, repos, revisions, arguments.only):
        by_project[pair.project].append(pair)
    for project, pairs in by_project.items():
        arguments.plan = rebranding(pairs, options) if options.style == "rebrand" else Plan()
        compare(project, pairs, {k.encode(): v.encode() for k, v in table.items()}, options, arguments)


def read_pairs(path: Path, repos: dict[str, str], revisions: dict[str, str], only: str) -> list[Pair]:
    """The pairs whose two sides are at hand; those that are not are counted on a line of their own."""
    head, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    found, missing = [], Counter[str]()
    for row in rows:
        of = dict(zip(head, row, strict=False))
        if only not in of["project"] or of["cuda_repo"] not in repos or of["musa_repo"] not in repos:
            continue
        original = _show(repos[of["cuda_repo"]], of["cuda_rev"], of["cuda_path"])
        port = _show(repos[of["musa_repo"]], revisions.get(of["musa_repo"], "HEAD"), of["musa_path"])
        if original is None or port is None:
            missing[of["project"]] += 1
        else:
            tree = (repos[of["cuda_repo"]], of["cuda_rev"])
            found.append(Pair(of["project"], of["cuda_path"], original, port, of["musa_path"], tree))
    for project, count in missing.items():
        print(f"{project}: {count} pairs are not in the checkout")
    return found


def _show(git_dir: str, revision: str, path: str) -> bytes | None:
    done = subprocess.run(["git", "-C", git_dir, "show", f"{revision}:{path}"], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def rebranding(pairs: list[Pair], options: Options) -> Plan:
    """What `rebrand` does over the original's whole tree: its sources, since a name is a project's own only where the
    project defines it. Its build files are not given: the ports changed theirs by hand, and we leave such names."""
    git_dir, revision = pairs[0].tree
    listed = subprocess.run(["git", "-C", git_dir, "ls-tree", "-r", "-z", revision], capture_output=True, check=True)
    entries = [(row.split(b"\t", 1)[1].decode(), row.split()[2]) for row in listed.stdout.split(b"\0") if row]
    wanted = [(path, blob) for path, blob in entries if role_of(path) == "source"]
    batch = subprocess.run(
        ["git", "-C", git_dir, "cat-file", "--batch"],
        input=b"\n".join(blob for _, blob in wanted), capture_output=True, check=True,
    ).stdout  # fmt: skip
    sources: dict[str, bytes] = {}
    at = 0
    for path, _ in wanted:
        end = batch.find(b"\n", at)
        size = int(batch[at:end].split()[2])
        sources[path] = batch[end + 1 : end + 1 + size]
        at = end + size + 2
    start = time.process_time()
    plan = plan_for(sources, options, others=[path for path, _ in entries if role_of(path) != "source"])
    where = sum(plan.paths.get(pair.path, pair.path) == pair.port_path for pair in pairs)
    left = Counter(name for found in plan.notes.values() for _, name, _ in found)
    print(
        f"rebrand of {len(sources)} files in {time.process_time() - start:.1f} s: {len(plan.renames)} names, "
        f"{len(left)} of the project's left; {where} of {len(pairs)} files are where the port has them"
    )
    return plan


def code_of(src: bytes, origin: list[int] | None = None) -> Text:
    """The lines that hold code, each with its number, or with what ``origin`` says of that number."""
    blanked = blank(src, [each for each in regions(src) if each.kind == "comment"])
    lines, numbers = [], []
    for number, line in enumerate(blanked.split(b"\n")):
        kept = line.rstrip()
        if kept:
            lines.append(kept)
            numbers.append(number if origin is None else origin[number])
    return Text(lines, numbers)


def blanket(src: bytes) -> bytes:
    """CUDA's words replaced wherever the letters stand, within words too: what a sed over the tree would do."""
    for old, new in _BLANKET:
        src = src.replace(old, new)
    return _PREFIXED.sub(rb"mu\1", src)


_BLANKET = (
    *(
        (change(old), change(new))
        for old, new in ((b"cutlass", b"mutlass"), (b"cuda", b"musa"), (b"cute", b"mute"), (b"cublas", b"mublas"))
        for change in (bytes.lower, bytes.upper, bytes.capitalize)
    ),
    (b".cuh", b".muh"),
    (b'.cu"', b'.mu"'),
)
_PREFIXED = re.compile(rb"\bcu([A-Z])")


def substituted(src: bytes, table: dict[bytes, bytes]) -> bytes:
    """The table as a whole-word substitution, and on whole include tokens."""
    src = _INCLUDE.sub(lambda match: match[1] + table.get(match[2], match[2]), src)
    return _WORD.sub(lambda match: table.get(match[0], match[0]), src)


class Translated(NamedTuple):
    """Our translation's code; the lines of the original on which a finding stands, with its code; the lines whose
    inline PTX was lowered; and the words that the file defines itself."""

    text: Text
    reported: dict[int, str]
    lowered: set[int]
    own: frozenset[bytes]


def ours(pair: Pair, options: Options, plan: Plan) -> Translated:
    """A file as we translate it. A conditional whose ``#if`` is reported is so with its ``#else`` and ``#endif``."""
    translation = translate_in_style(pair.original, pair.path, options, plan=plan)
    edits = [edit for edit in translation.edits if edit.safety == "safe"]
    output = splice(pair.original, edits)
    back, lines = OffsetMap(edits), Lines(pair.original)
    origin, start = [], 0
    for line in output.split(b"\n"):
        origin.append(lines.at(back.to_input(start))[0] - 1)
        start += len(line) + 1
    reported: dict[int, str] = {}
    own: set[bytes] = set()
    for finding in translation.findings:
        if finding.code == "MUS107":
            own.add(finding.name.encode())
            continue  # a name of the project's own is left on purpose
        if finding.code in ("MUS102", "MUS110"):
            continue  # a note on a name that is settled, or left because it is the same
        first, last = lines.at(finding.start)[0] - 1, lines.at(max(finding.end - 1, finding.start))[0] - 1
        for number in range(first, min(last, first + 200) + 1):
            reported.setdefault(number, finding.code)
    for conditional in conditionals(pair.original, directives(pair.original)):
        places = [branch.directive.start for branch in conditional.branches]
        places += [conditional.endif.start] if conditional.endif else []
        numbers = [lines.at(place)[0] - 1 for place in places]
        code = next((reported[number] for number in numbers if number in reported), "")
        for number in numbers if code else ():
            reported.setdefault(number, code)
    lowered: set[int] = set()
    for edit in edits:
        if edit.rule.startswith("MUS4"):
            lowered.update(range(lines.at(edit.start)[0] - 1, lines.at(max(edit.end - 1, edit.start))[0]))
    return Translated(code_of(output, origin), reported, lowered, frozenset(own))


def score(mine: Text, port: Text, aside: Collection[int], aside_port: Collection[int] = ()) -> Score:
    """How much of a translation is the port's. Lines of the original in ``aside``, and lines of the port by number in
    ``aside_port``, are not held against it."""
    equal = lost = 0
    matcher = SequenceMatcher(None, mine.lines, port.lines, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            equal += i2 - i1
        elif any(number in aside for number in mine.origin[i1:i2]) or any(j in aside_port for j in range(j1, j2)):
            lost += (i2 - i1) + (j2 - j1)
    total = len(mine.lines) + len(port.lines)
    return Score(2 * equal, total, 2 * equal, total - lost)


class Classed(NamedTuple):
    """What the blocks of a file in which ours differs from the port come to: lines by finding and by class, those that
    no class holds, and the lines of the original and of the port that are not held against anybody."""

    refused: Counter[str]
    classes: Counter[Class]
    unclassed: list[tuple[int, Block]]
    aside: set[int]
    aside_port: set[int]


def classed(pair: Pair, mine: Translated, port: Text, names: dict[bytes, bytes]) -> Classed:
    """The differences of one file, each refused, classed or neither. A class ``worse`` is held against us."""
    found = Classed(Counter(), Counter(), [], set(mine.reported), set())
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, mine.text.lines, port.lines, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        origin = mine.text.origin[i1:i2]
        count = max(i2 - i1, j2 - j1)
        code = next((mine.reported[number] for number in origin if number in mine.reported), "")
        if code:
            found.refused[code] += count
            found.aside_port.update(range(j1, j2))
            continue
        block = Block(mine.text.lines[i1:i2], port.lines[j1:j2], names, mine.own, not mine.lowered.isdisjoint(origin))
        held = class_of(block)
        if held is None:
            near = (mine.reported.get(number + step) for number in origin for step in range(-_NEAR, _NEAR + 1))
            code = next((each for each in near if each), "")
            if code:
                found.refused[code] += count
                found.aside.update(origin)
                found.aside_port.update(range(j1, j2))
                continue
            found.unclassed.append((origin[0] + 1 if origin else 0, block))
            continue
        found.classes[held] += count
        if held.verdict != "worse":
            found.aside.update(origin)
            found.aside_port.update(range(j1, j2))
    return found


def compare(
    project: str, pairs: list[Pair], table: dict[bytes, bytes], options: Options, arguments: argparse.Namespace
) -> None:
    """Print the figures of one project."""
    rows = ("original", "table", *(("blanket",) if options.style == "rebrand" else ()), "ours")
    sums: dict[str, list[list[int]]] = {name: [[0] * 3 for _ in range(3)] for name in rows}
    refused: Counter[str] = Counter()
    classes: Counter[Class] = Counter()
    unclassed: list[tuple[str, int, Block]] = []
    behind: list[tuple[float, float, str]] = []
    names = load().names
    for pair in pairs:
        port, mine = code_of(pair.port), ours(pair, options, arguments.plan)
        told = classed(pair, mine, port, names)
        refused += told.refused
        classes += told.classes
        unclassed += [(pair.path, *each) for each in told.unclassed]
        texts = {
            "original": code_of(pair.original),
            "table": code_of(substituted(pair.original, table)),
            "ours": mine.text,
        }
        if "blanket" in rows:
            texts["blanket"] = code_of(blanket(pair.original))
        # The table's own differences are classed by the same rules, and what is set aside for one is for the other.
        of_table = classed(pair, mine._replace(text=texts["table"], lowered=set()), port, names)
        aside, aside_port = told.aside | of_table.aside, told.aside_port | of_table.aside_port
        for name, text in texts.items():
            measures = score(text, port, ()), score(text, port, mine.reported), score(text, port, aside, aside_port)
            for total, result in zip(sums[name], measures, strict=True):
                total[0] += result.open_equal
                total[1] += result.open_total
                total[2] += result.open_equal == result.open_total
        ratios = [_ratio(*score(texts[name], port, aside, aside_port)[2:]) for name in ("ours", "table")]
        if ratios[0] < ratios[1]:
            behind.append((ratios[0], ratios[1], pair.path))
    print(f"{project}: {len(pairs)} pairs; files equal, and likeness of lines")
    print(f"  {'':<9} {'all lines':>13} {'refusals aside':>16} {'classes aside too':>19}")
    for name, measures in sums.items():
        cells = (f"{files:>4}  {_ratio(equal, total):.4f}" for equal, total, files in measures)
        print(f"  {name:<9} " + "   ".join(f"{cell:>13}" for cell in cells))
    print("  lines that we left and reported, by code:", dict(refused.most_common()))
    for each, count in sorted(classes.items(), key=lambda item: (item[0].verdict, -item[1])):
        print(f"  {each.verdict:<7} {count:>4} lines: {each.name} ({each.reason})")
    print(f"  unclassed {sum(max(len(b.mine), len(b.port)) for _, _, b in unclassed)} lines")
    for path, line, block in unclassed[: arguments.diff]:
        _show_block(path, line, block)
    for mine_ratio, table_ratio, path in sorted(behind)[:20]:
        print(f"  behind the table: {path}: {mine_ratio:.4f} against {table_ratio:.4f}")


def _show_block(path: str, line: int, block: Block) -> None:
    print(f"--- {path}:{line}")
    for side, lines in (("ours", block.mine), ("port", block.port)):
        for each in lines[:8]:
            print(f"  {side}", each.decode("utf-8", "replace")[:150])


def _ratio(equal: int, total: int) -> float:
    return equal / total if total else 1.0


if __name__ == "__main__":
    main()
