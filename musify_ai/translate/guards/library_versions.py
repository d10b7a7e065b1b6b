"""MUS204: comparisons with `CUDA_VERSION` and its kin, kept verbatim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.directives import Directive
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.conditions import expression_span
from musify_ai.translate.guards.kept import kept_macros
from musify_ai.translate.guards.old_versions import answered, asks_for_musa, killed_spans, same_as_undefined
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS204"
TITLE = "Version guard of CUDA or one of its libraries"
WHY = """
The macros count on another scale on MUSA (MUSA_VERSION is 50200 for SDK 5.2, MUSART_VERSION 40300 for rc4.3), so a
guard renamed with its number kept is always true, or always false: `CUDA_VERSION >= 12080` became `MUSA_VERSION >=
12080` in real ports. Kept as it is the macro is undefined, reads as 0, and the guard takes the branch for the oldest
version, whose names are the likeliest to exist on MUSA. (What every CUDA of today answers alike is MUS213's.)
"""
EXAMPLE = """
#if CUDA_VERSION >= 12080
"""
INSTEAD = """
Look at what the branch needs. Where MUSA has it, add `|| defined(__MUSACC__)` (or a macro of the project's) to the
condition; where it has not, leave the guard. Never compare a MUSA version with a CUDA number.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "torchada pull request 100 (MUSA_VERSION is 50200)",
    "MooreThreads/CV-CUDA_musa: src/cvcuda/include/cvcuda/cuda_tools_musa/Compat.hpp (MUSA_VERSION < 13000)",
    "ggml-org/ggml: src/ggml-cuda/common.cuh (MUSART_VERSION 40300)",
    "MooreThreads/torch_musa: torch_musa/utils/mapping/extra.json (#ifdef CUDART_VERSION turned into #if 0)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// CUDA_VERSION >= 12000\n",
    "#if MY_CUDA_VERSION >= 12000\nint a;\n#endif\n",
    'const char* s = "CUDA_VERSION";\n',
    "#if CUDA_VERSION >= 11000  // MUSIFY_EXCL_LINE\nint a;\n#endif\n",
    # Age settles these: MUS213.
    "#if CUDART_VERSION >= 9000\nint a;\n#endif\n",
    "#if CUDART_VERSION == 3000\nint a;\n#endif\n",
    # It asks for MUSA already, which then never sees the other branch.
    "#if CUDART_VERSION >= 2020 || defined(MUSART_VERSION)\nint a;\n#else\nint v = CUDART_VERSION;\n#endif\n",
    "#if (CUDA_VERSION < 4000 && !defined(MUSA_VERSION))\nint v = CUDA_VERSION;\n#endif\n",
    "#if CUDA_VERSION >= 12080 || defined(__MUSACC__)\nint a;\n#endif\n",
)
INVALID = (
    Case(
        "#define CUDA_VERSION 11000\n#if CUDA_VERSION >= 11000\nint a;\n#endif\n",
        findings=("CUDA_VERSION", "CUDA_VERSION"),
    ),
    Case("#if CUDA_VERSION >= 12080\nint a;\n#else\nint b;\n#endif\n", findings=("CUDA_VERSION >= 12080",)),
    Case("#ifdef CUDART_VERSION\nint a;\n#endif\n", findings=("CUDART_VERSION",)),
    Case(
        "#if defined(CUDNN_VERSION) && (CUDNN_VERSION < 8000)\nint a;\n#endif\n",
        findings=("defined(CUDNN_VERSION) && (CUDNN_VERSION < 8000)",),
    ),
    Case(
        "#if 11000 > CUDA_VERSION || X\nint a;\n#elif CUDA_VERSION\nint b;\n#endif\n",
        findings=("11000 > CUDA_VERSION || X", "CUDA_VERSION"),
    ),
    Case("int v = CUDA_VERSION;\n", findings=("CUDA_VERSION",)),
    Case("#if X && defined(__MUSACC__)\nint a;\n#else\nint v = CUDA_VERSION;\n#endif\n", findings=("CUDA_VERSION",)),
    Case("#if !defined(__MUSACC__)\nint a;\n#else\nint v = CUDA_VERSION;\n#endif\n", findings=("CUDA_VERSION",)),
    Case("#define NEW_API (CUDA_VERSION >= 12000)\n", findings=("CUDA_VERSION",)),
)


_REASON = (
    "MUSA versions count on another scale (MUSA_VERSION is 50200 for SDK 5.2), so the macro must not be renamed beside "
    "a CUDA number; if MUSA has what the branch needs, add `|| defined(__MUSACC__)`."
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each place that names one of the macros."""
    gone = killed_spans(unit)
    explained = unit.memo.setdefault("explained", [])
    explained += gone

    def settled(unit: Unit, directive: Directive) -> bool:
        """Whether MUS213 speaks of a condition, or there is nothing to say: then what it names is explained."""
        if not (answered(unit, directive) or same_as_undefined(unit, directive) or asks_for_musa(unit, directive)):
            return False
        explained.append(expression_span(unit, directive))
        return True

    yield from kept_macros(unit, TRIGGERS, CODE, _REASON, but=settled, gone=gone)
