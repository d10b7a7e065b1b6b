"""MUS508: legacy texture references, and fetches from texture objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit
from musify_ai.translate.uses import Says, each_use, first_use

CODE = "MUS508"
TITLE = "Texture access"
WHY = """
Texture references are gone from CUDA 12 and unproven on MUSA; texture objects have names on MUSA, but no public
kernel exercises them, and pitch alignment has been seen to differ (128 instead of 32). A half-converted texture does
not build, or reads rows at the wrong stride.
"""
EXAMPLE = """
texture<float, 1> table;
"""
INSTEAD = """
A plain pointer and plain loads, with the addressing mode and filtering written out where they matter.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/muAlg: cub/iterator/tex_obj_input_iterator.cuh",
    "MooreThreads/CV-CUDA_musa: MUSIFY.md (pitch alignment)",
    "HIPIFY issue 222 (legacy textures)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// texture<float> t;\n",
    "int texture = 3;\n",
    "Texture texture(3);\n",
    "void f(R r) { r.tex2D(1); }\n",
    '#include "texture.h"\n',
)
INVALID = (
    Case("texture<float, 1> table;\n", findings=("texture",)),
    Case("__global__ void k(int* x, int n) {\n  x[n] = tex1Dfetch<int>(t, n);\n}\n", findings=("tex1Dfetch",)),
    Case("__global__ void k(cudaTextureObject_t t) {}\n", findings=("cudaTextureObject_t",)),
    Case("void f() { cudaBindTexture(0, t, p, n); }\n", findings=("cudaBindTexture",)),
)


_REFERENCES = frozenset(
    (b"texture", b"cudaBindTexture", b"cudaBindTexture2D", b"cudaBindTextureToArray", b"cudaUnbindTexture")
)
_OTHERS = TRIGGERS - {b"texture"}
_TEMPLATE = late_pattern(rb"texture\s*+(?:/[*/]|\\|<)")


def _is_reference(unit: Unit, index: int) -> bool:
    """Whether a name is of legacy references: ``texture`` only where it is their class template."""
    toks = unit.tokens
    if toks[index].text != b"texture":
        return toks[index].text in _REFERENCES
    return index + 1 < len(toks) and toks[index + 1].text == b"<"


_LEGACY = each_use(
    Says(
        CODE,
        "error",
        EFFORT,
        "{name}: legacy texture references have no counterpart on MUSA. Pass a pointer and read it plainly, with the "
        "addressing mode written out.",
        settled=False,
    ),
    _REFERENCES,
    where=_is_reference,
)
_FETCH = each_use(
    Says(
        CODE,
        "error",
        EFFORT,
        "{name} reads a legacy texture reference, which has no counterpart on MUSA. Pass a pointer and read it "
        "plainly, with the addressing mode written out.",
        settled=False,
    ),
    _OTHERS - _REFERENCES,
)
_OBJECT = first_use(
    Says(
        CODE,
        "warning",
        EFFORT,
        "{name}: texture objects have names on MUSA, but no public kernel uses them. Test this on the hardware, "
        "pitch alignment included, or read through a plain pointer.",
        types=True,
    ),
    _OTHERS - _REFERENCES,
    of="body",
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """An error for each use of a legacy reference; a warning for the first use of an object in a function."""
    # `texture` is a word of every image library; without its angle bracket no tokens are made.
    if unit.words.isdisjoint(_OTHERS) and _TEMPLATE.search(unit.src) is None:
        return
    legacy = list(_LEGACY(unit))
    yield from legacy
    template = any(_is_reference(unit, index) for index in mentions(unit, (b"texture",)))
    yield from (_FETCH if template else _OBJECT)(unit)
