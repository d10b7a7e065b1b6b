"""A tree that builds for both: whether a build for CUDA sees the same of it as of the original."""

from collections.abc import Mapping
from pathlib import Path

from musify_ai.backends.cache import Cache
from musify_ai.backends.emulated import Emulated, Unit
from musify_ai.backends.toolchain import Toolchain, no_compiler
from musify_ai.records import ARCHS, Failure, Options
from musify_ai.verify.checking import CompilerMissing
from musify_ai.verify.closures import HOST_SUFFIXES, Sources
from musify_ai.verify.pairing import is_unit

HINT = "The branch for CUDA must be the original's own text: compare the file with the original by hand."


def cuda_sides(
    original: Path, translation: Path, files: Mapping[str, str], options: Options, cache: Cache | None = None
) -> tuple[int, tuple[Failure, ...]]:
    """How many units were compared, and those that CUDA's compiler would see otherwise than in the original.

    Both are taken through the preprocessor as a compiler for CUDA would, for each arch's counterpart; a unit that does
    not come through it (a header is missing) is not counted. Raises `CompilerMissing` where there is no compiler.
    """
    toolchain = Toolchain.detect()
    if toolchain is None:
        raise CompilerMissing(no_compiler())
    backend = Emulated(toolchain, cache)
    mine, theirs = Sources(original, files), Sources(translation, files.values())
    macros = sorted({ARCHS[arch].cuda_macro for arch in options.archs})
    compared = 0
    failures = []
    for path in sorted(files):
        src = mine.read(path)
        if src is None or not (is_unit(path, src) or Path(path).suffix in HOST_SUFFIXES):
            continue
        units = [_unit(sources, unit) for sources, unit in ((mine, path), (theirs, files[path]))]
        if units[0].sources == units[1].sources:
            compared += 1
            continue
        texts = [[backend.preprocessed(unit, "cuda", macro) for macro in macros] for unit in units]
        if not all(texts[0]):
            continue
        compared += 1
        if texts[0] != texts[1]:
            failures.append(Failure(path, "check", "a build for CUDA sees this unit otherwise than the original", HINT))
    return compared, tuple(failures)


def _unit(sources: Sources, path: str) -> Unit:
    closure = sources.closure(path)
    texts = {each: sources.read(each) or b"" for each in closure.files}
    return Unit(texts, f'#include "{path}"\n', closure.include_dirs)
