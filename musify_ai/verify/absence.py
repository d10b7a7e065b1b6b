"""What a missing header has to do with an error: a name that nothing declares is mostly one that the header would."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

_UNDECLARED = re.compile(
    r"'(?P<first>[^']+)' (?:does not name a type|has not been declared|was not declared|is not a (?:class|namespace))"
    r"|(?:undeclared identifier|unknown type name|no template named|no type named) '(?P<second>[^']+)'"
)
_LETTERS = 3
"""Letters that a name and a header have to begin with alike: ``cub`` and ``cub/cub.cuh``."""


def missing_text(header: str, *, quoted: bool) -> str:
    """That a header is not there, and whose it is: a library's, or the project's own from beyond what was given."""
    if quoted:
        return f"{header} is not among the files given (a folder that holds it too would do)"
    return f"{header} is not in the emulator's headers"


def explained(message: str, absent: Mapping[str, bool]) -> str:
    """An error's message with the header that is behind it, among those that are missing (quoted or not, by name)."""
    match = _UNDECLARED.search(message)
    if match is None or not absent:
        return message
    name = (match["first"] or match["second"]).lower()
    for header, quoted in absent.items():
        parts = PurePosixPath(header)
        if any(_alike(name, word.lower()) for word in (parts.parts[0], parts.stem)):
            return f"{missing_text(header, quoted=quoted)}: {message}"
    header, quoted = next(iter(absent.items()))
    return f"{message} ({missing_text(header, quoted=quoted)})"


def _alike(name: str, word: str) -> bool:
    return name[:_LETTERS] == word[:_LETTERS] and len(word) >= _LETTERS
