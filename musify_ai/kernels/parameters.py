"""Parameter lists, as written: each parameter's name, its type without the name, its pointee."""

from collections.abc import Iterator
from typing import NamedTuple

from musify_ai.kernels.view import View
from musify_ai.records import Parameter

_TYPE_WORDS = frozenset(
    b"void bool char short int long float double signed unsigned auto wchar_t char8_t char16_t char32_t".split()
)
_QUALIFIERS = frozenset(
    b"const volatile restrict __restrict__ __restrict __grid_constant__ struct class enum union typename register "
    b"__attribute__ __align__ alignas decltype".split()
)
_POINTER_WORDS = ("__restrict__", "__restrict", "restrict", "const", "volatile", "__grid_constant__")


class TemplateParameter(NamedTuple):
    """One template parameter: ``kind`` is ``type``, ``value`` or ``template``; ``default`` is empty where none is."""

    kind: str
    name: str
    default: str
    pack: bool


def split(view: View, first: int, stop: int) -> Iterator[tuple[int, int]]:
    """Token ranges between the commas of ``[first, stop)``, those inside any bracket (angle ones too) left alone."""
    begin = position = first
    while position < stop:
        token = view.tokens[position]
        if token.kind == "punct":
            if token.text == b",":
                yield begin, position
                begin = position + 1
            elif position < view.match[position] < stop:
                position = view.match[position]
            elif token.text == b"<" and position > first and view.tokens[position - 1].kind == "identifier":
                close = view.angle(position)
                if 0 < close < stop:
                    position = close
        position += 1
    if begin < stop:
        yield begin, stop


def parameters(view: View, opening: int, closing: int) -> tuple[Parameter, ...]:
    """The parameters between the parentheses at two token indices; none for ``()`` and ``(void)``."""
    found = [_parameter(view, first, stop) for first, stop in split(view, opening + 1, closing)]
    return () if len(found) == 1 and found[0].type == "void" and not found[0].name else tuple(found)


def _parameter(view: View, first: int, stop: int) -> Parameter:
    stop = _default_at(view, first, stop)
    index = _name(view, first, stop)
    if index < 0:
        name, written = "", view.text(first, stop)
    else:
        name = view.text(index, index + 1)
        before, after = view.text(first, index), view.text(index + 1, stop)
        # `float a[4]` is written `float [4]` without its name; `T (&a)[4]` keeps no blank inside its parentheses.
        glue = " " if after.startswith("[") and not before.endswith(("*", "&")) else ""
        written = f"{before}{glue}{after}"
    pointee, const = pointee_of(written)
    return Parameter(name, written, "", pointee, const)


def pointee_of(written: str) -> tuple[str, bool]:
    """The pointee of a plain pointer type as written (``""`` for any other type), and whether it is const.

    >>> pointee_of("const float* __restrict__")
    ('float', True)
    >>> pointee_of("int")
    ('', False)
    """
    text = written.strip()
    changed = True
    while changed:
        changed = False
        for word in _POINTER_WORDS:
            if text.endswith((f" {word}", f"*{word}")):
                text, changed = text[: -len(word)].rstrip(), True
    if text.endswith("]") and text.count("[") == 1 and "(" not in text:
        text = text[: text.index("[")].rstrip() + "*"
    if not text.endswith("*"):
        words = text.replace("&", " ").split()
        return "", bool(words) and (words[0] == "const" or words[-1] == "const")
    element = text[:-1].rstrip()
    const = False
    for prefix in ("const ", "volatile "):
        if element.startswith(prefix):
            const = const or prefix == "const "
            element = element[len(prefix) :].lstrip()
    if element.endswith((" const", "*const")):
        const, element = True, element[: -len("const")].rstrip()
    return element, const


def _default_at(view: View, first: int, stop: int) -> int:
    """Where a parameter's default argument begins, or ``stop``."""
    position = first
    while position < stop:
        token = view.tokens[position]
        if token.kind == "punct":
            if token.text == b"=":
                return position
            if position < view.match[position] < stop:
                position = view.match[position]
            elif token.text == b"<" and 0 < (close := view.angle(position)) < stop:
                position = close
        position += 1
    return stop


def _name(view: View, first: int, stop: int) -> int:
    """Index of the token that names a parameter, -1 where it has no name."""
    toks = view.tokens
    position, typed, last = first, False, -1
    while position < stop:
        token = toks[position]
        if token.kind == "identifier" and token.text not in _QUALIFIERS:
            if toks[position - 1].text == b"::" and position > first:
                last = -1
            elif typed and token.text not in _TYPE_WORDS:
                last = position
            typed = True
        elif token.text == b"(" and position < view.match[position] < stop:
            if position > first and toks[position - 1].text in (
                b"decltype",
                b"alignas",
                b"__align__",
                b"__attribute__",
            ):
                typed = typed or toks[position - 1].text == b"decltype"
            elif toks[position + 1].text in (b"*", b"&", b"&&") or b"::" in {
                t.text for t in toks[position + 1 : position + 4]
            }:
                # A declarator in parentheses: a pointer to function, a reference to array.
                inner = [
                    i
                    for i in range(position + 1, view.match[position])
                    if toks[i].kind == "identifier" and toks[i].text not in _QUALIFIERS and toks[i + 1].text != b"::"
                ]
                return inner[0] if inner else -1
            position = view.match[position]
        elif token.text == b"[" and position < view.match[position] < stop:
            position = view.match[position]
        elif token.text == b"<" and 0 < (close := view.angle(position)) < stop:
            position = close
        position += 1
    return last


def template_parameters(view: View, opening: int, closing: int) -> tuple[str, ...]:
    """The template parameters between two angle brackets, as written."""
    return tuple(view.text(first, stop) for first, stop in split(view, opening + 1, closing))


def read_template_parameter(written: str) -> TemplateParameter:
    """What one template parameter declares.

    >>> read_template_parameter("int N = 4")
    TemplateParameter(kind='value', name='N', default='4', pack=False)
    """
    from musify_ai.source import tokens

    src = written.encode()
    view = View(src, tokens(src))
    count = len(view.tokens)
    stop = _default_at(view, 0, count)
    default = view.text(stop + 1, count) if stop < count else ""
    first = view.tokens[0].text if view.tokens else b""
    pack = any(token.text == b"..." for token in view.tokens[:stop])
    if first in (b"typename", b"class") and not _has_scope(view, stop):
        named = [t for t in view.tokens[1:stop] if t.kind == "identifier"]
        return TemplateParameter("type", named[-1].text.decode() if named else "", default, pack)
    if first == b"template":
        last = view.tokens[stop - 1]
        name = last.text.decode() if last.kind == "identifier" and last.text not in (b"class", b"typename") else ""
        return TemplateParameter("template", name, default, pack)
    index = _name(view, 0, stop)
    if index < 0 and count == 0:
        return TemplateParameter("value", "", "", False)
    return TemplateParameter("value", view.text(index, index + 1) if index >= 0 else "", default, pack)


def _has_scope(view: View, stop: int) -> bool:
    """``typename T::type N`` declares a value: its type is spelled with ``typename``."""
    return any(token.text == b"::" for token in view.tokens[:stop])
