"""Which functions the device's headers declare, and which of them a test program calls once macros are expanded."""

import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from musify_ai.emulator.headers import Side, header_dirs, header_set

_WORD = re.compile(r"[A-Za-z_]\w*")
# What is no call: comments, and the texts of checks.
_SAID = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.S)
_MARKER = re.compile(r'# \d+ "([^"]*)"')
# A definition or declaration: the name, its arguments in brackets, a body or a semicolon after them.
_DECLARED = re.compile(r"([A-Za-z_]\w*)\s*\((?:[^()]|\([^()]*\))*\)\s*(?:const\s*)?(?:noexcept\s*)?[{;]")
_USED = re.compile(r"using ::emu::device::(\w+);")
_RENAMED = re.compile(r"using ::emu::device::(\w+);\n#define (\w+) \1\n")
_ALIAS = re.compile(r"^#define (\w+) (\w+)$", re.M)
# What a side's own functions of the host, of textures and of random numbers are called.
_PREFIX = {
    "cuda": re.compile(
        r"(?!cu\w*(?:Context|Opaque_t)\b)(?:cuda|cublas|cublasLt|cufft|curand|cusparse|cu|tex|surf)[A-Z\d]\w*|curand_\w+"
    ),
    "musa": re.compile(
        r"(?!mu\w*(?:Context|Opaque_t)\b)(?:musa|mublas|mublasLt|mufft|murand|musparse|mu|tex|surf)[A-Z\d]\w*|murand_\w+"
    ),
}


@cache
def declared_functions(side: Side) -> frozenset[str]:
    """Public functions of a side's generated headers, device functions under the names that programs use."""
    functions: set[str] = set()
    for _, text in header_set(side):
        renamed = dict(_RENAMED.findall(text))
        functions |= {renamed.get(name, name) for name in _USED.findall(text)}
        functions |= {name for name in _DECLARED.findall(text) if _PREFIX[side].fullmatch(name)}
    return frozenset(name for name in functions if not name.startswith("emu"))


def named(compiler: str, side: Side, arch: int, programs: Iterable[Path], root: Path) -> set[str]:
    """The words of test programs outside comments and strings, as they stand and after preprocessing.

    Names that stand for another count with it.
    """
    includes = [f"-I{path}" for path in header_dirs(side, root / "headers")]
    words: set[str] = set()
    for program in programs:
        command = [
            compiler, "-std=c++17", "-E", "-w", "-x", "c++", f"-DMUSIFY_EMU_ARCH={arch}", *includes,
            f"-I{program.parent}", f"-I{program.parents[1]}", "-include", f"{side}_runtime.h", str(program),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        words.update(_WORD.findall(_SAID.sub(" ", program.read_text("utf-8"))))
        ours = False
        for line in done.stdout.splitlines():
            marker = _MARKER.match(line)
            if marker:
                ours = Path(marker[1]).is_relative_to(program.parents[1])
            elif ours:
                words.update(_WORD.findall(_SAID.sub(" ", line)))
    for _, text in header_set(side):
        words.update(name for name, other in _ALIAS.findall(text) if other in words)
    return words
