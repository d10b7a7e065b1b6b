"""MUS702: `cuda::` of libcu++: atomics, barriers, pipelines, `cuda::std`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.unit import Unit

CODE = "MUS702"
TITLE = "libcu++"
WHY = """
Some MUSA code refers to `musa::std`, and a table lists header names for pipelines and barriers, but no public code
uses the atomics, barriers and pipelines with their scopes and memory orders. A plain atomic in their place drops the
order that they asked for.
"""
EXAMPLE = """
cuda::atomic_ref<int, cuda::thread_scope_device> ref(x);
"""
INSTEAD = """
What ports use of `musa::std` (traits, limits, tuples, fixed-width integers, function objects) is renamed. For the rest
of `cuda::std` see whether your SDK has it; `atomicAdd` and its kin with explicit fences for atomics,
`__syncthreads()` for block barriers, plain copies for `memcpy_async`.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "hours"
REFERENCES = (
    "MooreThreads/mutlass: include/mute/config.hpp (musa::std headers)",
    "torchada: _mappings/cuda_arch.py",
    "MooreThreads/torch_musa: torch_musa/utils/mapping/include.json (header names only)",
)
TRIGGERS = frozenset((b"cuda", b"NV_IF_TARGET", b"NV_IF_ELSE_TARGET", b"NV_DISPATCH_TARGET"))
VALID = (
    "// cuda::atomic\n",
    "namespace cuda { struct atomic {}; }\ncuda::atomic a;\n",
    "at::cuda::barrier b;\n",
    "int cuda = 1;\n",
    "cuda::mine x;\n",
    "#include <cuda/std/atomic>\n",
)
INVALID = (
    Case("auto s = cuda::stream_ref{stream};\n", findings=("cuda::stream_ref",)),
    Case("__global__ void k(int* x, int n) {\n  cuda::atomic_ref<int> ref(*x);\n}\n", findings=("cuda::atomic_ref",)),
    Case(
        "using cuda::std::pair;\nint m = ::cuda::std::numeric_limits<int>::max();\n",
        findings=("cuda::std", "cuda::std"),
        output="using musa::std::pair;\nint m = ::musa::std::numeric_limits<int>::max();\n",
    ),
    Case("cuda::std::atomic<int> a;\nusing namespace cuda::std;\n", findings=("cuda::std", "cuda::std")),
    Case(
        "__global__ void k(int* x, int n) {\n  cuda::barrier<cuda::thread_scope_block>* b;\n}\n",
        findings=("cuda::barrier",),
    ),
    Case("::cuda::atomic<int> a;\n", findings=("cuda::atomic",)),
    Case(
        "using T = typename ::cuda::std::decay<U>::type;\n",
        findings=("cuda::std",),
        output="using T = typename ::musa::std::decay<U>::type;\n",
    ),
    Case("using namespace cuda;\nstd::pair<int, int> p;\n", findings=("cuda",)),
    Case("namespace c = ::cuda;\nc::atomic<int> a;\n", findings=("cuda",)),
    Case("NV_IF_TARGET(NV_PROVIDES_SM_80, (fast();), (slow();))\n", findings=("NV_IF_TARGET",)),
)


