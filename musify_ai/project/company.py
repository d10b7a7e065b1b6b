"""What a single file takes along from its own folder, which a check of it has to have beside it."""

import posixpath
import re
from pathlib import Path

from musify_ai.project.discovery import Entry, look
from musify_ai.source.patterns import late_pattern

_INCLUDE = late_pattern(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.M)


def company_of(source: Path) -> list[Entry]:
    """The files in or below the folder of ``source`` that it includes, directly or through one another.

    Names are looked up beside the file that includes them, then from the folder itself; what lies outside it, or is
    not there, is left out.
    """
    root = source.parent
    found: dict[str, Entry] = {}
    waiting = [source.name]
    while waiting:
        path = waiting.pop()
        try:
            names = _INCLUDE.findall((root / path).read_bytes())
        except OSError:
            continue
        for raw in names:
            name = raw.decode("utf-8", "surrogateescape").strip()
            for folder in (posixpath.dirname(path), ""):
                inside = posixpath.normpath(posixpath.join(folder, name))
                if inside.startswith(("..", "/")) or inside in found or inside == source.name:
                    continue
                if (root / inside).is_file():
                    found[inside] = Entry(inside, "file", look(root / inside, inside).role)
                    waiting.append(inside)
                    break
    return [found[path] for path in sorted(found)]
