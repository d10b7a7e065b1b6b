"""Device source inside string literals: what NVRTC, CuPy, PyCUDA or PyTorch compile at run time.

A text is taken for device source where it defines a kernel or a device function, or where the file hands it to a call
that compiles it. It is translated as a file is, and its edits and findings are given at the bytes of the file that
hold them. Nothing is written into an escape sequence, over the end of a literal, or with a quotation mark that would
end it: where an edit would, it is a finding instead.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from musify_ai.records import Edit, Finding, Options
from musify_ai.source.directives import directives
from musify_ai.source.lexing import blank, region_at
from musify_ai.source.patterns import late_pattern

if TYPE_CHECKING:
    from musify_ai.source.literals import PythonTexts, Text
    from musify_ai.translate.translation import Translation
    from musify_ai.translate.unit import Unit

CODE = "MUS117"
ALREADY_MUSA = "MUS001"
COMPILERS = frozenset((b"nvrtcCreateProgram", b"mtrtcCreateProgram"))
_Translate = Callable[[bytes, str, Options], "Translation"]

# In a literal the letter of an escape before it (\\n__global__) makes one word with the mark.
KERNEL_WORDS = frozenset((b"__global__", b"n__global__", b"t__global__", b"r__global__"))
_FUNCTION = late_pattern(rb"\b__(?:global|device)__\b")
_STATEMENT_END = late_pattern(rb"[;{]")
_STATEMENTS = late_pattern(rb"[;{}#]")
_HEAD = 2000  # bytes from __global__ to the body
# What run-time formatting (str.format, %, printf) reads in a text: an edit must not bring in more of it.
_FORMATTING = (b"%", b"{", b"}")


def holds_source(unit: Unit) -> bool:
    """Whether some string of a C++ file may be device source; cheap, for most files are asked."""
    if not unit.words.isdisjoint(COMPILERS):
        return True
    if unit.words.isdisjoint(KERNEL_WORDS):
        return False
    found = re.finditer(rb"__global__", unit.src)
    return any((region := region_at(unit.regions, m.start())) is not None and "string" in region.kind for m in found)


def embedded(unit: Unit, translate: _Translate) -> Iterator[Edit | Finding]:
    """The edits and findings inside the strings of a C++ file that are device source."""
    from musify_ai.source.literals import texts

    compiled = _compiled(unit)
    for text in texts(unit.src, unit.regions):
        named = bool(compiled) and _name_before(unit, text.start) in compiled
        yield from _inside(unit.src, text, unit.options, translate, _FORMATTING[:1], is_compiled=named)


def embedded_in_python(
    src: bytes, read: PythonTexts, options: Options, translate: _Translate
) -> tuple[list[Edit | Finding], list[tuple[int, int]]]:
    """The edits and findings inside the strings of a Python file that are device source; nothing else of it is
    read. Then the spans in which a CUDA name is explained: comments, strings for people, and what a comment inside
    source keeps the tool out of."""
    spans, names = _compiled_in_python(src, read)
    found: list[Edit | Finding] = []
    explained = [(start, end) for _, start, end in read.comments]
    for text, formatted in read.texts:
        given = _ASSIGNED.search(src, max(text.start - 120, 0), text.start)
        named = any(start < text.start < end for start, end in spans) or (given is not None and given[1] in names)
        kept: list[tuple[int, int]] = []
        before = len(found)
        found += _inside(src, text, options, translate, _FORMATTING, is_compiled=named, pieced=formatted, kept=kept)
        explained += kept if len(found) > before or kept else [(text.start, text.end)]
    return found, sorted(explained)


def _compiled_in_python(src: bytes, read: PythonTexts) -> tuple[list[tuple[int, int]], set[bytes]]:
    """Where a Python file has what it hands to calls that compile CUDA source: the calls themselves and the statements
    that assign the names in them; and these names."""
    names: set[bytes] = set()
    literals = [(text.start, text.end) for text, _ in read.texts]
    calls = list(_bracketed(src, _PYTHON_CALL, literals, 1, names))
    if names:
        named = re.compile(rb"^[ \t]*(?:" + b"|".join(map(re.escape, sorted(names))) + rb")[ \t]*\+?=(?!=)", re.M)
        calls += _bracketed(src, named, literals, 0, set())
    return calls, names


def _bracketed(
    src: bytes, pattern: re.Pattern[bytes], literals: list[tuple[int, int]], depth: int, names: set[bytes]
) -> Iterator[tuple[int, int]]:
    """Spans from each match on: to where ``depth`` brackets are closed, or for 0 to the end of the logical line. The
    words in them outside strings are added to ``names``."""
    position = 0
    is_call = depth > 0
    while (call := pattern.search(src, position)) is not None:
        opened, position = depth, call.end()
        while position < min(len(src), call.end() + _LONGEST_CALL) and (opened or not is_call):
            index = bisect_right(literals, position, key=lambda span: span[0]) - 1
            if index >= 0 and position < literals[index][1]:
                position = literals[index][1]
                continue
            byte = src[position]
            if byte == 0x0A and not is_call and opened <= 0 and src[position - 1] != 0x5C:
                break
            opened += (byte in _OPENERS) - (byte in _CLOSERS)
            word = _WORD.match(src, position)
            if word is not None:
                names.add(word[0])
            position = word.end() if word is not None else position + 1
        yield call.start(), position


_PYTHON_CALL = late_pattern(
    rb"\b(?:RawKernel|RawModule|ElementwiseKernel|ReductionKernel|InclusiveScanKernel|ExclusiveScanKernel"
    rb"|SourceModule|DynamicSourceModule|load_inline)\s*\("
)
_WORD = late_pattern(rb"[A-Za-z_]\w*")
_OPENERS, _CLOSERS = frozenset(b"([{"), frozenset(b")]}")
_LONGEST_CALL = 20_000


def _inside(
    src: bytes,
    text: Text,
    options: Options,
    translate: _Translate,
    formatting: tuple[bytes, ...],
    *,
    is_compiled: bool,
    pieced: bool = False,
    kept: list[tuple[int, int]] | None = None,
) -> Iterator[Edit | Finding]:
    """The edits and findings of one text. It may be formatted at run time, which reads the marks in ``formatting``.
    What its own comments keep the tool out of is put to ``kept``."""
    if b" " not in text.data:
        return
    marked = _FUNCTION.search(text.data) is not None
    if not (marked or _STATEMENTS.search(text.data)):
        return
    defines = marked and _defines_function(text.data)
    is_compiled = is_compiled and _STATEMENTS.search(text.data) is not None
    inner = translate(text.data, "string.cu", options)
    edits = [edit for edit in inner.edits if edit.safety != "display"]
    if pieced or not (defines or is_compiled):
        changes = [edit for edit in edits if edit.safety == "safe"]
        if changes:
            yield _left(text, changes[0], len(changes), pieced=pieced, is_marked=marked)
        return
    if kept is not None:
        kept += (text.span(start, min(end, len(text.data))) for start, end in inner.excluded)
    if b"{{" in text.data:
        formatting = _FORMATTING
    whole = _is_whole(text.data)
    for finding in inner.findings:
        if finding.code == ALREADY_MUSA:
            continue  # of a text of which a part could not be edited, the rest says so once it is translated
        start, end = text.span(finding.start, finding.end)
        suggestion = _moved(src, text, finding.edit)
        yield finding._replace(
            start=start,
            end=end,
            message=f"in the source in this string: {finding.message}",
            edit=suggestion,
            related=(),
            settled=True,  # nothing of the program around it depends on it at build time
        )
    for edit in edits:
        moved = _moved(src, text, edit)
        if moved is not None and any(mark in edit.new and mark not in edit.old for mark in formatting):
            moved = None
        if not whole and moved is not None and moved.safety == "safe" and moved.rule != CODE:
            yield _unseen(text, edit)
        elif moved is not None:
            yield moved
        elif edit.safety == "safe":
            yield _crossing(text, edit)


def _defines_function(data: bytes) -> bool:
    """Whether a text holds a kernel or a device function with its body: a message about kernels has none."""
    for match in _FUNCTION.finditer(data):
        end = _STATEMENT_END.search(data, match.end(), match.end() + _HEAD)
        if end is not None and end[0] == b"{" and b")" in data[match.end() : end.start()]:
            return True
    return False


def _is_whole(data: bytes) -> bool:
    """Whether a text has all that its ``#if`` and braces hold: none is open at the end, no line is to be filled in."""
    lines = directives(data)
    opened = sum(line.keyword.startswith(b"if") for line in lines)
    closed = sum(line.keyword == b"endif" for line in lines)
    code = blank(data)
    return opened == closed and code.count(b"{") == code.count(b"}") and _PLACEHOLDER.search(data) is None


