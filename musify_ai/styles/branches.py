"""``#if defined(__MUSACC__)``: what a build for CUDA sees of a file, and what one for MUSA does.

mcc defines ``__MUSACC__`` in the host's and the device's pass, and ``__CUDACC__`` and ``__NVCC__`` in neither (a dump
of its macros in sppark-musa's notes for SDK 5.2; mmcv's rules for its ports and torch_musa's documentation name the
same macro). ``__MUSA__`` would not do: it is clang's, beside ``__CUDA__``, which mcc defines too; ``__MUSA_ARCH__`` is
there in the device's pass alone. A file that another compiler builds for MUSA takes CUDA's branch.
"""

import re

from musify_ai.source.branches import hidden_spans
from musify_ai.source.directives import Directive, conditionals, directives
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import tokens

MACRO = b"__MUSACC__"
ASKED = b"defined(__MUSACC__)"

# The forms that `condition_of_both` writes, each with CUDA's condition in the last parentheses.
_BOTH = late_pattern(
    rb"[ \t]*(?:defined\(__MUSACC__\)[ \t]*\?.*?:|defined\(__MUSACC__\)[ \t]*\|\|"
    rb"|!defined\(__MUSACC__\)[ \t]*&&)[ \t]*\(",
    re.S,
)
_CONDITIONS = frozenset((b"if", b"elif", b"ifdef", b"ifndef", b"elifdef", b"elifndef"))


def cuda_only(src: bytes) -> list[tuple[int, int]]:
    """What a build for MUSA does not see, and the conditions that ask for both: in order and apart."""
    if MACRO not in src:
        return []
    spans = hidden_spans(src, MACRO, defined=True)
    both = [(each.start, each.end) for each in directives(src) if is_for_both(src, each)]
    kept: list[tuple[int, int]] = []
    for span in sorted([*spans, *both]):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def is_condition(line: Directive) -> bool:
    """Whether a directive has a condition."""
    return line.keyword in _CONDITIONS


def is_for_both(src: bytes, line: Directive) -> bool:
    """Whether a directive's condition says something else for MUSA than for CUDA."""
    return line.keyword in (b"if", b"elif") and _BOTH.match(src, line.argument_start, line.end) is not None


def condition_of_both(musa: bytes, cuda: bytes) -> bytes:
    """One condition that is MUSA's in a build for MUSA and CUDA's in one for CUDA."""
    if _bare(musa) == ASKED:
        return ASKED + b" || (" + cuda + b")"
    if _bare(musa) == b"!" + ASKED:
        return b"!" + ASKED + b" && (" + cuda + b")"
    return ASKED + b" ? (" + musa + b") : (" + cuda + b")"


def _bare(condition: bytes) -> bytes:
    text = b"".join(condition.split())
    if text in (b"defined" + MACRO, b"!defined" + MACRO):
        return text.replace(b"defined", b"defined(") + b")"
    while text.startswith(b"(") and text.endswith(b")") and text[1:-1] in (ASKED, b"!" + ASKED):
        text = text[1:-1]
    return text


def as_cuda_sees(src: bytes) -> bytes:
    """The file without what is for MUSA only: of each two-way branch on the macro the half for CUDA, and of each
    condition for both CUDA's. Conditions are written in one spelling throughout (``#ifdef X`` as
    ``#if defined ( X )``), so that files may be compared.

    What `dual` makes of a file must read like the file itself here; this shares nothing with how it is made.
    """
    lines = directives(src)
    cuts: list[tuple[int, int, bytes]] = []
    for each in conditionals(src, lines) if MACRO in src else ():
        first, endif = each.branches[0].directive, each.endif
        if endif is None or len(each.branches) != 2 or src[first.start : first.end] != b"#if " + ASKED:
            continue
        other = each.branches[1].directive
        after = src.find(b"\n", endif.end) + 1 or len(src)
        cuts.append((first.start, src.find(b"\n", other.end) + 1, b""))
        begin = endif.start
        if after == len(src) and not src.endswith(b"\n"):
            begin -= 2 if src[:begin].endswith(b"\r\n") else 1
        cuts.append((begin, after, b""))
    cuts += [_condition(src, line) for line in lines if is_condition(line)]
    out, position = [], 0
    for start, end, text in sorted(cuts, key=lambda cut: (cut[0], -cut[1])):
        if start >= position:
            out += [src[position:start], text]
            position = end
    return b"".join([*out, src[position:]])


def _condition(src: bytes, line: Directive) -> tuple[int, int, bytes]:
    """Where a directive's condition stands, its ``#`` included, and CUDA's reading of it in one spelling."""
    start, end, after = line.argument_start, line.end, line.argument_start
    for token in tokens(src, start, end):
        after = token.end
    both = _BOTH.match(src, start, end) if line.keyword in (b"if", b"elif") else None
    if both is not None:
        start, end = both.end(), src.rfind(b")", both.end(), after)
    text = b" ".join(token.text for token in tokens(src, start, end))
    if line.keyword.endswith(b"def"):
        text = b"defined ( " + text + b" )"
        text = b"! " + text if line.keyword.endswith(b"ndef") else text
    keyword = b"#elif " if line.keyword.startswith(b"el") else b"#if "
    return line.start, after, keyword + text
