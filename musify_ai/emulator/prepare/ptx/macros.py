"""Macros whose parameters become part of an ``asm`` statement's text: expanded where they are used.

Everything else of a program is left to the compiler's own preprocessor.
"""

from collections.abc import Iterator
from typing import NamedTuple

from musify_ai.emulator.prepare.scan import Macro, Scan
from musify_ai.source.tokens import split_arguments

# How deep such macros may use one another, and how long what becomes of one may be.
DEEPEST = 8
_LONGEST = 65536


class Part(NamedTuple):
    """A token of a macro's body, and whether blanks stand before it."""

    text: bytes
    spaced: bool


class Definition(NamedTuple):
    """A macro: its parameters in order, and its body."""

    order: tuple[bytes, ...]
    body: tuple[Part, ...]


class Definitions(NamedTuple):
    """The macros to expand, by name, and the macros known to stand for string literals."""

    by_name: dict[bytes, Definition]
    strings: dict[bytes, str]


class Use(NamedTuple):
    """A use of such a macro: token indices of its name and its ``)``, and its body with the arguments in place."""

    name: bytes
    start: int
    stop: int
    text: bytes


def expandable(scan: Scan, unknown: list[int], strings: dict[bytes, str]) -> Definitions:
    """The macros around the ``asm`` statements at ``unknown`` (token indices), and those that use them in turn.

    A macro with two definitions that differ is none of them: which one holds, only the preprocessor knows.
    """
    wanted = {macro.name for index in unknown if (macro := scan.macro[index]) and macro.order is not None}
    if not wanted:
        return Definitions({}, strings)
    every: dict[bytes, list[Macro]] = {}
    index, count = 0, len(scan.toks)
    while index < count:
        macro = scan.macro[index]
        if macro is not None:
            every.setdefault(macro.name, []).append(macro)
            index = macro.stop
        index += macro is None
    for _ in range(DEEPEST):
        more = {
            name
            for name, macros in every.items()
            if name not in wanted and any(_mentions(scan, macro, wanted) for macro in macros if macro.order is not None)
        }
        if not more:
            break
        wanted |= more
    found: dict[bytes, Definition] = {}
    for name in wanted:
        bodies = {_definition(scan, macro) for macro in every.get(name, ()) if macro.order is not None}
        if len(bodies) == 1:
            found[name] = bodies.pop()
    return Definitions(found, strings)


def _mentions(scan: Scan, macro: Macro, names: set[bytes]) -> bool:
    return any(scan.text(index) in names for index in range(macro.start, macro.stop))


def _definition(scan: Scan, macro: Macro) -> Definition:
    parts = tuple(
        Part(scan.text(index), scan.toks[index].start > scan.toks[index - 1].end)
        for index in range(macro.start, macro.stop)
    )
    return Definition(macro.order or (), parts)


def uses(scan: Scan, definitions: Definitions) -> Iterator[Use]:
    """Where the macros are used in plain code."""
    done = 0
    for index, token in enumerate(scan.toks):
        definition = definitions.by_name.get(token.text) if token.kind == "identifier" else None
        if definition is None or index < done or scan.directive[index] or scan.text(index + 1) != b"(":
            continue
        stop = scan.partner[index + 1]
        if stop < 0:
            continue
        arguments = [scan.flat(*piece) for piece in split_arguments(scan.toks, index + 2, stop)]
        text = _substitute(definition, arguments)
        if text is not None:
            done = stop
            yield Use(token.text, index, stop, text)


def _quoted(text: bytes) -> bytes:
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def _substitute(definition: Definition, arguments: list[bytes]) -> bytes | None:
    """The body with the arguments in place, on one line; ``None`` where they do not fit the parameters."""
    order = definition.order
    if order and order[-1] == b"__VA_ARGS__" and len(arguments) >= len(order) - 1:
        fixed = len(order) - 1
        arguments = [*arguments[:fixed], b", ".join(arguments[fixed:])]
    if not arguments and len(order) == 1:
        arguments = [b""]
    if len(arguments) != len(order):
        return None
    values = dict(zip(order, arguments, strict=True))
    body, out, size, index = definition.body, [], 0, 0
    while index < len(body):
        part = body[index]
        after = body[index + 1].text if index + 1 < len(body) else b""
        pasted = part.text == b"##" or (index > 0 and body[index - 1].text == b"##")
        if part.text == b"#" and after in values:
            piece = _quoted(values[after])
            index += 1
        else:
            piece = b"" if part.text == b"##" else values.get(part.text, part.text)
        out.append(b" " + piece if part.spaced and not pasted else piece)
        size += len(piece) + 1
        if size > _LONGEST:
            return None
        index += 1
    return b"".join(out).strip().replace(b"\n", b" ")
