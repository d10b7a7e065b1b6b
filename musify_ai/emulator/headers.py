"""The two header sets of the CPU device, made from one set of templates.

A template pairs each CUDA name with its MUSA name by standing there once. Marks in a template:

``@rt@`` ``@RT@``           cuda or musa, CUDA or MUSA
``@{this|that}``           a pair that does not follow the prefix: the CUDA name, the MUSA name
``@cuda`` ... ``@end``     lines of one side only (likewise ``@musa``)
``@export name ...``       device functions of that name, from ``emu::device``
``@rename name function``  a macro, for a name that the C library declares itself
``@names name ...``        names that the included headers declare (``@vectors``: all vector types)
``@include file``          another template

Whatever is declared for MUSA needs a row in the manifest; without one the headers are not made.
"""

import functools
import re
from pathlib import Path
from typing import Literal

from musify_ai.emulator import libraries, manifest, pytorch

Side = Literal["cuda", "musa"]

DEVICE = Path(__file__).with_name("device")

FIRST = "musify_first.h"
"""What a unit is read with before all else: the runtime, and the small types that libraries' headers bring along."""

_PREFIX = {"cuda": ("cuda", "CUDA"), "musa": ("musa", "MUSA")}

# File of a side -> the template it is made from; None: everything is in the runtime header.
HEADERS: dict[Side, dict[str, str | None]] = {
    "cuda": {
        "cuda_runtime.h": "runtime.h",
        "cuda.h": "driver.h",
        "cuda_fp16.h": "fp16.h",
        "cuda_bf16.h": "bf16.h",
        "cuda_fp8.h": "fp8.h",
        "cuda_fp4.h": "fp4.h",
        "cudaTypedefs.h": "typedefs.h",
        "mma.h": "mma.h",
        "cooperative_groups.h": "groups.h",
        "cooperative_groups/reduce.h": "groups.h",
        "cooperative_groups/scan.h": "groups.h",
        "cublas_v2.h": "libraries/blas.h",
        "cublasLt.h": "libraries/blaslt.h",
        "cufft.h": "libraries/fft.h",
        "cusparse.h": "libraries/sparse.h",
        "curand.h": "libraries/curand.h",
        "curand_kernel.h": "libraries/curand_kernel.h",
        "cuComplex.h": "complex.h",
        "cuda_pipeline.h": "pipeline.h",
        "cuda_pipeline_primitives.h": "pipeline.h",
        "cooperative_groups/memcpy_async.h": "groups.h",
        **dict.fromkeys(
            (
                "cuda_runtime_api.h",
                "cuda_profiler_api.h",
                "cudaProfiler.h",
                "builtin_types.h",
                "device_atomic_functions.h",
                "device_functions.h",
                "device_launch_parameters.h",
                "device_types.h",
                "driver_types.h",
                "host_defines.h",
                "math_constants.h",
                "math_functions.h",
                "sm_20_intrinsics.h",
                "sm_30_intrinsics.h",
                "sm_32_intrinsics.h",
                "sm_35_intrinsics.h",
                "sm_60_atomic_functions.h",
                "sm_61_intrinsics.h",
                "vector_functions.h",
                "vector_types.h",
            )
        ),
    },
    "musa": {
        "musa_runtime.h": "runtime.h",
        "musa.h": "driver.h",
        "musa_fp16.h": "fp16.h",
        "musa_bf16.h": "bf16.h",
        "musa_fp8.h": "fp8.h",
        "musaTypedefs.h": "typedefs.h",
        "cooperative_groups.h": "groups.h",
        "cooperative_groups/reduce.h": "groups.h",
        "cooperative_groups/scan.h": "groups.h",
        "mublas.h": "libraries/blas.h",
        "mublasLt.h": "libraries/blaslt.h",
        "mufft.h": "libraries/fft.h",
        "musparse.h": "libraries/sparse.h",
        "murand.h": "libraries/curand.h",
        "murand_kernel.h": "libraries/curand_kernel.h",
        "muComplex.h": "complex.h",
        "musa_runtime_api.h": None,
    },
}

