"""MUS802: PyTorch C++ names that are reached through a namespace, an object or a macro argument."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from musify_ai.records import Edit, Finding, Safety
from musify_ai.source.patterns import late_pattern
from musify_ai.source.tokens import Token
from musify_ai.translate.cases import Case
from musify_ai.translate.libraries.pytorch_names import (
    ASKING,
    IN_AT,
    IN_CUDA,
    IN_DETAIL,
    KEYS,
    MEMBERS,
    NAMESPACES,
)
from musify_ai.translate.mentions import is_member
from musify_ai.translate.unit import Unit

CODE = "MUS802"
TITLE = "PyTorch's CUDA names, qualified"
WHY = """
torch_musa registers its device as PrivateUse1: there is no `kMUSA` in PyTorch's own enumeration, and the streams and
guards live in `at::musa` and `c10::musa`. Left as they are these names select the CUDA backend, or do not build once
the headers are torch_musa's. An operator that is registered for one of CUDA's dispatch keys is never called, and a
question such as `hasCUDA()` is answered with no.
"""
EXAMPLE = """
TORCH_CHECK(x.is_cuda()); auto stream = at::cuda::getCurrentCUDAStream();
"""
INSTEAD = """
`x.is_privateuseone()`, `at::musa::getCurrentMUSAStream()`, `kPrivateUse1`, `TORCH_LIBRARY_IMPL(ns, PrivateUse1, m)`.
Applied with `--unsafe-fixes`, for a project that is built against torch_musa.
"""
SAFETY: Safety = "unsafe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "MooreThreads/torch_musa: docs/markdown/source/06_third_party_lib_extension.md",
    "torchada pull request 24 (kMUSA does not exist)",
)
TRIGGERS = frozenset(
    (
        b"is_cuda",
        b"kCUDA",
        b"cuda",
        b"DeviceType",
        b"TORCH_LIBRARY_IMPL",
        b"PhiloxCudaState",
        b"CUDAGeneratorImpl",
        b"philox_cuda_state",
        *KEYS,
        *ASKING,
    )
)
VALID = (
    "// x.is_cuda()\n",
    "struct S { bool is_cuda; };\n",
    "namespace cuda { int a; }\n",
    "cuda::atomic<int> a;\n",
    "bool is_cuda(int x);\n",
    "int x = my::DeviceKind::CUDA;\n",
    'const char* s = "torch::kCUDA";\n',
    "my::PhiloxCudaState a;\n",
    "struct at { int philox_cuda_state; };\n",
    # The same words where PyTorch is not.
    'struct V { V cuda(); }; V f(V v) { return v.cuda(); } const char* s = "cuda";\n',
    "MY_LIBRARY(ops, CUDA, m) {}\nat::Tensor t;\n",
    "at::Tensor t; bool hasCUDA(); enum class Kind { CUDA, AutogradCUDA };\n",
    'at::Tensor t; TORCH_CHECK(ok, "cuda is needed"); log("cuda:");\n',
)
INVALID = (
    Case(
        "bool f(torch::Tensor x) { return x.is_cuda(); }\n",
        findings=("is_cuda",),
        fixed="bool f(torch::Tensor x) { return x.is_privateuseone(); }\n",
    ),
    Case("auto d = torch::kCUDA;\n", findings=("torch::kCUDA",), fixed="auto d = torch::kPrivateUse1;\n"),
    Case(
        "auto d = c10::DeviceType::CUDA;\n",
        findings=("DeviceType::CUDA",),
        fixed="auto d = c10::DeviceType::PrivateUse1;\n",
    ),
    Case(
        "auto s = at::cuda::getCurrentCUDAStream();\n",
        findings=("at::cuda::getCurrentCUDAStream",),
        fixed="auto s = at::musa::getCurrentMUSAStream();\n",
    ),
    Case(
        "auto s = at::cuda::getCurrentDeviceProperties();\n",
        findings=("at::cuda::getCurrentDeviceProperties",),
        fixed="auto s = at::musa::getCurrentDeviceProperties();\n",
    ),
    Case(
        "auto seeds = at::cuda::philox::unpack(args);\n",
        findings=("at::cuda::philox",),
        fixed="auto seeds = at::musa::philox::unpack(args);\n",
    ),
    Case(
        "struct P { at::PhiloxCudaState args; };\n",
        findings=("at::PhiloxCudaState",),
        fixed="struct P { at::PhiloxMusaState args; };\n",
    ),
    Case(
        "auto gen = at::pick<at::CUDAGeneratorImpl>(g, at::cuda::detail::getDefaultCUDAGenerator());\n"
        "args = gen->philox_cuda_state(4);\n",
        findings=("at::CUDAGeneratorImpl", "at::cuda::detail::getDefaultCUDAGenerator", "philox_cuda_state"),
        fixed="auto gen = at::pick<at::MUSAGeneratorImpl>(g, at::musa::detail::getDefaultMUSAGenerator());\n"
        "args = gen->philox_musa_state(4);\n",
    ),
    Case(
        "TORCH_LIBRARY_IMPL(ops, AutogradCUDA, m) {}\n",
        findings=("AutogradCUDA",),
        fixed="TORCH_LIBRARY_IMPL(ops, AutogradPrivateUse1, m) {}\n",
    ),
    Case(
        "TORCH_LIBRARY_IMPL_EXPAND(JOIN(a, b), CUDA, m) {}\n",
        findings=("CUDA",),
        fixed="TORCH_LIBRARY_IMPL_EXPAND(JOIN(a, b), PrivateUse1, m) {}\n",
    ),
    Case(
        "#define IMPL(ns, key) TORCH_LIBRARY_IMPL(ns, key, m)\nIMPL(ops, AutocastCUDA) {}\n",
        findings=("AutocastCUDA",),
        fixed="#define IMPL(ns, key) TORCH_LIBRARY_IMPL(ns, key, m)\nIMPL(ops, AutocastPrivateUse1) {}\n",
    ),
    Case(
        'void f(torch::Library& m) { m.impl("f", c10::DispatchKey::CUDA, &g); }\n',
        findings=("DispatchKey::CUDA",),
        fixed='void f(torch::Library& m) { m.impl("f", c10::DispatchKey::PrivateUse1, &g); }\n',
    ),
    Case(
        "namespace ac = at::cuda;\nauto s = ac::getCurrentCUDAStream();\nint n = ac::device_count() + ac::other();\n",
        findings=("at::cuda", "ac::getCurrentCUDAStream", "ac::other"),
        fixed="namespace ac = at::musa;\nauto s = ac::getCurrentMUSAStream();\n"
        "int n = ac::device_count() + ac::other();\n",
    ),
    Case("bool f() { return at::hasCUDA(); }\n", findings=("hasCUDA",)),
    Case("void f() { at::globalContext().setAllowTF32CuBLAS(true); }\n", findings=("setAllowTF32CuBLAS",)),
    Case("at::Tensor f(at::Tensor x) { return x.cuda(); }\n", findings=("cuda",)),
    Case(
        'auto f(at::Tensor x) { return x.to(torch::Device("cuda:0")); }\n',
        findings=("cuda",),
        fixed='auto f(at::Tensor x) { return x.to(torch::Device("musa:0")); }\n',
    ),
    Case(
        'auto f(at::Tensor x) { return x.to("cuda"); }\n',
        findings=("cuda",),
        fixed='auto f(at::Tensor x) { return x.to("musa"); }\n',
    ),
    Case("auto s = c10::cuda::SomeCUDAThing();\n", findings=("c10::cuda::SomeCUDAThing",)),
    Case("using namespace at::cuda;\n", findings=("at::cuda",), fixed="using namespace at::musa;\n"),
    Case(
        "TORCH_LIBRARY_IMPL(ops, CUDA, m) {}\n",
        findings=("CUDA",),
        fixed="TORCH_LIBRARY_IMPL(ops, PrivateUse1, m) {}\n",
    ),
)


_LIKELY = late_pattern(rb"(?:at|c10|torch)\s*::|is_cuda\s*\(|DeviceType\s*::|TORCH_LIBRARY_IMPL|philox_cuda_state\s*\(")
_LIKELY_WORDS = frozenset((b"c10", b"torch", b"is_cuda", b"DeviceType", b"TORCH_LIBRARY_IMPL", b"philox_cuda_state"))
_AT = late_pattern(rb"at\s*::")  # "at" alone is a word of most licences
_REGISTERING = b"TORCH_LIBRARY_IMPL"
_DEVICE = late_pattern(rb"cuda(?::\d+)?\Z")
_SOURCE = "torch_musa's recipe for extensions"


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """A finding for each such name, with torch_musa's spelling as the suggestion where one is published."""
    if (
        unit.words.isdisjoint(_LIKELY_WORDS)
        and (b"at" not in unit.words or _AT.search(unit.src) is None)
        and not _registering_words(unit)
    ):
        return
    if _LIKELY.search(unit.src) is None:
        return
    toks = unit.tokens
    aliases = _aliases(toks) if b"cuda" in unit.words else frozenset()
    registering = _registering(unit)
    for each in unit.occurrences(TRIGGERS | aliases):
        index = unit.token_index(each.start)
        if index < 0:
            continue
        if each.name in ASKING or (each.name == b"cuda" and is_member(toks, index)):
            if _is_called(toks, index):
                yield _asked(each.start, each.end, each.name)
            continue
        found = _aliased(toks, index) if each.name in aliases else _span(toks, index, registering, unit)
        if found is not None:
            yield _named(unit, *found)
    if b"cuda" in unit.words:
        yield from _device_strings(unit)


