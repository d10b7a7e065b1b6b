"""Marks that a merge has left in a file: to rules they would look like code, and the file is nobody's program yet."""

from musify_ai.source.patterns import late_pattern

_OPEN = late_pattern(rb"^<<<<<<<(?: |$)")
_CLOSE = late_pattern(rb"^>>>>>>>(?: |$)")
# One mark alone is taken for what is left of a conflict only where nothing but a merge writes its label.
_OPEN_ALONE = late_pattern(rb"^<<<<<<< (?:HEAD\b|ours$|Updated upstream|edited by hand$)")
_CLOSE_ALONE = late_pattern(rb"^>>>>>>> (?:[0-9a-f]{7,40}\b|theirs$|Stashed changes|migrated anew$)")


def marks(src: bytes) -> tuple[int, ...]:
    """The lines (from 1) at which conflicts begin that git, or a run of ours, has left in a file: whole ones by their
    first line, and those of which a person has taken away a part by the mark that is left."""
    if b"<<<<<<<" not in src and b">>>>>>>" not in src:
        return ()
    found: list[int] = []
    begun, divided, alone = 0, False, False
    for number, line in enumerate(src.splitlines(), 1):
        bare = line.rstrip()
        if _OPEN.match(bare):
            if begun and alone:
                found.append(begun)
            begun, divided, alone = number, False, _OPEN_ALONE.match(bare) is not None
        elif begun and bare == b"=======":
            divided = True
        elif _CLOSE.match(bare):
            if (begun and (divided or alone)) or _CLOSE_ALONE.match(bare):
                found.append(begun or number)
            begun, divided, alone = 0, False, False
    if begun and alone:
        found.append(begun)
    return tuple(found)
