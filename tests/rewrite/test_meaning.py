"""Which wrong versions that survive say nothing against a check."""

from musify_ai.rewrite.gates.meaning import without_equal
from musify_ai.rewrite.gates.protocol import Candidate
from tests.rewrite.projects import fenced, project
from tests.rewrite.test_gates_running import HEAD, SOURCE

BODY = """{
    const int pair = threadIdx.x % 4;
    const float w = v + v;
    shared[threadIdx.x] = __shfl_sync(0xffffffffu, w, pair * 8, 32);
    return pair < n ? shared[threadIdx.x] + (w + v) * 2 : v;
}"""
OPERATOR, WIDTH, LANE = "a.cu:3: operator (threadIdx.x % 4)", "a.cu:5: width (32)", "a.cu:5: lane (pair * 8)"
CONSTANT, SUM, BOUND = "a.cu:3: constant (4)", "a.cu:4: operator (v + v)", "a.cu:6: operator (pair < n)"


def left(folder, *survivors):
    found, site = project(folder, {"a.cu": SOURCE})
    (unit,) = found.units
    codes = [piece.region if piece.optional else f"{HEAD} {BODY}".encode() for piece in unit.pieces]
    return without_equal(Candidate(unit, codes[0], fenced(BODY), site, 1, tuple(codes[1:])), survivors)


def test_an_operator_means_the_same_where_its_operands_are_noticed(tmp_path):
    assert left(tmp_path, OPERATOR) == []
    assert left(tmp_path, OPERATOR, CONSTANT) == [OPERATOR, CONSTANT]
    assert left(tmp_path, SUM) == [SUM]


def test_a_width_means_the_same_where_the_lane_is_noticed(tmp_path):
    assert left(tmp_path, WIDTH) == []
    assert left(tmp_path, WIDTH, LANE) == [WIDTH, LANE]


def test_a_bound_is_never_taken_for_equal_nor_is_what_stands_elsewhere(tmp_path):
    assert left(tmp_path, BOUND, "a.cu:99: operator (x % 4)") == [BOUND, "a.cu:99: operator (x % 4)"]
