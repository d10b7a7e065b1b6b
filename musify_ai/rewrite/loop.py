"""The loop around a model: ask, take the code out, put it through the gates, ask again with what was refused.

Greedy first, since that answer is the model's best guess and can be repeated; then a few repairs one after the other,
each told what was wrong with the last; only then samples, of which all are looked at and the smallest change that is
through every gate wins. Nothing partly right is ever taken.
"""

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from hashlib import sha256
from typing import Literal, NamedTuple

from musify_ai.records import Verdict
from musify_ai.rewrite.answering import Ask
from musify_ai.rewrite.extracting import Wanted, extract_all
from musify_ai.rewrite.gates.protocol import Candidate, FailureClass, Gate, Passed, Refused, Site
from musify_ai.rewrite.gates.reading import texts
from musify_ai.rewrite.outcomes import Rewritten, Tried, Turn
from musify_ai.rewrite.prompting import repair_for, request_for
from musify_ai.rewrite.providers.protocol import Answer, NoAnswer, Request, Sampling
from musify_ai.rewrite.redacting import redacted
from musify_ai.rewrite.sending import LONG, prepared, restored
from musify_ai.rewrite.units import WorkUnit
from musify_ai.verify.patches import base_name

NO_SANDBOX = "there is no sandbox here, so code from a model is neither built nor run (install bubblewrap)"

_FINAL = frozenset(("infra", "budget"))
"""Classes that are no fault of the answer: asking again would change nothing."""


class Policy(NamedTuple):
    """How often a model is asked: repairs after the greedy answer, then samples at a temperature; the longest answer in
    tokens; whether the project's own names are kept back."""

    repairs: int = 3
    samples: int = 3
    temperature: float = 0.7
    top_p: float = 0.95
    max_tokens: int = 2048
    redact: bool = False

    @property
    def text(self) -> str:
        """The policy in a word, for what is kept under it."""
        return (
            f"r{self.repairs}s{self.samples}t{self.temperature:g}p{self.top_p:g}m{self.max_tokens}{'x' * self.redact}"
        )


class Judge(NamedTuple):
    """Who says of an answer whether it is taken: the gates in order. ``may_run`` is false where there is no sandbox:
    then no gate that builds or runs the code is asked, and nothing is accepted. ``draw`` chooses a candidate's inputs
    once its code is there."""

    gates: Sequence[Gate]
    may_run: bool = True
    draw: Callable[[bytes], int] = lambda code: drawn(code)


def drawn(code: bytes) -> int:
    """A number that follows from the code and from nothing else: nobody knows it before the code is written, and the
    same code is always looked at in the same way, so that a run that is taken up again asks what it asked before."""
    return int(sha256(b"draw:" + code).hexdigest()[:10], 16) + 1


def rewrite(unit: WorkUnit, site: Site, ask: Ask, identity: str, judge: Judge, policy: Policy) -> Rewritten:
    """What comes of a unit. ``ask`` is how requests are answered, ``identity`` that of the provider behind it."""
    return _Rewriting(unit, site, ask, identity, judge, policy).run()


def looked_at(candidate: Candidate, judge: Judge) -> tuple[Passed, str] | tuple[Refused, str]:
    """What the gates say of a candidate: the first refusal with its gate's name, or everything they noted."""
    notes: list[str] = []
    verdicts: tuple[Verdict, ...] = ()
    for gate in judge.gates:
        if gate.runs and not judge.may_run:
            return Refused("infra", NO_SANDBOX), gate.name
        for each in (candidate,) if gate.runs else candidate.pieces:
            said = gate.check(each)
            if isinstance(said, Refused):
                return said, gate.name
            notes += said.notes
            verdicts = said.verdicts or verdicts
    return Passed(tuple(dict.fromkeys(notes)), verdicts), ""


def shown_to_model(unit: WorkUnit, *, redact: bool) -> WorkUnit:
    """A unit as requests are made of it."""
    return redacted(unit).unit if redact else unit


class _Taken(NamedTuple):
    tried: Tried
    refused: Refused | None
    answer: str
    codes: tuple[bytes, ...] = ()
    passed: Passed | None = None