_PLACEHOLDER = late_pattern(
    rb"^[ \t]*(?:%s|%\(\w+\)s|\{\w*\}|\{\{[ \t\w.|]*\}\}|\$\w+|\$\{\w+\}|@\w+@|<<?\w+>>?)[ \t]*;?[ \t]*\r?$", re.M
)


def _moved(src: bytes, text: Text, edit: Edit | None) -> Edit | None:
    """An edit of the text as one of the file; None where the literal does not allow it."""
    if edit is None or not text.is_plain(edit.start, edit.end):
        return None
    start, end = text.span(edit.start, edit.end)
    new = text.quoted(edit.new, edit.start)
    if new is None or src[start:end] != edit.old:
        return None
    if edit.rule.startswith(("names.", "headers.")):
        # No macro of a header reaches into a string, so no style leaves these to one.
        edit = edit._replace(rule=CODE, source=f"{edit.rule}: {edit.source}")
    return edit._replace(start=start, end=end, new=new)


def _compiled(unit: Unit) -> set[bytes]:
    """The variables and macros that a file hands to the compiler at run time as source or headers."""
    if unit.words.isdisjoint(COMPILERS):
        return set()
    names: set[bytes] = set()
    toks = unit.tokens
    for found in unit.occurrences(COMPILERS):
        index = unit.token_index(found.start)
        end = unit.partners.get(index + 1)
        if index >= 0 and end is not None:
            names.update(token.text for token in toks[index + 2 : end] if token.kind == "identifier")
            # A literal in the call itself stands behind a comma: it is known by the call's own name.
            names.add(found.name)
    return names


