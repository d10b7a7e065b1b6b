"""``alias``: names and includes stay, and a generated header makes them MUSA's.

All names become macros. A ``using`` would do for a type, but not for ``struct cudaDeviceProp prop;``, which C code
writes; a macro serves both, as in the alias headers of ggml, Mooncake and sppark-musa.

What stays an edit: whatever a construct rule says; names of PyTorch's C++ API, since a macro of that kind would reach
into PyTorch's own headers; a namespace (``thrust::cuda``), for a macro ``cuda`` would reach everywhere; and a name
that the project defines itself somewhere, which a macro would rename there too; and a name where it is asked whether it
is defined, since the alias would be what is.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from musify_ai.records import Edit, Options
from musify_ai.rules import load
from musify_ai.source.patterns import late_pattern
from musify_ai.styles.branches import cuda_only
from musify_ai.styles.plan import Plan
from musify_ai.styles.styled import Styled, Use
from musify_ai.translate import Translation
from musify_ai.translate.unit import Unit

# Findings that are true only where a name is written anew: text made of a name stays CUDA's.
_OF_RENAMING = frozenset(("MUS105",))
_ALREADY_MUSA = "MUS001"
_TESTED = late_pattern(rb"(?:#[ \t]*(?:el)?ifn?def[ \t]+|\bdefined\b[ \t]*\(?[ \t]*)(?=([A-Za-z_]\w*))")
_SPELLED_OUT = frozenset(("torch", "thrust"))


def aliased(translation: Translation, src: bytes, path: str, options: Options, plan: Plan) -> Styled:
    """The translation with its names and includes left to aliases.

    Where the source says ``#if defined(__MUSACC__)`` already, the branch that MUSA does not see is left alone.
    """
    elsewhere = cuda_only(src) if b"__MUSACC__" in src else ()
    tested = {match.start(1) for match in _TESTED.finditer(src)}
    edits, uses = [], []
    for edit in translation.edits:
        if within(elsewhere, edit.start):
            continue
        if edit.start not in tested and _is_left(edit, options, plan):
            if edit.safety == "safe" or options.unsafe_fixes:
                uses.append(_use(edit))
        else:
            edits.append(edit)
    constructs = False
    for edit in translation.withheld:
        if within(elsewhere, edit.start):
            continue
        if edit.start not in tested and _is_left(edit, options, plan):
            uses.append(_use(edit))
        else:
            constructs = True
    findings = [
        each
        for each in translation.findings
        if each.code not in _OF_RENAMING
        and not within(elsewhere, each.start)
        and (constructs or each.code != _ALREADY_MUSA)
    ]
    if options.style == "semantic":
        from musify_ai.styles.semantic import as_mapped

        findings = as_mapped(findings)
    return Styled(tuple(edits), tuple(findings), translation.excluded, _in_order(uses), _owned(src, path, options))


def within(spans: Sequence[tuple[int, int]], offset: int) -> bool:
    """Whether an offset lies in one of some spans, which are in order and apart."""
    index = bisect_left(spans, (offset + 1,)) - 1
    return index >= 0 and offset < spans[index][1]


def _is_left(edit: Edit, options: Options, plan: Plan) -> bool:
    tier, _, library = edit.rule.partition(".")
    if tier not in ("names", "headers") or library in _SPELLED_OUT or edit.old in plan.spelled_out:
        return False
    if options.style == "semantic":
        from musify_ai.styles.semantic import is_mapped

        return is_mapped(edit)
    return True


def _use(edit: Edit) -> Use:
    return Use(edit.start, edit.end, edit.old, edit.new, edit.rule.startswith("headers."), edit.evidence)


def _in_order(uses: Iterable[Use]) -> tuple[Use, ...]:
    return tuple(sorted(set(uses)))


def _owned(src: bytes, path: str, options: Options) -> frozenset[bytes]:
    """The names of the table that a file defines: anything that a macro of the name would hit."""
    from musify_ai.translate.names.tier import defined_in

    rules = load("main", options.sdk, options.overlay, options.rules)
    unit = Unit(path, src, options)
    names = rules.names.keys() & unit.words
    if not names:
        return frozenset()
    found = defined_in(unit, names, rules.own)
    return frozenset(found.own) | frozenset(found.members) | {each.name for each in found.noted}
