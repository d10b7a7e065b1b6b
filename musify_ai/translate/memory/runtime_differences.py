"""MUS512: what the MUSA runtime answers differently."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.mentions import declares
from musify_ai.translate.unit import Unit

CODE = "MUS512"
TITLE = "Runtime answer that differs on MUSA"
WHY = """
After a clean build these showed only in tests: error names and texts are those of MUSA; stream ids of the default and
per-thread streams are refused; texture pitch alignment can be 128 where code expects 32. A version that is asked for
at run time is MUSA's or its library's, which counts on another scale: `>= 11020` says nothing of it.
"""
EXAMPLE = """
if (strcmp(cudaGetErrorName(e), "cudaErrorInvalidValue") == 0) fail();
"""
INSTEAD = """
Compare error codes, not texts; ask for what is needed rather than for a version; give the default streams ids of your
own; take row strides from the pitch that the allocation returned.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = ("MooreThreads/CV-CUDA_musa: MUSIFY.md, rounds 3 to 5",)
TRIGGERS = frozenset(
    (
        b"cudaGetErrorName",
        b"cudaGetErrorString",
        b"cuGetErrorName",
        b"cuGetErrorString",
        b"cuStreamGetId",
        b"cudaStreamGetId",
        b"texturePitchAlignment",
        b"cudaDevAttrTexturePitchAlignment",
        b"cudaHostAllocMapped",
        b"cudaHostRegisterMapped",
        b"cudaDeviceMapHost",
        b"cudaRuntimeGetVersion",
        b"cudaDriverGetVersion",
        b"cuDriverGetVersion",
        b"cublasGetVersion",
        b"cublasGetVersion_v2",
        b"cublasLtGetVersion",
        b"cusparseGetVersion",
        b"cusolverGetVersion",
        b"cufftGetVersion",
        b"curandGetVersion",
        b"ncclGetVersion",
    )
)
VALID = (
    'void f(cudaError_t e) { printf("%s", cudaGetErrorString(e)); }\n',
    "// strcmp(cudaGetErrorName(e), 0)\n",
    "const char* g(cudaError_t e) { return cudaGetErrorName(e); }\n",
    "// cudaRuntimeGetVersion(&v)\n",
    "cudaError_t cudaDriverGetVersion(int* version);\n",
    "auto f = &cublasLtGetVersion;\n",
)
INVALID = (
    Case(
        'bool f(cudaError_t e) { return strcmp(cudaGetErrorName(e), "cudaErrorX") == 0; }\n',
        findings=("cudaGetErrorName",),
    ),
    Case('void t() { EXPECT_STREQ("no error", cudaGetErrorString(cudaSuccess)); }\n', findings=("cudaGetErrorString",)),
    Case('bool f(cudaError_t e) { return std::string(cudaGetErrorName(e)) == "x"; }\n', findings=("cudaGetErrorName",)),
    Case("void f() { cudaHostAlloc(&p, n, cudaHostAllocMapped); }\n", findings=("cudaHostAllocMapped",)),
    Case("void f() { cudaStreamGetId(0, &id); }\n", findings=("cudaStreamGetId",)),
    Case(
        "bool f() { int v; cudaRuntimeGetVersion(&v); return v >= 11020; }\n",
        findings=("cudaRuntimeGetVersion",),
    ),
    Case("int f() { int v; cublasGetVersion(h, &v); return v; }\n", findings=("cublasGetVersion",)),
    Case("bool f() { return 110400 <= cublasLtGetVersion(); }\n", findings=("cublasLtGetVersion",)),
    Case("int f(cudaDeviceProp p) { return p.texturePitchAlignment; }\n", findings=("texturePitchAlignment",)),
)


