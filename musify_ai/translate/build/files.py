"""MUS801: a build file of a system that is not migrated, and what it wants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.build.kinds import BuildSystem, build_system, is_edited
from musify_ai.translate.build.packages import packages_asked_for
from musify_ai.translate.build.settings import settings_of_script
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS801"
TITLE = "Build file that is not migrated"
WHY = """
The sources are migrated, and so are CMake files and Makefiles. A build of another kind that still asks for nvcc, the
CUDA toolkit or NVIDIA's archs does not build a MUSA project: Bazel, Meson, Docker, shell scripts, pyproject.toml. Nor
is any build file edited in a style whose tree is to build with CUDA as well (alias, dual) or by MUSA's mapping
compiler. """
EXAMPLE = """
FROM nvidia/cuda:12.4.0-devel-ubuntu22.04
RUN nvcc -arch=sm_80 -o app app.cu
"""
INSTEAD = """
Call `mcc` for nvcc, with `-x musa` before files that are not `.mu`, `--offload-arch=mp_22` (repeatable) for an arch,
`-lmusart` for `-lcudart`; `MUSA_HOME` for `CUDA_HOME`, `/usr/local/musa` for `/usr/local/cuda`, `mthreads-gmi` for
`nvidia-smi`. An image with the SDK stands for NVIDIA's. Where a place has one plain counterpart the finding suggests
it. """
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/tutorial_on_musa: musa_quick_start (mcc), docker/Dockerfile",
    "MooreThreads/torch_musa: README.md (MUSA_HOME, MUSA_VISIBLE_DEVICES)",
    "MUSA SDK 5.2: containers (registry.mthreads.com/mcconline/musa_sdk)",
)
TRIGGERS = frozenset((b"CUDA", b"cuda", b"nvcc", b"NVCC", b"cudart", b"CUDAExtension", b"cu", b"nvidia"))
VALID = (
    "project(app LANGUAGES CXX)\n",
    "set(barracuda 1)\n",
)
INVALID = (
    Case("project('app', 'cuda')\n", findings=("cuda",), path="meson.build"),
    Case(
        "# builds with CUDA\nnvcc -o k k.cu\n",
        findings=("nvcc",),
        fixed="# builds with CUDA\nmcc -o k k.cu\n",
        path="build.sh",
    ),
    Case(
        "RUN ls /usr/local/cuda/bin\n",
        findings=("/usr/local/cuda",),
        fixed="RUN ls /usr/local/musa/bin\n",
        path="Dockerfile",
    ),
    Case("[build]\nscript = 'cuda-build.py'\n", findings=("cuda",), path="pyproject.toml"),
)

_ADVICE: dict[BuildSystem, str] = {
    "bazel": "call mcc with --offload-arch=mp_22, -x musa for .cu files, in a genrule or a toolchain of its own, and "
    "link musart",
    "meson": "Meson knows no language MUSA: use custom_target with mcc -x musa --offload-arch=mp_22 for each .cu file",
    "docker": "start from an image with the MUSA SDK (registry.mthreads.com/mcconline/musa_sdk)",
    "shell": "call mcc with --offload-arch=mp_22, -x musa for .cu files, and link -lmusart",
    "python": "extensions are declared in setup.py; requirements on NVIDIA's packages have no counterpart on PyPI",
    "cmake": "use find_package(MUSA) with musa_add_executable or musa_add_library, and MUSA::musart and its kin",
    "make": "call mcc with --offload-arch=mp_22 (and mp_31), -x musa for .cu files, and link -lmusart",
    "other": "call mcc with --offload-arch=mp_22 (and mp_31), -x musa for .cu files, and link musart",
}
# A word of its own, or a part of one at an underscore or a change of case; never inside `barracuda`.
_SIGN = late_pattern(
    rb"(?<![A-Za-z])(?:CUDA(?![a-z])|nvcc|NVCC|cuda(?=[A-Z_0-9\W]|rt|\Z)|Cuda(?![a-z])"
    rb"|libcu(?:blas|dnn|fft|rand|sparse|solver)|cu(?:blas|dnn|fft|rand|sparse|solver)(?![a-z])|nvrtc|nccl)"
    rb"|(?<![\w])(?:sm|compute)_[0-9]{2,3}a?\b|-gencode\b|\.cuh?\b|nvidia-smi|nvidia/cuda"
)
# In a script any word may be data: only what a script does with CUDA's tools and places counts.
_SCRIPTED = late_pattern(
    rb"(?<![\w.-])(?:nvcc|nvidia-docker)(?![\w-])"
    rb"|nvidia/cuda|/usr/local/cuda\b|\bcuda-toolkit\b|\blib(?:nccl|cudnn|cublas)\d*\b|\bNVIDIA_(?:VISIBLE_DEVICES"
    rb"|DRIVER_CAPABILITIES)\b|/whl/(?:nightly/)?cu\d+|\+cu\d{3}\b|\btorch\.cuda\b|(?<![\w])(?:runtime|driver):[ "
    rb"]*nvidia\b"
    rb"|(?:(?<![\w])|(?<=-D))(?:CUDA_(?:HOME|PATH|ROOT|VISIBLE_DEVICES|LAUNCH_BLOCKING)"
    rb"|TORCH_CUDA_ARCH_LIST|CMAKE_CUDA_\w+|NCCL_\w+)\b|(?<!\w)(?:sm|compute)_[0-9]{2,3}a?\b|-gencode\b"
)
# What a script that only starts programs sets for them.
_SETTING = late_pattern(rb"CUDA_(?:HOME|PATH|ROOT|VISIBLE_DEVICES|LAUNCH_BLOCKING)|NCCL_\w+|/usr/local/cuda")
_VARIABLES = "variables have other names (MUSA_VISIBLE_DEVICES, MUSA_HOME, MCCL_...), and a program reads those only"
_COMMENT = late_pattern(rb"(?m)^[ \t]*(?:#|//|--|dnl\b)[^\n]*")
_STATIC = late_pattern(rb"cudart_static|cudart[= ]static")
# What has one plain counterpart.
_SUGGESTED = late_pattern(
    rb"(?P<nvcc>(?<![\w.-])nvcc(?![\w-]))|(?P<folder>/usr/local/cuda(?:-\d+(?:\.\d+)*)?(?![\w.-]))"
    rb"|(?P<env>(?<![\w-])(?:CUDA_HOME|CUDA_PATH|CUDA_VISIBLE_DEVICES|TORCH_CUDA_ARCH_LIST)(?![\w-]))"
)
_COUNTERPARTS = {"nvcc": b"mcc", "folder": b"/usr/local/musa"}
_SHOWN, _PLACES = 6, 40


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The findings, where the unit is a build file of a system that is not edited."""
    if build_system(unit.path) is not None and not is_edited(unit.path):
        yield from not_migrated(unit.path, unit.src)


