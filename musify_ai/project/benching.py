"""``llm bench``: a model put to every construct of a corpus, through the loop and the gates that `migrate --llm` has.

The constructs make one project (`musify_ai.rewrite.corpus`). Answers are kept in a store and what came of a construct
in a journal beside it, so that a run which was ended goes on where it was and asks nothing twice. What is kept of a
construct holds as long as nothing changes that it follows from: prompt, facts, model, policy, gates, checker.
"""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from musify_ai.backends import sandbox
from musify_ai.backends.cache import digest
from musify_ai.project.refusals import Refused
from musify_ai.project.rewriting import Surveyed, surveyed
from musify_ai.project.running import translated
from musify_ai.project.scheduling import Progress
from musify_ai.records import Options
from musify_ai.rewrite.corpus import Case, CaseInvalid, functions_of, laid_out, read
from musify_ai.rewrite.gates.protocol import Candidate, Check, Gate, Said
from musify_ai.rewrite.loop import Judge, Policy, rewrite
from musify_ai.rewrite.opening import Asked, Open, SpecInvalid, opened
from musify_ai.rewrite.outcomes import Rewritten
from musify_ai.rewrite.prompting import request_for
from musify_ai.rewrite.providers.protocol import Outcome, Provider, Request, Sampling, Unusable
from musify_ai.rewrite.providers.scripted import Scripted
from musify_ai.rewrite.scoring import NO_FAULT, Row, Turned, row_from_json
from musify_ai.rewrite.store import StoreInvalid
from musify_ai.rewrite.units import WorkUnit
from musify_ai.rewrite.working import Setting, bounded, first_requests, kept_of, key_of, stands
from musify_ai.verify.remembering import checker_digest

OWN = ("answers", "echo")
"""Specs of the bench alone: the corpus's own right answers, which have to settle everything, and the code sent back as
it came, which must settle nothing."""


class Wanted(NamedTuple):
    """What to run: the corpus, whom to ask, ``out`` for everything that is kept, which kinds (all where none is named),
    the most constructs (0: all; taken from the kinds in turn), how many are worked on at once, and how many are built
    and run at once."""

    corpus: Path
    asked: Asked
    out: Path
    kinds: tuple[str, ...] = ()
    units: int = 0
    at_once: int = 8
    jobs: int = 2


class Benched(NamedTuple):
    """What came of it: the rows, the provider's identity, calls made in this run, rows that were there already."""

    rows: tuple[Row, ...]
    identity: str
    calls: int
    taken: int


def bench(wanted: Wanted, options: Options, gates: Sequence[Gate], progress: Progress | None = None) -> Benched:
    """Run it. `Refused` for a corpus that is none, for a provider or store that cannot be had, and where there is no
    sandbox: a model's code is not run without one, so no figure would mean anything."""
    if missing := sandbox.missing():
        raise Refused(f"llm bench runs code of a model, and there is no sandbox here: {missing}")
    try:
        cases = chosen(read(wanted.corpus), wanted.kinds, wanted.units)
        if not cases:
            raise Refused(f"{wanted.corpus}: no constructs" + (f" of {', '.join(wanted.kinds)}" * bool(wanted.kinds)))
        with TemporaryDirectory(prefix="musify-bench-") as folder:
            place = Path(folder).resolve()
            told = options._replace(inputs=str(laid_out(cases, place)))
            known = without_own_answers(surveyed(place, translated(place, told), told))
            provider = _own(wanted.asked, cases, known)
            wanted.out.mkdir(parents=True, exist_ok=True)
            asked = wanted.asked._replace(store=wanted.asked.store or wanted.out / "store.sqlite")
            with opened(asked, provider=provider) as somebody:
                return _run(cases, known, somebody, gates, wanted, progress)
    except (CaseInvalid, SpecInvalid, StoreInvalid, Unusable) as problem:
        raise Refused(str(problem)) from None


def chosen(cases: Sequence[Case], kinds: Sequence[str], most: int) -> list[Case]:
    """The cases of some kinds, at most so many, from the kinds in turn. `CaseInvalid` for a kind that is not there."""
    there = sorted({case.kind for case in cases})
    if unknown := [kind for kind in kinds if kind not in there]:
        raise CaseInvalid(f"no constructs of the kind {unknown[0]}; there are {', '.join(there)}")
    queues = [[case for case in cases if case.kind == kind] for kind in there if not kinds or kind in kinds]
    longest = max((len(queue) for queue in queues), default=0)
    turns = [queue[turn] for turn in range(longest) for queue in queues if turn < len(queue)]
    return sorted(turns[: most or None], key=lambda case: (case.kind, case.name))


