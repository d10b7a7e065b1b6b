"""The parts a file is made of, with the names each defines and the names it uses. Nothing is looked up: a name stands
for everything that bears it, so that what follows from this is rather too much than too little.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from musify_ai.kernels.functions import qualified
from musify_ai.kernels.outline import Item, Outline
from musify_ai.kernels.parameters import parameters
from musify_ai.kernels.view import View
from musify_ai.source import Directive, Token, closing, split_arguments, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PartKind = Literal["function", "class", "enum", "instantiation", "using", "alias", "macro-call", "macro", "other"]

# Those that can be overloaded outside a class; the others come with their class.
_OPERATOR = re.compile(rb"(?!=\Z)[-+*/%^&|~!=<>,]{1,3}\Z")
# Words that nothing can define.
_KEYWORDS = frozenset(
    b"alignas auto bool break case char class const constexpr continue decltype default delete do double else enum "
    b"explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator "
    b"private protected public return short signed sizeof static static_assert static_cast reinterpret_cast const_cast "
    b"struct switch template this true typedef typename union unsigned using virtual void volatile while "
    b"__global__ __device__ __host__ __shared__ __constant__ __restrict__ __launch_bounds__ __forceinline__".split()
)
_DECLARES = (b";", b",", b"=", b"[", b"{", b"(", b":")


class Part(NamedTuple):
    """Bytes ``[start, end)`` that are kept or left out together.

    ``name`` is qualified for a function, else the first name defined. ``uses`` are the names it mentions, ``operator+``
    and the like for its operators; ``members`` are those mentioned after ``.`` or ``->``. ``inside`` says that a class
    holds it.
    """

    kind: PartKind
    start: int
    end: int
    name: str
    defines: frozenset[bytes]
    uses: frozenset[bytes]
    members: frozenset[bytes]
    inside: bool = False


def parts(outline: Outline) -> list[Part]:
    """The declarations and macro definitions of a file by start, members of classes among them."""
    src = outline.src
    found = [_macro(src, line) for line in outline.reader.directives if line.keyword in (b"define", b"undef")]
    seen = {(item.start, item.end) for item in outline.items if item.declaration.kind == "function"}
    extra = [item for item in outline.functions if (item.start, item.end) not in seen]
    found += [_part(src, item) for item in (*outline.items, *extra)]
    return sorted(found, key=lambda part: (part.start, -part.end))


def mentioned(toks: Iterable[Token]) -> tuple[set[bytes], set[bytes]]:
    """The names that tokens use, and those used as members only."""
    uses: set[bytes] = set()
    members: set[bytes] = set()
    before = b""
    for token in toks:
        if token.kind == "identifier":
            if token.text in _KEYWORDS:
                before = token.text
                continue
            # A member in capitals may be a macro.
            if before in (b".", b"->") and not token.text.isupper():
                members.add(token.text)
            else:
                uses.add(token.text)
        elif token.kind == "punct" and _OPERATOR.match(token.text):
            uses.add(b"operator" + token.text)
        before = token.text
    return uses, members


class Paste(NamedTuple):
    """A run of ``##`` in a macro's body: the macro's parameters, the run's tokens, and the names it may make."""

    parameters: tuple[bytes, ...]
    run: tuple[bytes, ...]
    shape: re.Pattern[bytes]

    def made(self, arguments: Sequence[bytes]) -> bytes:
        """The name that a call with these arguments makes; empty where their number does not fit."""
        if len(arguments) != len(self.parameters):
            return b""
        given = dict(zip(self.parameters, arguments, strict=True))
        return b"".join(given.get(each, each) for each in self.run)


