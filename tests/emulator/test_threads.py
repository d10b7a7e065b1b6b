"""Barriers, atomics, waiting loops and groups, with answers in closed form."""

import os
import subprocess

import pytest

from musify_ai.emulator import core_sources

SCHEDULES = ["forward", "reverse", "random:1", "random:99"]


def table(text):
    return {
        line.split()[0]: [float(cell) for cell in line.split()[1:]]
        for line in text.splitlines()
        if "too_many" not in line
    }


@pytest.fixture(params=SCHEDULES)
def answers(run, request):
    ran = run("threads.cpp", schedule=request.param)
    assert ran.status == 0, ran.err
    assert ran.kinds() <= {"assumption", "launch-config"}
    return ran, table(ran.out)


def test_barriers_reduce_their_predicates(answers):
    assert answers[1]["barriers"] == [32, 1, 1, 0, 0]


def test_atomics(answers):
    _, got = answers
    threads = range(200)
    assert got["atomics_int"] == [sum(threads), -200, -199, 199, 7, 400, 1]
    xor = 0
    for t in threads:
        xor ^= t
    # atomicDec wraps from 0 to 9 and then counts down: ten states
    assert got["atomics_unsigned"] == [0, 0xFFFF, xor, 200 % 7, (10 - 200 % 10) % 10]
    assert got["atomics_float"] == [100]
    assert got["atomics_double"] == [50]
    assert got["atomics_wide"] == [200 << 33, 1 << 39]
    assert got["short_cas"] == [210]


def test_threads_that_wait_for_others_do_not_stop_them(answers):
    _, got = answers
    assert got["locked"] == [256]
    assert got["chained"] == [sum(range(40))]


def test_a_grid_barrier_is_between_all_blocks(answers):
    ran, got = answers
    assert got["gridwise"] == [1]
    assert got["gridwise_call"] == [1, 0]
    assert "too_many 720 too many blocks in cooperative launch" in ran.out


def test_groups(answers, side):
    _, got = answers
    for t in range(96):
        reduced, shfl, down, ballot, rank, votes, _, block = got["groups"][8 * t : 8 * t + 8]
        tile = t - t % 8
        assert reduced == sum(range(tile, tile + 8))
        assert shfl == tile + 3
        assert down == (t + 2 if t % 8 < 6 else t)
        assert ballot == 0b00100010
        assert rank == t % 8 * 100 + t // 8
        assert votes == 2 * (tile == 8) + (tile < 88)
        k = t % 8
        assert block == t + 96 + 1000 * (k * (k + 1) // 2) + 10000 * (16 + 4 * 100 + t % 4)
    coalesced = [t for t in range(96) if t % 3 == 0]
    for t in coalesced:
        mine = [u for u in coalesced if u // 32 == t // 32]
        assert got["groups"][8 * t + 6] == mine[1] * 1000 + len(mine) * 20 + mine.index(t)


def test_groups_pass_on_structures(answers):
    _, got = answers
    for t in range(96):
        tile = range(t - t % 16, t - t % 16 + 16)
        top, mark = got["groups_of_structs"][2 * t : 2 * t + 2]
        assert top == max(tile, key=lambda each: each * 37 % 101)
        assert mark == ord("a") + (t + 1 if t % 16 < 15 else t) % 26


def test_the_portable_switch_gives_the_same_answers(device, tmp_path):
    """Processors without an assembly switch of ours use ucontext."""
    wanted = device.run("threads.cpp", "cuda", 32).out
    unit = device.target(device.data / "threads.cpp", "cuda", 800).with_suffix(".o")
    command = ["g++", "-std=c++17", "-O0", "-DEMU_UCONTEXT=1", *map(str, core_sources()), str(unit)]
    subprocess.run([*command, "-o", str(tmp_path / "portable")], check=True, timeout=300)
    environment = {"PATH": os.environ["PATH"], "MUSIFY_EMU_FINDINGS": str(tmp_path / "findings")}
    done = subprocess.run([str(tmp_path / "portable")], capture_output=True, text=True, env=environment, timeout=120)
    assert (done.returncode, done.stdout) == (0, wanted)