def without_own_answers(known: Surveyed) -> Surveyed:
    """The units of a corpus without examples that are their own: fact sheets show constructs of the corpus with their
    answers, and a model that is shown the answer to its very question is not tried."""

    def apart(unit: WorkUnit) -> WorkUnit:
        own = unit.path.removesuffix(".cu")
        examples = tuple(each for each in unit.examples if each.case != own)
        return unit._replace(examples=examples, also=tuple(apart(piece) for piece in unit.also))

    units = tuple(apart(unit) for unit in known.survey.units)
    return known._replace(survey=known.survey._replace(units=units))


def _run(
    cases: Sequence[Case], known: Surveyed, somebody: Open, gates: Sequence[Gate], wanted: Wanted,
    progress: Progress | None,
) -> Benched:  # fmt: skip
    from concurrent.futures import ThreadPoolExecutor

    journal = _Journal(wanted.out / "journal.jsonl")
    asking = _Timed(somebody, journal)
    policy = wanted.asked.policy
    clock = _Clock()
    judge = Judge(bounded([clock.around(gate) for gate in gates], wanted.jobs))
    setting = Setting(somebody.store, asking.ask, somebody.identity, judge, policy)
    by_path: dict[str, list[WorkUnit]] = {}
    for unit in known.survey.units:
        by_path.setdefault(unit.path, []).append(unit)
    work = [(case, unit) for case in cases for unit in by_path.get(case.path, [])]
    open_ = [each for each in work if journal.row(_row_key(*each, somebody.identity, policy)) is None]
    if somebody.batch > 1:
        asking.ask_all(first_requests([unit for _, unit in open_], policy))
    done = 0
    lock = threading.Lock()

    def one(each: tuple[Case, WorkUnit]) -> Row:
        nonlocal done
        case, unit = each
        key = _row_key(case, unit, somebody.identity, policy)
        row = journal.row(key)
        if row is None:
            row = _asked(case, unit, known, setting, journal, clock)
            if row.came != "unjudged":
                journal.keep_row(key, row)
        with lock:
            done += 1
            if progress is not None:
                progress(f"asking {done}/{len(work)} {case.kind}/{case.name}: {row.came}")
        return row

    with ThreadPoolExecutor(wanted.at_once) as pool:
        rows = list(pool.map(one, work))
    asked_of = {(case.kind, case.name) for case, _ in work}
    rows += [_unasked(case, known) for case in cases if (case.kind, case.name) not in asked_of]
    rows.sort(key=lambda row: (row.kind, row.name))
    return Benched(tuple(rows), somebody.identity, somebody.budget.calls, len(work) - len(open_))


def _asked(
    case: Case, unit: WorkUnit, known: Surveyed, setting: Setting, journal: "_Journal", clock: "_Clock"
) -> Row:  # fmt: skip
    """What comes of a construct, kept in the store as `migrate --llm` keeps it, for `llm export`."""
    clock.begin()
    if stands(unit, known.site, setting):
        return Row(case.kind, case.name, case.code, "settled", checked=clock.end())
    done = rewrite(unit, known.site, setting.ask, setting.identity, setting.judge, setting.policy)
    kept = kept_of(done, key_of(unit), f"bench {case.kind}/{case.name} {setting.identity} {setting.policy.text}")
    if kept is not None:
        setting.store.keep_rewrite(kept)
    return _row(case, done, journal, clock.end())


def _row(case: Case, done: Rewritten, journal: "_Journal", checked: float) -> Row:
    turns = tuple(
        Turned(
            each.turn, each.outcome, each.gate, each.reason, each.request, each.usage.tokens_in, each.usage.tokens_out,
            journal.seconds(each.request),
        )
        for each in done.tries
    )  # fmt: skip
    last = done.tries[-1]
    if done.codes:
        code = b"\n\n".join(done.codes).decode("utf-8", "replace")
        return Row(case.kind, case.name, case.code, "accepted", turns, "; ".join(done.notes), checked, code)
    if last.outcome in NO_FAULT:
        return Row(case.kind, case.name, case.code, "unjudged", turns, last.reason, checked)
    return Row(case.kind, case.name, case.code, "refused", turns, last.reason, checked)


def _unasked(case: Case, known: Surveyed) -> Row:
    """A construct that there is no unit of: settled, or left for a reason."""
    why = next((f"{left.finding.code}: {left.why}" for left in known.survey.left if left.path == case.path), "")
    if not why and known.site.unsettled.get(known.site.files.get(case.path, "")):
        why = "something is left that no build takes, and no unit was made of it"
    return Row(case.kind, case.name, case.code, "no-unit" if why else "settled", why=why)


