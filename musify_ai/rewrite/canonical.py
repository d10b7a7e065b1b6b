"""What a thousand copies of one construct have in common: its canonical hash, and a rewrite in terms of it.

Names that the code declares itself become slots, numbered as they first appear; everything else (names of the API,
literals, types of the language) stays. Two functions with one hash are the same but for those names, so that a rewrite
of one, with the other's names in the slots, is a rewrite of the other. It is built and checked there all the same.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from musify_ai.source import Token, tokens

VERSION = 1
"""Part of every hash: the number goes up where the form here changes, or what an accepted rewrite had to pass."""

_SLOT = re.compile(r"\u27e6(\d+)\u27e7")
_WORD = re.compile(r"[A-Za-z_$\x80-\U0010ffff][\w$]*")

# Words of the language, and what device code has without declaring it. Never slots, even where they look declared.
_FIXED = frozenset(
    b"alignas alignof and asm auto bool break case catch char char16_t char32_t char8_t class co_await co_return "
    b"co_yield concept const const_cast consteval constexpr constinit continue decltype default delete do double "
    b"dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace "
    b"new noexcept not nullptr operator or private protected public register reinterpret_cast requires restrict return "
    b"short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try "
    b"typedef typeid typename union unsigned using virtual void volatile wchar_t while xor threadIdx blockIdx blockDim "
    b"gridDim warpSize size_t ptrdiff_t uintptr_t intptr_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t "
    b"uint64_t half half2 dim3 std min max abs defined define".split()
)
_COMPONENTS = frozenset((b"x", b"y", b"z", b"w"))
_BEFORE_NAME = frozenset((b"*", b"&", b"&&", b">", b">>", b"]", b"..."))
_AFTER_NAME = frozenset((b";", b"=", b"[", b",", b")", b"(", b"{", b":", b">"))
_TAGS = frozenset((b"struct", b"class", b"enum", b"union", b"typename", b"define", b"using", b"namespace"))
_NO_TYPE = frozenset(
    b"return case else goto throw new delete sizeof co_return co_yield co_await and or not xor operator".split()
)


class Canonical(NamedTuple):
    """A construct's hash, and the names that stand for its slots here, in order."""

    key: str
    names: tuple[str, ...]


def canonical(
    region: bytes, context: Sequence[str], *, kind: str, archs: Sequence[str], sdk: str, versions: Iterable[str]
) -> Canonical:
    """The hash of a function with the definitions it needs. ``versions`` are those of everything else that a rewrite
    follows from: fact sheets, template, checker."""
    pieces = [tokens(region), *(tokens(each.encode("utf-8", "surrogateescape")) for each in context)]
    own = set().union(*(declared(piece) for piece in pieces))
    slots: dict[bytes, int] = {}
    texts = []
    for piece in pieces:
        for before, token in zip((None, *piece), piece, strict=False):
            if token.text in own and token.kind == "identifier" and not _is_component(before, token):
                texts.append(f"\u27e6{slots.setdefault(token.text, len(slots))}\u27e7")
            else:
                texts.append(token.text.decode("utf-8", "surrogateescape"))
        texts.append("\n")
    said = [VERSION, kind, list(archs), sdk, list(versions), texts]
    key = sha256(json.dumps(said, separators=(",", ":")).encode()).hexdigest()
    return Canonical(key, tuple(name.decode("utf-8", "surrogateescape") for name in slots))


def same(one: bytes, other: bytes) -> bool:
    """Whether two pieces of code are the same but for the names that they declare."""
    keys = (canonical(each, (), kind="", archs=(), sdk="", versions=()).key for each in (one, other))
    return len(set(keys)) == 1


def declared(found: Sequence[Token]) -> set[bytes]:
    """The names that some code seems to declare: an identifier after a type (or what ends one) and before what follows
    a declarator; the names of types, macros and template parameters. Names of the API are never among them."""
    names: set[bytes] = set()
    for index, token in enumerate(found):
        if token.kind != "identifier" or token.text in _FIXED or token.text.startswith(b"__"):
            continue
        before = found[index - 1] if index else None
        after = found[index + 1].text if index + 1 < len(found) else b";"
        if before is None or before.text in _NO_TYPE:
            continue
        if (
            before.text in _TAGS
            or (after in _AFTER_NAME and (before.kind == "identifier" or _ends_type(found, index - 1)))
            or (before.text == b"," and after in (b";", b"=", b"["))  # int a, b = 1, c[2];
        ):
            names.add(token.text)
    return names


def _is_component(before: Token | None, token: Token) -> bool:
    """Whether a name is that of a vector's component (``threadIdx.x``), which no declaration here gave."""
    return token.text in _COMPONENTS and before is not None and before.text in (b".", b"->")


def _ends_type(found: Sequence[Token], index: int) -> bool:
    """Whether a type may end at a token that could as well be an operator: what stands before is no value."""
    if found[index].text not in _BEFORE_NAME:
        return False
    at = index
    while at >= 0 and found[at].text in _BEFORE_NAME:
        at -= 1
    if at < 0 or found[at].kind != "identifier":
        return False
    first = found[at - 1].text if at else b";"
    # `a = b * c;` is a product; a declaration begins a statement, a parameter, or follows a qualifier.
    return first in (b";", b"{", b"}", b"(", b",", b"const", b"unsigned", b"signed", b"volatile", b"<", b"::") or (
        first.isalpha() and first not in _NO_TYPE
    )


def in_slots(code: str, names: Sequence[str]) -> str:
    """A rewrite with slots for the names of the construct it was made for."""
    number = {name: index for index, name in enumerate(names)}
    return _renamed(code, lambda word: f"\u27e6{number[word]}\u27e7" if word in number else word)


def from_slots(kept: str, names: Sequence[str], taken: Iterable[str] = ()) -> str:
    """A kept rewrite with the names of another construct of the same hash.

    A name that the rewrite brought along and that means something else here (it is among ``names`` or ``taken``) gets
    another one.
    """
    brought = {match[0] for match in _WORD.finditer(_SLOT.sub(" ", kept))}
    here = set(names)
    avoid = here | set(taken) | brought
    other: dict[str, str] = {}
    for word in sorted(brought & here):
        fresh = next(each for n in range(1, 1000) if (each := f"{word}_{n}") not in avoid)
        avoid.add(fresh)
        other[word] = fresh
    text = _renamed(kept, lambda word: other.get(word, word))
    return _SLOT.sub(lambda match: names[int(match[1])], text)


def _renamed(code: str, rename: Callable[[str], str]) -> str:
    out = []
    before: Token | None = None
    for token in tokens(code.encode("utf-8", "surrogateescape"), trivia=True):
        text = token.text.decode("utf-8", "surrogateescape")
        is_name = token.kind == "identifier" and not _is_component(before, token)
        out.append(rename(text) if is_name else text)
        if token.kind not in ("space", "comment"):
            before = token
    return "".join(out)
