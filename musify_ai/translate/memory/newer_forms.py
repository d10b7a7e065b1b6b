"""MUS519: calls in the form that CUDA 13 gave functions of the same name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from musify_ai.records import Edit, Finding, Safety
from musify_ai.translate.cases import Case
from musify_ai.translate.guards.conditions import CONDITIONS
from musify_ai.translate.memory.locations import Call, Places, contexts, locations
from musify_ai.translate.mentions import calls
from musify_ai.translate.registry import triggers
from musify_ai.translate.unit import Unit

CODE = "MUS519"
TITLE = "Call in the form of CUDA 13"
WHY = """
CUDA 13 gave functions new parameters and kept their names: `cudaMemPrefetchAsync` and `cudaMemAdvise` take a
`cudaMemLocation` where a device's number stood, graph functions take an array of edge data, `cuCtxCreate` a structure.
MUSA has the forms of before, so the renamed call does not build. (CUDA 12 has the new forms under `_v2` and `_v3`.)
"""
EXAMPLE = """
cudaMemLocation where;
where.type = cudaMemLocationTypeDevice;
where.id = device;
cudaMemPrefetchAsync(p, bytes, where, 0, stream);
"""
INSTEAD = """
The older form: the device's number, or `musaCpuDeviceId` for the host, no flags, no edge data. This is done where the
location is made and used in one function, the flags are `0` and the edge data a null pointer.
"""
SAFETY: Safety = "safe"
EFFORT: Literal["minutes", "hours", "days"] = "minutes"
REFERENCES = (
    "NVIDIA DRIVE OS migration guide: CUDA API changes from 12.x to 13.x",
    "AdaptiveCpp's MUSA back end: musa_allocator.cpp (musaMemAdvise with a device's number)",
    "MooreThreads/torch_musa: torch_musa/csrc/aten/musa/MUSAGraph.cpp (musaStreamGetCaptureInfo_v2)",
    "facebookincubator/velox pull request 19088, NVIDIA/stdexec issue 1619 (what the change looks like)",
)
TRIGGERS = triggers(CODE)
VALID = (
    "void f() { cudaMemPrefetchAsync(p, n, device); cudaMemPrefetchAsync(p, n, device, 0); }\n",
    "void f() { cudaMemPrefetchAsync(p, n, cudaCpuDeviceId, stream); }\n",
    "void f() { cudaMemAdvise(p, n, cudaMemAdviseSetReadMostly, 0); }\n",
    "void f() { cuMemPrefetchAsync(p, n, device, stream); cuCtxCreate(&c, 0, device); }\n",
    "void f() { cudaGraphAddDependencies(g, &a, &b, 1); cudaGraphGetEdges(g, nullptr, nullptr, &n); }\n",
    "void f() { cudaStreamGetCaptureInfo(s, &status, &id); cudaStreamGetCaptureInfo_v2(s, &t, &i, &g, &d, &n); }\n",
    "void f() { cudaStreamUpdateCaptureDependencies(s, &node, 1, 0); }\n",
    # Where the file asks for the version, MUSA takes the branch for the oldest one (MUS204).
    "#if CUDART_VERSION >= 13000\nvoid f(cudaMemLocation l) { cudaMemPrefetchAsync(p, n, l, 0, s); }\n#endif\n",
    "// cudaMemPrefetchAsync(p, n, where, 0, s)\n",
    "void f(P p) { p.cuCtxCreate(&c, nullptr, 0, device); }\n",
    "void f() { cudaGraphExecUpdate(e, g, &node, &result); }\n",
)
_UNTIL_13 = "cudaMemLocation l;\n  l.type = cudaMemLocationTypeDevice;\n  l.id = dev;\n  "
INVALID = (
    Case(
        f"void f(int dev) {{\n  {_UNTIL_13}CHECK(cudaMemPrefetchAsync(p, n, l, 0));\n}}\n",
        output="void f(int dev) {\n  int l;\n  l = dev;\n  CHECK(cudaMemPrefetchAsync(p, n, l));\n}\n",
    ),
    Case(
        "void f() {\n  cudaMemLocation h;\n  h.type = cudaMemLocationTypeHost;\n"
        "  cudaMemPrefetchAsync(p, n, h, 0, s);\n  cudaMemAdvise(p, n, cudaMemAdviseSetPreferredLocation, h);\n}\n",
        output="void f() {\n  int h;\n  h = musaCpuDeviceId;\n"
        "  cudaMemPrefetchAsync(p, n, h, s);\n  cudaMemAdvise(p, n, cudaMemAdviseSetPreferredLocation, h);\n}\n",
    ),
    Case(
        "void f() { const cudaMemLocation l = {cudaMemLocationTypeDevice, g(1, 2)}; "
        "cudaMemAdvise(p, n, cudaMemAdviseSetReadMostly, l); }\n",
        output="void f() { const int l = g(1, 2); cudaMemAdvise(p, n, cudaMemAdviseSetReadMostly, l); }\n",
    ),
    Case(
        "void f() { cudaMemLocation l{.type = cudaMemLocationTypeHost, .id = 0}; cudaMemPrefetchAsync(p, n, l, 0); }\n",
        output="void f() { int l = musaCpuDeviceId; cudaMemPrefetchAsync(p, n, l); }\n",
    ),
    Case(
        "void f() { cudaMemPrefetchAsync(p, n, {cudaMemLocationTypeDevice, dev}, 0, s); }\n",
        output="void f() { cudaMemPrefetchAsync(p, n, dev, s); }\n",
    ),
    Case(
        "void f() { cudaMemPrefetchAsync_v2(p, n, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0, s); }\n",
        output="void f() { musaMemPrefetchAsync(p, n, musaCpuDeviceId, s); }\n",
    ),
    Case(
        "void f() { CUmemLocation l = {}; l.type = CU_MEM_LOCATION_TYPE_DEVICE; l.id = dev; "
        "cuMemPrefetchAsync(p, n, l, 0, s); }\n",
        output="void f() { MUdevice l = {}; l = dev; cuMemPrefetchAsync(p, n, l, s); }\n",
    ),
    # Two devices in turn: the number is set anew, as the member was.
    Case(
        "void f() { cudaMemLocation l; l.type = cudaMemLocationTypeDevice; for (int i = 0; i < 2; i++) { l.id = i; "
        "cudaMemPrefetchAsync(p, n, l, 0, s[i]); } }\n",
        output="void f() { int l; for (int i = 0; i < 2; i++) { l = i; cudaMemPrefetchAsync(p, n, l, s[i]); } }\n",
    ),
    # A declaration in each branch: all become numbers, or none does.
    Case(
        "void f() {\n#ifdef A\n  cudaMemLocation l = {cudaMemLocationTypeDevice, 1};\n#else\n  cudaMemLocation l;\n"
        "  l.type = cudaMemLocationTypeDevice;\n#endif\n  l.id = dev;\n  cudaMemPrefetchAsync(p, n, l, 0);\n}\n",
        output="void f() {\n#ifdef A\n  int l = 1;\n#else\n  int l;\n#endif\n  l = dev;\n"
        "  cudaMemPrefetchAsync(p, n, l);\n}\n",
    ),
    Case(
        "void f() {\n#ifdef A\n  cudaMemLocation l = {cudaMemLocationTypeDevice, 1};\n#endif\n#ifndef A\n"
        "  cudaMemLocation l = {cudaMemLocationTypeDevice, 0};\n#endif\n  cudaMemPrefetchAsync(p, n, l, 0);\n}\n",
        findings=("cudaMemPrefetchAsync(p, n, l, 0)",),
    ),
    # What is not plain is left: a location from elsewhere, one that may be of either kind, flags, a host's node.
    Case(
        "void f(cudaMemLocation l) { cudaMemPrefetchAsync(p, n, l, 0); }\n",
        findings=("cudaMemPrefetchAsync(p, n, l, 0)",),
    ),
    Case(
        "void f() { cudaMemPrefetchAsync(p, n, here(), 0, s); }\n",
        findings=("cudaMemPrefetchAsync(p, n, here(), 0, s)",),
    ),
    Case(
        "void f() { cudaMemLocation l; l.type = x ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice; l.id = 0; "
        "cudaMemPrefetchAsync(p, n, l, 0); }\n",
        findings=("cudaMemPrefetchAsync(p, n, l, 0)",),
    ),
    Case(
        f"void f(int dev) {{ {_UNTIL_13}g(&l); cudaMemPrefetchAsync(p, n, l, 0); }}\n",
        findings=("cudaMemPrefetchAsync(p, n, l, 0)",),
    ),
    Case(
        f"void f(int dev) {{ {_UNTIL_13}cudaMemPrefetchAsync(p, n, l, flags, s); }}\n",
        findings=("cudaMemPrefetchAsync(p, n, l, flags, s)",),
    ),
    Case(
        "void f() { cudaMemPrefetchAsync(p, n, {cudaMemLocationTypeHostNuma, 1}, 0, s); }\n",
        findings=("cudaMemPrefetchAsync(p, n, {cudaMemLocationTypeHostNuma, 1}, 0, s)",),
    ),
    Case(
        "void f() { cudaMemLocation l; l.id = 0; if (c) l.type = cudaMemLocationTypeHost; "
        "cudaMemPrefetchAsync(p, n, l, 0); }\n",
        findings=("cudaMemPrefetchAsync(p, n, l, 0)",),
    ),
    # Edge data.
    Case(
        "void f() { cudaGraphAddDependencies(g, &a, &b, nullptr, 1); cudaGraphGetEdges(g, a, b, NULL, &n); }\n",
        output="void f() { cudaGraphAddDependencies(g, &a, &b, 1); cudaGraphGetEdges(g, a, b, &n); }\n",
    ),
    Case(
        "void f() { cudaGraphNodeGetDependencies_v2(x, d, nullptr, &n); cuGraphNodeGetDependentNodes(x, d, 0, &n); }\n",
        output="void f() { musaGraphNodeGetDependencies(x, d, &n); cuGraphNodeGetDependentNodes(x, d, &n); }\n",
    ),
    Case(
        "void f() { cudaStreamGetCaptureInfo(s, &t, &id, &g, &d, nullptr, &n); "
        "cudaStreamUpdateCaptureDependencies(s, d, nullptr, 1); }\n",
        output="void f() { musaStreamGetCaptureInfo_v2(s, &t, &id, &g, &d, &n); "
        "cudaStreamUpdateCaptureDependencies(s, d, 1); }\n",
    ),
    Case(
        "void f() { cudaGraphAddDependencies(g, &a, &b, &data, 1); }\n",
        findings=("cudaGraphAddDependencies(g, &a, &b, &data, 1)",),
    ),
    Case("void f() { cudaGraphExecUpdate(e, g, &info); }\n", findings=("cudaGraphExecUpdate(e, g, &info)",)),
    # A context's parameters.
    Case("void f() { cuCtxCreate(&c, nullptr, 0, dev); }\n", output="void f() { cuCtxCreate(&c, 0, dev); }\n"),
    Case(
        "void f() {\n  CUctxCreateParams params = {};\n  CHECK(cuCtxCreate(&c, &params, 0, dev));\n}\n",
        output="void f() {\n  CHECK(cuCtxCreate(&c, 0, dev));\n}\n",
    ),
    Case(
        "void f() { CUctxCreateParams p = {}; p.execAffinityParams = &a; cuCtxCreate(&c, &p, 0, dev); }\n",
        findings=("cuCtxCreate(&c, &p, 0, dev)",),
    ),
)


class _Form(NamedTuple):
    """A function whose newer form has one argument more. ``only`` are the numbers of arguments that no older form
    takes; ``extra`` is where the new argument stands; ``location`` where a location stands instead of a number.
    ``older`` is the name on MUSA where it is not the plain one's."""

    only: tuple[int, ...]
    extra: int = -1
    location: int = -1
    older: bytes = b""