# Headers of CUDA and its libraries that a MUSA unit must not ask for. Those that have the same name on both sides are
# not among them.
FOREIGN = (
    *(name for name in HEADERS["cuda"] if name not in HEADERS["musa"]),
    *("cublas.h", "cublasXt.h", "cudnn.h", "cufftXt.h"),
    *("cusolverDn.h", "cusolverSp.h", "cupti.h", "nccl.h", "nvml.h"),
    *("nvrtc.h", "nvToolsExt.h", "nvtx3/nvToolsExt.h", "cuda_fp16.hpp"),
    *("cuda_bf16.hpp", "cuda_texture_types.h", "cuda_surface_types.h", "cuda_gl_interop.h"),
    *("cuda_awbarrier.h", "cuda_device_runtime_api.h", "cuda_occupancy.h", "helper_cuda.h"),
)

_MARK = re.compile(r"@rt@|@RT@|@\{([^|{}]*)\|([^|{}]*)\}")
_VECTOR = re.compile(r"^EMU_VECTOR\((\w+),", re.M)
_WORD = re.compile(r"[A-Za-z_]\w*")
# Names of the MUSA side by their look, wherever they stand in a rendered header.
_MUSA_NAME = re.compile(
    r"\b(?:musa[A-Z]\w*|mu(?:blas|rand|fft|sparse|solver)\w*|MU(?:SA|BLAS|RAND|FFT|SPARSE)\w*|MUSART_\w+|MU_\w+"
    r"|mu[A-Z]\w*|MU[a-z]\w*|_*mt_\w+|__MUSA\w*)\b"
)
_DEFINED = re.compile(r"^\s*#\s*define\s+(\w+)", re.M)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')


class TemplateError(Exception):
    """A template declares a MUSA name that the manifest does not have, or uses a mark that there is not."""


@functools.cache
def vector_names() -> tuple[str, ...]:
    """The vector types and the functions that make them."""
    text = (DEVICE / "include/musify_emu/vectors.h").read_text(encoding="utf-8")
    return tuple(
        name
        for base in _VECTOR.findall(text)
        for width in (1, 2, 3, 4)
        for name in (f"{base}{width}", f"make_{base}{width}")
    )


def render_line(text: str, side: Side) -> str:
    """A line of a template for one side, its pairs of names resolved."""
    lower, upper = _PREFIX[side]

    def value(match: re.Match[str]) -> str:
        if match[0] == "@rt@":
            return lower
        if match[0] == "@RT@":
            return upper
        return match[1] if side == "cuda" else match[2]

    return _MARK.sub(value, text)


def render(template: str, side: Side) -> tuple[str, set[str]]:
    """A template's text for one side, and the public names it declares there (complete for MUSA)."""
    out: list[str] = []
    names: set[str] = set()
    only: str | None = None
    path = DEVICE / "templates" / template
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark, _, rest = line.partition(" ")
        if mark in ("@cuda", "@musa"):
            only = mark[1:]
        elif mark == "@end":
            only = None
        elif only not in (None, side):
            continue
        elif mark == "@export":
            listed = render_line(rest, side).split()
            names.update(listed)
            out.extend(f"using ::emu::device::{name};" for name in listed)
        elif mark == "@rename":
            name, function = rest.split()
            names.add(name)
            out.append(f"using ::emu::device::{function};\n#define {name} {function}")
        elif mark == "@names":
            for name in render_line(rest, side).split():
                names.update(vector_names() if name == "@vectors" else (name,))
        elif mark == "@include":
            text, more = render(rest.strip(), side)
            out.append(text)
            names |= more
        else:
            line = render_line(line, side)
            if "@" in _STRING.sub("", _COMMENT.sub("", line)):
                raise TemplateError(f"{path.name}:{number}: an unknown mark: {line.strip()}")
            out.append(line)
    text = "\n".join(out) + "\n"
    code = _COMMENT.sub("", text)
    names.update(name for name in _DEFINED.findall(code) if not name.startswith(("EMU_", "emu_")))
    if side == "musa":
        names.update(_MUSA_NAME.findall(_STRING.sub('""', code)))
    return text, names


