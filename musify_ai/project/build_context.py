"""What the build files of a tree have to know of each other: CMake functions that are handed CUDA sources elsewhere."""

import re
from collections.abc import Sequence
from pathlib import Path

from musify_ai.project.discovery import Entry

_CALL = re.compile(rb"^[ \t]*([A-Za-z_]\w*)[ \t]*\(((?:[^()\"#]|\"(?:[^\"\\]|\\.)*\"|#[^\n]*|\([^()]*\))*)\)", re.M)
_COMMENT = re.compile(rb"#[^\n]*")
_CUDA_SOURCE = re.compile(rb"[^\s;\"'()]\.cu[\s;\"')]", re.IGNORECASE)
_DEFINED = re.compile(rb"(?im)^[ \t]*(?:function|macro)[ \t]*\([ \t\r\n]*([A-Za-z_]\w*)")


def called_with_cuda(root: Path, entries: Sequence[Entry]) -> frozenset[str]:
    """The CMake functions and macros, in lower case, that some build file of a tree defines and some calls with a
    ``.cu`` file. A file that cannot be read says nothing here; reading it as a source reports it."""
    called: set[str] = set()
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
        if b".cu" in src:
            for match in _CALL.finditer(src):
                if _CUDA_SOURCE.search(_COMMENT.sub(b"", match[2]) + b" "):
                    called.add(match[1].decode().lower())
    return frozenset(called & defined)
