"""Namespaces called ``cuda``: Thrust's backend, PyTorch's layer, libcu++."""

from collections.abc import Iterator

from musify_ai.records import Edit, Finding
from musify_ai.source.lexing import WORD_BYTES, Region, region_at
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.names import messages

# It begins with a literal, which the engine finds at once; whether a word ends there is looked at from there.
_QUALIFIED = late_pattern(rb"cuda(?=[ \t]*::)")
_BEFORE = late_pattern(rb"([A-Za-z_]\w*)[ \t]*::(?:[ \t]*system[ \t]*::)?[ \t]*\Z")
_OWN = late_pattern(rb"\bnamespace\s+cuda\b\s*(?:=|\{)")
# Thrust's own macros for the backend (`#define __THRUST_DEVICE_SYSTEM_NAMESPACE cuda`) and others that are spelt into
# `thrust::` where the file uses them.
_AS_MACRO = late_pattern(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+(cuda)(?=[ \t\r]*(?:\n|/[/*]|\Z))")
_IN_THRUST = late_pattern(rb"thrust[ \t]*::(?:[ \t]*system[ \t]*::)?[ \t]*([A-Za-z_]\w*)")
_LONGEST = 80
_PYTORCH = frozenset((b"at", b"c10", b"torch"))
_LIBCUDACXX = "libcu++: ports refer to musa::std, but nothing public proves the rest of it on MUSA"
_TORCH = "PyTorch's CUDA layer: torch_musa has at::musa, c10::musa and torch::musa, with other headers and class names"


def cuda_namespaces(src: bytes, found: list[Region]) -> Iterator[Edit | Finding]:
    """``thrust::cuda`` and ``thrust::system::cuda`` become ``musa`` there; what else is qualified by ``cuda::`` is a
    finding, unless the file has a namespace of that name itself or another library does."""
    if b"define" in src:
        yield from _backend_macros(src, found)
    own: bool | None = None
    for match in _QUALIFIED.finditer(src):
        start, end = match.span()
        if (start and src[start - 1] in WORD_BYTES) or region_at(found, start) is not None:
            continue
        before = _BEFORE.search(src, max(start - _LONGEST, 0), start)
        if before is None:
            own = _OWN.search(src) is not None if own is None else own
            if not own:
                yield messages.differs_as(start, end, "cuda", "musa", _LIBCUDACXX)
        elif before[1] == b"thrust":
            yield Edit(start, end, b"cuda", b"musa", "names.thrust", "seen", "safe", "seen in muThrust")
        elif before[1] in _PYTORCH:
            name = f"{before[1].decode()}::cuda"
            yield messages.differs_as(before.start(1), end, name, name.replace("cuda", "musa"), _TORCH)


def _backend_macros(src: bytes, found: list[Region]) -> Iterator[Edit]:
    """Macros whose whole body is the name of Thrust's CUDA backend."""
    used: set[bytes] | None = None
    for match in _AS_MACRO.finditer(src):
        if region_at(found, match.start()) is not None:
            continue
        used = {word[1] for word in _IN_THRUST.finditer(src)} if used is None else used
        if b"THRUST" in match[1] or match[1] in used:
            yield Edit(*match.span(2), b"cuda", b"musa", "names.thrust", "seen", "safe", "seen in muThrust")
