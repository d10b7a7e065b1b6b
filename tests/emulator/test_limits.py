"""Dynamic shared memory: what a launch may ask for belongs to its kernel and its arch."""

KIB = 1024


def test_limits_are_of_each_kernel(run, side):
    ran = run("limits.cpp")
    assert ran.status == 0, ran.err
    lines = {line.split()[0]: line.split()[1:] for line in ran.out.splitlines() if line.split()[0].isidentifier()}
    most = {("cuda", 32): 163, ("musa", 32): 192, ("musa", 128): 72}[side] * KIB
    assert lines["sizes"] == [str(48 * KIB), str(most)]
    invalid = "1"
    assert lines["plain"] == ["0", "42"]
    assert lines["over"] == [invalid, "0"]
    assert lines["set"] == ["0", invalid]
    assert lines["allowed"] == ["0", "42"]
    assert lines["too_much"] == [invalid, "0"]
    assert lines["another"] == [invalid, "0"]
    assert lines["another_allowed"] == ["0", "43"]
    # static and dynamic together: 40,000 bytes are static
    assert ran.out.splitlines()[-2].split() == ["by_pointer", invalid, "0", "0", "7"]
    assert lines["attributes"] == [str(most), str(48 * KIB)]
    assert ran.kinds() == {"launch-config"}
