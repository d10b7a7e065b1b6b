"""Declarations at namespace and class scope, read from tokens.

No grammar: real files hold macros in place of decorators, functions and whole definitions, and what a parser makes of
the rest of such a file is not to be trusted, while its brackets nearly always are. Function bodies are opaque here.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from musify_ai.kernels.heads import NOT_NAMES, TRAILERS, Group, class_name, name_start, parameter_list
from musify_ai.kernels.view import View
from musify_ai.source import Token

Kind = Literal["function", "class", "enum", "instantiation", "using", "alias", "macro-call", "other"]


class Declaration(NamedTuple):
    """One declaration. Everything but ``scope`` and ``kind`` is an index into the view's tokens; -1 where absent.

    Tokens ``[first, stop)`` are the whole, template headers and the final ``;`` included. ``templates`` are the
    ``<`` and ``>`` of its template headers, outermost first; ``head`` is the token after them. For a function the
    name is ``[name, parameters.opening)``; ``body`` and ``body_end`` are the braces. A class has a body too, and its
    members follow as declarations of their own. ``inside`` says that a class holds it. ``classes`` are class, struct
    and union names among ``scope``.
    """

    kind: Kind
    first: int
    stop: int
    head: int
    scope: tuple[str, ...]
    templates: tuple[tuple[int, int], ...] = ()
    name: int = -1
    name_end: int = -1
    parameters: Group | None = None
    body: int = -1
    body_end: int = -1
    inside: bool = False


_CLASS_KEYS = frozenset((b"class", b"struct", b"union"))
_ACCESS = frozenset((b"public", b"private", b"protected"))


class Scope(NamedTuple):
    """A namespace, linkage block or class: bytes between its braces, the names from the outermost in."""

    start: int
    end: int
    names: tuple[str, ...]
    inside: bool


class Walker:
    """Reads one view's declarations; ``scopes`` holds those entered so far, outer before inner."""

    def __init__(self, view: View) -> None:
        self.scopes: list[Scope] = []
        self.view = view
        self.toks = view.tokens
        self.match = view.match

    def _enter(self, opening: int, end: int, names: tuple[str, ...], inside: bool) -> None:
        stop = self.toks[end].start if end < len(self.toks) else len(self.view.src)
        self.scopes.append(Scope(self.toks[opening].end, stop, names, inside))

    def at(self, position: int, scope: tuple[str, ...] = (), inside: bool = False) -> Declaration:
        """The one declaration that begins at a token, wherever that stands."""
        return self._declaration(position, scope, inside)

    def walk(self, scope: tuple[str, ...] = (), inside: bool = False) -> Iterator[Declaration]:
        """The declarations in order, a class's members after the class itself.

        The stack of scopes is explicit: nesting may be deep.
        """
        scopes: list[tuple[int, tuple[str, ...], bool]] = [(len(self.toks), scope, inside)]
        position = 0
        while position < len(self.toks):
            while len(scopes) > 1 and position >= scopes[-1][0]:
                _, _, was_class = scopes.pop()
                if was_class:
                    position = self._past_declarators(position)
            if position >= len(self.toks):
                break
            _, scope, inside = scopes[-1]
            text = self.view.word(position)
            if text in (b"}", b";", b")", b"]"):
                position += 1
                continue
            if inside and text in _ACCESS and self.view.word(position + 1) == b":":
                position += 2
                continue
            entered = self._scope(position)
            if entered is not None:
                names, opening = entered
                end = self.match[opening] if self.match[opening] >= 0 else len(self.toks)
                scopes.append((end, (*scope, *names), False))
                self._enter(opening, end, (*scope, *names), False)
                position = opening + 1
                continue
            found = self._declaration(position, scope, inside)
            yield found
            position = max(found.stop, position + 1)
            if found.kind == "class" and found.body >= 0:
                names = (_joined(self.toks[found.name : found.name_end]),) if found.name >= 0 else ()
                scopes.append((found.body_end, (*scope, *names), True))
                self._enter(found.body, found.body_end, (*scope, *names), True)
                position = found.body + 1

    def _past_declarators(self, position: int) -> int:
        """From a class's closing brace past its declarators: ``} a, *b;``. Not past what looks like the next item."""
        index = position + 1
        while self.view.is_word(index) or self.view.word(index) in (b",", b"*", b"&", b"[", b"=", b"("):
            if self.view.word(index) in (b"template", b"class", b"struct", b"namespace"):
                return position + 1
            index = self.match[index] + 1 if self.match[index] > index else index + 1
        return index + 1 if self.view.word(index) == b";" else position + 1

    def _scope(self, position: int) -> tuple[tuple[str, ...], int] | None:
        """Names and opening brace of a namespace or linkage block that begins here."""
        text = self.view.word(position)
        if text == b"extern" and position + 2 < len(self.toks) and self.toks[position + 1].kind == "string":
            return ((), position + 2) if self.view.word(position + 2) == b"{" else None
        index = position + 1 if text == b"inline" else position
        if self.view.word(index) != b"namespace":
            return None
        names: list[str] = []
        index += 1
        while index < len(self.toks) and self.view.word(index) not in (b"{", b";", b"="):
            if self.match[index] > index:
                index = self.match[index]
            elif self.view.is_word(index) and self.view.word(index) != b"inline":
                if self.view.word(index + 1) != b"(":
                    names.append(_text(self.toks[index]))
            elif self.view.word(index) != b"::":
                return None
            index += 1
        return (tuple(names), index) if self.view.word(index) == b"{" else None

    def _declaration(self, first: int, scope: tuple[str, ...], inside: bool) -> Declaration:
        position = first
        templates: list[tuple[int, int]] = []
        while self.view.word(position) == b"template":
            if self.view.word(position + 1) != b"<":
                stop = self._statement_end(position)
                return Declaration("instantiation", first, stop, position + 1, scope, inside=inside)
            close = self.view.angle(position + 1)
            if close < 0:
                return Declaration("other", first, self._statement_end(position), position, scope, inside=inside)
            templates.append((position + 1, close))
            position = close + 1
            if self.view.word(position) == b"requires":
                position = self._past_requires(position)
        plain = Declaration("other", first, position, position, scope, tuple(templates), inside=inside)
        text = self.view.word(position)
        if text in (b"using", b"typedef", b"static_assert", b"friend"):
            kind: Kind = "using" if text == b"using" else "other"
            if text == b"using" and self.view.word(position + 2) == b"=":
                kind = "alias"
            if text != b"friend":
                return plain._replace(kind=kind, stop=self._statement_end(position))
        call_end = self._macro_call(position) if not templates else -1
        if call_end >= 0:
            return plain._replace(kind="macro-call", stop=call_end + 1)
        return self._head(plain)

    def _statement_end(self, position: int) -> int:
        """One past the next ``;`` outside brackets, or where an enclosing scope closes."""
        while position < len(self.toks):
            text = self.view.word(position)
            if text == b";":
                return position + 1
            if text == b"}" and self.toks[position].kind == "punct":
                return position
            position = self.match[position] + 1 if self.match[position] > position else position + 1
        return position

    def _past_requires(self, position: int) -> int:
        """Past a requires-clause: primary expressions joined by ``&&`` and ``||``."""
        position += 1
        while position < len(self.toks):
            if self.view.word(position) == b"requires":
                position += 1
                if self.view.word(position) == b"(" and self.match[position] > 0:
                    position = self.match[position] + 1
                if self.view.word(position) == b"{" and self.match[position] > 0:
                    position = self.match[position] + 1
            elif self.view.word(position) == b"(" and self.match[position] > 0:
                position = self.match[position] + 1
            else:
                while self.view.word(position) == b"!":
                    position += 1
                while (
                    self.view.is_word(position)
                    or self.view.word(position) == b"::"
                    or self.toks[position].kind == "number"
                ):
                    position += 1
                    if self.view.word(position) == b"<" and (close := self.view.angle(position)) > 0:
                        position = close + 1
                    if self.view.word(position) != b"::" and self.view.word(position - 1) != b"::":
                        break
                    if position >= len(self.toks):
                        break
            if self.view.word(position) not in (b"&&", b"||"):
                break
            position += 1
        return position

    def _macro_call(self, position: int) -> int:
        """The closing parenthesis of a macro call that stands as a line of its own, without ``;``; else -1."""
        if not self.view.is_word(position) or self.view.word(position + 1) != b"(":
            return -1
        close = self.match[position + 1]
        name = self.view.word(position)
        if close < 0 or close + 1 >= len(self.toks) or name in NOT_NAMES or b"BOUNDS" in name.upper():
            return -1
        following = self.toks[close + 1]
        if following.kind != "identifier" or following.text in TRAILERS or not self.view.newline_between(close):
            return -1
        return close

    def _head(self, plain: Declaration) -> Declaration:
        """Reads a declaration from its first token after the template headers up to its body or ``;``."""
        groups: list[Group] = []
        operator = -1
        class_key = -1
        is_enum = False
        open_to_groups = True
        position = plain.head
        while position < len(self.toks):
            token = self.toks[position]
            text = token.text
            if token.kind == "identifier":
                if text == b"operator":
                    operator = position
                    position = self._past_operator(position)
                    continue
                if text in _CLASS_KEYS and not groups:
                    class_key = position
                elif text == b"enum":
                    is_enum = True
                elif text == b"requires" and groups:
                    open_to_groups = False
                    position = self._past_requires(position)
                    continue
                elif (
                    text == b"template" and position > plain.head and self.view.word(position - 1) not in (b"::", b".")
                ):
                    # The next declaration begins: what came before had no end of its own (a macro).
                    return plain._replace(stop=position)
                if self.view.word(position + 1) == b"<" and (close := self.view.angle(position + 1)) > 0:
                    position = close + 1
                    continue
            elif token.kind == "punct":
                if text == b";":
                    return self._ended(plain, groups, operator, class_key, is_enum, position + 1)
                if text in (b"}", b")", b"]"):
                    return plain._replace(stop=position)
                if text == b"->":
                    open_to_groups = False
                elif text == b"=":
                    return self._ended(plain, [], operator, class_key, is_enum, self._statement_end(position))
                elif text == b":" and groups and class_key < 0:
                    position = self._past_initialisers(position)
                    continue
                elif text == b"{":
                    return self._braced(plain, groups, operator, class_key, is_enum, position)
                if self.match[position] > position:
                    if text == b"(" and open_to_groups:
                        groups.append(Group(position - 1, position, self.match[position]))
                    position = self.match[position]
                elif text in (b"(", b"["):
                    return plain._replace(stop=self._statement_end(position + 1))
            position += 1
        return plain._replace(stop=position)

    def _past_operator(self, position: int) -> int:
        """From ``operator`` to the parenthesis of its parameter list."""
        position += 1
        if self.view.word(position) == b"(" and self.view.word(position + 1) == b")":
            return position + 2
        while position < len(self.toks) and self.view.word(position) not in (b"(", b";", b"{", b"}"):
            position += 1
        return position

    def _past_initialisers(self, position: int) -> int:
        """From the ``:`` of a constructor to its body's brace."""
        while True:
            position += 1
            while self.view.is_word(position) or self.view.word(position) == b"::":
                if self.view.word(position + 1) == b"<" and (close := self.view.angle(position + 1)) > 0:
                    position = close
                position += 1
            if self.view.word(position) not in (b"(", b"{") or self.match[position] < 0:
                return position
            position = self.match[position] + 1
            if self.view.word(position) == b"...":
                position += 1
            if self.view.word(position) != b",":
                return position

    def _ended(
        self, plain: Declaration, groups: list[Group], operator: int, class_key: int, is_enum: bool, stop: int
    ) -> Declaration:
        """A declaration without a body: a prototype keeps its name and parameters."""
        if is_enum:
            return plain._replace(kind="enum", stop=stop)
        chosen = parameter_list(self.view, groups, operator)
        if chosen is None:
            return plain._replace(stop=stop)
        name = name_start(self.view, chosen, operator)
        if name == plain.head and not plain.inside and not plain.templates and operator < 0:
            # A name with nothing in front of it declares nothing.
            return plain._replace(kind="macro-call", stop=stop)
        return plain._replace(stop=stop, name=name, name_end=chosen.opening, parameters=chosen)

    def _braced(
        self, plain: Declaration, groups: list[Group], operator: int, class_key: int, is_enum: bool, brace: int
    ) -> Declaration:
        """What an opening brace at ``brace`` makes of a declaration."""
        end = self.match[brace]
        last = end if end >= 0 else len(self.toks) - 1
        if is_enum and not groups:
            return plain._replace(kind="enum", stop=self._statement_end(last + 1), body=brace, body_end=last)
        chosen = parameter_list(self.view, groups, operator)
        if chosen is not None and (class_key < 0 or self.view.word(chosen.closing + 1) not in (b":",)):
            stop = last + 1
            while self.view.word(stop) == b"catch" and self.view.word(stop + 1) == b"(" and self.match[stop + 1] > 0:
                handler = self.match[stop + 1] + 1
                if self.view.word(handler) != b"{" or self.match[handler] < 0:
                    break
                last, stop = self.match[handler], self.match[handler] + 1
            name = name_start(self.view, chosen, operator)
            return plain._replace(
                kind="function",
                stop=stop,
                name=name,
                name_end=chosen.opening,
                parameters=chosen,
                body=brace,
                body_end=last,
            )
        if class_key >= 0:
            name, name_end = class_name(self.view, class_key, brace)
            return plain._replace(
                kind="class", stop=self._past_declarators(last), name=name, name_end=name_end, body=brace, body_end=last
            )
        stop = last + 1
        if self.view.word(stop) in (b";", b",", b"=", b"["):
            stop = self._statement_end(stop)
        return plain._replace(stop=stop)


def _text(token: Token) -> str:
    return token.text.decode("utf-8", "replace")


def _joined(toks: list[Token]) -> str:
    return b"".join(token.text for token in toks).decode("utf-8", "replace")
