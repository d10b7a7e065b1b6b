"""The generated folder: a header with just the names that are used, and one for each header that is included.

    musify_compat/musify_compat.h    #define cudaMalloc musaMalloc ...
    musify_compat/cuda_runtime.h     #include <musa_runtime.h>

It is for builds for MUSA only: ``-I <tree>/musify_compat -include musify_compat.h``. The forced include is for what a
CUDA compiler declares without being asked; a file that includes one of CUDA's headers gets the names by that.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from musify_ai.records import Options
from musify_ai.source.patterns import late_pattern
from musify_ai.styles.marking import MARK, is_compat
from musify_ai.styles.styled import Use

FOLDER = "musify_compat"
HEADER = "musify_compat.h"
# Functions whose name is an ordinary word as well: only their calls are theirs.
_CALLED_ONLY = frozenset((b"curand", b"murand"))
_RUNTIME = {"c2m": b"musa_runtime.h", "m2c": b"cuda_runtime.h"}
_DEFINE = late_pattern(rb"^#define (\w+)(?:\(\.\.\.\))? (\w+)(?:\(__VA_ARGS__\))?( // .*)?$", re.M)
_FORWARD = late_pattern(rb"^#include <([^>\n]+)>$", re.M)
_IN_TABLE = b" // in a published table only"


def defined(header: bytes) -> dict[bytes, bytes]:
    """The names that a header of ours defines, with what each stands for."""
    return {match[1]: match[2] for match in _DEFINE.finditer(header)}


def is_for_both(header: bytes) -> bool:
    """Whether a header of ours says that its tree builds for both (style `dual`)."""
    return header.startswith(MARK + b" (style dual,")


def read_folder(folder: Path) -> dict[str, bytes]:
    """The files of a folder of ours, by name below it; none where there is no such folder or it is not ours."""
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
    return found if is_compat(found.get(HEADER, b"")) else {}


def flags(folder: str = FOLDER) -> str:
    """What a build for MUSA has to say."""
    return f"-I{folder} -include {HEADER}"


def files(uses: Iterable[Use], options: Options) -> dict[str, bytes]:
    """The files of the folder, by name below it: the header first, then a file for each include token that changes.

    A name or token of two uses is the same on both sides, since one run has one table. No uses give no files.
    """
    names: dict[bytes, tuple[bytes, bytes]] = {}
    tokens: dict[bytes, bytes] = {}
    for use in uses:
        if use.is_header:
            tokens[use.old] = use.new
        else:
            names[use.old] = (use.new, _IN_TABLE if use.evidence == "table" else b"")
    return written(names, tokens, options)


def written(
    names: Mapping[bytes, tuple[bytes, bytes]], tokens: Mapping[bytes, bytes], options: Options
) -> dict[str, bytes]:
    """The files for names with what they stand for (and a remark), and for include tokens likewise."""
    if not names and not tokens:
        return {}
    out = {HEADER: _header(names, options)}
    for token in sorted(tokens):
        out[token.decode("utf-8", "surrogateescape")] = _forwarding(token, tokens[token])
    return out


def merged(existing: Mapping[str, bytes], made: Mapping[str, bytes], options: Options) -> dict[str, bytes]:
    """What is there already and what a run over some of the files adds to it."""
    names: dict[bytes, tuple[bytes, bytes]] = {}
    tokens: dict[bytes, bytes] = {}
    for source in (existing, made):
        for path, text in source.items():
            if not is_compat(text):
                continue
            if path == HEADER:
                names.update((m[1], (m[2], m[3] or b"")) for m in _DEFINE.finditer(text))
            elif (target := _FORWARD.search(text)) is not None:
                tokens[path.encode("utf-8", "surrogateescape")] = target[1]
    return written(names, tokens, options)


def _header(names: Mapping[bytes, tuple[bytes, bytes]], options: Options) -> bytes:
    there = b"MUSA" if options.direction == "c2m" else b"CUDA"
    here = b"CUDA" if options.direction == "c2m" else b"MUSA"
    lines = [
        MARK + b" (style %b, SDK %b). Changes are lost: run musify-ai again." % (
            options.style.encode(), options.sdk.encode()),
        b"//",
        b"// The names of %b that this project uses, for a build for %b. Give the compiler, for %b only:" % (
            here, there, there),
        b"//     " + flags(f"<this folder's parent>/{FOLDER}").encode(),
        b"#ifndef MUSIFY_COMPAT_H",
        b"#define MUSIFY_COMPAT_H",
        b"",
        b"#include <" + _RUNTIME[options.direction] + b">",
        b"",
    ]  # fmt: skip
    for name in sorted(names):
        target, remark = names[name]
        if name in _CALLED_ONLY:
            lines.append(b"#define %b(...) %b(__VA_ARGS__)%b" % (name, target, remark))
        else:
            lines.append(b"#define %b %b%b" % (name, target, remark))
    return b"\n".join([*lines, b"", b"#endif  // MUSIFY_COMPAT_H", b""])


def _forwarding(token: bytes, target: bytes) -> bytes:
    up = b"../" * token.count(b"/")
    return b"\n".join(
        [
            MARK + b". Changes are lost: run musify-ai again.",
            b"#pragma once",
            b"#include <" + target + b">",
            b'#include "' + up + HEADER.encode() + b'"',
            b"",
        ]
    )
