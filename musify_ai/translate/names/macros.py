"""Names that the preprocessor makes or takes apart: pasted by ``##``, made text by ``#``, split over lines."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from musify_ai.records import Edit, Finding, Related
from musify_ai.rules import Rules
from musify_ai.source.directives import Directive
from musify_ai.source.lexing import WORD_BYTES, Region, occurrences, region_at
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.names import messages
from musify_ai.translate.names.context import closing_parenthesis

# Each begins with a literal, which the regex engine finds at the speed of memchr; what stands before it is looked at
# from there, not further back than any name is long.
_BETWEEN = rb"(?:\s|\\\r?\n|/\*[^*]*+\*/)*+"
_BEFORE = late_pattern(rb"(?<![\w$\x80-\xff])([A-Za-z_][\w$]*+)" + _BETWEEN + rb"\Z")
_PASTE = late_pattern(rb"##" + _BETWEEN + rb"([A-Za-z_][\w$\x80-\xff]*+)?")
_SPLICE = late_pattern(rb"\\\r?\n(?=[\w$\x80-\xff])")
_TAIL = late_pattern(rb"(?:[\w$\x80-\xff]+|\\\r?\n(?=[\w$\x80-\xff]))*+")
_LONGEST = 160
# A fragment of a name is a CUDA one only by how it begins, so only beginnings that no project uses by chance are here.
FRAGMENT = late_pattern(
    rb"(?:cuda|CUDA_|CU_|cublas|CUBLAS_|cufft|CUFFT_|curand|CURAND_|cusparse|CUSPARSE_|cusolver|CUSOLVER_|cudnn|"
    rb"CUDNN_|nccl|__nv_)(?:[A-Z0-9_]\w*)?\Z|(?:cu|CU)\Z"
)
_PREFIXES = (
    (b"cublas", b"mublas"), (b"CUBLAS_", b"MUBLAS_"), (b"cufft", b"mufft"), (b"CUFFT_", b"MUFFT_"),
    (b"curand", b"murand"), (b"CURAND_", b"MURAND_"), (b"cusparse", b"musparse"), (b"CUSPARSE_", b"MUSPARSE_"),
    (b"cusolver", b"musolver"), (b"CUSOLVER_", b"MUSOLVER_"), (b"cuda", b"musa"), (b"CUDA_", b"MUSA_"),
    (b"CU_", b"MU_"), (b"nccl", b"mccl"), (b"__nv_", b"__mt_"),
    (b"cu", b"mu"), (b"CU", b"MU"),
)  # fmt: skip
_DEFINE = late_pattern(rb"[ \t]*([A-Za-z_]\w*)\(([^()]*)\)")
_STRINGISE = late_pattern(rb"(?<!#)#[ \t]*([A-Za-z_]\w*|__VA_ARGS__)")
_NEWLINE = late_pattern(rb"\\\r?\n")


def pasted_fragments(src: bytes, found: list[Region], rules: Rules) -> Iterator[Finding]:
    """CUDA names, and beginnings of such, beside ``##``."""
    places: dict[tuple[int, int], bytes] = {}
    for paste in _PASTE.finditer(src):
        if paste[1]:
            places[paste.span(1)] = paste[1]
        before = _BEFORE.search(src, max(paste.start() - _LONGEST, 0), paste.start())
        if before is not None:
            places[before.span(1)] = before[1]
    for (start, end), word in sorted(places.items()):
        whole = word in rules.classes
        if not (whole or FRAGMENT.match(word)) or region_at(found, start) is not None:
            continue
        new = rules.names.get(word) if whole else _by_prefix(word)
        suggestion = None
        if new is not None:
            suggestion = Edit(start, end, word, new, messages.PASTED, "rule", "display", "the fixed part of a name")
        yield messages.pasted(start, end, word.decode("utf-8", "replace"), suggestion)


def closing_call(src: bytes, at: int) -> int:
    """Where the call that opens at an offset closes; -1 where none opens there."""
    return closing_parenthesis(src, at) if src[at : at + 1] == b"(" else -1


def _by_prefix(word: bytes) -> bytes | None:
    return next((new + word[len(old) :] for old, new in _PREFIXES if word.startswith(old)), None)


def spliced_names(src: bytes, found: list[Region], rules: Rules) -> Iterator[Finding]:
    """Known names, and words that rules wait for (``__CUDA_ARCH__``), with a backslash and a newline in the middle."""
    done = 0
    for match in _SPLICE.finditer(src):
        start = match.start()
        floor = max(done, start - _LONGEST)
        while start > floor and src[start - 1] in WORD_BYTES:
            start -= 1
        if start == match.start():
            continue
        tail = _TAIL.match(src, match.start(), match.end() + _LONGEST)
        done = match.end() if tail is None else tail.end()
        joined = _NEWLINE.sub(b"", src[start:done])
        if (joined in rules.classes or joined in _waited_for()) and region_at(found, start) is None:
            yield messages.spliced(start, done, joined.decode("utf-8", "replace"))


@lru_cache(maxsize=1)
def _waited_for() -> frozenset[bytes]:
    """The trigger words of the construct rules that are no ordinary words."""
    from musify_ai.translate.registry import RULES

    triggers = frozenset().union(*(entry.triggers for entry in RULES))
    return frozenset(word for word in triggers if word == b"asm" or b"_" in word or not word.islower())


def stringised(src: bytes, found: list[Region], lines: Sequence[Directive], edits: Sequence[Edit]) -> Iterator[Finding]:
    """Calls of the file's own macros that make text of an argument in which a name is renamed: a note a macro."""
    macros = {}
    for line in lines:
        if line.keyword != b"define":
            continue
        match = _DEFINE.match(src, line.argument_start, line.end)
        if match is None or b"#" not in src[match.end() : line.end]:
            continue
        parameters = [part.strip() for part in match[2].split(b",")]
        if b"..." in parameters:
            parameters.append(b"__VA_ARGS__")
        if any(word[1] in parameters for word in _STRINGISE.finditer(src, match.end(), line.end)):
            macros[match[1]] = line.start
    if not macros:
        return
    starts = [edit.start for edit in edits]
    touched: dict[bytes, int] = {}
    for call in occurrences(src, macros, known_regions=found):
        if call.name in touched or src[call.end : call.end + 1] != b"(":
            continue
        index = bisect_left(starts, call.end)
        if index < len(starts) and starts[index] < closing_parenthesis(src, call.end):
            touched[call.name] = call.start
    for name, start in touched.items():
        text = name.decode("utf-8", "replace")
        related = (Related("", macros[name], macros[name] + 1, f"{text} is defined here"),)
        yield messages.stringised(start, start + len(name), text, related)
