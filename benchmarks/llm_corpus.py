"""The right answers of corpus/llm through every gate of the LLM stage: each of them has to be accepted.

    python -m benchmarks.llm_corpus [--jobs N] [NAME...]

Needs a C++ compiler and bubblewrap. NAME chooses constructs whose path holds it. Prints a row a construct (accepted or
the gate that refuses, seconds) and a table by kind; ends with status 1 where one is refused. Some 10 to 40 seconds of
processor time a construct.
"""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from musify_ai.project.constructs import answered, posed
from musify_ai.records import Options
from musify_ai.rewrite.corpus import read
from musify_ai.rewrite.gates.protocol import Passed
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.loop import Judge, looked_at

CORPUS = Path(__file__).parents[1] / "corpus" / "llm"


def main() -> int:
    """Judge the answers, print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    cases = [case for case in read(CORPUS) if not given.names or any(name in case.path for name in given.names)]
    accepted: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    with TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        found, site = posed(cases, Path(folder), Options())
        open_ = [one for one in found if one.unit is not None]

        def judged(number: int) -> tuple[bool, str, float]:
            began = time.monotonic()
            said, gate = looked_at(answered(open_[number], site), Judge(GATES))
            text = "; ".join(said.notes) if isinstance(said, Passed) else f"{gate}: {said.reason}"
            return isinstance(said, Passed), text, time.monotonic() - began

        for one, (taken, text, seconds) in zip(open_, pool.map(judged, range(len(open_))), strict=True):
            asked[one.case.kind] += 1
            accepted[one.case.kind] += taken
            print(f"{'accepted' if taken else 'REFUSED '}  {seconds:5.0f} s  {one.case.path}  {text}", flush=True)
    print(f"\n{'kind':20}  constructs  open  accepted")
    for kind in sorted({case.kind for case in cases}):
        total = sum(case.kind == kind for case in cases)
        print(f"{kind:20}  {total:10}  {asked[kind]:4}  {accepted[kind]:8}")
    print(f"{'all':20}  {len(cases):10}  {asked.total():4}  {accepted.total():8}")
    return 0 if accepted == asked else 1


if __name__ == "__main__":
    sys.exit(main())
