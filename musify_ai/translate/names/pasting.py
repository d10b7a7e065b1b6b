"""CUDA names, and beginnings of such, that are handed to macros which paste their arguments: ``CAT(cuda, Malloc)``."""

from bisect import bisect_right
from collections.abc import Iterator

from musify_ai.records import Finding
from musify_ai.rules import Rules
from musify_ai.source.directives import Directive
from musify_ai.source.lexing import Region, occurrences, words
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token, tokens
from musify_ai.translate.names import messages
from musify_ai.translate.names.macros import FRAGMENT, closing_call

_DEFINE = late_pattern(rb"[ \t]*([A-Za-z_]\w*)\(([^()]*)\)")
# What is called so pastes, wherever it is defined.
_JOINER = late_pattern(rb"(?:\w*_)?X?(?:CONCAT|CAT|PASTE|JOIN|GLUE)(?:ENATE)?(?:_\w*|\d)?\Z")
_STANDS_FOR = late_pattern(rb"[ \t]*([A-Za-z_]\w*)[ \t]+([A-Za-z_]\w{0,40})[ \t]*(?://[^\n]*|/\*[^*]*\*/[ \t]*)?\r?\Z")
_LONGEST = 60


def pasted_arguments(
    src: bytes, found: list[Region], held: set[bytes], lines: list[Directive], rules: Rules
) -> Iterator[Finding]:
    """A finding for each argument of a pasting macro that is the beginning of a CUDA name, or a whole one."""
    macros = _pasting(src, lines) if b"##" in src else set()
    macros |= {word for word in held if _may_join(word) and len(word) < _LONGEST and _JOINER.match(word)}
    defined = [(line.start, line.end) for line in lines if line.keyword == b"define"]
    standing_for = _fragments_by_another_name(src, lines) if macros else {}
    for call in occurrences(src, macros, known_regions=found) if macros else ():
        end = closing_call(src, call.end)
        line = bisect_right(defined, call.start, key=lambda span: span[0]) - 1
        if end < 0 or (line >= 0 and call.start < defined[line][1]):
            continue
        toks = tokens(src, call.end, end + 1)
        for before, token, after in zip(toks, toks[1:], toks[2:], strict=False):
            if token.kind != "identifier" or before.text not in (b"(", b",") or after.text not in (b",", b")"):
                continue
            macro, name = call.name.decode("utf-8", "replace"), token.text.decode("utf-8", "replace")
            if token.text in rules.names:
                yield messages.pasted_whole(token.start, token.end, name, macro)
            elif token.text in standing_for and before.text == b"(":
                yield messages.pasted_by_another_name(token.start, token.end, name, standing_for[token.text], macro)
            elif token.text not in rules.classes and _is_fragment(token):
                yield messages.pasted_by(token.start, token.end, name, macro)


def _may_join(word: bytes) -> bool:
    return b"CAT" in word or b"PASTE" in word or b"JOIN" in word or b"GLUE" in word


def _fragments_by_another_name(src: bytes, lines: list[Directive]) -> dict[bytes, str]:
    """The macros that are the beginning of a CUDA name and nothing else: ``#define API cuda``."""
    return {
        match[1]: match[2].decode("ascii")
        for line in lines
        if line.keyword == b"define"
        and (match := _STANDS_FOR.match(src, line.argument_start, line.end)) is not None
        and FRAGMENT.match(match[2]) is not None
    }


def _is_fragment(token: Token) -> bool:
    return FRAGMENT.match(token.text) is not None


def _pasting(src: bytes, lines: list[Directive]) -> set[bytes]:
    """The macros of a file that paste a parameter, or hand theirs on to one that does."""
    bodies: dict[bytes, bytes] = {}
    pasting: set[bytes] = set()
    for line in lines:
        match = _DEFINE.match(src, line.argument_start, line.end) if line.keyword == b"define" else None
        if match is None:
            continue
        body = src[match.end() : line.end]
        bodies[match[1]] = body
        parameters = {part.strip() for part in match[2].split(b",")}
        beside = {word for pair in _BESIDE.findall(body) for word in pair}
        if beside & parameters:
            pasting.add(match[1])
    users: dict[bytes, list[bytes]] = {}
    for name, body in bodies.items():
        for word in words(body):
            users.setdefault(word, []).append(name)
    pending = list(pasting)
    while pending:
        more = set(users.get(pending.pop(), ())) - pasting
        pasting |= more
        pending += more
    return pasting


_BESIDE = late_pattern(rb"(?:\b(\w+)\s*)?##(?:\s*(\w+))?")
