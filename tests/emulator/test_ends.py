"""Kernels and host calls at fault: each ends its launch or its call, says why, and leaves the device usable."""

import pytest

# kernel -> reason, what its detail holds, error number
ENDED = {
    "traps": ("trap", "__trap()", 719),
    "traps_late": ("trap", "__trap()", 719),
    "asserts": ("assert", "assertion `p[threadIdx.x] != p[threadIdx.x]' failed", 710),
    "stubbed": ("stub", "MUS401", 719),
    "no_such_asm": ("unsupported", "wgmma.mma_async.sync", 801),
    "null_write": ("fault", "an access through a null pointer", 700),
    "far_write": ("fault", "an access far past a buffer of 256 bytes", 700),
    "far_before": ("fault", "an access far before a buffer of 256 bytes", 700),
    "divides": ("fault", "an integer division by zero", 700),
    "recursive": ("fault", "the stack of a thread overflowed", 700),
    "endless": ("time-limit", "longer than its time limit", 702),
    "endless_after_barrier": ("time-limit", "longer than its time limit", 702),
    "waits": ("time-limit", "every thread waits in a loop", 702),
    "deadlocks": ("time-limit", "every thread waits in a loop", 702),
    "much_shared": ("shared-limit", "40000 used, 40000 more asked for", 719),
    "grid_sync": ("unsupported", "not launched cooperatively", 801),
}
# the same of kernels that launch kernels, which CUDA's side can
ENDED_LAUNCHING = {
    "cuda": {
        "launches_trap": ("trap", "__trap()", 719),
        "waits_for_its_own": ("unsupported", "a kernel waits for kernels that it launched", 801),
    },
    "musa": dict.fromkeys(
        ("launches", "launches_trap", "launches_too_large", "waits_for_its_own"),
        ("unsupported", "a kernel launched by a kernel", 801),
    ),
}
# kernel -> kind of finding, what its message holds; the launch comes to its end
REPORTED = {
    "half_shuffle": ("warp-deadlock", "lanes 0x0000ffff of mask 0xffffffff wait for others that never come"),
    "divergent": ("barrier-divergence", "threads of one block wait at different barriers"),
    "leaves_early": ("barrier-after-exit", "after 14 of 64 threads had left the kernel"),
    "shared_overrun": ("shared-out-of-bounds", "past a shared array of 128 bytes, 0 bytes off"),
    "dynamic_read": ("shared-out-of-bounds", "past the end of the dynamic shared memory d of 256 bytes"),
    "dynamic_far": ("shared-out-of-bounds", "an access 79744 bytes past the end of the dynamic shared memory d of 256"),
    "dynamic_none": ("shared-out-of-bounds", "past the end of the dynamic shared memory d of 0 bytes"),
    "dynamic_odd": ("shared-out-of-bounds", "a write past the dynamic shared memory of 13 bytes, 0 bytes off"),
    "dynamic_before": ("shared-out-of-bounds", "a write before the dynamic shared memory"),
    "wrong_mask": ("warp-mask", "leaves it out"),
    "wrong_width": ("shuffle-width", "a shuffle of width 12"),
    "near_write": ("out-of-bounds", "up to 16 bytes past a buffer of 256 bytes"),
    "plain": ("out-of-bounds", "up to 8 bytes before a buffer of 256 bytes"),
}
REFUSED = [
    ("the block is too large", 9),
    ("a dimension is zero", 9),
    ("the block is too large", 9),
    ("more dynamic shared memory than the kernel may ask for", 1),
]


@pytest.fixture(scope="module")
def remembered():
    return {}


@pytest.fixture(params=["forward", "reverse"])
def lines(run, side, request, remembered):
    key = (side, request.param)
    if key not in remembered:
        remembered[key] = run("ends.cpp", schedule=request.param)
    assert remembered[key].status == 0, remembered[key].err
    return remembered[key].out.splitlines()


def cells(lines, name):
    return [line.split("|") for line in lines if line.startswith(f"{name}|")]


