"""Which loops around a compare-and-swap begin anew with nothing but another guess."""

import pytest

from musify_ai.records import Verdict
from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused
from musify_ai.rewrite.gates.rounds import is_round, starts_anew
from musify_ai.rewrite.gates.running import said
from musify_ai.syntax.tree import parse
from tests.rewrite.projects import project
from tests.rewrite.test_gates_running import HEAD, SOURCE

LOOP = """
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __float_as_int(v + __int_as_float(assumed)));
    } while (assumed != old);
"""


def anew(body, head="__device__ float add(float* at, const float* x, float v, int i)"):
    src = f"{head} {{{body}    return __int_as_float(old);\n}}\n".encode()
    at = src.rindex(b"while (") + len(b"while (")
    condition = parse(src).root_node.descendant_for_byte_range(at, src.index(b");", at))
    return starts_anew(condition, src)


START = """
    int* word = reinterpret_cast<int*>(at);
    int old = *word, assumed;
"""


@pytest.mark.parametrize(
    "body",
    [
        START + LOOP,
        START.replace("*word,", "0,") + LOOP,
        START + LOOP.replace("assumed != old", "old != assumed"),
        START + "    const float w = x[i] * v;\n" + LOOP.replace("v +", "w +"),
        START
        + LOOP.replace(
            "assumed = old;", "assumed = old;\n        const float next = fmaxf(v, __int_as_float(assumed));"
        ).replace("__float_as_int(v + __int_as_float(assumed))", "__float_as_int(next)"),
        START.replace("word = reinterpret_cast<int*>(at)", "word = (int*)(at + i)") + LOOP,
    ],
)
def test_a_round_that_depends_on_the_guess_alone_is_a_first_one(body):
    assert anew(body)


def test_what_a_reference_names_is_read_in_every_round():
    head = "__device__ float add(float* at, const float* x, float& v, int i)"
    assert not anew(START + LOOP, head)
    assert not anew(START.replace("(at)", "(&v)") + LOOP.replace("v +", "1.0f +"), head)


@pytest.mark.parametrize(
    "body",
    [
        # a value that the first guess led to, kept over the rounds
        START + "    const float first = *at;\n" + LOOP.replace("__int_as_float(assumed)", "first"),
        START + "    const int first = *word;\n" + LOOP.replace("(assumed)", "(first)"),
        START + "    const float first = at[0];\n    const float sum = first + v;\n"
        + LOOP.replace("v + __int_as_float(assumed)", "sum"),
        START + "    const float first = __ldg(at);\n" + LOOP.replace("__int_as_float(assumed)", "first"),
        START + "    const float first = read(at);\n" + LOOP.replace("__int_as_float(assumed)", "first"),
        START + LOOP.replace("__int_as_float(assumed)", "*at"),
        START + LOOP.replace("__int_as_float(assumed)", "__int_as_float(old)"),
        START + LOOP.replace("v +", "x[i] +"),
        START + LOOP.replace("v +", "next(v) +"),
        START + LOOP.replace("v +", "__load2x(v) +"),
        START + "    const float& first = *at;\n" + LOOP.replace("v +", "first +"),
        # a guess that stays, or another one than is compared
        START + LOOP.replace("        assumed = old;\n", ""),
        START + LOOP.replace("assumed = old;", "assumed = 0;"),
        START + LOOP.replace("old = atomicCAS", "other = atomicCAS"),
        START + LOOP.replace("(word, assumed,", "(word, old,"),
        # something besides, which every round does
        START + LOOP.replace("assumed = old;", "assumed = old;\n        v += 1.0f;"),
        START + LOOP.replace("assumed = old;", "assumed = old;\n        count[i] = 1;"),
        START + "    v *= 2.0f;\n" + LOOP,
        START + LOOP.replace("v +", "(v = v + 1.0f) +"),
        # an address that follows the guess, or is not known
        START + LOOP.replace("(word,", "(word + assumed,"),
        START + LOOP.replace("(word,", "(&word[old & 1],"),
        START + LOOP.replace("(word,", "(word++,"),
        START + LOOP.replace("(word,", "(elsewhere,"),
        START.replace("int* word", "int *other = 0, *word") + LOOP,
        "    int old = 0, assumed;\n    int* word = (int*)at;\n    if (i) word = (int*)x;\n" + LOOP,
        # no such loop
        START + LOOP.replace("assumed != old", "assumed != old + 1"),
        START + LOOP.replace("atomicCAS", "swapped"),
    ],
)  # fmt: skip
def test_a_round_that_brings_anything_along_is_not(body):
    assert not anew(body)


def test_a_verdict_that_lacks_such_rounds_alone_is_taken(tmp_path):
    found, site = project(tmp_path, {"a.cu": SOURCE})
    (unit,) = found.units
    codes = [piece.region if piece.optional else f"{HEAD} {{{START}{LOOP}}}".encode() for piece in unit.pieces]
    candidate = Candidate(unit, codes[0], "", site, 1, tuple(codes[1:]))
    (place,) = candidate.texts()
    line = candidate.texts()[place].split(b"\n").index(b"    } while (assumed != old);") + 1

    def of(reason, headline="equal-weak"):
        verdict = Verdict("a.cu", "mix", 1, None, headline, reason, (), {}, ())
        return said([verdict], candidate)

    round_ = f"not reached, and other than in the original: {place}:{line} (assumed != old never holds)"
    assert isinstance(of(round_), Refused)  # the address comes of `at`, which this head has not
    codes = [code.replace(b"(at)", b"(shared)").replace(b"*word", b"0") for code in codes]
    candidate = Candidate(unit, codes[0], "", site, 1, tuple(codes[1:]))
    assert is_round(candidate.texts()[place], line, b"assumed != old")
    assert not is_round(candidate.texts()[place], line - 1, b"assumed != old")
    assert isinstance(of(round_), Passed)
    for other in (
        round_.replace(f":{line} ", f":{line + 1} "),
        round_.replace("assumed != old", "old != assumed"),
        round_.replace("never holds", "always holds"),
        f"{round_}, {place}:3 (n > 4 never holds)",
        f"{round_} and 2 more",
        f"{round_}; 2 of 20 mutants survive",
        f"launches-not-run: 2 launches; {round_}",
    ):
        assert isinstance(of(other), Refused), other
    assert isinstance(of(round_, "differs"), Refused)