def _registering_words(unit: Unit) -> set[bytes]:
    return {word for word in unit.words if _REGISTERING in word}


def _named(unit: Unit, first: int, last: int, new: bytes) -> Finding:
    """What is said of a name, the tokens from ``first`` to ``last``."""
    start, end = unit.tokens[first].start, unit.tokens[last].end
    old = unit.src[start:end]
    shown = old.decode("utf-8", "replace")
    advice = (
        f"{new.decode('ascii')} with torch_musa, whose device is PrivateUse1. --unsafe-fixes makes the edit for a "
        "project that is built against it."
        if new
        else "for which torch_musa, whose device is PrivateUse1, has no published name. Look at what it is for."
    )
    return Finding(
        CODE,
        "warning",
        start,
        end,
        f"{shown}: PyTorch's CUDA backend, {advice}",
        edit=Edit(start, end, old, new, CODE, "rule", "unsafe", _SOURCE) if new else None,
        settled=False,
        name=shown,
    )


def _asked(start: int, end: int, name: bytes) -> Finding:
    """What is said of a question to the CUDA backend, of a switch of it, and of a tensor's move to it."""
    shown = name.decode("ascii")
    text = (
        "cuda(): this moves a tensor to PyTorch's CUDA backend; with torch_musa it is .to(at::kPrivateUse1)."
        if name == b"cuda"
        else f"{shown} speaks to PyTorch's CUDA backend, which a build for MUSA does not have: a question is answered "
        "with no, and a switch changes nothing. Ask for what is needed instead."
    )
    return Finding(CODE, "warning", start, end, text, settled=True, name=shown)


