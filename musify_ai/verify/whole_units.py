"""The unit that is one file of a program, compiled in the language it is written in."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from musify_ai.backends.emulated import SIDES, Unit
from musify_ai.emulator.headers import HEADERS

_API = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]((?:\w+/)*(?:cuda|musa|cu[a-z]+|mu[a-z]+)\w*\.h)[>\"]", re.M)
# What C lets pass and C++ does not: conversions from void*, jumps over initialisers; and a word that only C has.
_AS_CXX = ("-fpermissive", "-Drestrict=__restrict__")


def whole_unit(
    path: str, sources: Mapping[str, bytes], include_dirs: tuple[str, ...], defines: tuple[str, ...] = ()
) -> Unit:
    """A file by itself, with all that it includes in ``sources``; ``defines`` as options.

    A C file is compiled as C; where it uses the device's API, which is declared for C++ here, as C++ with C's linkage.
    """
    text = f'#include "{path}"\n'
    if PurePosixPath(path).suffix != ".c":
        return Unit(sources, text, include_dirs, defines)
    asked = dict.fromkeys(match[1].decode() for src in sources.values() for match in _API.finditer(src))
    if asked:
        # The API's headers hold templates, which cannot have C's linkage: they come first, and are not read again.
        first = "".join(f"#include <{name}>\n" for name in asked if any(name in HEADERS[side] for side in SIDES))
        return Unit(sources, f'{first}extern "C" {{\n{text}}}\n', include_dirs, (*_AS_CXX, *defines))
    return Unit(sources, text, include_dirs, defines, language="c")
