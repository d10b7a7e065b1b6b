"""What a gate is given and what it says."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from musify_ai.records import Options, Verdict
from musify_ai.rewrite.units import WorkUnit

FailureClass = Literal[
    "extract", "forbidden", "signature", "compile", "runtime", "timeout", "numeric", "nondeterministic", "cheating",
    "truncated", "infra", "budget",
]  # fmt: skip
"""How an attempt failed. ``extract`` and ``truncated`` are of the answer's form, ``infra`` and ``budget`` no fault of
the model's; the others are what gates say of the code."""


class Site(NamedTuple):
    """The project around a unit: what a gate that builds and runs needs.

    ``original`` is the original's folder. ``files`` gives for each of its sources the translated place, ``texts`` the
    translated bytes by place, ``unsettled`` by place the spans ``(start, end, code)`` that no build can take.
    """

    original: Path
    files: Mapping[str, str]
    texts: Mapping[str, bytes]
    unsettled: Mapping[str, tuple[tuple[int, int, str], ...]]
    options: Options


class Candidate(NamedTuple):
    """An answer's code in its place.

    ``code`` is the new text of the unit's function, ``also`` that of its further ones, in order; gates that only read
    are given one function at a time. ``answer`` is everything that the model wrote. ``draw`` is a number
    that follows from it, so that nobody knew it before, and that the inputs of runs are chosen by.
    """

    unit: WorkUnit
    code: bytes
    answer: str
    site: Site
    draw: int = 0
    also: tuple[bytes, ...] = ()

    @property
    def codes(self) -> tuple[bytes, ...]:
        """The new texts of all functions, in order."""
        return (self.code, *self.also)

    @property
    def pieces(self) -> tuple["Candidate", ...]:
        """Each function of the candidate alone."""
        pairs = zip(self.unit.pieces, self.codes, strict=True)
        return tuple(Candidate(unit, code, self.answer, self.site, self.draw) for unit, code in pairs)

    def texts(self) -> dict[str, bytes]:
        """The files that the candidate changes, by place, with all its functions in them."""
        out = {unit.place: unit.text for unit in self.unit.pieces}
        made = [(each.place, each.start, each.end, b"") for each in self.unit.drops]
        made += [(u.place, u.start, u.end, code) for u, code in zip(self.unit.pieces, self.codes, strict=True)]
        for place, start, end, code in sorted(made, key=lambda each: -each[1]):
            out[place] = out[place][:start] + code + out[place][end:]
        return out

    def lines(self, piece: int) -> tuple[str, range]:
        """Where the new code of a function stands: its file's place, and the lines there."""
        unit, code = self.unit.pieces[piece], self.codes[piece]
        shift = sum(
            new.count(b"\n") - each.region.count(b"\n")
            for each, new in zip(self.unit.pieces, self.codes, strict=True)
            if each.place == unit.place and each.start < unit.start
        )
        shift -= sum(d.place == unit.place and d.start < unit.start for d in self.unit.drops)
        first = unit.text.count(b"\n", 0, unit.start) + 1 + shift
        return unit.place, range(first, first + code.count(b"\n") + 1)

    def new_lines(self, piece: int) -> tuple[str, frozenset[int]]:
        """Those of these lines that the function did not have."""
        place, lines = self.lines(piece)
        had = {line.strip() for line in self.unit.pieces[piece].region.split(b"\n")}
        texts = self.codes[piece].split(b"\n")
        return place, frozenset(n for n, line in zip(lines, texts, strict=True) if line.strip() not in had)

    @property
    def text(self) -> bytes:
        """The translated file with the code in it."""
        return self.unit.text[: self.unit.start] + self.code + self.unit.text[self.unit.end :]


class Passed(NamedTuple):
    """The gate has nothing against it. ``notes`` go with the accepted edit, ``verdicts`` are what was run."""

    notes: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()


class Refused(NamedTuple):
    """The gate refuses: the class, the reason in a sentence, and what a repair may be told (diagnostics, the numeric
    report) where that is more than the reason."""

    failure: FailureClass
    reason: str
    report: str = ""


Said = Passed | Refused
Check = Callable[[Candidate], Said]


class Gate(NamedTuple):
    """A gate and its name. ``runs`` says that it builds or runs what the model wrote, which wants a sandbox."""

    name: str
    check: Check
    runs: bool = False
