"""What CUDA names a translation still holds and nothing explains.

This is a check on the translator, so it shares nothing with it: its own list of names (from CUDA's headers and HIPIFY's
tables, ``cuda_names.txt``), its own reading of comments and literals, its own idea of what is a member of something
else. Device intrinsics are not in the list: their names are the same on MUSA, or the translator's notes say otherwise.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

Place = tuple[int, int, str]


class Residue(NamedTuple):
    """Start, end and name of each place: ``known`` are names of the list, ``pattern`` look like CUDA names only."""

    known: tuple[Place, ...]
    pattern: tuple[Place, ...]


_WORDS = bytes(byte if chr(byte).isalnum() or byte in b"_$" or byte >= 128 else 32 for byte in range(256))
_LOOKS_LIKE = re.compile(
    rb"(?:cuda[A-Z]|cu[A-Z][a-z]|CU_[A-Z]|CUDA_[A-Z]|CU[a-z]{3}|nv[A-Z][a-z]|__nv_|npp[is]?[A-Z]|"
    rb"(?:cublas|cufft|curand|cusparse|cusolver|cudnn|cutensor|nccl|nvtx|nvrtc|nvml|nvjpeg)[A-Z]|"
    rb"(?:CUBLAS|CUFFT|CURAND|CUSPARSE|CUSOLVER|CUDNN|CUTENSOR|NCCL|NVTX|NVRTC|NVML|NVJPEG|NPP)_[A-Z])[\w$]*\Z"
)
_PIECE = re.compile(
    rb"(?P<skip>//(?:[^\n\\]|\\\r?\n|\\.|\\)*+"
    rb"|/\*(?:(?!\*/)[\s\S])*+(?:\*/)?"
    rb'|(?:u8|[uUL])?R"(?P<tag>[^()\\\s"]{0,16})\([\s\S]*?(?:\)(?P=tag)"|\Z)'
    rb'|"(?:[^"\\\n]|\\\r?\n|\\.)*+"?'
    rb"|(?<![0-9A-Fa-f])'(?:[^'\\\n]|\\\r?\n|\\.)*+'?"
    rb"|#[ \t]*(?:error|warning)\b[^\n]*)"
    rb"|#[ \t]*(?:include|include_next|import)[ \t]*[<\"](?P<header>[^>\"\n]{1,400}+)[>\"]"
    rb"|__has_include[ \t]*\([ \t]*[<\"](?P<asked>[^>\"\n]{1,400}+)[>\"]"
    rb"|<(?P<angled>[A-Za-z_][\w+-]*(?:[./][\w.+-]+)++)>"
    rb"|(?P<word>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+(?:\\\r?\n[\w$\x80-\xff]++)*+)"
)
_SPLICE = re.compile(rb"\\\r?\n")
_SPLICED = re.compile(rb"[\w$\x80-\xff]+(?:\\\r?\n[\w$\x80-\xff]++)++")
_DECLARED = re.compile(rb"([A-Za-z_][\w$]*)[ \t]+\Z")
_ENDS_DECLARATOR = re.compile(rb"[ \t\r\n]*(?:=(?!=)|[;,\[{])")
_NO_TYPE = frozenset(
    b"return case else goto throw new delete sizeof typename const volatile static extern inline constexpr typedef do "
    b"co_return co_yield co_await operator using and or not struct class union enum define ifdef ifndef undef".split()
)
_TYPES = frozenset(b"void bool char short int long float double unsigned signed auto".split())
_SCOPED = re.compile(rb"(?<![\w$])(?<!define )([A-Za-z_][\w$]*)(?:[ \t]|/\*[^*]*+\*/)+::[ \t\r\n]*\Z")
_SOMEBODYS = re.compile(rb"(?:(?<!\.)\.|->|[\w>]::)[ \t\r\n]*\Z")


@lru_cache(maxsize=1)
def _lists() -> tuple[list[bytes], list[bytes]]:
    """The file's two parts: include tokens, then names. A hook reads it in each run, so it is plain lines."""
    headers, names = Path(__file__).with_name("cuda_names.txt").read_bytes().split(b"\n\n")
    return headers.split(), names.split()


@lru_cache(maxsize=1)
def known_names() -> frozenset[bytes]:
    """The list: names of the CUDA toolkit's and libraries' APIs, and include tokens (those with a full stop)."""
    headers, names = _lists()
    return frozenset(headers) | frozenset(names)


@lru_cache(maxsize=1)
def _header_words() -> frozenset[bytes]:
    return frozenset(re.split(rb"[./]", name, maxsplit=1)[0] for name in _lists()[0])


def residue(output: bytes, explained: Sequence[tuple[int, int]] = ()) -> Residue:
    """The CUDA names left in a translation's code.

    ``explained`` are spans of the output that findings or suppressions cover. A span over a single name explains that
    name throughout the file, since a note is made once a name; any other span explains what stands in it.
    """
    held = set(output.translate(_WORDS).split())
    if b"\\\n" in output or b"\\\r\n" in output:
        held |= {_SPLICE.sub(b"", word) for word in _SPLICED.findall(output)}
    known = held & known_names()
    alike = {word for word in held - known if _LOOKS_LIKE.match(word)}
    headers = not held.isdisjoint(_header_words())
    if not (known or alike or headers):
        return Residue((), ())
    accounted = {output[start:end] for start, end in explained}
    spans = sorted((start, end) for start, end in explained if end > start)
    furthest = list(accumulate((end for _, end in spans), max))
    left: list[Place] = []
    by_pattern: list[Place] = []
    for start, end, name in _places(output, known | alike, headers):
        if name in accounted or _covered(spans, furthest, start, end):
            continue
        (by_pattern if name in alike else left).append((start, end, name.decode("utf-8", "replace")))
    return Residue(tuple(left), tuple(by_pattern))


def _places(output: bytes, names: set[bytes], headers: bool) -> Iterator[tuple[int, int, bytes]]:
    floor = 0
    comments: list[tuple[int, int]] = []
    for match in _PIECE.finditer(output):
        kind = match.lastgroup
        if kind == "word":
            word = match["word"]
            if b"\\" in word:
                word = _SPLICE.sub(b"", word)
            if word in names:
                start, end = match.span()
                head = _head(output, floor, start, comments)
                if not (_SOMEBODYS.search(head) or _is_scoped(head) or _declares(output, head, end)):
                    yield start, end, word
        elif kind in ("header", "asked", "angled"):
            token = match[kind]
            if headers and token in known_names():
                yield *match.span(kind), token
            floor = match.end()
        elif output[match.start()] == 0x2F:
            comments.append(match.span())
        else:
            floor = match.end()


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