def _device_strings(unit: Unit) -> Iterator[Finding]:
    """Strings that are a device and nothing else, as an argument."""
    toks = unit.tokens
    for index, token in enumerate(toks):
        if token.kind != "string" or _text(toks, index - 1) not in (b"(", b",") or token.text[:1] != b'"':
            continue
        if _DEVICE.match(token.text[1:-1]) is None or _text(toks, index + 1) not in (b")", b","):
            continue
        if not _is_of_a_device(toks, index):
            continue
        start = token.start + 1
        yield Finding(
            CODE,
            "warning",
            start,
            start + len(b"cuda"),
            f"the device {token.text.decode('ascii')}: PyTorch's CUDA backend, musa with torch_musa.",
            edit=Edit(start, start + len(b"cuda"), b"cuda", b"musa", CODE, "rule", "unsafe", _SOURCE),
            name="cuda",
        )


def _is_of_a_device(toks: list[Token], index: int) -> bool:
    """Whether a string is the first argument of ``Device(...)``, ``.to(...)`` or ``.device(...)``."""
    if _text(toks, index - 1) != b"(":
        return False
    callee = _text(toks, index - 2)
    return callee == b"Device" or (callee in (b"to", b"device") and is_member(toks, index - 2))


def _is_called(toks: list[Token], index: int) -> bool:
    """Whether a name is called, through an object or one of PyTorch's namespaces."""
    qualified = _text(toks, index - 1) == b"::" and _text(toks, index - 2) in (*NAMESPACES, b"detail")
    return _text(toks, index + 1) == b"(" and (qualified or is_member(toks, index))