class _Rewriting:
    def __init__(
        self, unit: WorkUnit, site: Site, ask: Ask, identity: str, judge: Judge, policy: Policy
    ) -> None:  # fmt: skip
        self.unit, self.site, self.ask, self.identity = unit, site, ask, identity
        self.judge, self.policy = judge, policy
        self.hidden = redacted(unit) if policy.redact else None
        self.shown = unit if self.hidden is None else self.hidden.unit
        self.model = identity
        self.tries: list[Tried] = []
        self.seen: dict[tuple[bytes, ...], tuple[Passed, str] | tuple[Refused, str]] = {}

    def run(self) -> Rewritten:
        first = request_for(self.shown, Sampling(max_tokens=self.policy.max_tokens))
        taken = self.turn("greedy", first)
        for _ in range(self.policy.repairs):
            if taken.refused is None or taken.refused.failure in _FINAL:
                break
            taken = self.turn("repair", self.repaired(first, taken))
        if taken.refused is None:
            return self.done(taken)
        if taken.refused.failure in _FINAL:
            return self.done(None)
        passed: list[_Taken] = []
        for seed in range(1, self.policy.samples + 1):
            sampling = Sampling(self.policy.temperature, self.policy.top_p, self.policy.max_tokens, seed)
            taken = self.turn("sample", first._replace(sampling=sampling))
            if taken.refused is None:
                passed.append(taken)
            elif taken.refused.failure in _FINAL:
                break
        return self.done(min(passed, key=lambda each: self.change(each.codes), default=None))

    def repaired(self, first: Request, taken: _Taken) -> Request:
        assert taken.refused is not None
        sampling = Sampling(max_tokens=self.policy.max_tokens)
        refused = taken.refused
        if self.hidden is not None:
            told = [self.hidden.told(text, self.site) for text in (refused.reason, refused.report)]
            refused = Refused(refused.failure, *told)
        return repair_for(first, self.shown, taken.answer, refused, sampling)

    def turn(self, turn: Turn, request: Request) -> _Taken:
        """Ask once and look at the answer."""
        outcome = self.ask(request)
        key = request.key(self.identity)
        if isinstance(outcome, NoAnswer):
            failure: FailureClass = "budget" if outcome.kind == "budget" else "infra"
            refused = Refused(failure, f"no answer ({outcome.kind}): {outcome.detail}")
            return self.kept(Tried(turn, key, request.prompt_sha256, failure, "", refused.reason), refused, "")
        self.model = outcome.model
        codes = self.codes_of(outcome)
        if isinstance(codes, Refused):
            tried = Tried(
                turn, key, request.prompt_sha256, codes.failure, "", codes.reason, codes.report, "", outcome.usage
            )
            return self.kept(tried, codes, outcome.text)
        whole = b"\n\n".join(codes)
        shape = texts(whole)
        if shape not in self.seen:
            draw = self.judge.draw(whole)
            candidate = Candidate(self.unit, codes[0], outcome.text, self.site, draw, codes[1:])
            self.seen[shape] = looked_at(candidate, self.judge)
        said, gate = self.seen[shape]
        text = whole.decode("utf-8", "replace")
        result: Literal["accepted"] | FailureClass = said.failure if isinstance(said, Refused) else "accepted"
        reason, report = (said.reason, said.report) if isinstance(said, Refused) else ("", "")
        tried = Tried(turn, key, request.prompt_sha256, result, gate, reason, report, text, outcome.usage)
        if isinstance(said, Refused):
            return self.kept(tried, said, outcome.text)
        self.tries.append(tried)
        return _Taken(tried, None, outcome.text, codes, said)

    def kept(self, tried: Tried, refused: Refused, answer: str) -> _Taken:
        self.tries.append(tried)
        return _Taken(tried, refused, answer)

    def codes_of(self, answer: Answer) -> tuple[bytes, ...] | Refused:
        """The new texts of the unit's functions, or why there are none."""
        if answer.finish == "length":
            return Refused("truncated", "the answer was cut at its limit")
        context = "\n".join(self.shown.context)
        wanted = []
        for piece in self.shown.pieces:
            name = base_name(piece.name).decode("utf-8", "replace")
            around = f"{piece.text.decode('utf-8', 'replace')}\n{context}"
            head, region = prepared(piece.head).text, prepared(piece.region).text
            wanted.append(Wanted(name, head, region, around, piece.optional))
        found = extract_all(answer.text, wanted)
        if isinstance(found, Refused):
            return found
        back = (lambda code: code) if self.hidden is None else self.hidden.back
        long = LONG if self.hidden is None else 0
        return tuple(
            piece.region if code is None else placed(piece, back(code.text), long)
            for piece, code in zip(self.unit.pieces, found, strict=True)
        )

    def change(self, codes: Sequence[bytes]) -> int:
        """How many lines a candidate changes."""
        before = [line.strip() for piece in self.unit.pieces for line in piece.region.splitlines()]
        after = [line.strip() for code in codes for line in code.splitlines()]
        same = sum(block.size for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks())
        return len(before) + len(after) - 2 * same

    def done(self, taken: _Taken | None) -> Rewritten:
        if taken is None or taken.passed is None:
            return Rewritten(self.unit, self.model, tuple(self.tries))
        passed = taken.passed
        return Rewritten(self.unit, self.model, tuple(self.tries), taken.codes, passed.notes, passed.verdicts)


def placed(unit: WorkUnit, code: str, long: int = LONG) -> bytes:
    """An answer's code as it goes into the file: where the head is what it was it stays byte for byte, and so do the
    lines of the body that the answer left alone. ``long`` is what the function was prepared with."""
    src = code.encode("utf-8")
    wanted = texts(unit.head)
    if texts(src)[: len(wanted)] != wanted or texts(src)[len(wanted) : len(wanted) + 1] != (b"{",):
        return src
    from musify_ai.source import tokens

    body = src[tokens(src)[len(wanted)].start :].decode("utf-8")
    return unit.head + restored(prepared(unit.region[unit.body_start - unit.start :], long), body)