def _guarded(text: str) -> str:
    return "// Made from a template of the CPU device; changes are lost.\n#pragma once\n" + text


@functools.cache
def header_set(side: Side) -> tuple[tuple[str, str], ...]:
    """All generated files of a side, ``(relative path, text)``. Raises `TemplateError` for a name without a row."""
    files: list[tuple[str, str]] = []
    declared: dict[str, str] = {}
    main = f"{side}_runtime.h"
    for name, template in HEADERS[side].items():
        if template is None:
            files.append((name, _guarded(f'#include "{main}"\n')))
            continue
        text, names = render(template, side)
        for each in names:
            declared.setdefault(each, template)
        if template != "runtime.h":
            text = f'#include "{main}"\n' + text
        elif side == "cuda":
            text += '#if __has_include("ptx/ptx.h")\n#include "ptx/ptx.h"\n#endif\n'
        files.append((name, _guarded(text)))
    for name, ours in libraries.HEADERS[side].items():
        files.append((name, _guarded(f'#include "{main}"\n#include "musify_emu/{ours}"\n')))
    small = "".join(f"#include <{side}_{name}.h>\n" for name in ("runtime", "fp16", "bf16"))
    files.append((FIRST, _guarded(small)))
    text, names = render("pytorch.h", side)
    declared.update((each, "pytorch.h") for each in sorted(names))
    files.append((pytorch.MAIN, _guarded(f'#include "{main}"\n' + text)))
    of_pytorch = (*pytorch.COMMON, *pytorch.OWN[side])
    files.extend((name, _guarded(f'#include "{pytorch.MAIN}"\n')) for name in of_pytorch)
    files.extend((name, f'#error "{name}: {why}"\n') for name, why in libraries.UNFAITHFUL.items())
    if side == "cuda":
        files.extend((name, f'#error "{name}: this library is not emulated"\n') for name in libraries.REFUSED)
    if side == "musa":
        absent = manifest.missing([*declared, *HEADERS["musa"], *libraries.HEADERS["musa"], *pytorch.OWN["musa"]])
        if absent:
            shown = ", ".join(f"{name} ({declared.get(name, 'header')})" for name in sorted(absent))
            raise TemplateError(f"no row in the manifest of MUSA names for: {shown}")
        files.extend(
            (name, f'#error "CUDA header {name} in a MUSA translation unit"\n')
            for name in (*FOREIGN, *pytorch.OWN["cuda"])
        )
    return tuple(files)


@functools.cache
def declared_names(side: Side) -> frozenset[str]:
    """Every public name that the headers of a side declare by a template (complete for MUSA)."""
    names: set[str] = set()
    for template in (*HEADERS[side].values(), "pytorch.h"):
        if template is not None:
            names |= render(template, side)[1]
    return frozenset(names)


def header_dirs(side: Side, root: Path) -> list[Path]:
    """Writes the header set of a side under ``root`` if it is not there, and returns the include folders in order.

    The folder's name holds a digest of what is in it, and it appears whole or not at all, so that several runs may
    share a root.
    """
    import hashlib
    import shutil
    import tempfile

    files = header_set(side)
    digest = hashlib.sha256(repr(files).encode()).hexdigest()[:16]
    target = root / f"{side}-{digest}"
    if not target.is_dir():
        root.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{side}-", dir=root))
        try:
            for name, text in files:
                path = fresh / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            fresh.chmod(0o755)
            fresh.rename(target)  # atomic; fails if another run was first
        except OSError:
            if not target.is_dir():
                raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return [target, DEVICE / "include", DEVICE]
