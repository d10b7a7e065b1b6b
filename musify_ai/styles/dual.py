"""``dual``: one tree that builds for both. Where meaning differs there is a branch for each; names are left to aliases.

The bytes that CUDA sees are those that were there: a branch for MUSA is put in before them. In a condition, which
cannot hold branches, both are asked in one; where MUSA's preprocessor could not read CUDA's half (it calls a macro that
MUSA lacks, which is an error even where it is not evaluated), the whole ``#if`` stands in both branches.
"""

import itertools
from collections.abc import Iterable, Sequence

from musify_ai.records import Edit, Finding, Options
from musify_ai.source import splice
from musify_ai.source.directives import Directive, directives
from musify_ai.source.tokens import tokens
from musify_ai.styles.branches import ASKED, condition_of_both, is_condition
from musify_ai.styles.styled import Styled
from musify_ai.styles.widening import Span, Widening, merged

NOT_DOUBLED = "MUS121"
TAKEN_BY_MCC = "MUS123"

# Files that a project most often gives to another compiler than that for device code.
_HOST_ONLY = (".c", ".cc", ".cpp", ".cxx", ".c++")


def doubled(styled: Styled, src: bytes, path: str, options: Options) -> Styled:
    """The styled translation with each edit turned into a branch for MUSA beside the text that it would replace.

    Unsafe edits that are only suggestions stay what they are: a suggestion is no part of the tree.
    """
    wanted = [edit for edit in styled.edits if edit.safety == "safe" or options.unsafe_fixes]
    others = [edit for edit in styled.edits if edit not in wanted]
    if not wanted:
        return styled
    lines = Widening(src)
    spans: list[Span] = []
    in_conditions: list[tuple[Directive, Edit]] = []
    places = {(edit.start, edit.end, edit.new) for edit in wanted}
    findings = [
        each
        for each in styled.findings
        if each.edit is None
        or each.code.startswith("MUS1")
        or (each.edit.start, each.edit.end, each.edit.new) not in places
    ]
    for edit in wanted:
        line = lines.directive_at((edit.start, edit.end))
        if line is not None and is_condition(line) and not _calls_what_musa_lacks(edit):
            in_conditions.append((line, edit))
            continue
        span = lines.widened((edit.start, edit.end))
        if span is None:
            # Half a file for both would be read as a port that is done, so none of it is.
            return styled._replace(edits=tuple(others), findings=_in_order([*findings, *map(_not_doubled, wanted)]))
        spans.append(span)
    edits = list(others)
    blocks = merged(spans)
    for start, end in blocks:
        inside = [edit for edit in wanted if start <= edit.start and edit.end <= end]
        edits += _block(src, (start, end), inside)
    if path.endswith(_HOST_ONLY):
        findings += [_for_host(src, span) for span in blocks[:1]]
    by_line: dict[Directive, list[Edit]] = {}
    for line, edit in in_conditions:
        if not any(start <= line.start < end for start, end in blocks):
            by_line.setdefault(line, []).append(edit)
    for line, inside in by_line.items():
        edits.append(_condition(src, line, inside))
    edits.sort(key=lambda each: (each.start, each.end))
    return styled._replace(edits=tuple(edits), findings=_in_order(findings))


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda each: (each.start, each.code, each.end, each.name)))


# What a condition may call without a macro of that name.
_OPERATORS = (b"defined", b"__has_include", b"__has_include_next", b"__has_attribute", b"__has_cpp_attribute",
              b"__has_builtin", b"__has_feature", b"__has_extension")  # fmt: skip


def _calls_what_musa_lacks(edit: Edit) -> bool:
    """Whether an edit takes the call of a macro out of a condition."""
    words = tokens(edit.old)
    return any(
        word.kind == "identifier" and opener.text == b"(" and word.text not in (*_OPERATORS, edit.new)
        for word, opener in itertools.pairwise(words)
    )


def _block(src: bytes, span: Span, inside: Sequence[Edit]) -> list[Edit]:
    """The branch for MUSA, put in before lines, and the end put in after them."""
    start, end = span
    text = src[start:end]
    newline = b"\r\n" if text[: text.find(b"\n") + 1].endswith(b"\r\n") else b"\n"
    shifted = [edit._replace(start=edit.start - start, end=edit.end - start) for edit in inside]
    musa = splice(text, shifted)
    if not musa.endswith(b"\n"):
        musa += newline
    first = max(inside, key=lambda edit: edit.end - edit.start)
    head = b"#if " + ASKED + newline + musa + b"#else" + newline
    tail = b"#endif" + newline if text.endswith(b"\n") else newline + b"#endif"
    return [_put_in(start, head, first), _put_in(end, tail, first)]


def _put_in(at: int, text: bytes, of: Edit) -> Edit:
    return of._replace(start=at, end=at, old=b"", new=text, line=0, column=0)


def _condition(src: bytes, line: Directive, inside: Sequence[Edit]) -> Edit:
    """One condition in the place of another. ``#ifdef`` becomes ``#if``, which asks the same."""
    start, end = line.start, _without_comment(src, line)
    shifted = [
        edit._replace(start=edit.start - start, end=edit.end - start)
        for edit in sorted(inside, key=lambda edit: edit.start)
    ]
    cuda, musa = src[start:end], splice(src[start:end], shifted)
    head, keyword, old = _asked(cuda)
    _, _, new = _asked(musa)
    text = head + keyword + b" " + condition_of_both(new, old)
    return inside[0]._replace(start=start, end=end, old=cuda, new=text)


def _asked(directive: bytes) -> tuple[bytes, bytes, bytes]:
    """What stands before a directive's keyword, ``if`` or ``elif``, and its condition as an expression."""
    line = directives(directive)[0]
    head = directive[: line.argument_start - len(line.keyword)]
    condition = directive[line.argument_start :].strip()
    if line.keyword.endswith(b"ndef"):
        condition = b"!defined(" + condition + b")"
    elif line.keyword.endswith(b"def"):
        condition = b"defined(" + condition + b")"
    return head, b"elif" if line.keyword.startswith(b"el") else b"if", condition


def _without_comment(src: bytes, line: Directive) -> int:
    """Where a directive's text ends before a comment behind it."""
    last = line.argument_start
    for token in tokens(src, line.argument_start, line.end):
        last = token.end
    return last


def _for_host(src: bytes, span: Span) -> Finding:
    end = src.find(b"\n", span[0], span[1])
    return Finding(
        TAKEN_BY_MCC,
        "warning",
        span[0],
        span[1] if end < 0 else end,
        "what stands here differs on MUSA, and the branch put in for MUSA is taken by MUSA's compiler only, which "
        "alone defines __MUSACC__. Compile this file with mcc (-x musa) in a build for MUSA.",
        name="__MUSACC__",
    )


def _not_doubled(edit: Edit) -> Finding:
    return Finding(
        NOT_DOUBLED,
        "warning",
        edit.start,
        edit.end,
        "this place has another meaning on MUSA, but the file has an #if without #endif, or an #else without #if, so "
        "no branch could be put there; the file was left as it is. Mend that, or write the branches for MUSA by hand.",
        effort="minutes",
        settled=False,
        name=edit.rule,
    )
