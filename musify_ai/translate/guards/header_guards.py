"""MUS115: the include guard of a CUDA header, tested."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.rules import load
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS115"
TITLE = "Test for the include guard of a CUDA header"
WHY = """
Code asks whether a CUDA header was included by that header's own guard (`#ifdef __DRIVER_TYPES_H__`), or by a macro
that it happens to define (`CUSPARSEAPI`). Guards are nobody's interface: a MUSA header may have any, and no public MUSA
source shows them. Where the macro is not defined, the branch goes away without a word, and an error check or an
overload with it.
"""
EXAMPLE = """
#ifdef __DRIVER_TYPES_H__
const char* nameOf(cudaError_t error);
#endif
"""
INSTEAD = """
Test a macro of the project's, or `__has_include(<musa_runtime.h>)`; where the header is included in any case, take the
test out. Where the guard was renamed, look it up in your SDK's header.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "NVIDIA/cuda-samples: Common/helper_cuda.h (error names by guard of each library's header)",
    "MooreThreads/muThrust: thrust/system/musa/detail/guarded_driver_types.h (keeps __DRIVER_TYPES_H__)",
    "MooreThreads/torch_musa: torch_musa/utils/mapping/general.json (renames some guards)",
)
# Guards, and macros that headers define and projects test in their stead, as the headers of CUDA 11 and 12 have them.
TRIGGERS = frozenset(
    b"__CUDA_RUNTIME_H__ __CUDA_RUNTIME_API_H__ __DRIVER_TYPES_H__ __VECTOR_TYPES_H__ __VECTOR_FUNCTIONS_H__ "
    b"__DEVICE_LAUNCH_PARAMETERS_H__ __DEVICE_TYPES_H__ __DEVICE_FUNCTIONS_H__ __HOST_DEFINES_H__ __BUILTIN_TYPES_H__ "
    b"__MATH_FUNCTIONS_H__ __SURFACE_TYPES_H__ __TEXTURE_TYPES_H__ __LIBRARY_TYPES_H__ __cuda_cuda_h__ "
    b"__CUDA_FP16_H__ __CUDA_BF16_H__ __CUDA_FP8_H__ __CUDA_PROFILER_API_H__ __CUDA_GL_INTEROP_H__ "
    b"_COOPERATIVE_GROUPS_H_ _CUDA_PIPELINE_H_ _CUDA_AWBARRIER_H_ CU_COMPLEX_H_ "
    b"CUBLAS_H_ CUBLAS_API_H_ CUBLAS_V2_H_ CUBLAS_XT_H_ CUBLASAPI _CUFFT_H_ _CUFFTXT_H_ CUFFTAPI "
    b"CURAND_H_ CURAND_KERNEL_H_ CURANDAPI CUSPARSE_H_ CUSPARSEAPI CUSOLVER_COMMON_H_ CUSOLVERDN_H_ CUSOLVERSP_H_ "
    b"CUSOLVERAPI CUDNN_H_ NV_NPPIDEFS_H NV_NPP_H NCCL_H_ __NVRTC_H__ NVTOOLSEXT_H_ NVTX3_H __nvml_nvml_h__".split()
)
VALID = (
    "// __DRIVER_TYPES_H__\n",
    "#ifndef __VECTOR_TYPES_H__\n#define __VECTOR_TYPES_H__\nint a;\n#endif\n",  # the file's own guard
    "#ifdef MY_DRIVER_TYPES_H__\nint a;\n#endif\n",
    "CUBLASAPI int f();\n",
)
INVALID = (
    Case("#ifdef __DRIVER_TYPES_H__\nint a;\n#endif\n", findings=("__DRIVER_TYPES_H__",)),
    Case(
        "#if defined(__cuda_cuda_h__) || \\\n  defined __CUDA_RUNTIME_H__\n#elif !defined(CUSPARSEAPI)\n#endif\n",
        findings=("__cuda_cuda_h__", "__CUDA_RUNTIME_H__", "CUSPARSEAPI"),
    ),
    Case("#ifndef NCCL_H_\n#error no nccl\n#endif\n", findings=("NCCL_H_",)),
)

_TESTS = frozenset((b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef"))


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each test of one of the macros that the file does not define itself."""
    options = unit.options
    names = load("main", options.sdk, options.overlay, options.rules).names
    for start, end, macro, _ in unit.occurrences(TRIGGERS - unit.macros):
        line = unit.directive_at(start)
        if line is None or line.keyword not in _TESTS:
            continue
        name = macro.decode("ascii")
        new = names.get(macro)
        became = f"It was renamed to {new.decode('ascii')} by a published list" if new else "It was left"
        yield Finding(
            CODE,
            "warning",
            start,
            end,
            f"{name} comes from a CUDA header and is tested to see whether that was included. {became}; no public MUSA "
            "source shows that a MUSA header defines it, and where none does this branch silently goes the other way. "
            "Test a macro of the project's, or __has_include.",
            effort=EFFORT,
            name=name,
        )
