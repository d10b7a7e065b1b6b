"""The records that every stage reads and adds to: small, frozen, picklable. This package imports nothing of ours.

Offsets are bytes in the file as it was read. ``line`` and ``column`` count from 1, columns in code points; they are 0
until the pipeline fills them in (a record made from bytes alone need not know where its lines end).
"""

from typing import TYPE_CHECKING, Any

from musify_ai.records.changes import SEVERITIES, Decided, Edit, Finding, Grade, Related, Safety, Severity
from musify_ai.records.options import ARCHS, Arch, Options
from musify_ai.records.runs import Failure, FileResult, Program, Run, Tool

if TYPE_CHECKING:
    from musify_ai.records.kernels import Instantiation, Kernel, Launch, Parameter
    from musify_ai.records.rewrites import Attempt, Rewrite
    from musify_ai.records.verdicts import (
        HEADLINES,
        Buffer,
        Coverage,
        Evidence,
        Headline,
        Mutants,
        Verdict,
        headline_of,
    )
else:
    # What checking and rewriting find: a hook's run, which does neither, makes none of these classes.
    _MODULES = {
        "kernels": ("Instantiation", "Kernel", "Launch", "Parameter"),
        "rewrites": ("Attempt", "Rewrite"),
        "verdicts": ("HEADLINES", "Buffer", "Coverage", "Evidence", "Headline", "Mutants", "Verdict", "headline_of"),
    }

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        for module, names in _MODULES.items():
            if name in names:
                found = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "ARCHS",
    "HEADLINES",
    "SEVERITIES",
    "Arch",
    "Attempt",
    "Buffer",
    "Coverage",
    "Decided",
    "Edit",
    "Evidence",
    "Failure",
    "FileResult",
    "Finding",
    "Grade",
    "Headline",
    "Instantiation",
    "Kernel",
    "Launch",
    "Mutants",
    "Options",
    "Parameter",
    "Program",
    "Related",
    "Rewrite",
    "Run",
    "Safety",
    "Severity",
    "Tool",
    "Verdict",
    "headline_of",
]
