"""What kind of brace or parenthesis is innermost at a place, and whether names there may be those of a class."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from operator import attrgetter
from typing import NamedTuple

from musify_ai.source.directives import Directive
from musify_ai.source.tokens import Token

_RECORDS = frozenset((b"struct", b"class", b"union"))
_OPENERS = {b")": b"(", b"}": b"{"}
_HASHES = frozenset((b"#", b"%:"))
_TELLING = frozenset((b"(", b")", b"{", b"}", b";")) | _HASHES
_start = attrgetter("start")


class Scope(NamedTuple):
    """``kind`` is ``file``, ``namespace`` (a named one), ``record``, ``enum``, ``enum-class``, ``code`` or
    ``parentheses``. ``classes`` are the words of a class's head, its name and bases, or the qualifiers of a function
    defined as ``Class::name``; ``outer`` is the scope that adds its own to them. ``record`` is the innermost class."""

    kind: str
    classes: frozenset[bytes]
    record: bytes = b""
    outer: "Scope | None" = None


_FILE = Scope("file", frozenset())
_DEEPEST = 100  # classes within classes that are looked at


class Scopes:
    """The scopes of one file, by tokens alone; unbalanced ones end where an outer one does."""

    def __init__(self, toks: list[Token], lines: Iterable[Directive]) -> None:
        self._offsets: list[int] = []
        self._scopes: list[Scope] = []
        self._opened: list[tuple[bytes, Scope]] = []
        self._bases: dict[bytes, frozenset[bytes]] = {}
        self._read(toks, lines)

    def at(self, offset: int) -> Scope:
        """The innermost scope of an offset."""
        index = bisect_right(self._offsets, offset) - 1
        return self._scopes[index] if index >= 0 else _FILE

    def in_reach(self, offset: int, records: Collection[bytes]) -> bool:
        """Whether members of one of some classes can be named without qualification: in the class itself, in one that
        derives from it, in a function of either."""
        pending: list[bytes] = []
        scope: Scope | None = self.at(offset)
        for _ in range(_DEEPEST):
            if scope is None:
                break
            pending += scope.classes
            scope = scope.outer
        seen: set[bytes] = set()
        while pending:
            name = pending.pop()
            if name in records:
                return True
            if name not in seen:
                seen.add(name)
                pending += self._bases.get(name, ())
        return False

    def _read(self, toks: list[Token], lines: Iterable[Directive]) -> None:
        head, passed = 0, 0  # the first token since the last statement's end, and where the last directive ends
        ends = {line.start: line.end for line in lines}
        for index in [index for index, token in enumerate(toks) if token.text in _TELLING]:
            start, text = toks[index].start, toks[index].text
            if start < passed:
                continue
            if text in _HASHES:
                if start in ends:
                    passed = ends[start]
                    head = bisect_left(toks, passed, index, key=_start)
                continue
            if text == b"(":
                self._open(toks[index], self._inner()._replace(kind="parentheses"))
            elif text == b"{":
                self._open(toks[index], self._kind(toks, head, index))
            elif text in _OPENERS:
                self._close(toks[index], _OPENERS[text])
            if text in (b"{", b"}", b";"):
                head = index + 1

    def _inner(self) -> Scope:
        return self._opened[-1][1] if self._opened else _FILE

    def _open(self, token: Token, scope: Scope) -> None:
        self._opened.append((token.text, scope))
        self._note(token.start)

    def _close(self, token: Token, opener: bytes) -> None:
        if not any(text == opener for text, _ in self._opened[-_UNBALANCED:]):
            return
        while self._opened.pop()[0] != opener:
            pass
        self._note(token.end)

    def _note(self, offset: int) -> None:
        self._offsets.append(offset)
        self._scopes.append(self._inner())

    def _kind(self, toks: list[Token], head: int, opener: int) -> Scope:
        outer = self._inner()
        words = toks[max(head, opener - _LONGEST) : opener]
        texts = [token.text for token in words]
        if b"namespace" in texts:
            return outer._replace(kind="namespace") if texts[-1] != b"namespace" else outer
        if b"extern" in texts and texts[-1].startswith(b'"'):
            return outer
        if b"enum" in texts and b"(" not in texts:
            after = texts[texts.index(b"enum") + 1 :]
            return outer._replace(kind="enum-class" if after[:1] in ([b"class"], [b"struct"]) else "enum")
        # `struct S f(int) {` opens a function, `struct __align__(16) S {` a record.
        records = any(
            text in _RECORDS and (at == 0 or texts[at - 1] not in (b"<", b",", b"enum"))
            for at, text in enumerate(texts)
        )
        if records and texts[-1] not in (b")", b"const", b"noexcept", b"override") and b"=" not in texts:
            return self._record(words, toks[opener], outer)
        qualifiers = _qualifiers(texts)
        return Scope("code", qualifiers, outer.record, outer) if qualifiers else outer._replace(kind="code")

    def _record(self, words: list[Token], opener: Token, outer: Scope) -> Scope:
        keyword = max(at for at, token in enumerate(words) if token.text in _RECORDS)
        head = [token.text for token in words[keyword + 1 :] if token.kind == "identifier"]
        # One without a name is known by its place.
        name = next((word for word in head if not word.startswith(b"__")), b"@%d" % opener.start)
        self._bases[name] = self._bases.get(name, frozenset()) | frozenset(head)
        return Scope("record", frozenset((name, *head)), name, outer)


_LONGEST = 200
_UNBALANCED = 2000


def _qualifiers(texts: list[bytes]) -> frozenset[bytes]:
    """The names before the colons of a head that is that of ``Class::name(...)``."""
    names = texts[: texts.index(b"(")] if b"(" in texts else []
    if b"::" not in names:
        return frozenset()
    return frozenset(word for word in names if word[:1].isalpha() or word[:1] == b"_")