def test_a_kernel_at_fault_ends_its_launch_only(lines, side):
    for name, (reason, detail, error) in (ENDED | ENDED_LAUNCHING[side[0]]).items():
        [(_, why, what, number, started, returned, synchronized, last, findings, usable)] = cells(lines, name)
        assert (why, int(number), int(synchronized), int(last)) == (reason, error, error, error), name
        assert detail in what, name
        assert int(started) > int(returned), name
        assert findings.startswith(f"{reason}:") and findings.endswith(":1;"), name
        assert usable == "usable", name


def test_what_a_kernel_launches_runs_when_its_grid_has_ended(lines, side):
    [nested] = [line for line in lines if line.startswith("nested")]
    if side[0] == "musa":
        assert nested.split()[1:9] == 8 * ["0"]
        return
    # two blocks of 32 for each of the grid before; a block of a grid sees all of the grid before it, and its own block
    depths = [32, 64, 128, 256]
    assert [int(word) for word in nested.split()[1:5]] == depths
    assert all(32 <= int(seen) <= most for seen, most in zip(nested.split()[5:9], depths, strict=True))
    [(_, reason, _, error, started, returned, *_, findings, usable)] = cells(lines, "launches")
    assert (reason, error, started, returned, findings, usable) == ("", "0", "128", "128", "", "usable")
    [(_, reason, detail, error, *_, findings, usable)] = cells(lines, "launches_too_large")
    assert (reason, detail, error, usable) == ("config", "the block is too large", "9", "usable")
    assert findings.startswith("launch-config:")


def test_what_does_not_end_a_launch_is_reported(lines):
    for name, (kind, message) in REPORTED.items():
        [(_, reason, _, error, started, returned, _, _, findings, usable)] = cells(lines, name)
        assert (reason, error, started) == ("", "0", returned), name
        assert any(f.startswith(f"{kind}:") and message in f for f in findings.split(";")), name
        assert usable == "usable", name


def test_shared_memory_may_be_used_to_its_end(lines):
    [(_, reason, _, error, *_, findings, usable)] = cells(lines, "both_kinds")
    assert (reason, error, findings, usable) == ("", "0", "", "usable")


def test_impossible_launches_are_refused(lines):
    *refused, allowed = cells(lines, "healthy")
    for (_, reason, detail, error, started, _, _, last, findings, usable), (why, number) in zip(
        refused, REFUSED, strict=True
    ):
        assert (reason, detail, int(error), started) == ("config", why, number, "0")
        assert int(last) == number
        assert findings.startswith("launch-config:")
        assert usable == "usable"
    assert allowed[1:6] == ["", "", "0", "128", "128"]


def test_fresh_memory_holds_the_poison(lines):
    assert [line for line in lines if line.startswith("poison")] == [
        f"poison {byte:02x} " + " ".join(3 * [f"{byte:02x}" * 4]) for byte in (0xFF, 0x00, 0x5A)
    ]


def test_guard_zones_tell_how_far_off_a_write_was(lines):
    assert [line for line in lines if line.startswith("guard")] == [
        "guard before 0 0",
        "guard past 1 0 16",
        "guard both 1 8 16",
    ]


def test_host_calls_check_their_bounds(lines):
    assert "copy 1 1 0 1 1 1 0 1 0 1" in lines
    assert "free 0 1 1 0" in lines
    kinds = [line.strip().split(":")[0] for line in lines if line.startswith("  ")]
    assert kinds == [  # three of a kind are enough
        "copy-overflow",
        "copy-overflow",
        "copy-overflow",
        "copy-unknown-pointer",
        "symbol-overflow",
        "symbol-overflow",
        "bad-free",
        "bad-free",
    ]


def test_a_harness_chooses_the_lanes_at_run_time(lines, side):
    assert lines[-1] == f"lanes {128 if side[1] == 32 else 32}"


@pytest.mark.parametrize("setting", ["MUSIFY_EMU_LANES", "MUSIFY_EMU_SCHEDULE"])
def test_a_wrong_setting_is_refused(device, setting):
    import subprocess

    program = device.program("basics.cpp", "cuda", 32)
    done = subprocess.run([str(program)], env={setting: "64"}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 96
    assert setting in done.stderr
