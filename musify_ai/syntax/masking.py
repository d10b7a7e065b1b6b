"""Blanks what keeps a C++ grammar from seeing declarations: macros that expand to decorators and nothing else."""

from musify_ai.source import Directive, directives, occurrences, tokens, words
from musify_ai.source.tokens import Token, closing

DECORATORS = frozenset(
    b"__global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __forceinline__ "
    b"__noinline__ __inline__ __inline inline static extern constexpr consteval virtual explicit friend __restrict__ "
    b"__restrict restrict __forceinline noexcept __extension__ final override".split()
)
"""Words that a decorator macro may expand to."""

_WITH_ARGUMENTS = frozenset((b"__attribute__", b"__attribute", b"__declspec", b"__launch_bounds__", b"alignas"))

# Decorators of widespread libraries, whose definitions stand in headers that a lone file does not show.
WELL_KNOWN = frozenset(
    b"CUTLASS_HOST_DEVICE CUTLASS_DEVICE CUTLASS_GLOBAL CUTLASS_HOST CUTLASS_CONSTEXPR_IF_CXX17 "
    b"CUTE_HOST_DEVICE CUTE_DEVICE CUTE_HOST CUTE_INLINE_CONSTANT "
    b"C10_HOST_DEVICE C10_DEVICE C10_HOST C10_API C10_EXPORT C10_HIDDEN C10_ALWAYS_INLINE C10_UNUSED C10_NODISCARD "
    b"C10_NOINLINE C10_CUDA_API TORCH_API TORCH_CUDA_CU_API TORCH_CUDA_CPP_API TORCH_EXTENSION_API AT_API GPU_LAMBDA "
    b"CUB_RUNTIME_FUNCTION THRUST_RUNTIME_FUNCTION _CCCL_HOST_DEVICE _CCCL_DEVICE _CCCL_HOST _CCCL_FORCEINLINE "
    b"_LIBCUDACXX_HIDE_FROM_ABI _CCCL_HIDE_FROM_ABI".split()
)
WELL_KNOWN_WITH_ARGUMENTS = frozenset((b"C10_LAUNCH_BOUNDS_0", b"C10_LAUNCH_BOUNDS_1", b"C10_LAUNCH_BOUNDS_2"))


def decorator_macros(src: bytes, known_directives: list[Directive] | None = None) -> dict[bytes, frozenset[bytes]]:
    """The file's object-like macros whose every definition is decorators only, with the words they expand to.

    A macro with an empty definition beside one with decorators counts; one that is empty throughout does too, for it
    expands to nothing.
    """
    lines = directives(src) if known_directives is None else known_directives
    bodies: dict[bytes, list[list[Token]]] = {}
    for line in lines:
        if line.keyword != b"define":
            continue
        found = tokens(src, line.argument_start, line.end)
        if not found or found[0].kind != "identifier":
            continue
        body = found[1:]
        if body and body[0].text == b"(" and body[0].start == found[0].end:
            continue
        bodies.setdefault(found[0].text, []).append(body)
    settled: dict[bytes, frozenset[bytes]] = {}
    # A decorator macro may be made of others; each round settles those whose parts the last one settled.
    for _ in range(4):
        before = len(settled)
        for name, definitions in bodies.items():
            if name in settled:
                continue
            expanded = [_decorators(body, settled) for body in definitions]
            if all(words_of is not None for words_of in expanded):
                settled[name] = frozenset(word for words_of in expanded for word in words_of or ())
        if len(settled) == before:
            break
    return settled


def _decorators(body: list[Token], settled: dict[bytes, frozenset[bytes]]) -> frozenset[bytes] | None:
    """The decorator words a macro body expands to, or ``None`` where it holds anything else."""
    found: set[bytes] = set()
    position = 0
    while position < len(body):
        token = body[position]
        following = body[position + 1] if position + 1 < len(body) else None
        if token.text in DECORATORS:
            found.add(token.text)
        elif token.text in settled:
            found |= settled[token.text]
        elif token.text in _WITH_ARGUMENTS and following is not None and following.text == b"(":
            found.add(token.text)
            position = closing(body, position + 1)
            if position < 0:
                return None
        elif token.text == b"[" and following is not None and following.text == b"[":
            position = closing(body, position)
            if position < 0:
                return None
        elif not (token.kind == "string" and position and body[position - 1].text == b"extern"):
            return None
        position += 1
    return frozenset(found)


def mask(src: bytes) -> bytes:
    """The file with its decorator macros blanked, each to the same length, so that every offset stays.

    Preprocessor lines are left alone.
    """
    lines = directives(src)
    present = words(src)
    plain = (set(decorator_macros(src, lines)) | WELL_KNOWN) & present
    calls = WELL_KNOWN_WITH_ARGUMENTS & present
    if not plain and not calls:
        return src
    out = bytearray(src)
    index = 0
    for start, end, name, _ in occurrences(src, plain | calls):
        while index < len(lines) and lines[index].end <= start:
            index += 1
        if index < len(lines) and lines[index].start <= start:
            continue
        if name in calls:
            # The argument list is short; looking further than this would make hostile input quadratic.
            group = tokens(src, end, min(len(src), end + 400))
            if not group or group[0].text != b"(" or (close := closing(group, 0)) < 0:
                continue
            end = group[close].end
        out[start:end] = bytes(byte if byte in b"\r\n" else 0x20 for byte in src[start:end])
    return bytes(out)
