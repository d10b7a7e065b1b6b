"""MUS8xx: build files. CMake and Make are edited, extensions in setup.py too; of others it is said what they want."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from musify_ai.translate.build.kinds import build_system, is_edited, lists_packages

if TYPE_CHECKING:
    from musify_ai.records import Edit, Finding
    from musify_ai.translate.unit import Unit

__all__ = ["build_system", "found_in_build_file", "is_edited", "may_speak_of_cuda"]

# Without one of these in a file no rule has anything to say of it. Compiled when first asked: a hook over sources never
# does.
_SIGN = rb"(?i)cuda|nvcc|\.cu\b|gencode|sm_|-lcu|-lnv|nvidia|nccl|-Xcompiler|-Xptxas|expt-|use_fast_math"
_SIGN += rb"|\bnvprof\b|\bnsys\b|\bncu\b|compute-sanitizer|nvdisasm|nvprune|cuobjdump|\bnvvp\b"
_PACKAGED = (
    rb"(?i)cu\d\d|cupy|nvtx|nvml|triton|flash|xformers|apex|bitsandbytes|transformer.engine|tensorrt|vllm|cud[fn]"
    rb"|cuml|cugraph|rmm|deepspeed|torch.(?:scatter|sparse|cluster)|faiss|spconv|-gpu|kernel|mamba|conv1d|exllama|gpustat|nvitop|dali"
)
_MUSA_CMAKE = r"musa_add_(?:executable|library)"
_MUSA_MAKE = rb"(?<![\w.-])mcc(?![\w-])|--offload-arch=mp_|-lmusart\b"


def may_speak_of_cuda(src: bytes, called_with_cuda: frozenset[str] = frozenset(), path: str = "") -> bool:
    """Whether a build file holds anything of CUDA's at all, or adds targets in a function that is handed CUDA sources;
    read without a parser."""
    if re.search(_SIGN, src) is not None or (lists_packages(path) and re.search(_PACKAGED, src) is not None):
        return True
    if not called_with_cuda or (b"add_executable" not in src and b"add_library" not in src):
        return False
    low = src.lower()
    return any(name.encode() in low for name in called_with_cuda)


def found_in_build_file(unit: Unit) -> list[Edit | Finding]:
    """What all rules over build files find in one. Sets the unit's exclusions, and whether it is MUSA's already."""
    unit.exclusions, unit.is_musa = [], False
    if not may_speak_of_cuda(unit.src, unit.surroundings.called_with_cuda, unit.path):
        return []
    from musify_ai.translate.registry import build_rules
    from musify_ai.translate.suppression import exclusions
    from musify_ai.translate.translation import run_rule

    system = build_system(unit.path)
    if system == "cmake":
        from musify_ai.translate.build.cmake_view import cmake_file

        view = cmake_file(unit)
        unit.exclusions = exclusions(unit.src, view.comments)
        unit.is_musa = any(
            re.fullmatch(_MUSA_CMAKE, command.name)
            or (command.name == "find_package" and command.texts[:1] in (["MUSA"], ["MUSAToolkit"]))
            for command in view.commands
        )
    elif system == "make":
        from musify_ai.translate.build.make_view import makefile

        view_ = makefile(unit)
        unit.exclusions = exclusions(unit.src, view_.comments)
        unit.is_musa = any(re.search(_MUSA_MAKE, unit.src[line.start : line.value_end]) for line in view_.lines)
    found = [each for entry in build_rules() if entry.code != "MUS812" for each in run_rule(entry, unit)]
    if system in ("cmake", "make"):
        from musify_ai.translate.build.leftover import left_over

        found += left_over(unit, found)
    return found
