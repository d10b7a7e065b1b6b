"""HIPIFY's lit inputs as a peer's suite: ``python benchmarks/hipify_suite.py HIPIFY_GITDIR --table general.json ...``.

Each input holds the HIP that is expected of it in ``CHECK`` comments. A ``CHECK`` line is paired with the source line
of the same shape; where a CUDA name of that line is another one in HIP, HIPIFY vouches that it is to be translated, and
the vendor's published tables (not our rules) say what it is on MUSA. Ours is right where it writes that name, or leaves
the name and has a finding there: names that are no plain rename on MUSA are right when left and reported. Where the
tables have no pair, a rename that our rules grade, or a finding, is right, and silence is not. Every other outcome is
a deviation; they are listed by name, with what our rules say of it. `EXPLAINED` holds the names of which the facts
choose another name than the published table, each with the reason: deviations that are meant.
"""

import argparse
import json
import re
import subprocess
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from musify_ai.pipeline.residue import known_names
from musify_ai.records import Options
from musify_ai.rules.lookup import lookup
from musify_ai.translate import translate

_CHECK = re.compile(rb"//\s*CHECK(?:-NEXT|-DAG|-SAME)?:\s?(.*)")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|\d[\w.]*|<<<|>>>|[^\s\w]')
_WORD = re.compile(rb"[A-Za-z_]\w*\Z")
_INCLUDE = re.compile(rb'#\s*include\s*[<"]([^>"]+)[>"]')
_AHEAD = 400  # a CHECK stands before the lines it speaks of, in blocks that may be long


class Place(NamedTuple):
    """An API name in an input, by HIPIFY's word; ``header`` for an include token."""

    start: int
    end: int
    name: bytes
    header: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout or bare repository of ROCm/HIPIFY")
    parser.add_argument("--table", action="append", required=True, type=Path, help="JSON of CUDA names to MUSA names")
    parser.add_argument("--show", type=int, default=40, metavar="N", help="deviating names to list")
    arguments = parser.parse_args()
    table: dict[bytes, bytes] = {}
    for path in arguments.table:
        pairs = json.loads(path.read_text(encoding="utf-8"))
        table.update((key.encode(), value.encode()) for key, value in pairs.items())
    vouched = known_names() | table.keys()
    outcomes: Counter[str] = Counter()
    deviating: dict[str, Counter[bytes]] = defaultdict(Counter)
    written: dict[bytes, bytes] = {}
    clean = unpaired = places_seen = 0
    inputs = list(read(arguments.checkout))
    for path, src in inputs:
        found, lost = places(src, vouched)
        unpaired += lost
        places_seen += len(found)
        results = list(judged(src, path, found, table))
        outcomes.update(outcome for outcome, _, _ in results)
        wrong = [each for each in results if each[0] in WRONG]
        clean += not wrong
        for outcome, name, new in wrong:
            deviating[outcome][name] += 1
            written[name] = new
    print(f"{len(inputs)} inputs, {places_seen} API names that a CHECK line vouches for; {unpaired} CHECK lines of")
    print("another shape than any source line near them (launches, changed arguments) are not compared")
    right = places_seen - sum(outcomes[each] for each in WRONG)
    print(f"right: {right} of {places_seen} names ({100 * right / max(places_seen, 1):.2f} %), {clean} inputs whole")
    for outcome, count in outcomes.most_common():
        print(f"  {count:>6}  {outcome}")
    for outcome, names in deviating.items():
        print(f"{outcome}: {len(names)} names")
        for name, count in names.most_common(arguments.show):
            known = lookup(name.decode())
            said = "; ".join(f"{row.treatment} {row.musa} {row.note or row.source}" for row in known.rows) or "unknown"
            pair = f"table {table.get(name, b'-').decode()}, ours {written[name].decode()}"
            print(f"  {name.decode()} x{count}: {pair}: {said}")


SAME = "as the table has it"
REPORTED = "left and reported"
OWN = "not in the table; renamed on our rules' evidence"
OTHER = "renamed to another name than the table's"
SILENT = "left without a word"
CHOSEN = "as the facts choose against the table"
SAME_NAME = "the same name on MUSA"
WRONG = (OTHER, SILENT)
EXPLAINED = {
    b"CUBLAS_STATUS_NOT_SUPPORTED": "torchada and torch_musa build with MUBLAS_STATUS_NOT_IMPLEMENTED",
    b"CUBLAS_TF32_TENSOR_OP_MATH": "ggml builds with MUBLAS_TENSOR_OP_MATH",
    b"CUBLAS_GEMM_DEFAULT_TENSOR_OP": "ggml builds with MUBLAS_GEMM_DEFAULT",
    b"curandStatePhilox4_32_10_t": "torchada and paddle_musa build with murandStatePhilox4_32_10_t",
    b"cusolverDnCungqr": "the table's musolverDnMungqr is a substring fault; torch_musa calls musolverDnCungqr",
    b"cusolverDnCungqr_bufferSize": "as cusolverDnCungqr",
    b"cusolverDnCunmqr": "as cusolverDnCungqr",
    b"cusolverDnCunmqr_bufferSize": "as cusolverDnCungqr",
}
KEPT = {
    b"__half": "device code on MUSA uses __half",
    b"__half2": "as __half",
    b"CUDAContext": "caffe2's class, which the inputs declare themselves",
    b"cub": "muAlg keeps CUB's namespace",
    b"cub/cub.cuh": "muAlg keeps CUB's headers",
}


