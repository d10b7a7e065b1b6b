"""Where the seeds of made inputs begin: other inputs, the same questions."""

from musify_ai.records import Options
from musify_ai.verify import verify
from musify_ai.verify.probing import seeds_of

SOURCE = """
__global__ void twice(const int* x, int* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
"""


def test_seeds_begin_past_the_draw_with_the_same_modes():
    assert seeds_of(3) == ((1, "small"), (2, "edge"), (3, "wide"))
    assert seeds_of(3, 70_000_000_000) == (
        (70_000_000_001, "small"), (70_000_000_002, "edge"), (70_000_000_003, "wide"),
    )  # fmt: skip


def test_another_draw_gives_other_inputs_and_says_how_to_have_them_again(tmp_path):
    for side, text in (("a", SOURCE), ("b", SOURCE.replace("2 * x[i]", "2 * x[i] + (i == 0)"))):
        (tmp_path / side).mkdir()
        (tmp_path / side / "k.cu").write_text(text)
    rows = []
    for draw in (0, 5_000_000):
        options = Options(archs=("mp_31",), draw=draw, schedules=("forward", "interleaved") if draw else ())
        checked = verify(tmp_path / "a", tmp_path / "b", files={"k.cu": "k.cu"}, options=options)
        rows.append(checked.verdicts[0].evidence[0])
    assert [row.outcome for row in rows] == ["differs", "differs"]
    assert rows[0].detail != rows[1].detail
    assert rows[1].seeds == (5_000_001, 5_000_002, 5_000_003)
    assert [row.schedules for row in rows] == [("forward", "reverse", "random:1"), ("forward", "interleaved")]
    assert "--schedules=forward,interleaved" in rows[1].repeat and "--schedules" not in rows[0].repeat
    assert "--draw=5000000" in rows[1].repeat and "--draw" not in rows[0].repeat
