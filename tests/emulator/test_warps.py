"""Warp operations against an oracle of their own: what each thread should get, from the rule for that operation."""

import functools
import operator

import pytest

THREADS = 192
SEGMENT = 32


def value(t):
    return t * 7 - 300


def signed(bits, width=32):
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) else bits


def source(kind, lane, width, argument):
    base = lane - lane % width
    if kind == "idx":
        return base + argument % width
    if kind == "up":
        return lane - argument if lane - argument >= base else lane
    if kind == "down":
        return lane + argument if lane + argument < base + width else lane
    other = lane ^ argument
    return other if other < base + width else lane


def named(mask):
    return [t for t in range(THREADS) if mask >> (t % 32) & 1]


def shuffled(kind, lanes, width, mask, argument, poison):
    took_part = set(named(mask))
    for t in took_part:
        first = t - t % lanes
        other = first + source(kind, t - first, width, argument)
        # an operation of at most 32 lanes stays in its segment; what lies outside answers with the caller's own value
        if width <= SEGMENT and other // SEGMENT != t // SEGMENT:
            other = t
        yield t, value(other) if other in took_part else signed(int.from_bytes(bytes([poison] * 4), "little"))


def bits(threads):
    return sum(1 << (t % 32) for t in threads)


def of_group(kind, group, argument):
    values = [value(t) for t in group]
    unsigned = [v & 0xFFFFFFFF for v in values]
    if kind == "match_all":
        return bits(group) | 1 << 32 if len({t if t // 32 == 1 else 9 for t in group}) == 1 else 0
    reduced = {
        "and": (operator.and_, [u | 8 for u in unsigned]),
        "or": (operator.or_, group),
        "exor": (operator.xor, unsigned),
    }
    if kind in reduced:
        return functools.reduce(*reduced[kind])
    return {
        "ballot": bits(t for t in group if t * 5 % 3 == 0),
        "any": int(any(t % 64 == argument for t in group)),
        "all": int(all(t % 64 != argument for t in group)),
        "add": signed(sum(values)),
        "min": min(values),
        "max": max(values),
        "umin": min(unsigned),
        "umax": max(unsigned),
        "active": bits(group),
        "diverged": bits(group),
    }[kind]


def expected(kind, lanes, width, mask, argument, poison):
    if kind in ("idx", "up", "down", "xor"):
        return dict(shuffled(kind, lanes, width, mask, argument, poison))
    if kind in ("old_idx", "old_up", "old_down", "old_xor"):
        return dict(shuffled(kind[4:], lanes, width, mask, argument, poison))
    groups = {}
    for t in named(mask):
        groups.setdefault((t // SEGMENT, t % 3 != 0 if kind == "diverged" else True), []).append(t)
    out = {}
    for group in groups.values():
        common = None if kind == "match_any" else of_group(kind.removeprefix("old_"), group, argument)
        for t in group:
            out[t] = bits(u for u in group if u % 5 == t % 5) if kind == "match_any" else common
    return out


@pytest.mark.parametrize(("schedule", "poison"), [("forward", 255), ("reverse", 0), ("random:3", 0x5A)])
def test_every_operation_by_width_mask_and_lanes(run, side, schedule, poison):
    lanes = side[1]
    ran = run("warps.cpp", schedule=schedule, poison=poison)
    assert ran.status == 0, ran.err
    wrong = []
    cases = ran.out.splitlines()
    for line in cases:
        kind, width, mask, argument, *cells = line.split()
        got = {t: int(cell) for t, cell in enumerate(cells) if cell != "-"}
        if got != expected(kind, lanes, int(width), int(mask), int(argument), poison):
            wrong.append((kind, width, mask, argument))
    assert wrong == []
    assert len(cases) == 8 * 4 * (lanes.bit_length()) * 8 + 4 * (18 + 4 * 7)


def test_assumptions_on_128_lanes_are_named_and_only_there(device):
    assert device.run("warps.cpp", "musa", 32).assumptions() == set()
    assert device.run("warps.cpp", "musa", 128).assumptions() == {
        "warp128-ballot-segment",
        "warp128-vote-segment",
        "warp128-reduce-segment",
        "warp128-partial-mask",
    }


def test_a_shuffle_from_a_lane_that_takes_no_part_is_reported(run):
    found = [f for f in run("warps.cpp").findings if f["kind"] == "shuffle-inactive"]
    assert found
    assert all(str(f["file"]).endswith("warps.cpp") and f["kernel"] == "one" for f in found)


def test_a_warp_of_128_goes_on_without_lanes_that_do_not_call(run, side):
    ran = run("warps.cpp", "some", poison=0)
    lower = list(range(16, 32))
    if side[1] == 32:
        assert [int(cell) for cell in ran.out.split()] == lower + lower
        assert ran.findings == []
    else:
        assert [int(cell) for cell in ran.out.split()] == lower + 16 * [0]  # lanes 32 to 47 are not there
        assert ran.assumptions() == {"warp128-absent-lanes"}
        assert "shuffle-inactive" in ran.kinds()