def _own(asked: Asked, cases: Sequence[Case], known: Surveyed) -> Provider | None:
    """The provider of the bench's own specs."""
    if asked.spec not in OWN:
        return None
    if asked.policy.redact:
        raise Refused(f"--llm {asked.spec} knows the project's own names; leave --redact away")
    by_case = {case.path: case for case in cases}
    said = {}
    for unit in known.survey.units:
        codes = (
            functions_of(by_case[unit.path].answer, unit)
            if asked.spec == "answers"
            else tuple(piece.region for piece in unit.pieces)
        )
        text = b"\n\n".join(codes).decode("utf-8", "replace")
        said[request_for(unit, Sampling()).messages[1].content] = f"```cpp\n{text}\n```"
    return Scripted(lambda request: said[request.messages[1].content], asked.spec)


def _row_key(case: Case, unit: WorkUnit, identity: str, policy: Policy) -> str:
    """A digest of everything that a row follows from."""
    prompt = request_for(unit, Sampling()).prompt_sha256
    parts = (case.kind, case.name, identity, policy.text, prompt, key_of(unit).key, unit.text, repr(dict(case.inputs)))
    return digest([*parts, checker_digest(), _stage_digest()])


@cache
def _stage_digest() -> str:
    """A digest of the stage's own code: loop, extraction, gates."""
    import musify_ai.rewrite

    folder = Path(musify_ai.rewrite.__file__).parent
    return digest(part for file in sorted(folder.rglob("*.py")) for part in (file.name, file.read_bytes()))


class _Journal:
    """What came of constructs and how long calls took, a JSON object a line. A line that was cut is passed over."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._rows: dict[str, Row] = {}
        self._seconds: dict[str, float] = {}
        for value in _lines(file):
            if "row" in value:
                self._rows[value["key"]] = row_from_json(value["row"])
            else:
                self._seconds[value["key"]] = value["seconds"]

    def row(self, key: str) -> Row | None:
        """The row that is kept under a key."""
        return self._rows.get(key)

    def seconds(self, request: str) -> float | None:
        """How long the call of a request took; None where nobody was there to see."""
        return self._seconds.get(request)

    def keep_row(self, key: str, row: Row) -> None:
        """Keep a row."""
        self._rows[key] = row
        self._add({"key": key, "row": {**row._asdict(), "turns": [turn._asdict() for turn in row.turns]}})

    def keep_seconds(self, request: str, seconds: float) -> None:
        """Keep how long a call took."""
        self._seconds[request] = seconds
        self._add({"key": request, "seconds": round(seconds, 3)})

    def _add(self, value: dict[str, object]) -> None:
        text = json.dumps(value) + "\n"
        with self._lock, self._file.open("a+", encoding="utf-8") as file:
            cut = file.tell() and not self._ends_a_line()
            file.write("\n" * bool(cut) + text)

    def _ends_a_line(self) -> bool:
        with self._file.open("rb") as file:
            file.seek(-1, 2)
            return file.read(1) == b"\n"


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    if not file.is_file():
        return
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


class _Timed:
    """Asks somebody, and keeps how long each call took: what is in the store is no call."""

    def __init__(self, somebody: Open, journal: _Journal) -> None:
        self._somebody, self._journal = somebody, journal

    def ask(self, request: Request) -> Outcome:
        return self.ask_all([request])[0]

    def ask_all(self, requests: Sequence[Request]) -> list[Outcome]:
        """Batch after batch, so that each call is kept as it ends; one's time is its share of its batch's."""
        outcomes: list[Outcome] = []
        size = max(self._somebody.batch, 1)
        for first in range(0, len(requests), size):
            some = requests[first : first + size]
            identity = self._somebody.identity
            new = [key for each in some if self._somebody.store.answer(key := each.key(identity)) is None]
            began = time.monotonic()
            outcomes += self._somebody.ask_all(some)
            took = time.monotonic() - began
            for key in new:
                if self._somebody.store.answer(key) is not None:
                    self._journal.keep_seconds(key, took / len(new))
        return outcomes


class _Clock:
    """The seconds that gates took, for the thread that asked them."""

    def __init__(self) -> None:
        self._of = threading.local()

    def begin(self) -> None:
        self._of.seconds = 0.0

    def end(self) -> float:
        return round(float(self._of.seconds), 3)

    def around(self, gate: Gate) -> Gate:
        check: Check = gate.check

        def timed(candidate: Candidate) -> Said:
            with self._running():
                return check(candidate)

        return gate._replace(check=timed)

    @contextmanager
    def _running(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self._of.seconds += time.monotonic() - began
