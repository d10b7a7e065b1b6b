"""Handing a migration to the checker, and saying so where it cannot run."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from musify_ai.project.companions import for_checking
from musify_ai.project.discovery import look, walk
from musify_ai.project.refusals import Refused
from musify_ai.project.roles import suffix_of
from musify_ai.project.scheduling import Progress
from musify_ai.project.texts import Texts
from musify_ai.project.treating import Treated
from musify_ai.records import Failure, Headline, Options, Program, Verdict
from musify_ai.source.aside import Aside
from musify_ai.styles import LEAVING_NAMES, Use, compat, translate_in_style
from musify_ai.styles.parts import BRANDS, Wording

if TYPE_CHECKING:
    from musify_ai.backends.emulated import Companions
    from musify_ai.backends.machines import Machine
    from musify_ai.project.origins import Absent

NOT_ASKED = "not asked for (--no-verify)"
BACKWARD = "the way back to CUDA is not checked (--direction m2c)"
NO_COMPILER = "no C++ compiler (g++ or clang++) was found"
NO_LIBCLANG = "install musify-ai[verify]"


class Result(NamedTuple):
    """What checking adds to a run; ``absent`` is what a real SDK's compiler said is not there."""

    verdicts: tuple[Verdict, ...] = ()
    failures: tuple[Failure, ...] = ()
    programs: tuple[Program, ...] = ()
    absent: "Absent | None" = None


class Whole(NamedTuple):
    """How both programs are run whole: with which arguments, and which folder's files beside them; with ``bisect`` the
    change that makes them differ is looked for."""

    arguments: Sequence[str] = ()
    data: Path | None = None
    bisect: bool = False


class Sides(NamedTuple):
    """A pair of trees and the files that stand for each other, with what is known to be unsettled in the new ones."""

    original: Path
    translation: Path
    files: Mapping[str, str]
    unsettled: Mapping[str, tuple[tuple[int, int, str], ...]]
    texts: Mapping[str, bytes]
    headers: Mapping[str, bytes] = {}


def check_migration(
    source: Path,
    translation: Path,
    treated: Sequence[Treated],
    options: Options,
    progress: Progress | None,
    *,
    named: tuple[Path, Path] | None = None,
) -> Result:
    """Check what was just translated, both trees being there under the same relative names.

    ``named`` is what a command that repeats a check should name; without it there is no such command, because the
    translation does not stay where it is now. Never raises: where the checker cannot run, kernels are ``unchecked``.
    """
    pairs: dict[str, str] = {}
    unsettled: dict[str, tuple[tuple[int, int, str], ...]] = {}
    kept: dict[str, bytes | Aside] = {}
    untranslated: dict[str, bytes | Aside] = {}
    for item in treated:
        if item.entry.role != "source" or item.kept is None or item.entry.kind != "file":
            continue
        path = item.entry.path
        if item.processed.kept is None:
            untranslated[path] = item.kept
            continue
        pairs[path] = item.place
        kept[path] = item.kept
        if item.processed.unsettled:
            unsettled[item.place] = item.processed.unsettled
    texts = Texts(kept)
    left_out = _unchecked(Texts(untranslated), "the file could not be translated", options)
    if not any(b"__global__" in text for text in texts.values()):
        return Result(left_out)
    if not options.verify or options.direction == "m2c":
        why = BACKWARD if options.direction == "m2c" else NOT_ASKED
        return Result((*_unchecked(texts, why, options), *left_out))
    sides = Sides(source, translation, pairs, unsettled, texts, for_checking(treated, options))
    try:
        result = verify_sides(sides, options, (), progress)
    except _CannotCheck as reason:
        return Result((*_unchecked(texts, str(reason), options), *left_out))
    except Exception as problem:  # the translation stands; a fault of the checker must not take it along
        error = f"internal error: {type(problem).__name__}: {problem}"
        hint = "This is a fault of musify-ai: the translation is complete, its kernels are unchecked. Please report it."
        failure = Failure(".", "check", error, hint)
        return Result((*_unchecked(texts, "the checker failed", options), *left_out), (failure,))
    verdicts = _with_commands(result.verdicts, named)
    return result._replace(verdicts=(*verdicts, *left_out))


