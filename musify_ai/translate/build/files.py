"""MUS801: a build file that holds CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS801"
TITLE = "Build file with CUDA in it"
WHY = """
The sources are migrated, their build is not: a build file that still asks for nvcc, the CUDA toolkit or NVIDIA's archs
does not build a MUSA project. CMake has no first-class MUSA language, and the flags differ in more than their names.
"""
EXAMPLE = """
project(app LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
"""
INSTEAD = """
CMake: `list(APPEND CMAKE_MODULE_PATH /usr/local/musa/cmake)`, `find_package(MUSA REQUIRED)`, `musa_add_executable` or
`musa_add_library`, and `find_package(MUSAToolkit)` with `MUSA::musart`, `MUSA::mublas` and so on. Make: `mcc` for nvcc,
`-x musa` for files that are not `.mu`, `--offload-arch=mp_22` (repeatable) for `-gencode`, `-lmusart` for `-lcudart`.
setup.py: `MUSAExtension` and `BuildExtension` from `torch_musa.utils.musa_extension`, with `mcc` for the key `nvcc`.
Always name an arch: the default may try one that the toolkit lacks. Link the shared runtime: launches throw where
`cudart_static` went into an archive inside a shared library.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/tutorial_on_musa: musa_quick_start (CMake modules, mcc)",
    "ggml-org/ggml: src/ggml-musa/CMakeLists.txt",
    "MooreThreads/torch_musa: torch_musa/utils/musa_extension.py",
    "MooreThreads/CV-CUDA_musa: MUSIFY.md (static runtime)",
)
TRIGGERS = frozenset((b"CUDA", b"cuda", b"nvcc", b"NVCC", b"cudart", b"CUDAExtension", b"cu"))
VALID = (
    "project(app LANGUAGES CXX)\n",
    "set(barracuda 1)\n",
)
INVALID = (
    Case("project(app LANGUAGES CXX CUDA)\n", findings=("CUDA",), path="CMakeLists.txt"),
    Case("# builds with CUDA\nall:\n\tnvcc -o k k.cu\n", findings=("nvcc",), path="src/Makefile"),
    Case("from torch.utils import cpp_extension\ncuda = 1\n", findings=("cuda",), path="setup.py"),
)

_KINDS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(r"(?:^|/)cmakelists\.txt(?:\.in)?$|\.cmake(?:\.in)?$", re.IGNORECASE),
        "CMake",
        "use find_package(MUSA) with musa_add_executable or musa_add_library, and MUSA::musart and its kin",
    ),
    (
        re.compile(r"(?:^|/)(?:gnu)?makefile(?:\.[\w.]+)?$|\.(?:mk|mak)(?:\.in)?$", re.IGNORECASE),
        "Make",
        "call mcc with --offload-arch=mp_22 (and mp_31), -x musa for .cu files, and link -lmusart",
    ),
    (
        re.compile(r"(?:^|/)(?:setup\.(?:py|cfg)|pyproject\.toml)$", re.IGNORECASE),
        "Python",
        "use MUSAExtension from torch_musa.utils.musa_extension, with the key mcc for nvcc",
    ),
    (
        re.compile(
            r"(?:^|/)(?:build|workspace)(?:\.bazel)?$|(?:^|/)(?:module\.bazel|meson\.build|xmake\.lua|sconstruct|"
            r"sconscript|configure\.ac|premake5\.lua)$|\.(?:bzl|bazel|vcxproj|gyp|gypi|pri|pro)$",
            re.IGNORECASE,
        ),
        "other",
        "call mcc with --offload-arch=mp_22 (and mp_31), -x musa for .cu files, and link musart",
    ),
)
# A word of its own, or a part of one at an underscore or a change of case; never inside `barracuda`.
_SIGN = re.compile(
    rb"(?<![A-Za-z])(?:CUDA(?![a-z])|nvcc|NVCC|cuda(?=[A-Z_0-9\W]|rt|\Z)|Cuda(?![a-z])"
    rb"|libcu(?:blas|dnn|fft|rand|sparse|solver)|cu(?:blas|dnn|fft|rand|sparse|solver)(?![a-z])|nvrtc|nccl)"
    rb"|(?<![\w])(?:sm|compute)_[0-9]{2,3}a?\b|-gencode\b|\.cuh?\b"
)
_COMMENT = {
    "CMake": re.compile(rb"#\[(=*)\[[\s\S]*?(?:\]\1\]|\Z)|#[^\n]*"),
    "Make": re.compile(rb"(?<!\\)#[^\n]*"),
    "Python": re.compile(rb"(?m)^[ \t]*#[^\n]*"),
    "other": re.compile(rb"(?m)^[ \t]*(?:#|//|--|dnl\b)[^\n]*"),
}
_STATIC = re.compile(rb"cudart_static|cudart[= ]static|RUNTIME_LIBRARY\s+\"?Static|USE_STATIC_CUDA_RUNTIME\s+ON")
_SHOWN = 6


def build_file_finding(path: str, src: bytes) -> Finding | None:
    """The finding over a build file that holds CUDA, at the first sign of it outside comments."""
    for pattern, kind, advice in _KINDS:
        if pattern.search(path):
            break
    else:
        return None
    code = _COMMENT[kind].sub(lambda comment: b" " * len(comment[0]), src)
    signs = list(_SIGN.finditer(code))
    if not signs:
        return None
    first = signs[0]
    words = [_word(code, sign.start(), sign.end()) for sign in signs]
    distinct = list(dict.fromkeys(words))
    static = _STATIC.search(code) is not None
    shown = ", ".join(distinct[:_SHOWN]) + (" ..." if len(distinct) > _SHOWN else "")
    return Finding(
        CODE,
        "warning",
        first.start(),
        first.end(),
        f"this build file was not migrated. It speaks of CUDA in {len(signs)} places ({shown}); for MUSA, {advice}."
        + (" Link the shared musart for the static runtime: launches from a library with its own throw." if static else ""),
        effort=EFFORT,
        name=words[0],
    )


def _word(src: bytes, start: int, end: int) -> str:
    """The whole word around a sign, as people will look for it."""
    while start and end - start < 60 and (chr(src[start - 1]).isalnum() or src[start - 1 : start] in (b"_", b"-")):
        start -= 1
    while end < len(src) and end - start < 60 and (chr(src[end]).isalnum() or src[end : end + 1] == b"_"):
        end += 1
    return src[start:end].decode("utf-8", "replace")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The finding, where the unit is a build file."""
    found = build_file_finding(unit.path, unit.src)
    if found is not None:
        yield found
