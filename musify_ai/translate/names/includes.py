"""Include tokens: ``#include <cuda_fp16.h>``, ``#import``, ``__has_include(<...>)``, by exact token."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from musify_ai.records import Edit, Finding, Grade, Options, Safety
from musify_ai.rules import RENAMED, Header, Rules
from musify_ai.source.directives import directives
from musify_ai.source.lexing import Region, region_at
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.names import messages

_INCLUDE = late_pattern(rb"#[ \t]*(?:include(?:_next)?|import)[ \t]*([<\"])([^>\"\n]{0,400}+)[>\"]")
# A header's token in code, however it got there: `#define HEADER <cuda.h>`, `# /* c */ include <cuda.h>`.
_ANGLED = late_pattern(rb"<([A-Za-z_][\w+-]*(?:[./][\w.+-]+)+)>")
_NAMING = frozenset((b"include", b"include_next", b"import", b"define"))
_HAS_INCLUDE = late_pattern(rb"__has_include(?:_next)?[ \t]*\([ \t]*([<\"])([^>\"\n]{0,400}+)[>\"][ \t]*\)")


def includes(
    src: bytes, found: list[Region], held: set[bytes], rules: Rules, options: Options, beside: Mapping[bytes, str]
) -> Iterator[tuple[Edit | Finding, str]]:
    """Edits and findings of the include tokens, each with the library of its header. ``beside`` are headers of the
    project's own, which a quoted include finds first.

    Two headers may become one; the second include of it is left, since it does nothing.
    """
    for finding in quoted_elsewhere(src, found, rules):
        yield finding, ""
    noted: set[bytes] = set()
    for start, end, token, angled in include_tokens(src, found, held):
        header = _known(token, angled, rules)
        if header is None:
            continue
        once = token not in noted
        noted.add(token)
        text = token.decode("utf-8", "replace")
        if not angled and token in beside:
            if once:
                yield messages.own_header(start, end, text, beside[token]), ""
            continue
        if header.treatment in RENAMED:
            grade: Grade = "table"
            if header.treatment == "seen" or header.treatment == "prefix":
                grade = header.treatment
            safety: Safety = "unsafe" if grade == "prefix" else "safe"
            edit = Edit(start, end, token, header.musa, f"headers.{header.library}", grade, safety)
            yield edit, header.library
            if grade == "prefix":
                yield messages.derived(edit, text, header.note, applied=options.unsafe_fixes), header.library
            elif grade == "table" and once:
                musa = header.musa.decode("utf-8", "replace")
                yield messages.table_only(start, end, text, musa, header.note, 1), header.library
        elif header.treatment == "unproven":
            if once:
                yield messages.unproven(start, end, text), header.library
        elif header.treatment in ("differs", "none"):
            musa = header.musa.decode("utf-8", "replace")
            yield messages.no_header(start, end, text, musa, header.note), header.library


def include_tokens(src: bytes, found: list[Region], held: set[bytes]) -> Iterator[tuple[int, int, bytes, bool]]:
    """Start, end and text of each include token between its delimiters, and whether those are angle brackets."""
    for region in found:
        if region.kind == "include":
            match = _INCLUDE.match(src, region.start, region.end)
            if match is not None:
                yield *match.span(2), match[2], match[1] == b"<"
    for match in _ANGLED.finditer(src):
        if region_at(found, match.start()) is None:
            yield *match.span(1), match[1], True
    if b"__has_include" in held or b"__has_include_next" in held:
        for match in _HAS_INCLUDE.finditer(src):
            if match[1] == b'"' and region_at(found, match.start()) is None:
                yield *match.span(2), match[2], False


def quoted_elsewhere(src: bytes, found: list[Region], rules: Rules) -> Iterator[Finding]:
    """Headers that a directive names in quotes other than as a plain include: with a comment between, in a macro."""
    held = [
        (region, src[region.start + 1 : region.end - 1])
        for region in found
        if region.kind == "string" and src[region.start + 1 : region.end - 1] in rules.headers
    ]
    if not held:
        return
    lines = [line for line in directives(src, found) if line.keyword in _NAMING]
    starts = [line.start for line in lines]
    for region, token in held:
        index = bisect_right(starts, region.start) - 1
        if index < 0 or region.end > lines[index].end:
            continue
        header = rules.headers[token]
        place = region.start + 1, region.end - 1
        musa = header.musa if header.treatment in RENAMED else b""
        yield messages.header_in_directive(*place, token.decode("utf-8", "replace"), musa)


def _known(token: bytes, angled: bool, rules: Rules) -> Header | None:
    """What the rules say of a token: exactly, or for ``<folder/...>`` of its folder (``cuda/std/``)."""
    if not angled and token.startswith(b"cuda/"):
        return None  # projects have folders of that name
    exact = rules.headers.get(token)
    if exact is not None or not angled:
        return exact
    cut = token.rfind(b"/")
    while cut > 0:
        family = rules.headers.get(token[: cut + 1])
        if family is not None:
            if family.treatment in RENAMED:
                return family._replace(musa=family.musa + token[cut + 1 :])
            return family
        cut = token.rfind(b"/", 0, cut)
    return None