_TEXTS = frozenset((b"cudaGetErrorName", b"cudaGetErrorString", b"cuGetErrorName", b"cuGetErrorString"))
_MAPPED = frozenset((b"cudaHostAllocMapped", b"cudaHostRegisterMapped", b"cudaDeviceMapHost"))
_COMPARING = frozenset(
    (
        b"strcmp",
        b"strncmp",
        b"strstr",
        b"EXPECT_STREQ",
        b"ASSERT_STREQ",
        b"EXPECT_EQ",
        b"ASSERT_EQ",
        b"REQUIRE",
        b"CHECK",
    )
)
_REACH = 30
_VERSIONS = frozenset(name for name in TRIGGERS if name.endswith((b"GetVersion", b"GetVersion_v2")))
_ORDERING = frozenset((b"<", b">", b"<=", b">=", b"==", b"!="))
_AFTER = 400  # tokens after the call that are looked through for a comparison
_BESIDE = 7  # tokens between a variable and the operator: (v / 1000) % 100 >= 11


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note for each place whose answer differs."""
    for each in unit.occurrences(TRIGGERS if _may_compare(unit) else TRIGGERS - _TEXTS):
        index = unit.token_index(each.start)
        if index < 0 or (each.name in _TEXTS and not _compared(unit, index)):
            continue
        if each.name in _VERSIONS:
            if (version := _version(unit, index)) is not None:
                yield version
            continue
        what = (
            "names and texts of errors are MUSA's own"
            if each.name in _TEXTS
            else "the ids of the default and per-thread streams are refused"
            if each.name.endswith(b"GetId")
            else "ports disagree whether kernels can use host memory that is mapped: try it on the target"
            if each.name in _MAPPED
            else "this can be 128 where CUDA has 32"
        )
        yield Finding(
            CODE,
            "note",
            each.start,
            each.end,
            f"{each.name.decode('ascii')}: on MUSA {what}.",
            effort=EFFORT,
            name=each.name.decode("ascii"),
        )


def _may_compare(unit: Unit) -> bool:
    """Whether the file can compare a text at all: asked first, since nearly every program prints one, and tokens are
    dear."""
    if not unit.words.isdisjoint(_COMPARING):
        return True
    src, floor, seen_comment = unit.src, 0, False
    for kind, start, end in unit.regions:
        if kind == "comment":
            seen_comment = True
            continue
        if kind in ("string", "raw-string"):
            head = src[floor:start]
            if not seen_comment:
                head = head[max(head.rfind(b";"), head.rfind(b"{"), head.rfind(b"}")) + 1 :]
            if b"==" in head or b"!=" in head:
                return True
        # Past a literal nothing reaches from before it: what is compared stands next to the operator.
        floor, seen_comment = end, False
    return False


def _compared(unit: Unit, index: int) -> bool:
    """Whether the text is compared in the statement around it."""
    toks = unit.tokens
    first = index
    while first > 0 and index - first < _REACH and toks[first - 1].text not in (b";", b"{", b"}"):
        first -= 1
        if toks[first].text in _COMPARING:
            # Only a call that this one is an argument of.
            closed = unit.partners.get(first + 1, -1)
            if closed > index:
                return any(token.kind == "string" for token in toks[first:closed])
    closed = unit.partners.get(index + 1, index)
    after = toks[closed + 1 : closed + 4]
    return any(token.text in (b"==", b"!=") for token in after[:2]) and any(each.kind == "string" for each in after)


def _version(unit: Unit, index: int) -> Finding | None:
    """What is said of a version that is asked for at run time: louder where it is compared with a number."""
    toks = unit.tokens
    closed = unit.partners.get(index + 1, -1)
    if closed < 0 or toks[index + 1].text != b"(" or declares(unit, index):
        return None
    asked = [index] if closed == index + 2 else []
    if toks[closed - 1].kind == "identifier" and toks[closed - 2].text == b"&":
        variable, floor = toks[closed - 1].text, closed
        asked = [at for at in range(floor, min(floor + _AFTER, len(toks))) if toks[at].text == variable]
    compared = next((line for at in asked if (line := _compared_with_number(unit, at))), 0)
    name = toks[index].text.decode("ascii")
    return Finding(
        CODE,
        "warning" if compared else "note",
        toks[index].start,
        toks[index].end,
        f"{name}: on MUSA this is a version of MUSA's, on another scale (MUSART_VERSION is 40300 for SDK 4.3, and "
        "MUSA_VERSION 50200 for SDK 5.2)"
        + (f", so the comparison in line {compared} asks something else. Ask for what is needed" if compared else "")
        + ".",
        effort=EFFORT,
        name=name,
    )


def _compared_with_number(unit: Unit, at: int) -> int:
    """The line in which a name is compared with a number of more than one digit, or with a macro; 0 where none is."""
    toks = unit.tokens
    for step in (1, -1):
        for place in range(at + step, at + step * (_BESIDE + 1), step):
            if not 0 < place < len(toks) - 1 or toks[place].text in (b";", b"{", b"}", b"&&", b"||", b",", b"<<"):
                break
            if toks[place].text in _ORDERING:
                other = toks[place + step]
                if (other.kind == "number" and len(other.text) > 1) or other.text.isupper():
                    return unit.lines.line_of(toks[place].start)
                break
    return 0
