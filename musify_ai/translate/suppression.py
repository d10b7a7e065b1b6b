"""Comments that keep the tool out: the vendor tool's ``MUSIFY_EXCL_*``, and ``musify: ignore[CODE]`` on a line."""

from collections.abc import Iterable
from typing import NamedTuple

from musify_ai.source.lexing import Region
from musify_ai.source.patterns import late_pattern

_MARK = late_pattern(rb"MUSIFY_EXCL_(START|STOP|LINE)\b|\bmusify:[ \t]*ignore(?:[ \t]*\[([\w., \t]*)\])?")


class Exclusion(NamedTuple):
    """Whole lines ``[start, end)`` that some codes keep out of; no codes means every one, edits included.

    A code counts for all that begins with it: ``MUS3`` is the family, ``names`` every plain name. ``line_start`` is
    where the last of the lines begins.
    """

    start: int
    end: int
    codes: tuple[str, ...]
    line_start: int

    def covers(self, code: str) -> bool:
        """Whether the exclusion speaks of a code."""
        return not self.codes or code.startswith(self.codes)


def exclusions(src: bytes, found: Iterable[Region]) -> list[Exclusion]:
    """The exclusions that a file's comments ask for, in order; those of different lines do not overlap.

    ``MUSIFY_EXCL_START`` holds from its own line to that of ``MUSIFY_EXCL_STOP``, or to the end of the file.
    """
    out: list[Exclusion] = []
    opened: int | None = None
    for region in found:
        if region.kind != "comment":
            continue
        for mark in _MARK.finditer(src, region.start, region.end):
            start = src.rfind(b"\n", 0, mark.start()) + 1
            newline = src.find(b"\n", mark.end())
            end = len(src) if newline < 0 else newline
            if mark[1] == b"START":
                opened = start if opened is None else opened
            elif mark[1] == b"STOP":
                if opened is not None:
                    out.append(Exclusion(opened, end, (), start))
                    opened = None
            elif opened is not None:
                continue  # covered already
            elif mark[1] == b"LINE" or mark[2] is None:
                out.append(Exclusion(start, end, (), start))
            else:
                codes = tuple(code.strip() for code in mark[2].decode("latin-1").split(",") if code.strip())
                # `ignore[]` names nothing, so it keeps nothing out.
                if codes:
                    out.append(Exclusion(start, end, codes, start))
    if opened is not None:
        out.append(Exclusion(opened, len(src), (), len(src)))
    return out
