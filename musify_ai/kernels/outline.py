"""All declarations of a file: those of the main view, and those that stand in the other branches of its ``#if``s."""

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import NamedTuple

from musify_ai.kernels.declarations import Declaration, Scope, Walker
from musify_ai.kernels.view import Reader, View
from musify_ai.source import occurrences, words
from musify_ai.syntax.masking import decorator_macros


class Item(NamedTuple):
    """A declaration with the view its token indices refer to, and its bytes ``[start, end)``."""

    start: int
    end: int
    declaration: Declaration
    view: View

    @property
    def body(self) -> tuple[int, int]:
        """The bytes of the body with its braces; an unclosed one ends with the file's last token."""
        toks = self.view.tokens
        return toks[self.declaration.body].start, toks[self.declaration.body_end].end

    def text(self, first: int, stop: int) -> str:
        """Source text of a token range, blanks collapsed."""
        return self.view.text(first, stop)


class Outline:
    """The declarations of a file, by where they start. Made once and asked often."""

    def __init__(self, src: bytes) -> None:
        self.reader = Reader(src)
        self.src = self.reader.src
        self._scopes: list[Scope] = []
        self._looking = 0

    @cached_property
    def items(self) -> list[Item]:
        """Every declaration at namespace or class scope under any live condition, in order of start."""
        found = self._read(self.reader.main, (), inside=False)
        bodies = _bodies(found)
        extra: list[Item] = []
        for view, start, end in self.reader.views[1:]:
            # A fragment inside a body is part of that body, however it is read alone.
            if _inside(bodies, start):
                continue
            scope = self.scope_at(start)
            read = self._read(view, scope.names, inside=scope.inside)
            extra += [item for item in read if item.start < end]
            if any(item.declaration.kind == "function" for item in read):
                bodies = sorted(bodies + _bodies(read))
        return sorted(found + extra, key=lambda item: (item.start, -item.end))

    def _read(self, view: View, scope: tuple[str, ...], *, inside: bool) -> list[Item]:
        walker = Walker(view)
        found = [item_of(view, each) for each in walker.walk(scope, inside) if each.first < len(view.tokens)]
        self._scopes += walker.scopes
        self._scopes.sort()
        return found

    @property
    def scopes(self) -> list[Scope]:
        """The namespaces, linkage blocks and classes of the file by start."""
        return self._scopes if self.items else []

    def scope_at(self, offset: int) -> Scope:
        """The innermost namespace or class that holds an offset."""
        best = Scope(0, len(self.src), (), False)
        for scope in self._scopes[: bisect_right(self._scopes, offset, key=lambda each: each.start)]:
            if scope.end > offset and scope.start >= best.start:
                best = scope
        return best

    @cached_property
    def functions(self) -> list[Item]:
        """The function definitions: those among the items, and for each ``__global__`` or ``__device__`` in live code
        that none of them begins with (the outline loses its way where brackets do not pair) what a look from that
        very place finds."""
        found = [item for item in self.items if item.declaration.kind == "function" and not self._made_up(item)]
        marks = self._marks & words(self.src)
        if not marks:
            return found
        heads = sorted((item.start, item.body[0]) for item in self.items if item.declaration.kind == "function")
        seen = set(heads)
        lines = self.reader.directives
        # What looks read is bounded by the file's size, or broken input would make them quadratic.
        self._looking = 1000 + 8 * len(self.reader.main.tokens)
        for place in occurrences(self.src, marks):
            line = bisect_right(lines, place.start, key=lambda each: each.start) - 1
            at = bisect_right(heads, (place.start, len(self.src) + 1)) - 1
            if (line >= 0 and place.start < lines[line].end) or (at >= 0 and place.start < heads[at][1]):
                continue
            item = None if self.reader.is_dead(place.start) else self._look(place.start)
            if item is not None and not self._made_up(item) and (item.start, item.body[0]) not in seen:
                seen.add((item.start, item.body[0]))
                found.append(item)
        return sorted(found, key=lambda item: (item.start, -item.end))

    @cached_property
    def _macros(self) -> dict[bytes, frozenset[bytes]]:
        return decorator_macros(self.src, self.reader.directives)

    @cached_property
    def _marks(self) -> set[bytes]:
        """What marks device code: the two words, and the file's own macros for them."""
        words_of = {b"__global__", b"__device__"}
        return words_of | {name for name, meaning in self._macros.items() if meaning & words_of}

    def decorators(self, item: Item) -> set[bytes]:
        """The words in front of a function's name, the file's decorator macros expanded."""
        declaration = item.declaration
        found: set[bytes] = set()
        for token in item.view.tokens[declaration.head : max(declaration.name, declaration.head)]:
            if token.kind == "identifier":
                found.add(token.text)
                found |= self._macros.get(token.text, frozenset())
        return found

    def _made_up(self, item: Item) -> bool:
        """Whether what looks like a function's name is the macro that makes up its head."""
        return item.view.word(item.declaration.name) in self._marks

    def _look(self, offset: int) -> Item | None:
        """The function whose head holds an offset, read from there and not from the top of the file."""
        for view, start, end in reversed(self.reader.views):
            index = view.index(offset) if start <= offset < end else len(view.tokens)
            if index >= len(view.tokens) or view.tokens[index].start != offset:
                continue
            if self._looking <= 0:
                return None
            scope = self.scope_at(offset)
            declaration = Walker(view).at(_head_start(view, index), scope.names, scope.inside)
            if declaration.kind != "function":
                self._looking -= declaration.stop - declaration.first
            elif declaration.first <= index < declaration.name:
                return item_of(view, declaration)
        return None


def _head_start(view: View, index: int, limit: int = 400) -> int:
    """The first token of the declaration that the decorator at ``index`` belongs to."""
    first = index
    while first > max(0, index - limit):
        text = view.word(first - 1)
        if text in (b";", b"{", b"}") or (text == b":" and view.is_word(first - 2)):
            break
        first -= 1
    # A template header, if there is one, is where the definition begins; what stands before it is something else.
    return next((position for position in range(first, index) if view.word(position) == b"template"), first)


def item_of(view: View, declaration: Declaration) -> Item:
    """A declaration with its byte span."""
    first = view.tokens[declaration.first]
    last = view.tokens[max(declaration.first, min(declaration.stop, len(view.tokens)) - 1)]
    return Item(first.start, last.end, declaration, view)


def _bodies(items: list[Item]) -> list[tuple[int, int]]:
    """The bytes of function bodies, in order."""
    return sorted(item.body for item in items if item.declaration.kind == "function")


def _inside(spans: list[tuple[int, int]], offset: int) -> bool:
    index = bisect_left(spans, (offset, 0)) - 1
    return index >= 0 and spans[index][0] < offset < spans[index][1]
