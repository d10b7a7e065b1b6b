"""Names that exist: what the new code uses is declared in it, was in the function or its file, or is MUSA's."""

from functools import cache
from itertools import pairwise

from musify_ai.emulator import manifest
from musify_ai.rewrite.canonical import declared
from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused, Said
from musify_ai.rewrite.gates.reading import added, identifiers, read, shown

# The language's own, what <math.h> and C++ have on the device, and what every kernel has.
_LANGUAGE = frozenset(
    b"auto bool break case char const const_cast constexpr continue decltype default do double else enum explicit "
    b"false float for if inline int long mutable noexcept nullptr private protected public register reinterpret_cast "
    b"return short signed sizeof alignof alignas static static_assert static_cast struct class switch this true "
    b"typedef typename union unsigned using void volatile wchar_t while "
    b"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t uintptr_t intptr_t "
    b"__restrict__ __restrict __device__ __global__ __host__ __shared__ __constant__ __forceinline__ __inline__ "
    b"__noinline__ __launch_bounds__ threadIdx blockIdx blockDim gridDim warpSize x y z w".split()
)
_FUNCTIONS = frozenset(
    b"abs fabs fabsf fma fmaf fmax fmaxf fmin fminf fmod fmodf sqrt sqrtf rsqrt rsqrtf cbrt cbrtf exp expf exp2 exp2f "
    b"exp10 exp10f expm1 expm1f log logf log2 log2f log10 log10f log1p log1pf pow powf sin sinf cos cosf tan tanf "
    b"sincos sincosf asin asinf acos acosf atan atanf atan2 atan2f sinh sinhf cosh coshf tanh tanhf erf erff erfc "
    b"erfcf floor floorf ceil ceilf trunc truncf round roundf rint rintf nearbyint nearbyintf copysign copysignf "
    b"isnan isinf isfinite signbit ldexp ldexpf frexp frexpf min max umin umax llmin llmax ullmin ullmax memcpy "
    b"memset remainder remainderf hypot hypotf fdim fdimf saturate numeric_limits is_same".split()
)


def check(candidate: Candidate) -> Said:
    """Refused (``forbidden``) for names that are none of these; for functions of MUSA's host API too."""
    unit = candidate.unit
    new = added(candidate)
    around = identifiers(unit.text).keys() | {
        word for each in unit.context for word in identifiers(each.encode("utf-8", "replace"))
    }
    own = declared(read(candidate.code)) | _members(candidate.code)
    unknown = []
    for name in sorted(new):
        if not (is_known(name) or name in own or name in around):
            unknown.append(name)
    if unknown:
        return Refused("forbidden", f"it uses names that are not known to exist in MUSA device code: {shown(unknown)}")
    return Passed()


def is_known(name: bytes) -> bool:
    """Whether a name is the language's, C++'s own on the device, or MUSA's for device code."""
    return name in _LANGUAGE or name in _FUNCTIONS or name.decode("utf-8", "replace") in _device_names()


def _members(code: bytes) -> set[bytes]:
    """Names after ``.`` and ``->``, and after ``::`` behind a name that is known itself: the build judges those."""
    found = read(code)
    out: set[bytes] = set()
    for token, after in pairwise(found):
        if after.kind == "identifier" and token.text in (b".", b"->", b"::"):
            out.add(after.text)
        if token.text in (b"std", b"cooperative_groups", b"cg") and after.text == b"::":
            out.add(token.text)
    return out


@cache
def _device_names() -> frozenset[str]:
    """What the manifest has for device code: everything in it but functions and types of the host's API."""
    return frozenset(
        row.name
        for row in manifest.rows().values()
        if not row.name.startswith(("musa", "MUSA", "mu", "MU", "mc", "mt"))
    )
