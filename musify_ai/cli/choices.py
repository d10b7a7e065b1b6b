"""Options that several commands share, and how command line and settings become `Options`."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from musify_ai.cli.completing import codes, offering
from musify_ai.cli.config import near, settings_file_for, settings_for
from musify_ai.cli.ending import FAIL_ON
from musify_ai.cli.loudness import loudness, tell_settings
from musify_ai.records import ARCHS, Options
from musify_ai.rules.sdks import SDKS
from musify_ai.styles.offers import STYLES, refusal

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = ("text", "full", "json", "jsonl", "csv", "markdown", "github", "gitlab", "sarif", "rdjsonl", "junit", "html")
OF_FINDINGS = ("gitlab", "sarif", "rdjsonl")
OF_KERNELS = ("junit",)
WAYS = ("c2m", "m2c")
PYTORCH = ("native", "shim")
EXECUTORS = ("local", "ray")
_CODES = offering(codes, listed=True)


class ExistingName(click.Path):
    """A path as given. The empty one is refused: it would stand for the directory we are in, and comes from a shell
    variable that nobody has set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; a usage error for an empty one."""
        if value in ("", b""):
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


def translating(command: F) -> F:
    """The options that say how to translate."""
    for option in reversed(
        (
            click.option(
                "--style",
                metavar="STYLE",
                shell_complete=offering(lambda: STYLES),
                help=f"House style of the output: {', '.join(STYLES)}.",
            ),
            click.option(
                "--sdk",
                metavar="VERSION",
                shell_complete=offering(lambda: SDKS),
                help=f"MUSA SDK to translate for: {', '.join(SDKS)}.",
            ),
            click.option(
                "--direction",
                metavar="WAY",
                shell_complete=offering(lambda: WAYS),
                help="c2m (default), or m2c: MUSA names back to CUDA's.",
            ),
            click.option(
                "--pytorch",
                metavar="WAY",
                shell_complete=offering(lambda: PYTORCH),
                help="Python's way to the GPU: native (torch_musa, default) or shim (torchada, few edits).",
            ),
            click.option("--overlay", metavar="FILE", help="What `sdk scan` found in an installed SDK."),
            click.option("--rules", metavar="FILE", multiple=True, help="The project's own rules (see `rules new`)."),
            click.option("--baseline", metavar="FILE", help="Findings that are accepted: only others are new."),
            click.option("--unsafe-fixes/--no-unsafe-fixes", default=None, help="Apply unsafe edits too."),
            click.option(
                "--select",
                metavar="CODES",
                multiple=True,
                shell_complete=_CODES,
                help="Only these codes, or families: MUS3,MUS401.",
            ),
            click.option(
                "--ignore", metavar="CODES", multiple=True, shell_complete=_CODES, help="All codes but these."
            ),
        )
    ):
        command = option(command)
    return command


def checking(command: F) -> F:
    """The options that say how kernels are checked, and where the report goes."""
    for option in reversed(
        (
            click.option("--seeds", type=int, metavar="N", help="Sets of made inputs for each kernel (default 3)."),
            click.option(
                "-I", "--include", metavar="DIR", multiple=True, help="A folder of the project that it includes from."
            ),
            click.option(
                "-D", "--define", metavar="NAME[=VALUE]", multiple=True, help="A macro that it is compiled with."
            ),
            click.option(
                "--mutants/--no-mutants", default=None,
                help="Whether the check would notice: try wrong versions of each equal kernel. Takes minutes.",
            ),
            click.option(
                "--ptx-identity/--no-ptx-identity", default=None,
                help="Whether nvcc makes the same of both sides' kernels, MUSA's names being aliases. Needs nvcc, and"
                " no GPU.",
            ),
            click.option(
                "--fresh", is_flag=True, help="Check anew also what was checked before and has not changed since."
            ),
            click.option(
                "--time-budget", metavar="TIME",
                help="Begin no further kernel after so long: 90 (seconds), 15m, 1h30m. The rest is unchecked.",
            ),
            click.option(
                "--report", metavar="DIR", type=ExistingName(path_type=Path),
                help="Write report.html and report.json there.",
            ),
        )
    ):  # fmt: skip
        command = option(command)
    return command


def common(command: F) -> F:
    """The options that every command over files has."""
    command = loudness(command)
    for option in reversed(
        (
            click.option(
                "--arch",
                metavar="ARCHS",
                multiple=True,
                shell_complete=offering(lambda: ARCHS, listed=True),
                help="Target archs: mp_21, mp_22, mp_31.",
            ),
            click.option(
                "--format",
                "format_",
                metavar="FORMAT",
                shell_complete=offering(lambda: FORMATS),
                help=f"text (default), {', '.join(FORMATS[1:])}.",
            ),
            click.option(
                "--fail-on",
                metavar="WHAT",
                multiple=True,
                shell_complete=offering(lambda: FAIL_ON, listed=True),
                help=f"Exit 1 where there is any: {', '.join(FAIL_ON)}.",
            ),
            click.option(
                "-j", "--jobs", type=click.IntRange(0), metavar="N", help="Processes to use; 0 is one a core."
            ),
        )
    ):
        command = option(command)
    return command


def _schedules(text: str) -> tuple[str, ...]:
    """Orders of threads, each once; forward, in which inputs are chosen, is always among them and first."""
    found = [each.strip() for each in text.split(",") if each.strip()]
    for each in found:
        if not re.fullmatch(r"forward|reverse|interleaved|random:[0-9]+", each):
            raise click.UsageError(
                f"unknown schedule {each!r}; there is forward, reverse, interleaved and random:N (a number)"
            )
    return tuple(dict.fromkeys(["forward", *found])) if found else ()


def options_from(place: Path, **given: Any) -> Options:
    """The options of a run over a place: what the command line gives, else the settings there, else the defaults.

    `click.UsageError` for a value that is none, with the nearest that is; for what a later version will have, a
    sentence that says so. Where the settings are what is wrong, it begins with their file.
    """
    settings = settings_for(place)
    try:
        options = _built(settings, given)
    except click.UsageError as problem:
        try:
            _built({}, given)
        except click.UsageError:
            raise problem from None
        raise click.UsageError(f"{settings_file_for(place)}: {problem.message}") from None
    tell_settings(place, options)
    return options


def _built(settings: Mapping[str, Any], given: Mapping[str, Any]) -> Options:
    def chosen(key: str, default: Any) -> Any:
        value = given.get(key.replace("-", "_"))
        if value is None or value == ():
            return settings.get(key, default)
        return value

    default = Options()
    style = _one_of("style", chosen("style", default.style), STYLES)
    sdk = _one_of("SDK", chosen("sdk", default.sdk), SDKS)
    archs = _listed(chosen("arch", default.archs))
    if not archs:
        raise click.UsageError("no target arch is left; give one with --arch")
    seeds = chosen("seeds", default.seeds)
    if seeds < 2:
        raise click.UsageError("--seeds must be at least 2: a single one cannot show that an output varies")
    jobs = chosen("jobs", default.jobs)
    if jobs < 0:
        raise click.UsageError("--jobs must not be negative")
    direction = _one_of("direction", chosen("direction", default.direction), WAYS)
    options = Options(
        style=style,
        sdk=sdk,
        archs=tuple(dict.fromkeys(_one_of("arch", arch, tuple(ARCHS)) for arch in archs)),
        unsafe_fixes=chosen("unsafe-fixes", default.unsafe_fixes),
        # Kernels are checked from CUDA to MUSA; a way back has nothing to be checked against.
        verify=chosen("verify", default.verify) and direction == "c2m",
        direction=direction,
        seeds=seeds,
        mutants=chosen("mutants", default.mutants),
        includes=tuple(chosen("include", default.includes)),
        defines=tuple(chosen("define", default.defines)),
        inputs=str(chosen("inputs", default.inputs)),
        launches=str(given.get("launches") or ""),
        draw=int(given.get("draw") or 0),
        schedules=_schedules(given.get("schedules") or ""),
        ptx_identity=chosen("ptx-identity", default.ptx_identity),
        excused=tuple(_excused(text) for text in settings.get("excused-mutants", ())),
        jobs=jobs,
        backends=_backends(given.get("backend") or ()),
        remotes=_remotes(given.get("remote") or ()),
        pytorch=_one_of("--pytorch", chosen("pytorch", default.pytorch), PYTORCH),
        fresh=bool(given.get("fresh")),
        executor=_one_of("--executor", given.get("executor") or default.executor, EXECUTORS),
        time_budget=_duration(chosen("time-budget", "0")),
        select=codes_of(chosen("select", ())),
        ignore=codes_of(chosen("ignore", ())),
        overlay=_overlay(chosen("overlay", "")),
        rules=_own_rules(chosen("rules", ())),
        fail_on=tuple(_one_of("--fail-on", name, FAIL_ON) for name in _listed(chosen("fail-on", ()))),
    )
    why = refusal(options)
    if why:
        raise click.UsageError(why)
    return options


def format_from(value: str | None, refused: Sequence[str] = (), why: str = "") -> str:
    """The output format asked for. `click.UsageError` for one that is not there, or that the command refuses."""
    found = _one_of("format", value or "text", FORMATS)
    if found in refused:
        raise click.UsageError(f"--format {found}: {why}")
    return found


def _one_of(what: str, value: str, known: Sequence[str], later: Sequence[str] = ()) -> str:
    if value in known:
        return value
    if value in later:
        raise click.UsageError(f"{what} {value!r} is not in this version; there is {', '.join(known)}")
    raise click.UsageError(f"unknown {what} {value!r}{near(value, tuple(known))}")


def _overlay(path: str) -> str:
    """The overlay asked for, looked at now: a wrong one is wrong use, not a fault in every file."""
    if path:
        from musify_ai.rules.overlay import OverlayInvalid, read_overlay

        try:
            read_overlay(path)
        except OverlayInvalid as problem:
            raise click.UsageError(str(problem)) from None
    return path


def _own_rules(paths: Sequence[str]) -> tuple[str, ...]:
    """The files of own rules asked for, looked at now."""
    if paths:
        from musify_ai.rules.own import OwnRulesInvalid, read_own

        try:
            for path in paths:
                read_own(path)
        except OwnRulesInvalid as problem:
            raise click.UsageError(str(problem)) from None
    return tuple(paths)


def refuse_vain(asked: Sequence[str], vain: Sequence[str], why: str) -> None:
    """A usage error for what --fail-on names on a command line where it could never be: a gate that is always open.

    In the settings, which hold for every command, it is no mistake.
    """
    for name in _listed(asked):
        if name in vain:
            raise click.UsageError(f"--fail-on {name} would never fail here: {why}")


def _listed(values: Sequence[str]) -> list[str]:
    """Options given several times and options given with commas are the same."""
    return [item for value in values for item in (part.strip() for part in value.split(",")) if item]


def _duration(text: str) -> int:
    """Seconds from ``90``, ``90s``, ``15m`` or ``1h30m``."""
    found = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?", text.strip())
    if not text.strip() or found is None:
        raise click.UsageError(f"--time-budget {text!r} is no time; write 90 (seconds), 15m or 1h30m")
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds


def codes_of(values: Sequence[str]) -> tuple[str, ...]:
    """Codes or the beginnings of codes, each one that some code has."""
    if not values:
        return ()
    from musify_ai.translate import registry

    known = registry.codes()
    codes = [code.upper() for code in _listed(values)]
    for code in codes:
        rest = code.removeprefix("MUS")
        if rest == code or len(rest) > 3 or (rest and not rest.isdigit()):
            raise click.UsageError(f"{code!r} is no code; codes look like MUS301, families like MUS3")
        if not any(each.startswith(code) for each in known):
            raise click.UsageError(f"there is no code {code}; `musify-ai explain` lists the codes")
    return tuple(codes)


def _backends(names: Sequence[str]) -> tuple[str, ...]:
    """The pairs of backends asked for, looked at now."""
    if not names:
        return ()
    from musify_ai.backends.devices import pair_of
    from musify_ai.backends.machines import BackendError

    try:
        return tuple(dict.fromkeys(pair_of(each).name for each in names))
    except BackendError as problem:
        raise click.UsageError(str(problem)) from None


def _remotes(names: Sequence[str]) -> tuple[str, ...]:
    """The machines of backends, looked at now."""
    if not names:
        return ()
    from musify_ai.backends.devices import machines_of
    from musify_ai.backends.machines import BackendError

    try:
        machines_of(names)
    except BackendError as problem:
        raise click.UsageError(str(problem)) from None
    return tuple(names)


def _excused(text: str) -> tuple[str, str, str]:
    """A mutant of the settings' ``excused-mutants``: ``kernel: description -- reason``."""
    head, _, reason = text.partition(" -- ")
    kernel, _, words = head.partition(": ")
    if not (reason.strip() and words.strip() and kernel.strip()):
        raise click.UsageError(
            f"excused-mutants: {text!r} is not of the form 'kernel: description -- reason', with the description as"
            " verify gives it without file and line"
        )
    return kernel.strip(), words.strip(), reason.strip()
