"""What a text in a Makefile comes to, as far as reading tells: make's variables and its functions over words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

_LONGEST = 50_000  # bytes of an expansion; longer ones stay as they stand
_DEPTH = 12
_SPECIAL = frozenset("@<^+?*%|")
_Function = Callable[[list[str], str], str]


def expand(text: str, values: Mapping[str, Sequence[str]], depth: int = _DEPTH) -> str:
    """The text with references put in. A variable stands for all the values that the file gives it, one after the
    other; one that it gives none, and a function that asks the system, stays as it is written, without blanks."""
    if depth == 0 or "$" not in text or len(text) > _LONGEST:
        return text
    out: list[str] = []
    length = position = 0
    while position < len(text):
        dollar = text.find("$", position)
        if dollar < 0 or dollar + 1 >= len(text) or length > _LONGEST:
            out.append(text[position:])
            break
        out.append(text[position:dollar])
        opener = text[dollar + 1]
        if opener not in "({":
            piece = text[dollar : dollar + 2]
            position = dollar + 2
        else:
            end = closing(text, dollar + 1)
            if end < 0:
                out.append(text[dollar:])
                break
            piece = _reference(text[dollar : end + 1], values, depth - 1)
            position = end + 1
        out.append(piece)
        length += len(piece)
    return "".join(out)


def closing(text: str, start: int) -> int:
    """Where the bracket that opens at ``start`` is closed; -1 where it is not."""
    opener = text[start]
    closer = ")" if opener == "(" else "}"
    depth = 0
    for index in range(start, len(text)):
        if text[index] == opener:
            depth += 1
        elif text[index] == closer:
            depth -= 1
            if depth == 0:
                return index
    return -1


def _reference(whole: str, values: Mapping[str, Sequence[str]], depth: int) -> str:
    inside = whole[2:-1]
    if len(inside) <= 2 and inside[:1] in _SPECIAL:
        return "$" + inside
    function = re.match(r"([a-z-]+)[ \t]+", inside)
    if function is not None and function[1] in _FUNCTIONS:
        arguments = [expand(each, values, depth) for each in split_arguments(inside[function.end() :])]
        return _FUNCTIONS[function[1]](arguments, whole)
    if function is not None:
        return re.sub(r"\s+", "", whole)
    name, colon, change = inside.partition(":")
    held = values.get(name.strip())
    if held is None:
        return whole
    text = expand(" ".join(held), values, depth)
    if colon and "=" in change:
        old, _, new = change.partition("=")
        pattern = old if "%" in old else "%" + old
        return _patsubst([pattern, new if "%" in new else "%" + new, text], whole)
    return text


def split_arguments(text: str) -> list[str]:
    """The arguments of a function: at commas outside of brackets."""
    found, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char in "({":
            depth += 1
        elif char in ")}":
            depth -= 1
        elif char == "," and depth == 0:
            found.append(text[start:index])
            start = index + 1
    return [*found, text[start:]]


def _patsubst(arguments: list[str], whole: str) -> str:
    if len(arguments) != 3:
        return whole
    pattern, new, text = (each.strip() for each in arguments)
    head, percent, tail = pattern.partition("%")
    out = []
    for word in text.split():
        if percent and word.startswith(head) and word.endswith(tail) and len(word) >= len(head) + len(tail):
            stem = word[len(head) : len(word) - len(tail)]
            out.append(new.replace("%", stem, 1))
        else:
            out.append(new if word == pattern else word)
    return " ".join(out)


def _subst(arguments: list[str], whole: str) -> str:
    return whole if len(arguments) != 3 else arguments[2].replace(arguments[0], arguments[1])


def _each(change: str) -> _Function:
    def apply(arguments: list[str], whole: str) -> str:
        words = arguments[-1].split()
        if change == "notdir":
            return " ".join(word.rpartition("/")[2] for word in words)
        if change == "dir":
            return " ".join(word.rpartition("/")[0] + "/" for word in words)
        if change == "basename":
            return " ".join(re.sub(r"\.[^./]*$", "", word) for word in words)
        if change in ("addprefix", "addsuffix") and len(arguments) == 2:
            put = arguments[0].strip()
            return " ".join(put + word if change == "addprefix" else word + put for word in words)
        return " ".join(words)

    return apply


def _filter(arguments: list[str], whole: str) -> str:
    if len(arguments) != 2 or "$" in arguments[1]:
        return re.sub(r"\s+", "", whole)
    return " ".join(word for word in arguments[1].split() if _matches(word, arguments[0]))


def _filter_out(arguments: list[str], whole: str) -> str:
    if len(arguments) != 2 or "$" in arguments[1]:
        return re.sub(r"\s+", "", whole)
    return " ".join(word for word in arguments[1].split() if not _matches(word, arguments[0]))


def _matches(word: str, patterns: str) -> bool:
    for pattern in patterns.split():
        head, percent, tail = pattern.partition("%")
        if word == pattern or (percent and word.startswith(head) and word.endswith(tail)):
            return True
    return False


def _either(arguments: list[str], whole: str) -> str:
    return " ".join(arguments[1:])


def _all(arguments: list[str], whole: str) -> str:
    return " ".join(arguments)


_FUNCTIONS: dict[str, _Function] = {
    "patsubst": _patsubst,
    "subst": _subst,
    "filter": _filter,
    "filter-out": _filter_out,
    "if": _either,
    "or": _all,
    "and": _all,
    **{
        name: _each(name)
        for name in ("notdir", "dir", "basename", "addprefix", "addsuffix", "sort", "strip", "abspath", "realpath",
                     "wildcard")
    },
}  # fmt: skip
