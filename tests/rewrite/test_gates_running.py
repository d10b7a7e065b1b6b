"""Answers that read well and are wrong, through the gates that build and run: each gate alone, with the others off."""

import pytest

from musify_ai.backends import sandbox
from musify_ai.records import Evidence, Options, Verdict
from musify_ai.rewrite.gates import again, equality, teeth, typed
from musify_ai.rewrite.gates.protocol import Candidate, Passed, Refused
from musify_ai.rewrite.gates.sequence import GATES
from musify_ai.rewrite.loop import Judge, looked_at
from tests.rewrite.projects import project

pytestmark = pytest.mark.skipif(
    bool(sandbox.missing()), reason=f"code from a model is not run here: {sandbox.missing()}"
)

HEAD = "__device__ float butterfly(float v, float* shared, int n)"
SOURCE = f"""#include <cuda_runtime.h>
{HEAD} {{
    asm volatile("bar.sync 1, 32;" ::: "memory");
    shared[threadIdx.x] = v;
    asm volatile("bar.sync 1, 32;" ::: "memory");
    const float other = shared[threadIdx.x ^ 3];
    asm volatile("bar.sync 1, 32;" ::: "memory");
    return threadIdx.x < n ? v + other : v;
}}
__global__ void mix(const float* x, float* y, int n) {{
    __shared__ float shared[32];
    const int i = blockIdx.x * 32 + threadIdx.x;
    const float v = i < n ? x[i] : 0.0f;
    const float mixed = butterfly(v, shared, n);
    if (i < n) y[i] = mixed;
}}
void run(const float* x, float* y, int n) {{ mix<<<(n + 31) / 32, 32>>>(x, y, n); }}
"""
RIGHT = """
    __syncthreads();
    shared[threadIdx.x] = v;
    __syncthreads();
    const float other = shared[threadIdx.x ^ 3];
    __syncthreads();
    return threadIdx.x < n ? v + other : v;
"""
BARRIER, NEIGHBOUR = "__syncthreads();\n    const", "shared[threadIdx.x ^ 3]"
WRONG = {
    "a barrier left out": (RIGHT.replace(BARRIER, "const"), "numeric"),
    "a value made up": (RIGHT.replace(NEIGHBOUR, f"0.0f * {NEIGHBOUR}"), "numeric"),
    "another neighbour": (RIGHT.replace("^ 3", "^ 1"), "numeric"),
    "a barrier that half of them pass": (
        RIGHT.replace(BARRIER, f"if (threadIdx.x < 16) {BARRIER}"), "runtime|numeric"
    ),
    "no such function": (RIGHT.replace(NEIGHBOUR, f"{NEIGHBOUR}.get()"), "compile"),
}  # fmt: skip
# Right for every input that is tried, with a part that none reaches; and with a bound that no output shows.
HIDDEN = RIGHT.replace("return threadIdx", "if (n == 0x7eadbeef) shared[0] = v * 2.0f;\n    return threadIdx")
UNSHOWN = RIGHT.replace("threadIdx.x < n", "threadIdx.x <= n")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return project(tmp_path_factory.mktemp("p"), {"a.cu": SOURCE}, Options(archs=("mp_31",)))


def candidate(place, text):
    found, site = place
    (unit,) = found.units
    pieces = [piece.region if piece.optional else f"{HEAD} {{{text}}}".encode() for piece in unit.pieces]
    return Candidate(unit, pieces[0], text, site, 1, tuple(pieces[1:]))


@pytest.mark.parametrize("name", WRONG)
def test_each_gate_that_runs_refuses_a_wrong_answer_alone(place, name):
    text, failures = WRONG[name]
    tried = candidate(place, text)
    for gate in (equality, again, teeth):
        said = gate.check(tried)
        assert isinstance(said, Refused), (gate, said)
        assert said.failure in (*failures.split("|"), "nondeterministic"), said
        assert said.reason and (said.report or "original" in said.reason)


@pytest.mark.parametrize(
    "text",
    [RIGHT.replace("^ 3]", "^ 3].get()"), RIGHT.replace("float other =", "float* other ="),
     RIGHT.replace("__syncthreads();", "__syncthreads(n, v);", 1), RIGHT.replace("shared[", "sharde[", 1)],
)  # fmt: skip
def test_what_does_not_fit_the_declarations_is_refused_before_anything_is_built(place, text):
    pytest.importorskip("clang", reason="libclang is not installed (musify-ai[verify])")
    said = typed.check(candidate(place, text))
    assert isinstance(said, Refused) and said.failure == "compile" and "a.cu:" in said.report, said
    assert isinstance(typed.check(candidate(place, RIGHT)), Passed)


def test_a_part_that_no_input_reaches_is_not_taken(place):
    said = equality.check(candidate(place, HIDDEN))
    assert isinstance(said, Refused) and "not reached" in said.reason


def test_what_the_check_could_not_notice_is_seen_by_its_mutants_alone(place):
    tried = candidate(place, UNSHOWN)
    assert isinstance(equality.check(tried), Passed) and isinstance(again.check(tried), Passed)
    said = teeth.check(tried)
    assert isinstance(said, Refused) and "would not notice" in said.reason and "<= n" in said.reason


def test_a_right_answer_gets_through_every_gate(place):
    said, _ = looked_at(candidate(place, RIGHT), Judge(GATES))
    assert isinstance(said, Passed), said
    assert said.notes[0] == "mix: equal-emulated" and [verdict.name for verdict in said.verdicts] == ["mix"]


@pytest.mark.parametrize("outcome", ["differs", "build-failed", "equal-weak"])
def test_what_comes_out_equal_once_by_luck_is_refused_by_the_second_look_alone(place, monkeypatch, outcome):
    """The gates together but for one: with it the answer is refused, without it nothing else would notice."""

    def verdicts(candidate, *, draw, mutants=False):
        found = "equal-emulated" if draw == candidate.draw else outcome
        row = Evidence("run", ("a", "b"), "mp_31", 32, (draw,), (), (), (), 0.0, (), found, "y is another")
        return (Verdict("a.cu", "mix", 1, None, found, "y is another", (), {"mp_31": found}, (row,)),)

    for gate in (equality, again):
        monkeypatch.setattr(gate, "verdicts", verdicts)
    tried = candidate(place, RIGHT)
    some = [gate for gate in GATES if gate.name not in ("typed", "teeth")]
    said, gate = looked_at(tried, Judge(some))
    assert isinstance(said, Refused) and gate == "again"
    assert said.failure == ("nondeterministic" if outcome != "build-failed" else "compile")
    assert isinstance(looked_at(tried, Judge([gate for gate in some if gate.name != "again"]))[0], Passed)


def test_a_mask_that_all_lanes_active_would_hide_is_not_taken(place):
    """Half of the warp is missing from it; every lane calls, so a device may well give the right value."""
    other = "const float other = __shfl_xor_sync(0x0000ffffu, v, 3, 32);"
    wrong = RIGHT.replace(f"const float other = {NEIGHBOUR};", other)
    assert wrong != RIGHT
    said, gate = looked_at(candidate(place, wrong), Judge([each for each in GATES if each.name != "teeth"]))
    assert isinstance(said, Refused) and gate == "equality" and "element 16 is" in said.reason, said
