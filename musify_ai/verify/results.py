"""What a side's program reported: cases, how each ended, and what became of every buffer."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

OK = "ok"


class Case(NamedTuple):
    """One run of a kernel: which shape of inputs, seed, schedule and poison byte."""

    shape: int
    seed: int
    schedule: str
    poison: int

    def describe(self) -> str:
        """The case in words."""
        return f"seed {self.seed}, schedule {self.schedule}, poison 0x{self.poison:02x}, shape {self.shape}"


class Place(NamedTuple):
    """A buffer that is compared: a pointer parameter's memory or a device variable.

    ``leaves`` are the scalars of an element: offset, size and kind, as the harness describes them (``i`` ``u`` ``f``
    ``h`` ``b`` ``B`` ``e`` ``p`` ``x``).
    """

    name: str
    elements: int
    size: int
    leaves: tuple[tuple[int, int, str], ...]
    const: bool = False


class Buffered(NamedTuple):
    """A buffer after a case: hash of its bytes, elements that the kernel changed, NaNs in it, and a hash that does not
    depend on the order of the elements (``bag``)."""

    hash: str
    written: int
    nan: int
    bag: str = ""


class Noticed(NamedTuple):
    """Something the device noticed in a case; ``assumption`` is the id of a behaviour taken on assumption, or empty."""

    kind: str
    message: str
    assumption: str = ""
    file: str = ""
    line: int = 0


class CaseRun(NamedTuple):
    """How a case ended: ``ok``, or the device's reason (``trap``, ``assert``, ``stub``, ``unsupported``, ``fault``,
    ``time-limit``, ``deadlock``, ``config``, ``shared-limit``), or ``died``.

    ``printed`` is a hash of the lines that the kernel printed, in any order.
    """

    state: str
    message: str = ""
    threads: int = 0
    buffers: tuple[Buffered, ...] = ()
    noticed: tuple[Noticed, ...] = ()
    printed: str = ""


class SideRuns(NamedTuple):
    """A side's cases, and for each place whether what the kernel writes there depends on the seed.

    ``seen`` are by shape the numbers of the places in device code that its cases reached.
    """

    cases: Mapping[Case, CaseRun]
    varies: tuple[bool, ...] = ()
    seen: Mapping[int, frozenset[int]] = MappingProxyType({})

    def reached(self) -> frozenset[int]:
        """The numbers of all places that were reached."""
        return frozenset().union(*self.seen.values())


class Difference(NamedTuple):
    """Where two buffers differ, element by element: the first place, both values there, how many, the worst absolute
    error (infinite where one is no number), whether NaN came where there was none, and a pattern, in words."""

    first: int
    original: str
    translated: str
    differing: int
    worst_error: float
    new_nan: bool
    pattern: str = ""
