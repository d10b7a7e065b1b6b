"""What the type gate says of each kernel of a unit; against one, as a row of its evidence.

The translation is read as it would be built first: what a finding left unsettled is a stub, nothing else is taken out.
A mistake counts for the kernels that can reach the function it stands in. One that the original has too, in the same
function, is no mistake of the translation: our declarations lack something there. The row never changes a headline: the
build and the run that follow say more.
"""

from collections.abc import Mapping, Sequence
from typing import get_args

from musify_ai.backends.emulated import Emulated, Unit
from musify_ai.records import Arch, Evidence, Verdict
from musify_ai.verify.building import SideSource, Unsettled, as_first_built
from musify_ai.verify.pairing import Pair
from musify_ai.verify.patches import Mentions, base_name
from musify_ai.verify.typegate import PASSES, Kind, Mistake, Typed, TypeGate, instantiated

METHOD = "types"
OUTSIDE = b""
"""Where a mistake stands outside of all functions."""


class UnitGate:
    """The gate over one unit: both sides' sources, and the kernels that are compared."""

    def __init__(
        self, backend: Emulated, sides: tuple[SideSource, SideSource], mentions: Mentions, pairs: Sequence[Pair],
        unsettled: Mapping[str, Sequence[Unsettled]],
    ) -> None:  # fmt: skip
        self.gate = TypeGate(backend.cache, backend.companions)
        self.sides, self.mentions, self.pairs = sides, mentions, pairs
        self.unsettled = unsettled

    def rows(self, macro: int) -> dict[str, str]:
        """By pair: what is wrong with the translation, `PASSES`, or why nobody could be asked."""
        typed = self._asked(1, macro)
        if typed.reason:
            return {pair.id: typed.reason for pair in self.pairs}
        places = self._places(1, typed)
        if places:
            mine = self._asked(0, macro)
            shared = self._places(0, mine).keys() if not mine.reason else ()
            places = {place: mistake for place, mistake in places.items() if place not in shared}
        return {pair.id: self._of(pair, places) for pair in self.pairs}

    def _asked(self, side: int, macro: int) -> Typed:
        source = self.sides[side]
        texts = as_first_built(source, self.unsettled if side else {}, "musa" if side else "cuda")
        names = [pair.expression(side) for pair in self.pairs if not side or pair.translated is not None]
        main = f'#define main musify_user_main\n#include "{source.unit}"\n#undef main\n{instantiated(names)}'
        unit = Unit(texts, main, source.include_dirs, source.defines)
        return self.gate.check(unit, "musa" if side else "cuda", macro if side else 800)

    def _places(self, side: int, typed: Typed) -> dict[bytes, Mistake]:
        """The first mistake of each function; those outside of functions count as one place."""
        out: dict[bytes, Mistake] = {}
        for mistake in typed.mistakes:
            parts = self.sides[side].files.get(mistake.path)
            if parts is None:
                continue  # of the text that asks for the kernels: an overload, say, which needs a cast
            function = parts.function_at_line(mistake.line)
            out.setdefault(OUTSIDE if function is None else base_name(function.name), mistake)
        return out

    def _of(self, pair: Pair, places: Mapping[bytes, Mistake]) -> str:
        kernel = pair.translated
        if kernel is None:
            return "there is no such kernel"
        reached = self.mentions.reached(base_name(kernel.name))
        for place, mistake in places.items():
            if place in reached:
                return f"{mistake.kind}: {mistake}"
        return PASSES


def with_types(verdict: Verdict, said: str, arch: Arch, repeat: str) -> Verdict:
    """A verdict with the gate's row, where the gate says something against the kernel."""
    if said.split(":", 1)[0] not in get_args(Kind):
        return verdict
    row = Evidence(
        method=METHOD,
        backend=("libclang, our declarations of CUDA", "libclang, our declarations of MUSA"),
        arch=arch.name,
        lanes=arch.lanes,
        seeds=(),
        schedules=(),
        poison=(),
        buffers=(),
        tolerance=0,
        assumptions=(),
        outcome="build-failed" if verdict.headline == "build-failed" else "unchecked",
        detail=said,
        repeat=repeat,
    )
    return verdict._replace(evidence=(*verdict.evidence, row))