def not_migrated(path: str, src: bytes) -> Iterator[Finding]:
    """What to say of a build file that is left as it is: one finding for each place with a plain counterpart, or one
    for the whole file at the first sign of CUDA outside comments."""
    system = build_system(path)
    if system is None:
        return
    code = _COMMENT.sub(lambda comment: b" " * len(comment[0]), src)
    for each in packages_asked_for(path, src):  # MUS815 speaks of these
        code = code[: each.start] + b" " * (each.end - each.start) + code[each.end :]
    signs = list((_SCRIPTED if system in ("shell", "docker") else _SIGN).finditer(code))
    suggested = list(_suggestions(code))[:_PLACES] if signs else []
    if system in ("shell", "docker", "other"):
        yield from settings_of_script(CODE, code, said=frozenset(edit.start for edit in suggested))
    if not signs:
        return
    words = [_word(code, sign.start(), sign.end()) for sign in signs]
    distinct = list(dict.fromkeys(words))
    shown = ", ".join(distinct[:_SHOWN]) + (" ..." if len(distinct) > _SHOWN else "")
    static = _STATIC.search(code) is not None
    settings = system in ("shell", "docker") and all(_SETTING.fullmatch(sign[0]) for sign in signs)
    first = signs[0]
    at = (suggested[0].start, suggested[0].end) if suggested else (first.start(), first.end())
    yield Finding(
        CODE,
        "warning",
        at[0],
        at[1],
        f"{_lead(len(signs), shown)}; for MUSA, {_VARIABLES if settings else _ADVICE[system]}."
        + (
            " Link the shared musart for the static runtime: launches from a library with its own throw."
            if static
            else ""
        ),
        effort="minutes" if settings else EFFORT,
        name=words[0],
        edit=suggested[0] if suggested else None,
    )
    for edit in suggested[1:]:
        old, new = edit.old.decode("utf-8", "replace"), edit.new.decode()
        yield Finding(
            CODE, "note", edit.start, edit.end, f"{old} is {new} for MUSA.", effort="minutes", name=old, edit=edit
        )


def _lead(number: int, shown: str) -> str:
    return (
        f"this build file was not migrated. It speaks of CUDA in {number} place{'' if number == 1 else 's'} ({shown})"
    )


def _suggestions(code: bytes) -> Iterator[Edit]:
    for match in _SUGGESTED.finditer(code):
        kind = match.lastgroup or ""
        new = match[0].replace(b"CUDA", b"MUSA") if kind == "env" else _COUNTERPARTS[kind]
        yield Edit(match.start(), match.end(), match[0], new, CODE, "rule", "display", "rules/build/names.toml")


def _word(src: bytes, start: int, end: int) -> str:
    """The whole word around a sign, as people will look for it."""
    while start and end - start < 60 and (chr(src[start - 1]).isalnum() or src[start - 1 : start] in (b"_", b"-")):
        start -= 1
    while end < len(src) and end - start < 60 and (chr(src[end]).isalnum() or src[end : end + 1] == b"_"):
        end += 1
    return src[start:end].decode("utf-8", "replace")
