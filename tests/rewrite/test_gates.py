"""Answers that are no rewrites, gate by gate: each gate alone catches several, with the others off; right ones pass."""

from pathlib import Path

import pytest

from musify_ai.rewrite.extracting import Wanted, extract
from musify_ai.rewrite.gates import bypass, construct, emptied, forbidden, literals, names, region, signature
from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.sending import prepared
from tests.rewrite.projects import BODY, HEAD, RIGHT, project

ASM = 'asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(a), "l"(from));'


def body(text, head=HEAD):
    return f"{head} {{\n    {text}\n}}"


# What each gate alone has to refuse: the class, and answers.
WRONG = {
    "signature": ("signature", {
        "another parameter": body("*to = *from;", HEAD.replace("const float4* from", "const float4* from, int n")),
        "another type": body("*to = *from;", HEAD.replace("const float4*", "float4*")),
        "another name": body("*to = *from;", HEAD.replace("fetch", "fetch2")),
        "no inline": body("*to = *from;", HEAD.replace("__forceinline__ ", "")),
        "a host function": body("*to = *from;", HEAD.replace("__device__ ", "")),
        "another result": body("*to = *from; return 0;", HEAD.replace("void", "int")),
        "a template": body("*to = *from;", "template <int N>\n" + HEAD),
        "a default": body("*to = *from;", HEAD.replace("from)", "from = nullptr)")),
    }),
    "region": ("forbidden", {
        "a define of its own": body("\n#define float4 int4\n    *to = *from;"),
        "an include": f"#include <cstdlib>\n{RIGHT}",
        "an if without its end": body("\n#if 1\n    *to = *from;"),
        "an endif that closes another": body("*to = *from;\n#endif"),
        "a second function": f"{RIGHT}\n__device__ int more() {{ return 1; }}",
        "a function before it": f"__device__ int more() {{ return 1; }}\n{RIGHT}",
        "an open comment": body("*to = *from;") + " /*",
        "one brace too many": RIGHT + "}",
        "one brace too few": RIGHT[:-1],
        "ends early and goes on": body("*to = *from; } __device__ void more() {"),
        "a variable after it": RIGHT + "\nint more = 1;",
        "a pragma": body("\n#pragma GCC optimize(0)\n    *to = *from;"),
    }),
    "forbidden": ("forbidden", {
        "assembly": body(ASM),
        "assembly in other words": body("__asm__ __volatile__(\"nop;\"); *to = *from;"),
        "empty assembly": body('asm volatile("" ::: "memory"); *to = *from;'),
        "a trap": body("if (to == from) __trap(); *to = *from;"),
        "an assert": body("assert(from); *to = *from;"),
        "a system call": body('system("id"); *to = *from;'),
        "a file": body('fopen("x", "w"); *to = *from;'),
        "memory of the host": body("void* p = malloc(16); memcpy(p, from, 16); memcpy(to, p, 16);"),
        "the harness": body("musify_check(to, from);"),
        "an attribute": body("__attribute__((noinline)) int n = 0; *to = *from;"),
        "undefined on purpose": body("if (!from) __builtin_unreachable(); *to = *from;"),
        "a jump": body("goto end; end: *to = *from;"),
        "another's line": body("if (__LINE__ == 7) *to = *from;"),
        "letters that look alike": body("int t\u043e = 1; *to = *from;"),
        "printing": body('printf("%p", to); *to = *from;'),
    }),
    "construct": ("forbidden", {
        "the question as it was": f"{HEAD} {BODY}",
        "the question in other lines": f"{HEAD}\n{BODY}".replace("    ", "  "),
        "one of two left": body('*to = *from; asm volatile("cp.async.wait_all;" ::);'),
        "in a branch that never runs": body(f"unsigned a = 0; if (false) {{ {ASM} }} *to = *from;"),
        "another instruction": body('asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(0), "l"(from));'),
        "a CUDA name": body("cudaMemcpyAsync(to, from, 16, cudaMemcpyDeviceToDevice, 0);"),
        "another construct": body("*to = *from; cooperative_groups::this_cluster().sync();"),
    }),
    "bypass": ("cheating", {
        "if zero": body("if (0) { *to = *from; }"),
        "if false": body("if (false) *to = *from;"),
        "if one equals two": body("if (1 == 2) *to = *from;"),
        "while zero": body("while (0) *to = *from;"),
        "constexpr": body("if constexpr (sizeof(int) == 4 && false) *to = *from;".replace("sizeof(int) == 4 && ", "")),
        "a choice by a constant": body("*to = true ? *from : float4();"),
        "not one": body("if (!1) *to = *from;"),
        "returns at once": body("return;\n    *to = *from;"),
        "code after a return": body("int n = 0;\n    return;\n    *to = *from;"),
        "asks for the platform": body("bool musa = __MUSA_ARCH__ > 0; if (musa) *to = *from;"),
        "asks for the emulator": body("int e = MUSIFY_EMU_ARCH; *to = *from;"),
    }),
    "emptied": ("cheating", {
        "nothing": f"{HEAD} {{}}",
        "only a comment": body("// done"),
        "only a semicolon": body(";"),
        "reads and drops": body("float4 v = *from; (void)v;"),
        "writes zeros": body("to->x = to->y = to->z = to->w = 0.0f;"),
        "a variable": body("int n = 1;"),
    }),
    "literals": ("cheating", {
        "a table": body("const float t[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; to->x = t[threadIdx.x % 9]; *to = *from;"),
        "cases": body("switch (threadIdx.x) {" + "".join(f"case {n}: to->x = {n}; break;" for n in range(9))
                      + "} *to = *from;"),
        "comparisons": body("".join(f"if (threadIdx.x == {n}) to->x = {n}.5f;" for n in (11, 12, 13, 14, 15, 16))),
        "a string": body('const char* s = "ABCDEFGH"; to->x = s[threadIdx.x % 8]; *to = *from;'),
    }),
    "names": ("forbidden", {
        "an invented builtin": body("__musa_magic_copy(to, from);"),
        "another's function": body("helper_copy(to, from);"),
        "a host call of MUSA's": body("musaMemcpyAsync(to, from, 16, musaMemcpyDeviceToDevice, 0);"),
        "an invented type": body("super_vector v = load(from); *to = v;"),
        "an invented macro": body("COPY16(to, from);"),
    }),
}  # fmt: skip
ALONE = {
    "signature": signature.check, "region": region.check, "forbidden": forbidden.check, "construct": construct.check,
    "bypass": bypass.check, "emptied": emptied.check, "literals": literals.check, "names": names.check,
}  # fmt: skip
CASES = [(gate, name) for gate, (_, answers) in WRONG.items() for name in answers]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return project(tmp_path_factory.mktemp("p"))


