"""Regular expressions that are compiled when they are first used, so that importing a module costs none of them.

A hook's run over one file uses a fifth of the patterns of the modules that it imports; compiling the others would take
longer than reading the file.
"""

import re
from typing import Any, AnyStr, cast


class _Late:
    """Stands for a `re.Pattern`: the first use of a method compiles, and from then on the method is the pattern's."""

    def __init__(self, pattern: bytes | str, flags: int) -> None:
        self.pattern, self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = self.__dict__.get("compiled")
        if compiled is None:
            compiled = self.__dict__["compiled"] = re.compile(self.pattern, self._given)
        found = getattr(compiled, name)
        self.__dict__[name] = found
        return found


def late_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, compiled on first use; only for what is called by its own methods, not handed to `re`.

    A pattern that is none raises `re.error` then, so a test compiles them all.
    """
    return cast("re.Pattern[AnyStr]", _Late(pattern, flags))