_USED = late_pattern(rb"cuda\s*(?:::|;)|NV_(?:IF|DISPATCH)")
_TARGETS = frozenset((b"NV_IF_TARGET", b"NV_IF_ELSE_TARGET", b"NV_DISPATCH_TARGET"))
# Members of the headers of musa/std that are seen: mutlass includes them, torchada renames cuda::std::numeric_limits in
# its builds of flashinfer.
_IN_MUSA = frozenset(
    b"numeric_limits tuple pair make_tuple make_pair get tie tuple_element tuple_element_t tuple_size tuple_size_v "
    b"forward move swap declval integer_sequence index_sequence make_index_sequence make_integer_sequence int8_t "
    b"int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t size_t ptrdiff_t nullptr_t "
    b"plus minus multiplies less greater equal_to integral_constant true_type false_type bool_constant conditional "
    b"conditional_t enable_if enable_if_t decay decay_t remove_cv remove_cv_t remove_reference remove_reference_t "
    b"remove_const remove_const_t add_const add_const_t add_pointer add_pointer_t common_type common_type_t "
    b"is_same is_same_v is_integral is_integral_v is_floating_point is_floating_point_v is_arithmetic "
    b"is_arithmetic_v is_signed is_signed_v is_unsigned is_unsigned_v is_pointer is_pointer_v is_void is_void_v "
    b"is_const is_const_v is_convertible is_convertible_v is_base_of is_base_of_v is_class is_empty is_empty_v "
    b"is_trivially_copyable void_t make_signed make_signed_t make_unsigned make_unsigned_t underlying_type "
    b"underlying_type_t invoke_result_t".split()
)
# What is copied asynchronously is MUS505's.
_OURS = frozenset(
    b"atomic atomic_ref atomic_thread_fence barrier pipeline std ptx semaphore counting_semaphore binary_semaphore "
    b"latch thread_scope thread_scope_system thread_scope_device thread_scope_block thread_scope_thread aligned_size_t "
    b"annotated_ptr access_property apply_access_property memory_order_relaxed execution stream_ref event_ref mr "
    b"memory_resource device_ref arch_traits proclaim_return_type counting_iterator constant_iterator zip_iterator "
    b"transform_iterator discard_iterator strided_iterator permutation_iterator tabulate_output_iterator "
    b"fast_mod_div overflow_cast narrow_cast static_for".split()
)


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each use of a name of libcu++; those of another namespace named ``cuda`` are passed over."""
    if _USED.search(unit.src) is None:
        return
    toks = unit.tokens
    for start, end, target, _ in unit.occurrences(_TARGETS - unit.macros):
        name = target.decode("ascii")
        yield Finding(
            CODE,
            "warning",
            start,
            end,
            f"{name} of <nv/target> chooses code by NVIDIA's archs, and MUSA has no such header. Write the choice with "
            "__MUSA_ARCH__ (220 for what sm_80 brought, 310 for sm_90).",
            effort=EFFORT,
            settled=False,
            name=name,
        )
    found = [unit.token_index(each.start) for each in unit.occurrences((b"cuda",))]
    if any(_opens_namespace(toks, index) for index in found):
        return
    last = 0
    for index in found:
        if _renames_namespace(toks, index):
            yield Finding(
                CODE,
                "warning",
                toks[index].start,
                toks[index].end,
                "what is named through this is libcu++'s: only parts of cuda::std are known on MUSA (as musa::std), "
                "and none of the atomics, barriers or pipelines.",
                effort=EFFORT,
                settled=False,
                name="cuda",
            )
            continue
        if not 0 <= index < len(toks) - 2 or toks[index + 1].text != b"::" or toks[index + 2].text not in _OURS:
            continue
        if index > 1 and toks[index - 1].text == b"::" and _qualifies(toks[index - 2]):
            continue
        name = toks[index + 2].text.decode("ascii")
        line = unit.lines.line_of(toks[index].start)
        if name.startswith("thread_scope") and line == last:
            continue  # an argument of what the line is reported for
        last = line
        member = toks[index + 4].text if _goes_on(toks, index + 3) else b""
        if name == "std" and member in _IN_MUSA:
            yield from _renamed(toks[index], toks[index + 2], member.decode("ascii"))
            continue
        yield Finding(
            CODE,
            "warning",
            toks[index].start,
            toks[index + 2].end,
            f"cuda::{name} is libcu++'s: only parts of cuda::std are known on MUSA (as musa::std), and none of the "
            "atomics, barriers or pipelines. Keep the scope and the memory order in whatever takes its place.",
            effort=EFFORT,
            settled=False,
            name=f"cuda::{name}",
        )


def _goes_on(toks: list[Token], index: int) -> bool:
    return index + 1 < len(toks) and toks[index].text == b"::"


def _renamed(first: Token, last: Token, member: str) -> Iterator[Edit | Finding]:
    """``cuda::std`` before a member that ports use of ``musa::std``."""
    source = "mutlass includes the headers, torchada renames cuda::std::numeric_limits"
    yield Edit(first.start, first.end, b"cuda", b"musa", CODE, "rule", "safe", source)
    yield Finding(
        CODE,
        "note",
        first.start,
        last.end,
        f"cuda::std::{member} became musa::std::{member}: ports use this part of libcu++. Your SDK has to have the "
        "header; from 5.1 on it is said to.",
        name="cuda::std",
    )


def _opens_namespace(toks: list[Token], index: int) -> bool:
    """Whether the project has a namespace of that name itself."""
    if index < 1 or toks[index - 1].text != b"namespace" or (index > 1 and toks[index - 2].text == b"using"):
        return False
    return index + 1 < len(toks) and toks[index + 1].text in (b"{", b"=", b"::")


def _renames_namespace(toks: list[Token], index: int) -> bool:
    """Whether this is ``using namespace cuda;`` or ``namespace c = cuda;``."""
    if not 1 < index < len(toks) - 1 or toks[index + 1].text != b";":
        return False
    before = index - 2 if toks[index - 1].text == b"::" else index - 1
    if toks[before].text == b"namespace":
        return before > 0 and toks[before - 1].text == b"using"
    return before > 1 and toks[before].text == b"=" and toks[before - 2].text == b"namespace"


_NO_NAMESPACES = frozenset(
    b"return else case throw typename const constexpr static inline using struct class new delete sizeof operator "
    b"typedef volatile mutable explicit friend alignas noexcept template".split()
)


def _qualifies(token: Token) -> bool:
    """Whether what stands before ``::`` is a namespace, so that the name is not the global one."""
    return token.kind == "identifier" and token.text not in _NO_NAMESPACES
