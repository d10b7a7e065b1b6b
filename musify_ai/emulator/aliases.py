"""The device's own pairs of names, MUSA's to CUDA's: for compiling a translation with NVIDIA's compiler.

They come from the templates of the two header sets, where each pair was written by hand; never from the translator's
rules, or a wrong pair there would cancel out.
"""

import functools
import re

from musify_ai.emulator import manifest
from musify_ai.emulator.headers import DEVICE, HEADERS, render_line

_WORD = re.compile(r"[A-Za-z_]\w*")


@functools.cache
def pairs() -> dict[str, str]:
    """The CUDA name of each MUSA name that has one of its own."""
    found: dict[str, str] = {}
    for template in sorted((DEVICE / "templates").rglob("*.h")):
        only = ""
        for line in template.read_text("utf-8").splitlines():
            mark = line.partition(" ")[0]
            if mark in ("@cuda", "@musa", "@end"):
                only = "" if mark == "@end" else mark
            if only or mark == "@include":
                continue
            cuda, musa = (_WORD.findall(render_line(line, side)) for side in ("cuda", "musa"))
            if len(cuda) == len(musa):
                found.update((b, a) for a, b in zip(cuda, musa, strict=True) if a != b)
    known = manifest.rows()
    return {musa: cuda for musa, cuda in found.items() if musa in known and known[musa].kind != "header"}


@functools.cache
def header_pairs() -> dict[str, str]:
    """The CUDA header of each MUSA header that has another name; the runtime's where a header has none of its own."""
    of_template = {template: name for name, template in reversed(HEADERS["cuda"].items()) if template is not None}
    return {
        name: of_template.get(template, "cuda_runtime.h") if template is not None else "cuda_runtime.h"
        for name, template in HEADERS["musa"].items()
        if name not in HEADERS["cuda"]
    }


def alias_headers(arch_macro: int) -> dict[str, str]:
    """Headers, by name, that make a MUSA source one that NVIDIA's compiler takes.

    Each forwards to CUDA's, with every MUSA name as a macro. ``__MUSA_ARCH__`` has a value where ``__CUDA_ARCH__`` has
    one, so that a guard of the translation chooses as it does for that arch.
    """
    lines = [f"#define {musa} {cuda}" for musa, cuda in sorted(pairs().items())]
    lines += ["#define __MUSACC__ 1", "#ifdef __CUDA_ARCH__", f"#define __MUSA_ARCH__ {arch_macro}", "#endif"]
    aliases = "\n".join(["#pragma once", *lines, ""])
    out = {"musify_aliases.h": aliases}
    for musa, cuda in header_pairs().items():
        out[musa] = f'#pragma once\n#include <{cuda}>\n#include "musify_aliases.h"\n'
    return out
