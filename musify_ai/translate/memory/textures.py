"""MUS508: legacy texture references, and fetches from texture objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import mentions
from musify_ai.translate.unit import Unit

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
TRIGGERS = frozenset(
    (
        b"texture",
        b"tex1Dfetch",
        b"tex1D",
        b"tex2D",
        b"tex3D",
        b"tex1DLayered",
        b"tex2DLayered",
        b"cudaBindTexture",
        b"cudaBindTexture2D",
        b"cudaBindTextureToArray",
        b"cudaUnbindTexture",
        b"surf1Dread",
        b"surf1Dwrite",
        b"surf2Dread",
        b"surf2Dwrite",
        b"surf3Dread",
        b"surf3Dwrite",
    )
)
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
    Case("void f() { cudaBindTexture(0, t, p, n); }\n", findings=("cudaBindTexture",)),
)


_REFERENCES = frozenset(
    (b"texture", b"cudaBindTexture", b"cudaBindTexture2D", b"cudaBindTextureToArray", b"cudaUnbindTexture")
)

_OTHERS = TRIGGERS - {b"texture"}
_TEMPLATE = re.compile(rb"texture\s*+(?:/[*/]|\\|<)")


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """An error for each use of a legacy reference; a warning for the first fetch from an object in a function."""
    # `texture` is a word of every image library; without its angle bracket no tokens are made.
    if unit.words.isdisjoint(_OTHERS) and _TEMPLATE.search(unit.src) is None:
        return
    toks = unit.tokens
    legacy = any(_is_reference(unit, index) for index in mentions(unit, (b"texture",)))
    covered = 0
    for index in mentions(unit, TRIGGERS):
        text = toks[index].text
        if text == b"texture" and not _is_reference(unit, index):
            continue
        name = text.decode("ascii")
        gone = text in _REFERENCES or legacy
        if not gone and toks[index].start < covered:
            continue
        body = unit.device_body(toks[index].start)
        covered = 0 if body is None else body[1]
        yield Finding(
            CODE,
            "error" if gone else "warning",
            toks[index].start,
            toks[index].end,
            f"{name}: "
            + (
                "legacy texture references have no counterpart on MUSA. Pass a pointer and read it plainly, with the "
                "addressing mode written out."
                if gone
                else "texture objects have names on MUSA, but no public kernel uses them. Test this on the hardware, "
                "pitch alignment included, or read through a plain pointer."
            ),
            effort=EFFORT,
            settled=not gone,
            name=name,
        )


def _is_reference(unit: Unit, index: int) -> bool:
    """Whether ``texture`` is the class template of legacy references."""
    toks = unit.tokens
    return index + 1 < len(toks) and toks[index + 1].text == b"<"