def check_port(
    original: Path,
    translation: Path,
    options: Options,
    kernels: Sequence[str],
    progress: Progress | None,
    *,
    program: Whole | None = None,
    machines: "Mapping[str, Machine] | None" = None,
) -> Result:
    """Check a port against its original, whoever made it; with ``program`` also run both whole, as it says. Real
    backends run on ``machines``, by key, where these are given instead of the options' remotes.

    `Refused` where it cannot be checked at all.
    """
    for place in (original, translation):
        if not place.exists():
            raise Refused(f"{place}: no such file or directory")
    if original.is_dir() != translation.is_dir():
        raise Refused("give two directories or two files")
    sides, alone = paired(original, translation, options)
    if not sides.files:
        raise Refused(f"no source file of {original} has a counterpart in {translation}")
    try:
        result = verify_sides(sides, options, kernels, progress, machines=machines)
        if program is not None:
            result = result._replace(programs=(_run_whole(sides, options, program, (original, translation)),))
    except _CannotCheck as reason:
        if reason.is_fatal:
            raise Refused(f"{reason}; install one, or set CXX to it") from None
        result = Result(_unchecked(sides.texts, str(reason), options))
    left_out = _unchecked(alone, "the file has no counterpart", options)
    verdicts = (*result.verdicts, *(v for v in left_out if not kernels or v.name in kernels))
    if kernels and not verdicts:
        raise Refused(f"{original} has no kernel named {' or '.join(kernels)}")
    return result._replace(verdicts=_with_commands(verdicts, (original, translation)))


def propose_inputs(original: Path, translation: Path, options: Options, kernels: Sequence[str]) -> str:
    """A file of the inputs that the kernels of a port would be run with. `Refused` where they cannot be tried."""
    from musify_ai.verify import CompilerMissing
    from musify_ai.verify.given import GivenError
    from musify_ai.verify.proposing import propose

    if not original.is_dir():
        raise Refused("--init writes into a directory: give the project's")
    sides, _ = paired(original, translation, options)
    try:
        return propose(original, sides.files, options, kernels)
    except (CompilerMissing, GivenError) as problem:
        raise Refused(str(problem)) from None


class _CannotCheck(Exception):
    """The machine lacks what the checker needs."""

    def __init__(self, reason: str, *, is_fatal: bool) -> None:
        super().__init__(reason)
        self.is_fatal = is_fatal


def verify_sides(
    sides: Sides, options: Options, kernels: Sequence[str], progress: Progress | None, paths: Sequence[str] = (),
    *, machines: "Mapping[str, Machine] | None" = None,
) -> Result:  # fmt: skip
    """Check what `paired` found; ``kernels`` are names and ``paths`` files of the original to limit it to."""
    from musify_ai.backends import sandbox
    from musify_ai.backends.cache import default_root
    from musify_ai.syntax.clang import LibclangMissing
    from musify_ai.verify import CompilerMissing, Unsettled, verify
    from musify_ai.verify.given import GivenError
    from musify_ai.verify.remembering import Memory

    if sandbox.required() and sandbox.missing():
        raise _CannotCheck(f"{sandbox.SWITCH}=require, and {sandbox.missing()}", is_fatal=True)
    unsettled = {path: [Unsettled(*span) for span in spans] for path, spans in sides.unsettled.items()}
    try:
        checked = verify(
            sides.original,
            sides.translation,
            files=sides.files,
            unsettled=unsettled,
            options=options,
            progress=progress,
            kernels=tuple(kernels),
            companions=_companions(sides),
            paths=paths,
            memory=Memory(default_root(), fresh=options.fresh),
            machines=machines,
        )
    except CompilerMissing as missing:
        why = NO_COMPILER if "no C++" in str(missing) else str(missing)
        raise _CannotCheck(why, is_fatal=True) from None
    except GivenError as problem:
        raise Refused(str(problem)) from None
    except LibclangMissing:
        raise _CannotCheck(NO_LIBCLANG, is_fatal=False) from None
    failures = checked.failures
    if compat.is_for_both(sides.headers.get(compat.HEADER, b"")):
        from musify_ai.verify.both_builds import cuda_sides

        failures += cuda_sides(sides.original, sides.translation, sides.files, options)[1]
    if checked.errors:
        from musify_ai.project.origins import absent, failures_of

        failures += failures_of(checked.errors, sides.original, sides.files, sides.translation, options)
        return Result(checked.verdicts, failures, checked.programs, absent(checked.errors))
    return Result(checked.verdicts, failures, checked.programs)


def _companions(sides: Sides) -> "Companions | None":
    """The generated headers of a style, as the checker takes them."""
    if not sides.headers:
        return None
    from musify_ai.backends.emulated import Companions

    names = {name.decode(): target.decode() for name, target in compat.defined(sides.headers[compat.HEADER]).items()}
    return Companions(compat.FOLDER, sides.headers, compat.HEADER, names)


def _run_whole(sides: Sides, options: Options, whole: Whole, named: tuple[Path, Path]) -> Program:
    from musify_ai.verify.program import verify_program
    from musify_ai.verify.repeating import Repeat

    program = verify_program(
        sides.original,
        sides.translation,
        files=sides.files,
        unsettled=sides.unsettled,
        arguments=whole.arguments,
        data=whole.data,
        options=options,
        companions=_companions(sides),
    )
    if whole.bisect:
        program = _bisected(program, sides, options, whole)
    again = ["musify-ai", "verify", *map(str, named), "--program", *(f"--argument={a}" for a in whole.arguments)]
    again += [f"--data={whole.data}"] if whole.data is not None else []
    again += Repeat(*named, options).chosen()
    rows = tuple(e._replace(repeat=shlex.join([*again, "--arch", e.arch])) for e in program.evidence)
    return program._replace(evidence=rows)


