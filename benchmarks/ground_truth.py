"""Our translation against ports that people made by hand, and against the vendor's published table.

    python benchmarks/ground_truth.py PAIRS.tsv --repo OWNER/NAME=GITDIR ... --table general.json

PAIRS.tsv names the pairs (columns ``project cuda_repo cuda_rev cuda_path musa_repo musa_path``); both sides are read
from git checkouts (``GITDIR`` may be bare) and nothing is written. Comments are blanked, blanks at line ends and empty
lines dropped on every side. Similarity is that of the sequences of lines, 1 where they are equal.

Three translations are compared with the port: none at all, the table as a whole-word substitution, and ours. Where
ours differs from the port and one of our findings speaks of the line, the line is *reported*: it is counted apart, and
the second figures set the same lines of the original aside for the table and for us. The third figures are for ours
alone and set aside what differs for a reason that `kind_of` can name: the port left CUDA names or NVIDIA's thresholds
that we translated, inline PTX that we lowered was left or written otherwise, or the difference is in a file's name or
in text.
"""

import argparse
import json
import re
import subprocess
from collections import Counter, defaultdict
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from musify_ai.records import Options
from musify_ai.rules import load
from musify_ai.source import Lines, OffsetMap, blank, regions, splice
from musify_ai.translate import translate

_WORD = re.compile(rb"[A-Za-z_]\w*")
_INCLUDE = re.compile(rb'(#[ \t]*include[ \t]*[<"])([^>"\n]+)')


_NUMBER = re.compile(rb"\b\d+\b")
_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*+"')
_PATH = re.compile(rb'(#[ \t]*include[ \t]*)[<"]([^>"\n]+)[>"]')
KINDS = ("port left CUDA names", "port kept NVIDIA's threshold", "file name", "text in a string")


class Pair(NamedTuple):
    """A file before and after a person's port."""

    project: str
    path: str
    original: bytes
    port: bytes


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
    parser.add_argument("--diff", type=int, default=0, metavar="N", help="print the first N differences of a project")
    parser.add_argument("--lost", type=int, default=0, metavar="N", help="print N lines that the table has and we not")
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
            found.append(Pair(of["project"], of["cuda_path"], original, port))
    for project, count in missing.items():
        print(f"{project}: {count} pairs are not in the checkout")
    return found


