"""What the build files of a tree have to know of each other: CMake functions that are handed CUDA sources elsewhere."""

from collections.abc import Sequence
from pathlib import Path

from musify_ai.project.discovery import Entry
from musify_ai.source.patterns import late_pattern

_DEFINED = late_pattern(rb"(?im)^[ \t]*(?:function|macro)[ \t]*\([ \t\r\n]*([A-Za-z_]\w*)")
_ROUNDS = 6


def called_with_cuda(root: Path, entries: Sequence[Entry]) -> frozenset[str]:
    """The CMake functions and macros, in lower case, that some build file of a tree defines and some hands a ``.cu``
    file, by name and by name and position of the argument (``add_bench#1``); those that are called without one too
    are there with an exclamation mark as well (``add_bench!``).

    A file that cannot be read says nothing here; reading it as a build file reports it.
    """
    sources: list[bytes] = []
    defined: set[str] = set()
    for entry in entries:
        low = entry.path.lower()
        if entry.role != "build" or entry.kind != "file" or "cmake" not in low.rpartition("/")[2]:
            continue
        try:
            src = (root / entry.path).read_bytes()
        except OSError:
            continue
        defined.update(name.decode().lower() for name in _DEFINED.findall(src))
        sources.append(src)
    if not defined or not any(b".cu" in src for src in sources):
        return frozenset()
    from musify_ai.translate.build.cmake_view import CMakeFile

    views = [CMakeFile(src) for src in sources if b".cu" in src or any(n.encode() in src.lower() for n in defined)]
    told: frozenset[str] = frozenset()
    for _ in range(_ROUNDS):  # a function hands on what it is handed
        more = frozenset[str]().union(*(view.told(told).cuda_calls for view in views))
        called = {name for name in more if name in defined}
        more = frozenset(name for name in more if name.partition("#")[0].rstrip("!") in called)
        if more == told:
            break
        told = more
    return told