def read(checkout: Path) -> Iterator[tuple[str, bytes]]:
    """The inputs of the suite: every source file of it with a CHECK line."""
    listed = subprocess.run(
        ["git", "-C", str(checkout), "ls-tree", "-r", "--name-only", "HEAD", "tests/unit_tests"],
        capture_output=True,
        check=True,
        text=True,
    )
    for path in listed.stdout.split():
        if path.endswith((".cu", ".cpp", ".c")):
            shown = subprocess.run(
                ["git", "-C", str(checkout), "show", f"HEAD:{path}"], capture_output=True, check=True
            )
            if b"CHECK" in shown.stdout:
                yield path, shown.stdout


def places(src: bytes, vouched: Collection[bytes]) -> tuple[list[Place], int]:
    """The API names of an input in order, and how many CHECK lines found no source line of their shape."""
    lines: list[tuple[int, bytes]] = []
    checks: list[tuple[int, bytes]] = []
    offset = 0
    for line in src.split(b"\n"):
        match = _CHECK.search(line)
        if match is not None:
            checks.append((len(lines), match[1]))
        elif line.strip() and not line.lstrip().startswith(b"//"):
            lines.append((offset, line))
        offset += len(line) + 1
    found: dict[int, Place] = {}
    used: set[int] = set()
    lost = 0
    tokenised = [list(_TOKEN.finditer(line.split(b"//")[0])) for _, line in lines]
    for at, expected in checks:
        header = _INCLUDE.match(expected.strip())
        words = [match[0] for match in _TOKEN.finditer(expected)]
        for index in range(at, min(at + _AHEAD, len(lines))):
            start, line = lines[index]
            include = _INCLUDE.search(line)
            if index in used or (header is None) != (include is None):
                continue
            if include is not None:
                used.add(index)
                if include[1] not in vouched:
                    break
                place = Place(start + include.start(1), start + include.end(1), include[1], True)
                found[place.start] = place
                break
            pairs = _aligned(tokenised[index], words, vouched)
            if pairs is not None:
                used.add(index)
                for match in pairs:
                    found[start + match.start()] = Place(start + match.start(), start + match.end(), match[0], False)
                break
        else:
            lost += 1
    return [found[key] for key in sorted(found)], lost


def _aligned(
    line: list[re.Match[bytes]], expected: list[bytes], vouched: Collection[bytes]
) -> list[re.Match[bytes]] | None:
    """The identifiers of a line that are others in its HIP form; None where the line has another shape."""
    if len(line) != len(expected):
        return None
    changed = []
    for match, word in zip(line, expected, strict=True):
        if match[0] != word:
            if not (_WORD.match(match[0]) and _WORD.match(word)):
                return None
            if not re.search(rb"hip|HIP|roc|ROC|miopen", word):
                return None
            if match[0] in vouched:
                changed.append(match)
    return changed


def judged(src: bytes, path: str, found: list[Place], table: dict[bytes, bytes]) -> Iterator[tuple[str, bytes, bytes]]:
    """What became of each place: the outcome, the name, and what ours has there."""
    translation = translate(src, path, Options())
    edits = [each for each in translation.edits if each.safety == "safe"]
    starts = [each.start for each in edits]
    spans = {(each.start, each.end) for each in translation.findings}
    named = {each.name for each in translation.findings}
    wide = sorted(span for span in spans)
    for place in found:
        index = bisect_right(starts, place.start) - 1
        edit = edits[index] if index >= 0 and edits[index].end >= place.end else None
        new = place.name if edit is None else edit.new if (edit.start, edit.end) == place[:2] else b"(rewritten)"
        wanted = table.get(place.name)
        reported = place.name.decode() in named or any(a <= place.start and place.end <= b for a, b in wide)
        if new == wanted:
            yield SAME, place.name, new
        elif place.name in EXPLAINED and new != place.name:
            yield CHOSEN, place.name, new
        elif place.name in KEPT and new == place.name:
            yield SAME_NAME, place.name, new
        elif new == place.name:
            yield (REPORTED if reported else SILENT), place.name, new
        elif wanted is None or reported:
            yield OWN if wanted is None else REPORTED, place.name, new
        else:
            yield OTHER, place.name, new


if __name__ == "__main__":
    main()
