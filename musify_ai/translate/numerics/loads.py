"""MUS605: `__ldg` of more than a scalar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.translate.cases import Case
from musify_ai.translate.declared import is_of_template, pointee, template_parameters, unaliased
from musify_ai.translate.mentions import call_end, mentions, own_functions
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS605"
TITLE = "Read-only load of a vector or a template's type"
WHY = """
Ports define `__ldg(p)` as `*p`, because the overloads for vectors and for template types are missing on MUSA: the
call does not compile there. A plain load gives the same value; that it may go through the read-only cache is a hint.
"""
EXAMPLE = """
const int4 v = __ldg(reinterpret_cast<const int4*>(p));
"""
INSTEAD = """
`*p`, or a function of the project's that is `__ldg` for scalars and a plain load for the rest.
"""
SAFETY: Safety = "display"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "kvcache-ai/Mooncake: mooncake-ep/include/elastic/mooncake_ep_elastic_compiled.cuh",
    "MooreThreads/pytorch_sparse: csrc/musa/spmm_musa.mu",
)
TRIGGERS = triggers(CODE)
VALID = (
    "// __ldg((const int4*)p)\n",
    "__global__ void k(const int* p, int* q) {\n  *q = __ldg(p + 1);\n}\n",
    "__global__ void k(const float* p, float* q) {\n  *q = __ldg(&p[threadIdx.x]);\n}\n",
    "__device__ int4 __ldg(const int4* p) { return *p; }\n__global__ void k(const int4* p) {\n  f(__ldg(p));\n}\n",
    "__global__ void k(P q) {\n  f(__ldg(q.values));\n}\n",
)
INVALID = (
    Case(
        "__global__ void k(const int* p) {\n  int4 v = __ldg(reinterpret_cast<const int4*>(p));\n}\n",
        findings=("__ldg(reinterpret_cast<const int4*>(p))",),
    ),
    Case("__global__ void k(const half2* p) {\n  f(__ldg(p + 3));\n}\n", findings=("__ldg(p + 3)",)),
    Case(
        "__global__ void k(const void* p) {\n  auto q = static_cast<const int4*>(p);\n  f(__ldg(q + 1));\n}\n",
        findings=("__ldg(q + 1)",),
    ),
    Case("template <typename T> __global__ void k(const T* p) {\n  f(__ldg(&p[3]));\n}\n", findings=("__ldg(&p[3])",)),
    Case("using Vec = int4;\n__global__ void k(const Vec* p) {\n  f(__ldg(p));\n}\n", findings=("__ldg(p)",)),
    Case(
        "template <class T> struct S {\n  typedef typename P<T>::Type Q;\n  Q p;\n  __device__ int f() { return "
        "__ldg(p); }\n};\n",
        findings=("__ldg(p)",),
    ),
    Case(
        "template <class T> __device__ T f(A a) {\n  return __ldg(a.template as<T>());\n}\n",
        findings=("__ldg(a.template as<T>())",),
    ),
)

_VECTOR = late_pattern(
    rb"(?:u?(?:char|short|int|long|longlong)|float|double)[1234]\Z|(?:__half2?|half2?|(?:__)?nv_bfloat162?)\Z"
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A note over each call whose argument points to more than a scalar, or in a file of templates to nobody knows
    what."""
    toks = unit.tokens
    for index in mentions(unit, TRIGGERS - own_functions(unit, TRIGGERS)):
        closed = call_end(unit, index)
        if closed < 0:
            continue
        argument = unit.src[toks[index + 2].start : toks[closed].start].strip()
        known = pointee(unit, argument, toks[index].start)
        if known:
            if _VECTOR.match(unaliased(unit, known)) is None and not is_of_template(unit, known):
                continue
        elif not template_parameters(unit):
            continue
        yield Finding(
            CODE,
            "note",
            toks[index].start,
            toks[closed].end,
            "__ldg is there for scalars only on MUSA: write a plain load, which gives the same value.",
            effort=EFFORT,
            name="__ldg",
        )
