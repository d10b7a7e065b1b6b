"""The rows of real devices in a verdict: one for each pair of backends and arch, and the headline over all."""

from collections.abc import Sequence

from musify_ai.backends.devices import DevicePair
from musify_ai.records import ARCHS, Evidence, Headline, Verdict, headline_of
from musify_ai.verify.kernelrun import KernelRun
from musify_ai.verify.on_devices import RUNS, DeviceError, DeviceRow, Devices, Opened, merged
from musify_ai.verify.pairing import Pair
from musify_ai.verify.patches import base_name
from musify_ai.verify.repeating import Repeat
from musify_ai.verify.tolerances import Tolerated, operations_in
from musify_ai.verify.units import UnitCheck

METHOD = "device"
"""The method of evidence rows in which a real backend takes part."""


def with_devices(
    pairs: Sequence[DevicePair], opened: Opened, check: UnitCheck, kernels: Sequence[Pair],
    verdicts: Sequence[Verdict], repeat: Repeat,
) -> tuple[list[Verdict], list[DeviceError]]:  # fmt: skip
    """The verdicts of a unit that was checked on the CPU device, with the rows of real devices; and what real compilers
    found wrong."""
    found = list(verdicts)
    errors: dict[DeviceError, None] = {}
    for devices in (Devices(pair, opened) for pair in pairs):
        for number, kernel in enumerate(kernels):
            for arch in repeat.options.archs:
                known = check.compared_on.get((kernel.id, arch))
                if known is None:
                    continue  # it could not be run on the CPU device: there are no inputs for it
                run, builds = known
                row = devices.row(run, builds, ARCHS[arch], tolerated(check, kernel, run))
                errors |= dict.fromkeys(row.errors)
                found[number] = _with_row(found[number], arch, row, repeat.command(kernel.original.name, arch))
    return found, list(errors)


def tolerated(check: UnitCheck, kernel: Pair, run: KernelRun) -> Tolerated:
    """What a kernel does that devices do differently, on either side, with all that it calls."""
    twin = kernel.translated or kernel.original
    texts = [
        mentions.text(base_name(each.name))[0]
        for mentions, each in zip(check.mentions, (kernel.original, twin), strict=True)
    ]
    operations = operations_in(b"\n".join(texts))
    return Tolerated(operations, max([1, *run.values.values(), run.threads]))


def _with_row(verdict: Verdict, arch: str, row: DeviceRow, command: str) -> Verdict:
    judgement = row.judgement
    evidence = Evidence(
        method=METHOD,
        backend=row.backend,
        arch=arch,
        lanes=row.lanes,
        seeds=row.seeds,
        schedules=tuple(f"run {number + 1}" for number in range(RUNS)) if row.seeds else (),
        poison=(),
        buffers=row.buffers,
        tolerance=row.tolerance,
        assumptions=judgement.assumptions,
        outcome=judgement.outcome,
        detail=judgement.detail,
        repeat=command,
    )
    by_arch: dict[str, Headline] = {**verdict.by_arch, arch: merged(verdict.by_arch[arch], row, ARCHS[arch])}
    notes = (
        dict.fromkeys((*verdict.notes, *judgement.notes)) if judgement.outcome.startswith("equal") else verdict.notes
    )
    changed = by_arch[arch] != verdict.by_arch[arch]
    varies = verdict.headline == "original-schedule-dependent"
    headline = headline_of(by_arch, original_varies=varies) if changed else verdict.headline
    told = changed and by_arch[arch] == headline
    reason = (judgement.detail or None) if told else verdict.reason
    return verdict._replace(
        headline=headline, by_arch=by_arch, reason=reason, notes=tuple(notes), evidence=(*verdict.evidence, evidence)
    )
