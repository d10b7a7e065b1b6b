"""MUS201: ``__CUDA_ARCH__`` compared with a threshold that has a counterpart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.arch import arch_chains, carried_over, set_in_file, whole_directive
from musify_ai.translate.guards.conditions import expression_span
from musify_ai.translate.guards.obstacles import obstacle
from musify_ai.translate.unit import Unit

CODE = "MUS201"
TITLE = "Architecture threshold in a guard"
WHY = """
mcc defines `__MUSA_ARCH__` (210, 220, 310) and leaves `__CUDA_ARCH__` undefined, so a guard that stays as it is always
takes its fallback branch. Renaming the macro alone is worse: against 220 or 310, `< 800` is always true and `>= 700`
never, with no message from the compiler. Macro and number have to change together. Features of sm_80 begin at mp_22
(220), those of sm_90 at mp_31 (310). In the host pass both macros are undefined and read as 0, so the host sees the
same branch as before.
"""
EXAMPLE = """
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
"""
INSTEAD = """
`#if defined(__MUSA_ARCH__) && __MUSA_ARCH__ >= 220`: 800 becomes 220 and 900 becomes 310, in every spelling. The edit
is made only where no branch of the block holds something unsettled (inline PTX, tensor-core or asynchronous-copy
intrinsics, names without a counterpart): switching such a branch on, or off, would be a silent change. There it is a
suggestion.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "torchada: _mappings/cuda_arch.py and pull request 90 (the arch table, and the fault of renaming the macro alone)",
    "MooreThreads/vllm_musa: csrc_musa/attention/dtype_bfloat16.muh (a shipped guard with the number kept)",
    "llama.cpp pull request 25776 (an arch guard that read 0 in the host pass)",
)
TRIGGERS = frozenset((b"__CUDA_ARCH__",))
VALID = (
    "// __CUDA_ARCH__ >= 800 in a comment\n",
    "#ifdef __CUDA_ARCH__\nint a;\n#endif\n",
    "#if __CUDA_ARCH__ >= 750\nint a;\n#endif\n",
    # A chain with one open threshold is left whole.
    "#if __CUDA_ARCH__ >= 900\nint a;\n#elif __CUDA_ARCH__ >= 700\nint b;\n#endif\n",
    "#if __CUDA_ARCH__ / 100 >= 8\nint a;\n#endif\n",
    "#if !__CUDA_ARCH__ >= 800\nint a;\n#endif\n",
    "#if __CUDA_ARCH__ >= 800 + OFFSET\nint a;\n#endif\n",
    "#if __CUDA_ARCH__ >= MIN_ARCH\nint a;\n#endif\n",
    "#if __CUDA_ARCH__ > 800\nint a;\n#endif\n",
    "#if AT_LEAST(__CUDA_ARCH__) >= 800\nint a;\n#endif\n",
    "#if __CUDA_ARCH__ >= 800 // musify: ignore[MUS201]\nint a;\n#endif\n",
    'const char* s = "#if __CUDA_ARCH__ >= 800";\n',
)
INVALID = (
    Case("#if __CUDA_ARCH__ >= 800\nint a;\n#endif\n", output="#if __MUSA_ARCH__ >= 220\nint a;\n#endif\n"),
    Case(
        "#if __CUDA_ARCH__ < 800\nint a;\n#elif (__CUDA_ARCH__) >= 900\nint b;\n#endif\n",
        output="#if __MUSA_ARCH__ < 220\nint a;\n#elif (__MUSA_ARCH__) >= 310\nint b;\n#endif\n",
    ),
    Case(
        "#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800)\nint a;\n#endif\n",
        output="#if defined(__MUSA_ARCH__) && (__MUSA_ARCH__ < 220)\nint a;\n#endif\n",
    ),
    Case(
        "#if !defined(__CUDA_ARCH__) || !(__CUDA_ARCH__ < 900)\nint a;\n#endif\n",
        output="#if !defined(__MUSA_ARCH__) || !(__MUSA_ARCH__ < 310)\nint a;\n#endif\n",
    ),
    Case(
        "#if 800 <= __CUDA_ARCH__ && __CUDA_ARCH__ < 900\nint a;\n#endif\n",
        output="#if 220 <= __MUSA_ARCH__ && __MUSA_ARCH__ < 310\nint a;\n#endif\n",
    ),
    Case("#if __CUDA_ARCH__ > 799\nint a;\n#endif\n", output="#if __MUSA_ARCH__ > 219\nint a;\n#endif\n"),
    Case("#if __CUDA_ARCH__ <= 899\nint a;\n#endif\n", output="#if __MUSA_ARCH__ <= 309\nint a;\n#endif\n"),
    Case(
        "#  if (__CUDA_ARCH__ /* sm */ >= 800) && \\\n     defined __CUDA_ARCH__\nint a;\n#endif",
        output="#  if (__MUSA_ARCH__ /* sm */ >= 220) && \\\n     defined __MUSA_ARCH__\nint a;\n#endif",
    ),
    # Equality picks one chip out of a family: a suggestion, no safe edit.
    Case(
        "#if __CUDA_ARCH__ == 800\nint a;\n#endif\n",
        findings=("__CUDA_ARCH__ == 800",),
        fixed="#if __MUSA_ARCH__ == 220\nint a;\n#endif\n",
    ),
    # Nor can what it calls.
    Case(
        '#define WAIT() asm volatile("cp.async.wait_all;")\n__device__ void g() { WAIT(); }\n'
        "__device__ void f() {\n#if __CUDA_ARCH__ >= 800\n  g();\n#endif\n}\n",
        findings=("__CUDA_ARCH__ >= 800",),
        fixed='#define WAIT() asm volatile("cp.async.wait_all;")\n__device__ void g() { WAIT(); }\n'
        "__device__ void f() {\n#if __MUSA_ARCH__ >= 220\n  g();\n#endif\n}\n",
    ),
    # What the file itself defines holds in the host pass too.
    Case(
        "#ifndef __CUDA_ARCH__ // MUSIFY_EXCL_LINE\n#define __CUDA_ARCH__ 800 // MUSIFY_EXCL_LINE\n#endif\n"
        "#if __CUDA_ARCH__ >= 800\nint a;\n#endif\n",
        findings=("__CUDA_ARCH__ >= 800",),
        fixed="#ifndef __CUDA_ARCH__ // MUSIFY_EXCL_LINE\n#define __CUDA_ARCH__ 800 // MUSIFY_EXCL_LINE\n#endif\n"
        "#if __MUSA_ARCH__ >= 220\nint a;\n#endif\n",
    ),
    # The branch that would come alive cannot be built: leave the guard, suggest.
    Case(
        '__device__ void f() {\n#if __CUDA_ARCH__ >= 800\n  asm volatile("cp.async.wait_all;");\n#else\n  g();\n'
        "#endif\n}\n",
        findings=("__CUDA_ARCH__ >= 800",),
        fixed='__device__ void f() {\n#if __MUSA_ARCH__ >= 220\n  asm volatile("cp.async.wait_all;");\n#else\n  g();\n'
        "#endif\n}\n",
    ),
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """Edits for the chains that the facts settle; a finding with a suggestion where an edit would not be safe."""
    ours = set_in_file(unit)
    for chain in arch_chains(unit):
        if chain.settlement not in ("settled", "exact"):
            continue
        held = obstacle(unit, chain.start, chain.end)
        hidden = any(unit.excluded(line.start, line.end, CODE) for line, _ in chain.uses)
        if chain.settlement == "settled" and held is None and not hidden and not ours:
            for _, found in chain.uses:
                for use in found:
                    edit = carried_over(unit, use)
                    if edit is not None:
                        yield edit._replace(rule=CODE, source="arch table: sm_80 to mp_22, sm_90 to mp_31")
            continue
        if chain.settlement == "exact":
            why = "it asks for one NVIDIA arch exactly, and no MUSA arch is that one"
        elif ours:
            why = "the project sets __CUDA_ARCH__ itself"
        elif held is not None:
            why = f"a branch of this block holds {held[1]} (line {unit.lines.line_of(held[0])})"
        else:
            why = "a comment keeps another line of this block out"
        for directive, found in chain.uses:
            edit = whole_directive(unit, found)
            yield Finding(
                CODE,
                "warning",
                *expression_span(unit, directive),
                f"this arch guard was left as it is, because {why}. `__CUDA_ARCH__` is undefined on MUSA and reads as "
                "0. Settle the branches first, then change macro and number together"
                + (f": `{edit.new.decode('utf-8', 'replace')}`." if edit is not None else "."),
                edit=None if edit is None else edit._replace(rule=CODE, safety="unsafe"),
                name="__CUDA_ARCH__",
            )
