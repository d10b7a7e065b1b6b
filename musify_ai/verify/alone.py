"""A kernel built by itself, with just what it needs of its unit: the way out where the whole unit does not build."""

from collections.abc import Mapping, Sequence

from musify_ai.backends.emulated import BuildFailure, Emulated, Side, Unit
from musify_ai.kernels.closure import closure
from musify_ai.records import Kernel
from musify_ai.verify.branches import build_watched
from musify_ai.verify.building import (
    Registration,
    SideBuild,
    SideSource,
    Unsettled,
    first_error,
    functions_to_stub,
    main_text,
)
from musify_ai.verify.patches import FileParts, Mentions, Reason, base_name, refuse_asm


def build_alone(
    backend: Emulated,
    side: Side,
    macro: int,
    source: SideSource,
    kernel: Kernel,
    registration: Registration,
    unsettled: Mapping[str, Sequence[Unsettled]],
) -> SideBuild:
    """Build one kernel's closure. What it reaches that is unsettled makes it a stub without building anything."""
    reached = Mentions(source.files).reached(base_name(kernel.name))
    for _, function, reason in functions_to_stub(source.files, unsettled):
        if base_name(function.name) in reached:
            return SideBuild(None, reason.code, stubbed={base_name(kernel.name): reason})
    headers = {path: parts.src for path, parts in source.files.items() if path != source.unit}
    text = closure(source.files[source.unit].src, kernel, headers)
    parts = FileParts(source.unit, text)
    if side == "musa":
        text = refuse_asm(parts, text)
    main, _ = main_text(SideSource(source.unit, {source.unit: parts}, ()), [registration])
    unit = Unit({source.unit: text}, main, defines=source.defines)
    watched = build_watched(backend, unit, side, macro, {source.unit: parts})
    result = watched.built if watched is not None else backend.build(unit, side, macro)
    if isinstance(result, BuildFailure):
        message = first_error(result)
        return SideBuild(None, message, dropped={registration.id: Reason("", message)})
    return SideBuild(result, unit=unit, watched=watched)
