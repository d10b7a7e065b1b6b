"""Complex numbers on both sides, and CUDA's typed atomics."""

import pytest


@pytest.mark.parametrize("schedule", ["forward", "reverse", "random:3"])
def test_answers(run, side, schedule):
    ran = run("complex.cpp", schedule=schedule)
    assert (ran.status, ran.findings) == (0, [])
    lines = {line.split()[0]: [float(cell) for cell in line.split()[1:]] for line in ran.out.splitlines()}
    a, b = 3 + 4j, -1 + 2j
    turned = (1 + 2j + 3j).conjugate() * 1j
    ratio = (1e200 + 1e200j) / 2e200  # no part overflows on the way
    parts = [a + b, a - b, a * b, a, ratio, turned]
    wanted = [part for each in parts for part in (each.real, each.imag)]
    wanted += [abs(a), 5, 0]
    wanted += [part for each in (a * b + (100 + 200j), turned - 1, a.conjugate(), turned * turned + turned)
               for part in (each.real, each.imag)]  # fmt: skip
    assert lines["complex"] == [*wanted, float("inf")]
    if side[0] == "musa":
        assert "typed" not in lines
        return
    threads = range(100)
    xor = 0
    for t in threads:
        xor ^= t
    assert lines["typed"] == [sum(threads), -200, -99, 99, -256, 65535, xor, 100, 50, -25, 100, -100, 100, 100]