def _aliases(toks: list[Token]) -> frozenset[bytes]:
    """The names that a file gives at::cuda and the like: ``namespace ac = at::cuda;``."""
    return frozenset(
        toks[index - 4].text
        for index, token in enumerate(toks)
        if token.text == b"cuda"
        and index >= 5
        and toks[index - 5].text == b"namespace"
        and toks[index - 3].text == b"="
        and toks[index - 2].text in NAMESPACES
        and _text(toks, index + 1) == b";"
    )


def _aliased(toks: list[Token], index: int) -> tuple[int, int, bytes] | None:
    """A member that is reached through another name of at::cuda, where it is not the same with torch_musa."""
    if _text(toks, index + 1) != b"::" or _text(toks, index - 1) == b"::":
        return None
    member = _text(toks, index + 2)
    new = IN_CUDA.get(member)
    if new == member:
        return None
    return index, index + 2, toks[index].text + b"::" + new if new else b""


def _registering(unit: Unit) -> frozenset[bytes]:
    """The macros that register operators: PyTorch's, and those of the file that lead to them."""
    found = _registering_words(unit)
    for line in unit.directives if found else ():
        if line.keyword == b"define" and unit.src.find(_REGISTERING, line.argument_start, line.end) >= 0:
            found.add(unit.src[line.argument_start : line.end].lstrip().split(b"(")[0].split()[0])
    return frozenset(found)


def _text(toks: list[Token], index: int) -> bytes:
    return toks[index].text if 0 <= index < len(toks) else b""


def _span(toks: list[Token], index: int, registering: frozenset[bytes], unit: Unit) -> tuple[int, int, bytes] | None:
    """First and last token of the name that a trigger word belongs to, and what stands there with torch_musa (empty
    where nothing is published); ``None`` where the word is something else."""
    name, before, after = toks[index].text, _text(toks, index - 1), _text(toks, index + 1)
    if name in MEMBERS:
        return (index, index, MEMBERS[name]) if is_member(toks, index) and after == b"(" else None
    if name in IN_AT:
        return (
            (index - 2, index, b"at::" + IN_AT[name]) if _text(toks, index - 2) == b"at" and before == b"::" else None
        )
    if name == b"kCUDA":
        qualifier = _text(toks, index - 2)
        if before == b"::" and qualifier in NAMESPACES:
            return index - 2, index, qualifier + b"::kPrivateUse1"
        return None
    if name == b"DeviceType":
        if after == b"::" and _text(toks, index + 2) == b"CUDA":
            return index, index + 2, b"DeviceType::PrivateUse1"
        return None
    if name in KEYS:
        if before == b"::" and _text(toks, index - 2) == b"DispatchKey":
            return index - 2, index, b"DispatchKey::" + KEYS[name]
        opener = unit.openers[index] if registering and before in (b"(", b",") and after in (b",", b")") else -1
        listed = opener > 0 and toks[opener].text == b"(" and toks[opener - 1].text in registering
        return (index, index, KEYS[name]) if listed else None
    if name != b"cuda" or before != b"::" or _text(toks, index - 2) not in NAMESPACES:
        return None
    head = _text(toks, index - 2) + b"::musa"
    if after != b"::":
        return index - 2, index, head
    member = _text(toks, index + 2)
    inner = IN_DETAIL.get(_text(toks, index + 4))
    if member == b"detail" and _text(toks, index + 3) == b"::" and inner:
        return index - 2, index + 4, head + b"::detail::" + inner
    mapped = IN_CUDA.get(member)
    return index - 2, index + 2, head + b"::" + mapped if mapped else b""
