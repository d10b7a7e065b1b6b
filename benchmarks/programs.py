"""Public programs, whole, on both devices: ``PYTHONPATH=. python benchmarks/programs.py CHECKOUT... --json FILE``.

The programs of ``programs.toml`` whose repositories are among the checkouts given: copied and made smaller, translated,
built on both sides, run with the same arguments for each arch, and compared as ``musify-ai verify --program`` compares.
A row a program, then totals by tier and the reasons of all that do not agree. With ``--json`` the results are kept as
they come, and a later run repeats only what is not there for the same sources (``--again``: nor agreed). A program
that hangs or breaks its process is a row like any other.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.checkouts import Case, copy, given, known, table

_FAILED = re.compile(rb"(?i)\b(?:fail(?:ed|ure)?|mismatch(?:es)?|incorrect|error at|not equal)\b")
_PASSED = re.compile(rb"(?i)\b(?:pass(?:ed)?|success(?:ful|fully)?|ok|all results match|test completed)\b")

AGREED = ("equal-emulated", "equal-assumed")
SECONDS = 120  # of processor time, a side, an arch
WALL = 1500  # seconds for a program in all


def digest(case: Case, place: Path) -> str:
    """What a result is valid for: the copied sources and the row of the table."""
    whole = hashlib.sha256(repr(case).encode())
    for path in sorted(each for each in place.rglob("*") if each.is_file()):
        whole.update(path.relative_to(place).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


def measure(case: Case, place: Path, data: Path, archs: Sequence[str]) -> dict[str, Any]:
    """Translate and compare one copied program, in this process."""
    from musify_ai.project import migrate
    from musify_ai.records import Options, headline_of
    from musify_ai.translate import translate
    from musify_ai.verify.program import verify_program
    from musify_ai.verify.runs import ProgramRun

    out = place.with_name("translated")
    options = Options(verify=False, defines=case.defines)
    start = perf_counter()
    outcome = migrate(place, out, options)
    between = perf_counter()
    files = {each.path: each.path for each in outcome.run.files}
    unsettled, codes = {}, set()
    for path in files:
        found = translate((out / path).read_bytes(), path, options).findings
        codes |= {each.code for each in found if each.severity in ("error", "warning")}
        unsettled[path] = [(each.start, each.end, each.code) for each in found if not each.settled]
    said: list[bytes] = []

    def observe(side: str, ran: ProgramRun) -> None:
        if side == "cuda":
            said.append(ran.completed.stdout + ran.completed.stderr)

    program = verify_program(
        place, out, files=files, unsettled={path: spans for path, spans in unsettled.items() if spans},
        arguments=case.arguments or (), units=case.units,
        options=options._replace(archs=tuple(archs)) if archs else options, seconds=SECONDS, data=data,
        observe=observe,
    )  # fmt: skip
    return {
        "headline": headline_of({row.arch: row.outcome for row in program.evidence}),
        "archs": {row.arch: {"outcome": row.outcome, "detail": row.detail} for row in program.evidence},
        "says": says(said[0]) if said else "-",
        "open": sorted(codes),
        "launches": max((b.elements for e in program.evidence for b in e.buffers if b.name == "launches"), default=0),
        "translate": round(between - start, 2),
        "check": round(perf_counter() - between, 2),
    }


def says(output: bytes) -> str:
    """What the original says of itself where it checks its own results."""
    if _FAILED.search(output):
        return "FAIL"
    return "PASS" if _PASSED.search(output) else "-"


def guarded(checkout: Path, case: Case, archs: Sequence[str], wall: float) -> dict[str, Any]:
    """`measure` in a process of its own, under a limit of wall time."""
    words = [sys.executable, __file__, str(checkout), "--only", case.name, "--worker"]
    words += [word for arch in archs for word in ("--arch", arch)]
    start = perf_counter()
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=wall)
    except subprocess.TimeoutExpired:
        return _broken(f"no result within {wall:.0f} s", wall)
    try:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        return _broken(f"the checker broke: {last[:200]}", perf_counter() - start)
    return found


def _broken(why: str, seconds: float = 0.0) -> dict[str, Any]:
    archs = {"": {"outcome": "not-checkable", "detail": why}}
    nothing = {"says": "-", "open": [], "launches": 0, "translate": 0.0}
    return {"headline": "not-checkable", "archs": archs, **nothing, "check": round(seconds, 2)}


def built_and_ran(found: Mapping[str, Any]) -> tuple[str, str]:
    """Which sides were built, and whether both ran to their end on some arch."""
    details = [(each["outcome"], each["detail"]) for each in found["archs"].values()]
    if all(outcome == "build-failed" for outcome, _ in details):
        return "original", "-"
    if all("does not build here" in detail or "the checker broke" in detail for _, detail in details):
        return "none", "-"
    ran = any(outcome not in ("not-checkable", "build-failed", "unchecked") for outcome, _ in details)
    return "both", "yes" if ran else "no"


def reason(found: Mapping[str, Any]) -> str:
    """Why a program does not agree, arch by arch where they differ; what it rests on where it does."""
    agreed = found["headline"] in AGREED
    texts = {arch: each["detail"] for arch, each in found["archs"].items() if agreed or each["outcome"] not in AGREED}
    if len(set(texts.values())) == 1 and len(texts) == len(found["archs"]):
        return next(iter(texts.values()))
    return "; ".join(f"{arch}: {text}" for arch, text in texts.items())


def row(case: Case, found: Mapping[str, Any]) -> str:
    """One line of the table."""
    built, ran = built_and_ran(found)
    seconds = f"{found['translate'] + found['check']:.0f} s"
    left = f" [left in the translation: {', '.join(found['open'])}]" if found["open"] else ""
    cells = [case.name, case.tier, built, ran, found["says"], found["headline"], seconds]
    return " | ".join([*cells, reason(found)[:300] + left])


def standing(found: Mapping[str, Any]) -> str:
    """What a result counts as: where one arch agrees and the other does not, it is not agreed."""
    if found["headline"] in AGREED:
        return "agreed"
    if any(each["outcome"] in AGREED for each in found["archs"].values()):
        return "one arch"
    return {"equal-weak": "weakly", "differs": "differs"}.get(found["headline"], "not checked")


def totals(cases: Sequence[Case], results: Mapping[str, Mapping[str, Any]]) -> str:
    """Counts by tier, and the reasons of what does not agree."""
    lines = ["", "tier | programs | built | ran | agreed | on one arch alone | weakly | differs | not checked"]
    for tier in sorted({case.tier for case in cases}):
        rows = [results[case.name] for case in cases if case.tier == tier and case.name in results]
        headlines = Counter(standing(each) for each in rows)
        both = [built_and_ran(each) for each in rows]
        agreed = headlines["agreed"]
        share = f" ({100 * agreed / len(rows):.0f} %)" if rows else ""
        cells: list[Any] = [tier, len(rows), sum(b == "both" for b, _ in both), sum(r == "yes" for _, r in both)]
        cells += [f"{agreed}{share}", *(headlines[each] for each in ("one arch", "weakly", "differs", "not checked"))]
        lines.append(" | ".join(map(str, cells)))
    others = [(case, results[case.name]) for case in cases if case.name in results]
    by_reason = Counter((found["headline"], reason(found)) for case, found in others if found["headline"] not in AGREED)
    lines.append("")
    lines += [f"{count:3}  {headline}: {text[:200]}" for (headline, text), count in by_reason.most_common()]
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("checkouts", nargs="+", type=Path, metavar="CHECKOUT")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--tier", action="append", default=[], metavar="TIER", help="only this tier; may be repeated")
    parser.add_argument("--arch", action="append", default=[], metavar="ARCH", help="in place of both usual ones")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there, and take up those there are")
    parser.add_argument("--again", action="store_true", help="repeat what did not agree, too")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    places = known(arguments.checkouts)
    cases = [
        case
        for case in table()
        if case.repository in places
        and (not arguments.only or case.name in arguments.only)
        and (not arguments.tier or case.tier in arguments.tier)
    ]
    results: dict[str, dict[str, Any]] = {}
    if arguments.json is not None and arguments.json.exists():
        results = json.loads(arguments.json.read_text("utf-8"))
    if not arguments.worker:
        print("program | tier | built | ran | original says | headline | time | reason")
    for case in cases:
        checkout = places[case.repository]
        with tempfile.TemporaryDirectory() as scratch:
            place, data = Path(scratch) / "source", Path(scratch) / "data"
            wrong = copy(checkout, case, place) or given(checkout, case, data)
            if arguments.worker:
                print(json.dumps(_broken(wrong) if wrong else measure(case, place, data, arguments.arch)))
                return
            key = "" if wrong else digest(case, place)
        before = results.get(case.name)
        if before and before.get("key") == key and not (arguments.again and before["headline"] not in AGREED):
            print(row(case, before), flush=True)
            continue
        found = _broken(wrong) if wrong else guarded(checkout, case, arguments.arch, WALL)
        results[case.name] = {"key": key, "tier": case.tier, **found}
        print(row(case, found), flush=True)
        if arguments.json is not None:
            arguments.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    print(totals(cases, results))


if __name__ == "__main__":
    main()