def _bisected(program: Program, sides: Sides, options: Options, whole: Whole) -> Program:
    """The program's rows, each that differs with what makes it differ."""
    from musify_ai.project.bisecting import Result as Came
    from musify_ai.project.bisecting import explain, ours_of
    from musify_ai.verify.program import verify_program

    rows = []
    for row in program.evidence:
        if row.outcome != "differs":
            rows.append(row)
            continue
        one = options._replace(archs=(row.arch,))

        def run(tree: Path, one: Options = one) -> Came:
            again = verify_program(
                sides.original, tree, files=sides.files, arguments=whole.arguments, data=whole.data, options=one,
                companions=_companions(sides),
            )  # fmt: skip
            outcome = again.evidence[0].outcome
            return "agree" if outcome.startswith("equal") else "differ" if outcome == "differs" else "broken"

        port = {path: (sides.translation / path).read_bytes() for path in sides.files.values()}
        why = explain(sides.translation, ours_of(sides.original, sides.files, options), port, run)
        rows.append(row._replace(detail=f"{row.detail}; {why}"))
    return program._replace(evidence=tuple(rows))


def _with_commands(verdicts: Sequence[Verdict], named: tuple[Path, Path] | None) -> tuple[Verdict, ...]:
    """The verdicts with commands that name what the user named, or with none."""

    def command(repeat: str) -> str:
        words = shlex.split(repeat)
        if named is None or words[:2] != ["musify-ai", "verify"]:
            return repeat if named else ""
        return shlex.join([*words[:2], *map(str, named), *words[4:]])

    return tuple(v._replace(evidence=tuple(e._replace(repeat=command(e.repeat)) for e in v.evidence)) for v in verdicts)


def _unchecked(texts: Mapping[str, bytes], reason: str, options: Options) -> tuple[Verdict, ...]:
    """Each kernel that files define, as unchecked for a reason."""
    by_arch: dict[str, Headline] = dict.fromkeys(options.archs, "unchecked")
    out = []
    for path, src in texts.items():
        if b"__global__" not in src:
            continue
        from musify_ai.kernels import find_kernels

        for kernel in find_kernels(src, path):
            out.append(Verdict(path, kernel.name, kernel.line, None, "unchecked", reason, (), by_arch, ()))
    return tuple(out)


def paired(original: Path, translation: Path, options: Options) -> tuple[Sides, dict[str, bytes]]:
    """The files of two trees that stand for each other, and the originals that nothing stands for.

    What is unsettled in the port is found by translating it: what our rules would not leave so is not built.
    """
    if not original.is_dir():
        names = {original.name: translation.name}
        roots = original.parent, translation.parent
        here = [look(original, original.name)]
    else:
        roots = original, translation
        here = walk(original)
        there = {e.path for e in walk(translation) if e.kind in ("file", "link")}
        names = {
            e.path: found
            for e in here
            if e.role == "source" and (found := _counterpart(e.path, there.__contains__)) is not None
        }
    headers = compat.read_folder((translation if translation.is_dir() else translation.parent) / compat.FOLDER)
    if headers and options.style not in LEAVING_NAMES:
        options = options._replace(style="alias")  # the tree says of itself that it leaves names to aliases
    uses: list[Use] = []
    texts, alone, unsettled = {}, {}, {}
    for entry in here:
        if entry.role != "source" or entry.kind not in ("file", "link"):
            continue
        try:
            text = (roots[0] / entry.path).read_bytes()
            if entry.path not in names:
                alone[entry.path] = text
                continue
            ported = (roots[1] / names[entry.path]).read_bytes()
        except OSError as problem:
            raise Refused(f"cannot read {problem.filename}: {problem.strerror}") from None
        texts[entry.path] = text
        styled = translate_in_style(ported, names[entry.path], options)
        uses += styled.uses
        spans = tuple((f.start, f.end, f.code) for f in styled.findings if not f.settled)
        if spans:
            unsettled[names[entry.path]] = spans
    if not headers and options.style in LEAVING_NAMES:
        headers = compat.files(uses, options)
    return Sides(*roots, {path: names[path] for path in texts}, unsettled, texts, headers), alone


def _counterpart(path: str, exists: Callable[[str], bool]) -> str | None:
    """Where a port would keep a file: under its own name, with MUSA's suffix, or with ``cuda`` read as ``musa``."""
    candidates = [path]
    suffix = suffix_of(path)
    if suffix in (".cu", ".cuh"):
        candidates.append(path[: -len(suffix)] + suffix.replace("c", "m", 1))
    candidates += [Wording(BRANDS).path(path), Wording().path(path)]
    candidates += [c.replace("cuda", "musa").replace("CUDA", "MUSA") for c in list(candidates)]
    return next((c for c in candidates if exists(c)), None)