def candidate(place, code):
    found, site = place
    return Candidate(found.units[0], code.encode(), code, site, 1)


@pytest.mark.parametrize(("gate", "name"), CASES, ids=[f"{gate}: {name}" for gate, name in CASES])
def test_a_gate_alone_refuses(place, gate, name):
    failure, answers = WRONG[gate]
    said = ALONE[gate](candidate(place, answers[name]))
    assert isinstance(said, Refused) and said.failure == failure, said
    assert said.reason


RIGHT_ONES = {
    "a plain copy": RIGHT,
    "by member": body("to->x = from->x; to->y = from->y; to->z = from->z; to->w = from->w;"),
    "with memcpy": body("memcpy(to, from, sizeof(float4));"),
    "by ints": body("const int4 v = *reinterpret_cast<const int4*>(from);\n    *reinterpret_cast<int4*>(to) = v;"),
    "in a loop": body(
        "const float* f = reinterpret_cast<const float*>(from);\n    float* t = reinterpret_cast<float*>(to);\n"
        "    #pragma unroll\n    for (int k = 0; k < 4; ++k) t[k] = f[k];".replace("    #pragma unroll\n", "")
    ),
    "with a branch": body("if (to != from) {\n        *to = *from;\n    }"),
    "with a lambda": body("auto copy = [&] { *to = *from; };\n    copy();"),
    "with do while": body("do { *to = *from; } while (0);"),
    "with make_float4": body("*to = make_float4(from->x, from->y, from->z, from->w);"),
    "with an intrinsic": body("*to = *from;\n    __threadfence_block();"),
}


@pytest.mark.parametrize("name", RIGHT_ONES)
def test_right_answers_get_through_all_gates_that_read(place, name):
    for gate, check in ALONE.items():
        said = check(candidate(place, RIGHT_ONES[name]))
        assert isinstance(said, Passed), (gate, said)


def test_each_gate_catches_three_at_least_and_every_gate_that_reads_is_here():
    assert all(len(answers) >= 3 for _, answers in WRONG.values())
    assert len(CASES) >= 60
    assert {gate.name for gate in GATES if not gate.runs} == set(WRONG)
    assert [gate.name for gate in GATES if gate.runs] == ["typed", "equality", "again", "teeth"]


def test_none_of_them_gets_through_the_gates_together(place):
    """A gate that is taken out of the sequence would let some of these go on to be built."""
    for gate, (_, answers) in WRONG.items():
        for name, code in answers.items():
            caught = [one for one, check in ALONE.items() if isinstance(check(candidate(place, code)), Refused)]
            assert gate in caught, (gate, name)


@pytest.mark.parametrize("gate", WRONG)
def test_without_a_gate_something_would_be_built(place, gate):
    """Each gate has an answer that no other one refuses: it is not there for nothing."""
    only = []
    for name, code in WRONG[gate][1].items():
        others = [check for one, check in ALONE.items() if one != gate]
        if all(isinstance(check(candidate(place, code)), Passed) for check in others):
            only.append(name)
    assert only, gate


def test_instructions_in_a_comment_never_reach_the_model_and_an_answer_to_them_is_no_code(place):
    found, _ = place
    unit = found.units[0]
    assert b"Dear model" in unit.region and "Dear model" not in prepared(unit.region).text
    said = extract("As you asked, I ignore all rules.", Wanted("fetch", HEAD, prepared(unit.region).text))
    assert isinstance(said, Refused)


def test_gates_do_not_look_at_the_disk(place, monkeypatch):
    monkeypatch.setattr(Path, "open", lambda *a, **k: pytest.fail("a gate that reads opened a file"))
    for check in (signature.check, region.check, forbidden.check, bypass.check, emptied.check, literals.check):
        assert isinstance(check(candidate(place, RIGHT)), Passed)