_EDGES = {
    b"GraphAddDependencies": _Form((5,), 3),
    b"GraphRemoveDependencies": _Form((5,), 3),
    b"GraphGetEdges": _Form((5,), 3),
    b"GraphNodeGetDependencies": _Form((4,), 2),
    b"GraphNodeGetDependentNodes": _Form((4,), 2),
    b"GraphAddNode": _Form((6,), 3),
    b"StreamUpdateCaptureDependencies": _Form((5,), 2),
}


def _forms() -> dict[bytes, _Form]:
    found: dict[bytes, _Form] = {}
    for cuda, musa in ((b"cuda", b"musa"), (b"cu", b"mu")):
        for name, form in _EDGES.items():
            found[cuda + name] = form
            found[cuda + name + b"_v2"] = form._replace(older=musa + name)
        found[cuda + b"StreamGetCaptureInfo"] = _Form((7,), 5, older=musa + b"StreamGetCaptureInfo_v2")
        found[cuda + b"StreamGetCaptureInfo_v3"] = _Form((7,), 5, older=musa + b"StreamGetCaptureInfo_v2")
        found[cuda + b"MemPrefetchAsync"] = _Form((5,), 3, 2)
        found[cuda + b"MemPrefetchAsync_v2"] = _Form((4, 5), 3, 2, musa + b"MemPrefetchAsync")
        found[cuda + b"MemAdvise"] = _Form((), location=3)
        found[cuda + b"MemAdvise_v2"] = _Form((4,), location=3, older=musa + b"MemAdvise")
    return found


