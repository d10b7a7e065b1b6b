"""The type gate: libclang reads a side against the headers that it is built with and says what does not fit them.

That needs no build and no run, so it is the first thing to ask of a translation, or of a kernel that somebody rewrote:
a name that MUSA's declarations lack, arguments that no overload takes, a type that is none. What passes type-checks
against our declarations; nothing more is said by that. libclang reads in a process of its own under limits, and begins
with our headers as it kept them, so that a unit costs little beside what is in it.
"""

import re
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from musify_ai import emulator
from musify_ai.backends.cache import Cache, digest
from musify_ai.backends.emulated import MAIN, Companions, Side, Unit
from musify_ai.backends.limits import Limits, clean_environment, run_limited, scratch
from musify_ai.backends.sandbox import Access, python_folders
from musify_ai.syntax import diagnosing

Kind = Literal["undeclared", "arguments", "type", "other"]

PASSES = "type-checks against our declarations"
NOT_ASKED = "libclang is not there to ask: install musify-ai[verify]"
LIMITS = Limits(cpu=60, wall=300, memory=4096, output=4_000_000)

_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("undeclared", re.compile(r"undeclared|unknown type name|no (?:member|template|type) named|file not found")),
    ("arguments", re.compile(r"no matching (?:member )?function|no matching constructor|too (?:few|many) arguments")),
    (
        "type",
        re.compile(r"cannot (?:initialize|convert|assign)|no viable|incompatible|invalid operands|no known conversion"),
    ),
)


class Mistake(NamedTuple):
    """Something that does not fit the declarations: its place in the unit's files (lines from 1), its kind, and
    libclang's words."""

    path: str
    line: int
    kind: Kind
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class Typed(NamedTuple):
    """The answer: what is wrong, in order; ``reason`` where nobody could be asked."""

    mistakes: tuple[Mistake, ...] = ()
    reason: str = ""

    @property
    def passes(self) -> bool:
        """Whether the unit was read and nothing is wrong with it."""
        return not self.mistakes and not self.reason


class TypeGate:
    """Asks libclang about units, many of them against headers that are read once."""

    def __init__(self, cache: Cache | None = None, companions: Companions | None = None) -> None:
        self.cache = cache or Cache()
        self.companions = companions

    def check(self, unit: Unit, side: Side = "musa", macro: int = 220) -> Typed:
        """What is wrong with a unit of one side for an arch (its macro's value), as its text stands."""
        from musify_ai.emulator.headers import FIRST, header_dirs
        from musify_ai.emulator.prepare import prepare_tree

        if side == "musa" and self.companions is not None:
            unit = self.companions.beside(unit)
        folders = header_dirs(side, self.cache.root / "headers")
        arguments = [f"-DMUSIFY_EMU_ARCH={macro}", "-fno-strict-aliasing"]
        kept = self._kept(side, folders, arguments)
        with scratch() as work:
            tree = work / "tree"
            tree.mkdir()
            prepare_tree(tree, unit.sources, tree, side, unit.sources)
            (tree / MAIN).write_text(unit.main, "utf-8", "surrogateescape")
            first = ("-include-pch", str(kept)) if kept is not None else ("-include", FIRST)
            forced = [part for header in unit.forced for part in ("-include", str(tree / header))]
            own = [tree / folder for folder in unit.include_dirs]
            asked = diagnosing.request(tree / MAIN, [*own, *folders], [*arguments, *first, *unit.defines, *forced])
            readable = (self.cache.root / "headers", *(() if kept is None else (kept.parent,)))
            done = _asked(asked, work, readable)
            if done is None:
                return Typed(reason=NOT_ASKED)
            if isinstance(done, str):
                return Typed(reason=done)
            return Typed(tuple(_mistakes(done, tree, unit.sources)))

    def _kept(self, side: Side, folders: Sequence[Path], arguments: Sequence[str]) -> Path | None:
        """What our headers declare, as libclang keeps it; None where it does not."""
        from musify_ai.emulator.headers import FIRST

        names = [each.name for each in folders]
        stamps = [f"{path.name} {path.stat().st_mtime_ns}" for path in sorted(emulator.device_dir().rglob("*.h"))]
        key = digest([_version(), side, *names, *arguments, *stamps])

        def fill(place: Path) -> None:
            asked = diagnosing.request(folders[0] / FIRST, folders, arguments, make=place / "declarations.pch")
            _asked(asked, place, (self.cache.root / "headers",))

        kept = self.cache.make("declarations", key, fill) / "declarations.pch"
        return kept if kept.is_file() else None


def check_types(
    sources: Mapping[str, bytes], unit: str, *, include_dirs: Sequence[str] = (), defines: Sequence[str] = (),
    kernels: Collection[str] = (), cache: Cache | None = None, macro: int = 220,
) -> Typed:  # fmt: skip
    """What is wrong with MUSA source: ``sources`` by path, ``unit`` the one to read, which includes the others.

    ``kernels`` are kernels as C++ names them (``scale<float>``): they are instantiated, since what depends on a
    template's parameters is read only then. ``macro`` is ``__MUSA_ARCH__``. This is the gate for a kernel that
    somebody or something rewrote: it runs nothing of what it is given.
    """
    main = f'#include "{unit}"\n' + instantiated(kernels)
    return TypeGate(cache).check(Unit(sources, main, tuple(include_dirs), tuple(defines)), "musa", macro)


def instantiated(kernels: Collection[str]) -> str:
    """A text that asks for kernels' addresses."""
    return "".join(f"static auto musify_typed_{i} = &{name};\n" for i, name in enumerate(kernels))


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("libclang")
    except PackageNotFoundError:
        return "none"


def _asked(asked: bytes, work: Path, readable: Sequence[Path]) -> tuple[diagnosing.Found, ...] | str | None:
    """The errors; None where libclang is missing, and why where there is no answer."""
    ours = {"PYTHONPATH": str(Path(diagnosing.__file__).parents[2])}
    done = run_limited(
        [sys.executable, "-m", diagnosing.__name__],
        cwd=work, limits=LIMITS, env=clean_environment(work, ours), stdin=asked,
        access=Access((*python_folders(), Path(ours["PYTHONPATH"]), *readable), (work,)),
    )  # fmt: skip
    if done.ended == "exit" and done.code == diagnosing.MISSING:
        return None
    if not done.ok:
        return f"libclang does not come to an end: {done.describe()}"
    try:
        return diagnosing.errors(done.stdout) if done.stdout else ()
    except ValueError as error:
        return str(error)


def _mistakes(found: Sequence[diagnosing.Found], tree: Path, sources: Mapping[str, bytes]) -> list[Mistake]:
    """Errors by their place in the unit: where they stand, else what asked for them."""
    out: dict[Mistake, None] = {}
    for error in found:
        places = ((error.path, error.line), *error.asked_by)
        inside = [(_relative(path, tree), line) for path, line in places]
        path, line = next(((p, n) for p, n in inside if p in sources), (inside[0][0], error.line))
        kind: Kind = next((kind for kind, pattern in _KINDS if pattern.search(error.text)), "other")
        out.setdefault(Mistake(path, line, kind, error.text))
    ours = [mistake for mistake in out if mistake.path in sources]
    return ours or list(out)  # what asks for the kernels fails too where they do


def _relative(path: str, tree: Path) -> str:
    try:
        return Path(path).resolve().relative_to(tree.resolve()).as_posix()
    except ValueError:
        return path