def pastes(src: bytes, part: Part) -> list[Paste]:
    """The names that a macro pastes together, one for each run of ``##``; none of arguments alone."""
    if part.kind != "macro" or b"##" not in src[part.start : part.end]:
        return []
    found = tokens(src, part.start, part.end)
    opening = next((i for i, token in enumerate(found) if token.text == b"("), len(found))
    end = next((i for i, token in enumerate(found) if token.text == b")" and i > opening), opening)
    named = tuple(token.text for token in found[opening:end] if token.kind == "identifier" or token.text == b"...")
    arguments = {*named, b"__VA_ARGS__"}
    out = []
    index = end + 1
    while index + 1 < len(found):
        run = [found[index].text]
        while index + 2 < len(found) and found[index + 1].text == b"##":
            run.append(found[index + 2].text)
            index += 2
        if len(run) > 1 and any(each not in arguments for each in run):
            shape = re.compile(b"".join(rb"\w*" if each in arguments else re.escape(each) for each in run))
            out.append(Paste(named, tuple(run), shape))
        index += 1
    return out


def call_arguments(src: bytes, part: Part) -> list[bytes]:
    """The arguments of a macro call, blanks out."""
    found = tokens(src, part.start, part.end)
    opening = next((i for i, token in enumerate(found) if token.text == b"("), -1)
    close = closing(found, opening) if opening >= 0 else -1
    if close < 0:
        return []
    return [b"".join(t.text for t in found[a:b]) for a, b in split_arguments(found, opening + 1, close)]


def first_word(src: bytes, part: Part) -> bytes:
    """The first identifier of a part: the macro that a macro call calls."""
    return next((token.text for token in tokens(src, part.start, part.end) if token.kind == "identifier"), b"")


def _macro(src: bytes, line: Directive) -> Part:
    found = tokens(src, line.argument_start, line.end)
    uses, members = mentioned(found[1:])
    name = found[0].text if found else b""
    return Part("macro", line.start, line.end, _decoded(name), frozenset((name,)), frozenset(uses), frozenset(members))


def _part(src: bytes, item: Item) -> Part:
    declaration = item.declaration
    kind: PartKind = declaration.kind
    defines: set[bytes] = set()
    if declaration.inside and kind != "function":
        # What a class holds besides functions counts as the class: reading it again at each level is quadratic.
        uses, members = {_owner(item)}, set[bytes]()
    else:
        uses, members = mentioned(tokens(src, item.start, item.end))
    name = ""
    if kind == "function" or declaration.parameters is not None:
        defines, name = _function_names(item), qualified(item)
        if kind == "function":
            uses = _without_parameters(item, uses)
    elif kind == "class":
        defines = _class_names(item)
    elif kind == "enum":
        defines = _enumerators(item)
    elif kind in ("using", "alias"):
        words = [t.text for t in _own(item) if t.kind == "identifier"]
        at = item.view.word(declaration.head + 1)
        defines = {at} if kind == "alias" else set(words[-1:])
    elif kind == "macro-call":
        defines = {t.text for t in _own(item)[1:] if t.kind == "identifier"}
    elif kind == "other":
        defines = _declared(item)
    if not defines and kind in ("other", "class"):
        # Not understood: it may define any name in it.
        defines = {t.text for t in _own(item) if t.kind == "identifier"} - _KEYWORDS
    if declaration.inside and declaration.scope:
        defines.add(_owner(item))
    name = name or _decoded(min(defines, default=b""))
    return Part(
        kind, item.start, item.end, name, frozenset(defines), frozenset(uses), frozenset(members), declaration.inside
    )


def _owner(item: Item) -> bytes:
    """The class that holds an item."""
    scope = item.declaration.scope
    return scope[-1].split("<", 1)[0].rsplit("::", 1)[-1].encode() if scope else b""


def _own(item: Item) -> list[Token]:
    """The tokens of an item after its template headers."""
    declaration = item.declaration
    return item.view.tokens[declaration.head : declaration.stop]


