"""What happens to a name: the classes that every row of the rules is in one of."""

from typing import Literal, get_args

Treatment = Literal[
    "seen", "table", "prefix", "unchanged", "unproven", "differs", "none", "version", "guard", "left-out"
]
"""What happens to a name.

``seen``, ``table`` and ``prefix`` are renamed, with that evidence. ``unchanged`` is the same on MUSA. ``unproven`` is
left as it is, but no public MUSA source shows it. ``differs``: MUSA has a name, not with the same shape or meaning.
``none``: no counterpart is known. ``version``: a library's version number, on another scale on MUSA. ``guard``: a
compiler or version macro that the guard rules decide on. ``left-out``: published as a pair, but wrong.
"""

TREATMENTS: tuple[Treatment, ...] = get_args(Treatment)
RENAMED: frozenset[Treatment] = frozenset(("seen", "table", "prefix"))