_ASSIGNED = late_pattern(
    rb"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?(?:=|\+=|<<|\.append\s*\(|\(|\{|=\s*\{)?\s*(?:(?:u8|[uUL])\s*)?\Z"
)


def _name_before(unit: Unit, start: int) -> bytes:
    """What a literal initialises (``const char* source = "..."``, ``#define SOURCE "..."``, ``headers[] = {"..."}``),
    or the call of which it is an argument."""
    match = _ASSIGNED.search(unit.src, max(start - 120, 0), start)
    if match is not None:
        return match[1]
    toks = unit.tokens
    index = bisect_right(toks, start, key=lambda token: token.start) - 1
    opener = unit.openers[index] if index >= 0 else -1
    before = opener - 1
    if opener >= 0 and toks[opener].text == b"{":
        while before >= 0 and (toks[before].text in (b"=", b"[", b"]") or toks[before].kind == "number"):
            before -= 1
    return toks[before].text if before >= 0 and toks[before].kind == "identifier" else b""


def _crossing(text: Text, edit: Edit) -> Finding:
    start, end = text.span(edit.start, edit.end)
    return Finding(
        CODE,
        "warning",
        start,
        end,
        f"the source in this string wants an edit ({edit.rule}) that would reach over an escape sequence or the end of "
        "a literal, or bring in marks that formatting reads, so it was left. Change the place by hand.",
        effort="minutes",
    )


def _unseen(text: Text, edit: Edit) -> Finding:
    start, end = text.span(edit.start, edit.end)
    return Finding(
        CODE,
        "warning",
        start,
        end,
        f"the source in this string wants an edit ({edit.rule}) here, but a part of the source is put in when the "
        "program runs and cannot be seen, so whether the edit would be right is not known. Change the place by hand.",
        effort="minutes",
    )


def _left(text: Text, edit: Edit, count: int, *, pieced: bool, is_marked: bool) -> Finding:
    """What looks like device source and is not shown to be; without a kernel's marks it may be text for people."""
    start, end = text.span(edit.start, edit.end)
    name = edit.old.decode("utf-8", "replace")
    why = "it is put together when the program runs" if pieced else "no whole function of it can be seen here"
    more = f", and {count - 1} more places" if count > 1 else ""
    return Finding(
        CODE,
        "warning" if is_marked else "note",
        start,
        end,
        f"this string looks like a part of device source, but {why}, so nothing was edited: {name} is CUDA's{more}. "
        "Where it is compiled at run time, translate it by hand.",
        effort="minutes",
        name=name,
    )