def _function_names(item: Item) -> set[bytes]:
    """A function's unqualified name and the classes or namespaces it is qualified with."""
    declaration, view = item.declaration, item.view
    names: set[bytes] = set()
    index = declaration.name
    while index < declaration.name_end:
        if view.word(index) == b"operator":
            spelled = b"".join(t.text for t in view.tokens[index : declaration.name_end])
            names.add(spelled)
            break
        if view.is_word(index):
            names.add(view.word(index))
        elif view.word(index) == b"<" and (close := view.angle(index)) > 0:
            index = close
        index += 1
    return names


def _without_parameters(item: Item, uses: set[bytes]) -> set[bytes]:
    """The uses of a function without its parameters' names, which hide anything else of that name.

    A parameter that is called may be any function object, or share its name with a macro.
    """
    group = item.declaration.parameters
    assert group is not None  # every function has one
    view = item.view
    names = {each.name.encode("utf-8", "replace") for each in parameters(view, group.opening, group.closing)}
    body = range(item.declaration.body, item.declaration.body_end)
    called = {view.word(index) for index in body if view.word(index) in names and view.word(index + 1) == b"("}
    return (uses - names) | called | ({b"operator()"} if called else set())


def _class_names(item: Item) -> set[bytes]:
    """A class's name, and what is declared behind its closing brace."""
    declaration, view = item.declaration, item.view
    names: set[bytes] = set()
    index = max(declaration.name, declaration.head)
    while 0 <= declaration.name <= index < declaration.name_end:
        if view.is_word(index):
            names.add(view.word(index))
        elif view.word(index) == b"<" and (close := view.angle(index)) > 0:
            index = close
        index += 1
    return names | {t.text for t in view.tokens[declaration.body_end + 1 : declaration.stop] if t.kind == "identifier"}


def _enumerators(item: Item) -> set[bytes]:
    """An enumeration's name, its enumerators, and what is declared behind its closing brace."""
    declaration, view = item.declaration, item.view
    names: set[bytes] = set()
    for index in range(declaration.head, declaration.stop):
        inside = declaration.body < index < declaration.body_end
        if view.is_word(index) and (not inside or view.word(index - 1) in (b"{", b",")):
            names.add(view.word(index))
    return names - _KEYWORDS


def _declared(item: Item) -> set[bytes]:
    """What a declaration without a body declares: its variables, its typedef names, the tags in front of braces."""
    declaration, view = item.declaration, item.view
    names: set[bytes] = set()
    index, stop = declaration.head, declaration.stop
    enumeration = False
    while index < stop:
        text = view.word(index)
        if view.is_word(index):
            enumeration = enumeration or text == b"enum"
            before, after = view.word(index - 1) if index > declaration.head else b"", view.word(index + 1)
            typed = view.is_word(index - 1) and index > declaration.head
            if after in _DECLARES and (typed or before in (b"*", b"&", b">", b">>", b"&&", b",", b"::", b"}")):
                names.add(text)
            if after == b"<" and (close := view.angle(index + 1)) > 0:
                index = close
        elif text == b"=":
            index = _next_comma(view, index, stop)
        elif text == b"(" and view.match[index] > index:
            # `(*name)`: a pointer to function or array.
            if view.word(index + 1) in (b"*", b"&"):
                names |= {t.text for t in view.tokens[index : view.match[index]] if t.kind == "identifier"}
            index = view.match[index]
        elif text == b"{" and view.match[index] > index:
            if enumeration:
                names |= {t.text for t in view.tokens[index : view.match[index]] if t.kind == "identifier"}
            index = view.match[index]
        elif text == b"}" or (text == b"[" and view.match[index] > index):
            index = max(index, view.match[index])
        index += 1
    return names - _KEYWORDS


def _next_comma(view: View, index: int, stop: int) -> int:
    """From an initialiser's ``=`` to the comma or ``;`` that ends it."""
    while index < stop and view.word(index) not in (b",", b";"):
        if view.match[index] > index:
            index = view.match[index]
        elif view.word(index) == b"<" and view.is_word(index - 1) and (close := view.angle(index)) > 0:
            index = close
        index += 1
    return index - 1 if view.word(index) == b"," else index


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", "replace")
