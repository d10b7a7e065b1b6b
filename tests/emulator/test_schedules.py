"""The order of threads under each schedule."""

import pytest


def lists(run, schedule):
    ran = run("order.cpp", schedule=schedule)
    assert (ran.status, ran.findings) == (0, [])
    first, second = ([int(cell) for cell in line.split()] for line in ran.out.splitlines())
    return first, second


def test_orders(run, side):
    ascending = [1000 * block + t for block in range(4) for t in range(256)]
    assert lists(run, "forward") == (ascending, list(range(256)))
    assert lists(run, "reverse") == (ascending[::-1], list(range(256))[::-1])
    first, second = lists(run, "random:4")
    assert sorted(first) == ascending and first != ascending
    assert (first, second) == lists(run, "random:4")


def test_interleaved_warps_and_blocks_take_turns(run, side):
    first, second = lists(run, "interleaved")
    by_lane = [t for lane in range(side[1]) for t in range(lane, 256, side[1])]
    for block in range(4):
        assert [each % 1000 for each in first if each // 1000 == block] == by_lane
    assert second == by_lane
    assert {each // 1000 for each in first[:9]} == {0, 1, 2}  # three blocks side by side


@pytest.mark.parametrize("program", ["threads.cpp", "warps.cpp", "named_barriers.cpp"])
def test_what_is_right_is_right_interleaved_too(run, program):
    forward, interleaved = run(program), run(program, schedule="interleaved")
    assert interleaved.status == 0
    assert interleaved.out == forward.out
    assert interleaved.kinds() == forward.kinds()
