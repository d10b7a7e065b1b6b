"""Syntax colour by Pygments, for the lines that are shown only: it reads about half a megabyte a second."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Piece = tuple[str, str]
"""A CSS class (empty for none) and the text it holds."""

_BY_SUFFIX = {
    "py": "python", "pyi": "python", "cmake": "cmake", "mk": "make", "toml": "toml", "json": "json", "sh": "bash",
    "yaml": "yaml", "yml": "yaml",
}  # fmt: skip
_BY_NAME = {"cmakelists.txt": "cmake", "makefile": "make", "gnumakefile": "make", "build.bazel": "python"}
# CUDA's own words, which the C++ lexer takes for names.
_QUALIFIERS = frozenset(
    [
        "__global__",
        "__device__",
        "__host__",
        "__shared__",
        "__constant__",
        "__managed__",
        "__restrict__",
        "__forceinline__",
        "__noinline__",
        "__launch_bounds__",
        "__grid_constant__",
    ]
)


class Language(NamedTuple):
    """How a file is coloured: by which lexer, and whether its comments are C's."""

    lexer: str
    is_c: bool


def language(path: str) -> Language:
    """The language of a file by its name; C++ where the name says nothing, for CUDA sources have any suffix."""
    name = path.rpartition("/")[2].lower()
    lexer = _BY_NAME.get(name) or _BY_SUFFIX.get(name.rpartition(".")[2], "cpp")
    return Language(lexer, lexer == "cpp")


def coloured(lines: Sequence[str], of: Language, *, in_comment: bool = False) -> list[list[Piece]]:
    """Each line in pieces with their classes. ``in_comment``: the first line begins inside a block comment."""
    text = "\n".join(lines)
    opening = "/*" if in_comment and of.is_c else ""
    out: list[list[Piece]] = [[]]
    skip = len(opening)
    for _, token, value in _lexer(of.lexer).get_tokens_unprocessed(opening + text):
        if skip:
            value, skip = value[skip:], max(0, skip - len(value))
        kind = "k" if value in _QUALIFIERS else _class(token)
        for number, piece in enumerate(value.split("\n")):
            if number:
                out.append([])
            if piece:
                line = out[-1]
                if line and line[-1][0] == kind:
                    line[-1] = (kind, line[-1][1] + piece)
                else:
                    line.append((kind, piece))
    return out


@cache
def _lexer(name: str) -> "Lexer":
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(name, stripnl=False, ensurenl=False)


@cache
def _class(token: object) -> str:
    """One of a few classes: comment, preprocessor, keyword, string, number; none for names and signs."""
    from pygments.token import Comment, Keyword, Number, String

    if token in Comment.Preproc or token in Comment.PreprocFile:
        return "p"
    for kind, name in ((Comment, "c"), (Keyword, "k"), (String, "s"), (Number, "m")):
        if token in kind:
            return name
    return ""