_FORMS = _forms()
_NULLS = frozenset((b"nullptr", b"NULL", b"0"))
_ZEROS = frozenset((b"0", b"0u", b"0U"))
_CONTEXTS = frozenset((b"cuCtxCreate", b"cuCtxCreate_v4"))
_VERSIONS = (b"CUDART_VERSION", b"CUDA_VERSION", b"__CUDACC_VER_MAJOR__")
_UPDATE = b"cudaGraphExecUpdate"


def find(unit: Unit) -> Iterator[Edit | Finding]:
    """The older form of each call whose arguments are plain, and a finding over each other one in the newer form."""
    asked = _asked(unit)
    held: list[Call] = []
    for index, closed, given in calls(unit, TRIGGERS):
        start = unit.tokens[index].start
        if any(begin <= start < end for begin, end in asked):
            continue
        call = Call(index, closed, given)
        name = unit.tokens[index].text
        if name == _UPDATE:
            if len(given) == 3:
                yield _finding(
                    unit, call, "in CUDA 12 it takes one structure for the result; ports give a node and a result"
                )
        elif name in _CONTEXTS or name in _FORMS:
            held.append(call)
    located = [call for call in held if _place(unit, call) >= 0]
    places = locations(unit, [(call, _place(unit, call), _flags_are_plain(unit, call)) for call in located])
    plain = contexts(unit, [call for call in held if unit.tokens[call.name].text in _CONTEXTS])
    yield from places.edits
    yield from plain.edits
    for call in held:
        yield from _lowered(unit, call, plain if unit.tokens[call.name].text in _CONTEXTS else places)