def _show(git_dir: str, revision: str, path: str) -> bytes | None:
    done = subprocess.run(["git", "-C", git_dir, "show", f"{revision}:{path}"], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


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


def substituted(src: bytes, table: dict[bytes, bytes]) -> bytes:
    """The table as a whole-word substitution, and on whole include tokens."""
    src = _INCLUDE.sub(lambda match: match[1] + table.get(match[2], match[2]), src)
    return _WORD.sub(lambda match: table.get(match[0], match[0]), src)


def ours(pair: Pair, options: Options) -> tuple[Text, dict[int, str], set[int]]:
    """Our translation's code, the lines of the original on which a finding stands, with its code, and the lines whose
    inline PTX was lowered."""
    translation = translate(pair.original, pair.path, options)
    edits = [edit for edit in translation.edits if edit.safety == "safe"]
    output = splice(pair.original, edits)
    back, lines = OffsetMap(edits), Lines(pair.original)
    origin, start = [], 0
    for line in output.split(b"\n"):
        origin.append(lines.at(back.to_input(start))[0] - 1)
        start += len(line) + 1
    reported: dict[int, str] = {}
    for finding in translation.findings:
        if finding.code in ("MUS102", "MUS110"):
            continue  # a note on a name that is settled, or left because it is the same
        first, last = lines.at(finding.start)[0] - 1, lines.at(max(finding.end - 1, finding.start))[0] - 1
        for number in range(first, min(last, first + 200) + 1):
            reported.setdefault(number, finding.code)
    lowered: set[int] = set()
    for edit in edits:
        if edit.rule.startswith("MUS4"):
            lowered.update(range(lines.at(edit.start)[0] - 1, lines.at(max(edit.end - 1, edit.start))[0]))
    return code_of(output, origin), reported, lowered


def kind_of(mine: list[bytes], port: list[bytes], names: dict[bytes, bytes]) -> str:
    """Why a block of ours differs from the port's, where that can be told from the lines alone; else empty."""
    if len(mine) != len(port):
        return ""
    kinds = {_kind_of_line(a, b, names) for a, b in zip(mine, port, strict=True) if a != b}
    return next((kind for kind in KINDS if kind in kinds), "") if "" not in kinds else ""


def _kind_of_line(mine: bytes, port: bytes, names: dict[bytes, bytes]) -> str:
    if _WORD.sub(lambda match: names.get(match[0], match[0]), port) == mine:
        return KINDS[0]
    if b"__MUSA_ARCH__" in mine and _NUMBER.sub(b"0", mine) == _NUMBER.sub(b"0", port):
        return KINDS[1]
    of_mine, of_port = _PATH.search(mine), _PATH.search(port)
    if of_mine and of_port and _rebranded(of_mine[2]) == _rebranded(of_port[2]):
        return KINDS[2]
    if of_port and of_port[2].startswith((b"cuda", b"nccl", b"curand")) and of_mine:
        return KINDS[0]
    return KINDS[3] if _STRING.sub(b"", mine) == _STRING.sub(b"", port) else ""


def _rebranded(path: bytes) -> bytes:
    return path.replace(b".cuh", b".muh").replace(b"cuda", b"musa")


def score(mine: Text, port: Text, aside: dict[int, str]) -> Score:
    """How much of a translation is the port's; ``aside`` are lines of the original that are not held against it."""
    equal = open_equal = lost = 0
    matcher = SequenceMatcher(None, mine.lines, port.lines, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            equal += i2 - i1
        elif any(number in aside for number in mine.origin[i1:i2]):
            lost += (i2 - i1) + (j2 - j1)
    total = len(mine.lines) + len(port.lines)
    open_equal, open_total = 2 * equal, total - lost
    return Score(2 * equal, total, open_equal, open_total)


def compare(
    project: str, pairs: list[Pair], table: dict[bytes, bytes], options: Options, arguments: argparse.Namespace
) -> None:
    """Print the figures of one project."""
    sums = {name: [0, 0, 0, 0] for name in ("original", "table", "ours")}
    same = dict.fromkeys(sums, 0)
    same_open = dict.fromkeys(sums, 0)
    codes: Counter[str] = Counter()
    worse: list[tuple[float, float, str]] = []
    shown = lost = named_equal = named_total = 0
    named_files = 0
    kinds: Counter[str] = Counter()
    names = load().names
    for pair in pairs:
        port = code_of(pair.port)
        mine, reported, lowered = ours(pair, options)
        texts = {"original": code_of(pair.original), "table": code_of(substituted(pair.original, table)), "ours": mine}
        scores = {name: score(text, port, reported) for name, text in texts.items()}
        for name, result in scores.items():
            sums[name] = [a + b for a, b in zip(sums[name], result, strict=True)]
            same[name] += result.equal == result.total
            same_open[name] += result.open_equal == result.open_total
        matcher = SequenceMatcher(None, mine.lines, port.lines, autojunk=False)
        right = set(texts["table"].lines) & set(port.lines)
        aside = scores["ours"].total - scores["ours"].open_total
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag == "equal":
                continue
            code = next((reported[n] for n in mine.origin[i1:i2] if n in reported), "")
            codes[code or "not reported"] += i2 - i1
            kind = "" if code else kind_of(mine.lines[i1:i2], port.lines[j1:j2], names)
            if not kind and not code and lowered.intersection(mine.origin[i1:i2]):
                kept = any(b"asm" in line for line in port.lines[j1:j2])
                kind = "port left PTX that we lowered" if kept else "PTX lowered, written otherwise by the port"
            if not code:
                kinds[kind or "other"] += max(i2 - i1, j2 - j1)
                aside += (i2 - i1 + j2 - j1) if kind else 0
            if not code and not kind and shown < arguments.diff:
                shown += 1
                print(f"--- {pair.path}:{mine.origin[i1] + 1 if i1 < len(mine.lines) else 0}")
                for line in mine.lines[i1:i2][:8]:
                    print("  ours", line.decode("utf-8", "replace")[:150])
                for line in port.lines[j1:j2][:8]:
                    print("  port", line.decode("utf-8", "replace")[:150])
            for number, line in zip(mine.origin[i1:i2], mine.lines[i1:i2], strict=True):
                of_table = [t for t, o in zip(texts["table"].lines, texts["table"].origin, strict=True) if o == number]
                if of_table and of_table[0] in right and of_table[0] != line and lost < arguments.lost:
                    lost += 1
                    print(f"lost {pair.path}:{number + 1} [{reported.get(number, '')}]\n  ours  {line[:150]!r}")
                    print(f"  table {of_table[0][:150]!r}")
        ratios = _ratio(scores["ours"].open_equal, scores["ours"].total - aside), _ratio(*scores["table"][2:])
        if ratios[0] < ratios[1]:
            worse.append((*ratios, pair.path))
        named_equal += scores["ours"].open_equal
        named_total += scores["ours"].total - aside
        named_files += scores["ours"].open_equal == scores["ours"].total - aside
    print(f"{project}: {len(pairs)} pairs")
    for name, (equal, total, open_equal, open_total) in sums.items():
        print(
            f"  {name:<9} files equal {same[name]:>4}, lines {_ratio(equal, total):.4f}; reported lines set aside: "
            f"files {same_open[name]:>4}, lines {_ratio(open_equal, open_total):.4f}"
        )
    print(
        f"  ours, named differences set aside too: files {named_files:>4}, lines {_ratio(named_equal, named_total):.4f}"
    )
    print("  our lines that differ, by finding:", dict(codes.most_common()))
    print("  those not reported:", dict(kinds.most_common()))
    for mine_ratio, table_ratio, path in sorted(worse)[:20]:
        print(f"  behind the table: {path}: {mine_ratio:.4f} against {table_ratio:.4f}")


def _ratio(equal: int, total: int) -> float:
    return equal / total if total else 1.0


if __name__ == "__main__":
    main()
