"""What CUDA names a translation still holds and nothing explains.

This is a check on the translator, so it shares nothing with it: its own list of names (from CUDA's headers and HIPIFY's
tables, ``cuda_names.txt``), its own reading of comments and literals, its own idea of what is a member of something
else. Device intrinsics are not in the list: their names are the same on MUSA, or the translator's notes say otherwise.
"""

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from musify_ai.source.patterns import late_pattern

Place = tuple[int, int, str]


class Residue(NamedTuple):
    """Start, end and name of each place: ``known`` are names of the list, ``pattern`` look like CUDA names only."""

    known: tuple[Place, ...]
    pattern: tuple[Place, ...]


_WORDS = bytes(byte if chr(byte).isalnum() or byte in b"_$" or byte >= 128 else 32 for byte in range(256))
# Over words that stand one a line.
_LOOKS_LIKE = late_pattern(
    rb"\n((?:cuda[A-Z]|cu[A-Z][a-z]|CU_[A-Z]|CUDA_[A-Z]|CU[a-z]{3}|nv[A-Z][a-z]|__nv_|npp[is]?[A-Z]|"
    rb"(?:cublas|cufft|curand|cusparse|cusolver|cudnn|cutensor|nccl|nvtx|nvrtc|nvml|nvjpeg)[A-Z]|"
    rb"(?:CUBLAS|CUFFT|CURAND|CUSPARSE|CUSOLVER|CUDNN|CUTENSOR|NCCL|NVTX|NVRTC|NVML|NVJPEG|NPP)_[A-Z])[\w$]*+)(?=\n)"
)
# What is no plain code, told apart by its first byte: groups about the alternatives would cost several times as much.
_BYTES = rb"""//(?:[^\n\\]|\\\r?\n|\\.|\\)*+
|/\*(?:(?!\*/)[\s\S])*+(?:\*/)?
|R"([^()\\\s"]{0,16})\([\s\S]*?(?:\)\1"|\Z)
|"(?:[^"\\\n]|\\\r?\n|\\.)*+"?
|'(?<![0-9A-Fa-f]')(?:[^'\\\n]|\\\r?\n|\\.)*+'?
|\#[ \t]*(?:(?:error|warning)\b[^\n]*|(?:include|include_next|import)[ \t]*[<"][^>"\n]{1,400}+[>"])
|<[A-Za-z_][\w+-]*(?:[./][\w.+-]+)++>"""
_PIECE = late_pattern(_BYTES, re.VERBOSE)
_ASKING_PIECE = late_pattern(_BYTES + rb"""|__has_include[ \t]*\([ \t]*[<"][^>"\n]{1,400}+[>"]""", re.VERBOSE)
_TOKEN = late_pattern(rb"[<\"]([^>\"\n]{1,400}+)[>\"]\Z")
_NO_TOKEN = late_pattern(rb"#[ \t]*(?:error|warning)")
_RAW_PREFIXES = (b"", b"u8", b"u", b"U", b"L")
_WORD = late_pattern(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+")
_FEW = 48  # names that are searched for one by one; more of them take one pass over all words
_SPLICE = late_pattern(rb"\\\r?\n")
_SPLICED = late_pattern(rb"[\w$\x80-\xff]+(?:\\\r?\n[\w$\x80-\xff]++)++")
_DECLARED = late_pattern(rb"([A-Za-z_][\w$]*)[ \t]+\Z")
_ENDS_DECLARATOR = late_pattern(rb"[ \t\r\n]*(?:=(?!=)|[;,\[{])")
_NO_TYPE = frozenset(
    b"return case else goto throw new delete sizeof typename const volatile static extern inline constexpr typedef do "
    b"co_return co_yield co_await operator using and or not struct class union enum define ifdef ifndef undef".split()
)
_TYPES = frozenset(b"void bool char short int long float double unsigned signed auto".split())
_SCOPED = late_pattern(rb"(?<![\w$])(?<!define )([A-Za-z_][\w$]*)(?:[ \t]|/\*[^*]*+\*/)+::[ \t\r\n]*\Z")
_SOMEBODYS = late_pattern(rb"(?:(?<!\.)\.|->|[\w>]::)[ \t\r\n]*\Z")


@lru_cache(maxsize=1)
def _text() -> bytes:
    """The file, include tokens first, then a blank line and names. A hook reads it in each run: it is plain lines."""
    return Path(__file__).with_name("cuda_names.txt").read_bytes()


@lru_cache(maxsize=1)
def known_names() -> frozenset[bytes]:
    """The list: names of the CUDA toolkit's and libraries' APIs, and include tokens (those with a full stop)."""
    return frozenset(_text().split())


@lru_cache(maxsize=1)
def _header_words() -> frozenset[bytes]:
    headers, _, _ = _text().partition(b"\n\n")
    return frozenset(name.replace(b"/", b".").partition(b".")[0] for name in headers.split())


def residue(output: bytes, explained: Sequence[tuple[int, int]] = ()) -> Residue:
    """The CUDA names left in a translation's code.

    ``explained`` are spans of the output that findings or suppressions cover. A span over a single name explains that
    name throughout the file, since a note is made once a name; any other span explains what stands in it.
    """
    held = set(output.translate(_WORDS).split())
    if b"\\\n" in output or b"\\\r\n" in output:
        held |= {_SPLICE.sub(b"", word) for word in _SPLICED.findall(output)}
    known = held & known_names()
    alike = set(_LOOKS_LIKE.findall(b"\n%b\n" % b"\n".join(held - known)))
    headers = not held.isdisjoint(_header_words())
    if not (known or alike or headers):
        return Residue((), ())
    accounted = {output[start:end] for start, end in explained}
    wanted = (known | alike) - accounted
    if not (wanted or headers):
        return Residue((), ())
    spans = sorted((start, end) for start, end in explained if end > start)
    furthest = list(accumulate((end for _, end in spans), max))
    left: list[Place] = []
    by_pattern: list[Place] = []
    for start, end, name in _places(output, wanted, headers):
        if name in accounted or _covered(spans, furthest, start, end):
            continue
        (by_pattern if name in alike else left).append((start, end, name.decode("utf-8", "replace")))
    return Residue(tuple(left), tuple(by_pattern))


def _places(output: bytes, names: set[bytes], headers: bool) -> Iterator[tuple[int, int, bytes]]:
    waiting = deque(_candidates(output, names))
    floor = position = 0
    comments: list[tuple[int, int]] = []
    pieces = _ASKING_PIECE if b"__has_include" in output else _PIECE
    while waiting or headers:
        match = pieces.search(output, position)
        begin, position = (len(output), len(output)) if match is None else match.span()
        while waiting and waiting[0][0] < begin:
            start, end, word = waiting.popleft()
            head = _head(output, floor, start, comments)
            if not (_SOMEBODYS.search(head) or _is_scoped(head) or _declares(output, head, end)):
                yield start, end, word
        if match is None:
            return
        first = output[begin]
        if first == 0x52 and not _opens_raw(output, begin):
            position = begin + 1  # the end of a longer word; a plain string begins at the quote
            continue
        while waiting and waiting[0][0] < position:
            waiting.popleft()
        if first == 0x2F:
            comments.append((begin, position))
            continue
        if headers and first in b"#<_" and _NO_TOKEN.match(output, begin) is None:
            token = _TOKEN.search(output, begin, position)
            if token is not None and token[1] in known_names():
                yield *token.span(1), token[1]
        floor = position


def _candidates(output: bytes, names: set[bytes]) -> list[tuple[int, int, bytes]]:
    """Whole words among some names, wherever they stand, in order; one that is split over lines counts as one word."""
    found: list[tuple[int, int, bytes]] = []
    spliced: list[tuple[int, int]] = []
    if b"\\\n" in output or b"\\\r\n" in output:
        for match in _SPLICED.finditer(output):
            spliced.append(match.span())
            joined = _SPLICE.sub(b"", match[0])
            if joined in names:
                found.append((*match.span(), joined))
    if len(names) > _FEW:
        plain = [(*match.span(), match[0]) for match in _WORD.finditer(output) if match[0] in names]
    else:
        plain = [(start, start + len(name), name) for name in names for start in _finds(output, name)]
    for place in plain:
        index = bisect_right(spliced, place[0], key=_first) - 1
        if index < 0 or place[0] >= spliced[index][1]:
            found.append(place)
    found.sort()
    return found


def _finds(output: bytes, name: bytes) -> Iterator[int]:
    start = output.find(name)
    while start >= 0:
        end = start + len(name)
        whole = not (start and _WORDS[output[start - 1]] != 32) and not (
            end < len(output) and _WORDS[output[end]] != 32
        )
        if whole:
            yield start
        start = output.find(name, end)


_first = itemgetter(0)


def _opens_raw(output: bytes, at: int) -> bool:
    """Whether an ``R"`` begins a raw string: it stands alone or behind an encoding's prefix."""
    begin = at
    while begin and _WORDS[output[begin - 1]] != 32:
        begin -= 1
    return output[begin:at] in _RAW_PREFIXES


def _head(output: bytes, floor: int, start: int, comments: list[tuple[int, int]]) -> bytes:
    """The code right before an offset, without the comments and line splices that stand between."""
    at = start
    for began, ended in reversed(comments):
        if ended > at or output[ended:at].strip(b" \t\r\n\\"):
            break
        at = began
    return _SPLICE.sub(b"", output[max(floor, at - 40) : at])


def _is_scoped(head: bytes) -> bool:
    """Whether a scope's name stands before ``::`` with a blank or a comment between (``ns /* c */ ::cudaFree``)."""
    scope = _SCOPED.search(head)
    return scope is not None and scope[1] not in _NO_TYPE and scope[1] not in _TYPES and not scope[1].isupper()


def _declares(output: bytes, head: bytes, end: int) -> bool:
    """Whether a variable or a member of this name is declared here (``int cudaMalloc = 0;``)."""
    word = _DECLARED.search(head)
    return word is not None and word[1] not in _NO_TYPE and _ENDS_DECLARATOR.match(output, end) is not None


def _covered(spans: list[tuple[int, int]], furthest: list[int], start: int, end: int) -> bool:
    """Whether a span lies in another; ``furthest`` is the last end of all spans up to each."""
    index = bisect_right(spans, start, key=lambda span: span[0])
    return index > 0 and furthest[index - 1] >= end