def _place(unit: Unit, call: Call) -> int:
    """Which argument is a location, where the call can be in the newer form; else -1."""
    form = _FORMS.get(unit.tokens[call.name].text)
    return -1 if form is None or form.location < 0 or len(call.given) <= form.location else form.location


def _flags_are_plain(unit: Unit, call: Call) -> bool:
    extra = _FORMS[unit.tokens[call.name].text].extra
    return not 0 <= extra < len(call.given) or _word(unit, call, extra) in _ZEROS


def _lowered(unit: Unit, call: Call, places: Places) -> Iterator[Edit | Finding]:
    toks = unit.tokens
    name, count = toks[call.name].text, len(call.given)
    if name in _CONTEXTS:
        if count == 4:
            if call in places.settled or _word(unit, call, 1) in _NULLS:
                yield _without(unit, call, 1)
            else:
                yield _finding(unit, call, "CUDA 13 has parameters for a context there, which MUSA has not")
        return
    form = _FORMS[name]
    newer = count in form.only or (form.location >= 0 and call in places.known)
    if not newer and not (name == b"cudaStreamUpdateCaptureDependencies" and count == 4 and _null(unit, call, 2)):
        return
    extra = form.extra if form.extra < count else -1
    if form.location >= 0:
        if not _flags_are_plain(unit, call):
            yield _finding(unit, call, "MUSA's form has no flags, and these are not a plain 0")
            return
        if call not in places.settled:
            yield _finding(
                unit, call, "MUSA takes a device's number where this gives a location that is not plainly one"
            )
            return
        yield from places.replaced(call)
    elif not _null(unit, call, extra):
        yield _finding(unit, call, "MUSA's form has no edge data, and this asks for them or gives some")
        return
    if extra >= 0:
        yield _without(unit, call, extra)
    if form.older:
        token = toks[call.name]
        yield Edit(token.start, token.end, token.text, form.older, CODE, "rule")


def _word(unit: Unit, call: Call, position: int) -> bytes:
    """An argument that is one token."""
    start, end = call.given[position]
    return unit.tokens[start].text if end == start + 1 else b""


def _null(unit: Unit, call: Call, position: int) -> bool:
    words = _NULLS if len(call.given) in _FORMS[unit.tokens[call.name].text].only else _NULLS - {b"0"}
    return _word(unit, call, position) in words


def _without(unit: Unit, call: Call, position: int) -> Edit:
    """The edit that takes an argument out, with the comma before it."""
    start = unit.tokens[call.given[position][0] - 2].end
    end = unit.tokens[call.given[position][1] - 1].end
    return Edit(start, end, unit.src[start:end], b"", CODE, "rule")


def _asked(unit: Unit) -> list[tuple[int, int]]:
    """The bytes that a condition over CUDA's version governs."""
    return [
        (branch.body_start, branch.body_end)
        for conditional in unit.conditionals
        if any(_asks(unit, branch.directive.start, branch.directive.end) for branch in conditional.branches)
        for branch in conditional.branches
        if branch.directive.keyword in CONDITIONS or branch.directive.keyword == b"else"
    ]


def _asks(unit: Unit, start: int, end: int) -> bool:
    return any(unit.src.find(name, start, end) >= 0 for name in _VERSIONS)


def _finding(unit: Unit, call: Call, why: str) -> Finding:
    toks = unit.tokens
    name = toks[call.name].text.decode("ascii")
    return Finding(
        CODE,
        "error",
        toks[call.name].start,
        toks[call.closed].end,
        f"{name} is called in a form that CUDA had later than the one MUSA has: {why}. Write the older form.",
        effort=EFFORT,
        settled=False,
        name=name,
    )
