"""Inputs for a project's kernels: read where somebody gave them, written down where somebody is to change them."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from musify_ai.backends.cache import Cache
from musify_ai.backends.emulated import BuildStoppedError, DeviceBuildError, Emulated
from musify_ai.backends.toolchain import Toolchain, no_compiler
from musify_ai.records import ARCHS, Options
from musify_ai.verify import given as giving
from musify_ai.verify.closures import Sources
from musify_ai.verify.flags import flags_of
from musify_ai.verify.given import Given, GivenError
from musify_ai.verify.instantiating import Instantiator
from musify_ai.verify.pairing import UnitPlan, plan_units
from musify_ai.verify.patches import base_name
from musify_ai.verify.units import UnitCheck


def given_for(root: Path, options: Options, plans: Sequence[UnitPlan]) -> dict[str, Given]:
    """The inputs by kernel that hold for a project: those learnt from a launch log, and over them those of the file
    that the options name, else of `musify-inputs.toml` at the root. Raises `GivenError`."""
    found: dict[str, Given] = {}
    if options.launches:
        parameters = {
            base_name(pair.original.name).decode(): [each.name for each in pair.original.parameters]
            for plan in plans
            for pair in plan.pairs
        }
        try:
            with Path(options.launches).open(encoding="utf-8", errors="replace") as log:
                found = giving.from_log(log, parameters)
        except OSError as problem:
            raise GivenError(f"{options.launches}: {problem.strerror}") from None
    file = Path(options.inputs) if options.inputs else root / giving.NAME
    if options.inputs or file.is_file():
        found |= giving.read(file)
    return found


def propose(
    original: Path,
    files: Mapping[str, str],
    options: Options,
    kernels: Collection[str] = (),
    cache: Cache | None = None,
) -> str:
    """A file of the inputs that each kernel of a project would be run with, by building and trying the original alone.

    Raises `CompilerMissing` where there is no C++ compiler, `GivenError` for a file of inputs that is none.
    """
    from musify_ai.verify.checking import CompilerMissing

    toolchain = Toolchain.detect()
    if toolchain is None:
        raise CompilerMissing(no_compiler())
    backend = Emulated(toolchain, cache)
    sources = Sources(original, files, with_macro=False, flags=flags_of(original, options.includes, options.defines))
    plans = plan_units(
        sources, sources, {path: path for path in files}, kernels, Instantiator(backend.cache.root / "headers")
    )
    known = given_for(original, options, plans)
    found: dict[str, Given] = {}
    reasons: dict[str, str] = {}
    for plan in plans:
        check = UnitCheck(backend, plan, sources, sources, {}, options, known)
        try:
            proposed = check.proposals(ARCHS[options.archs[0]])
        except (BuildStoppedError, DeviceBuildError) as problem:
            proposed = [(pair, str(problem)) for pair in plan.pairs]
        for pair, chosen in proposed:
            name = pair.original.name
            if isinstance(chosen, Given):
                found.setdefault(name, chosen)
            else:
                reasons.setdefault(name, chosen)
    return giving.written(found, {name: why for name, why in reasons.items() if name not in found})
