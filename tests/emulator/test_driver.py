"""The driver API of both sides: what each call gives."""


def lines(ran):
    return {line.split()[0]: line.split()[1:] for line in ran.out.splitlines()}


def test_answers(run, side):
    ran = run("driver.cpp")
    assert ran.status == 0, ran.err
    got = lines(ran)
    not_initialized, no_such, no_context = "3", "101", "201"
    assert got["context"] == [
        not_initialized, "0", no_such, "0", no_context, "0", "0", "1", "0", str(side[1]), "1", "0",
        f"{side[0].upper()}_SUCCESS",
    ]  # fmt: skip
    # by its plain name and by what C++ makes of it; values by pointers, and packed into one buffer
    assert got["function"][:7] == ["0", "0", "0", "0", "0", str(int(5 * 2.5) + 3), str(int(63 * 2.5) + 3)]
    assert got["function"][7:10] == ["0", "0", str(5 * 4 - 1)]
    assert got["function"][10:] == ["1", "0", "0"]  # more shared memory, once it is allowed
    recorded, elapsed = ["0"] * 5, "1"
    assert got["memory"] == [*recorded, elapsed, "0", "1", "0", "0", "1", "0", "0", "1", "1", "0", "1"]
    mapped, taken, written, again = ["0", "0"], "1", ["0", "0", "0", "1"], ["0", "0", "0", "0", "1", "0"]
    in_use, launched, fault = "1", ["0", "0", str(2 * 2 + 1 + 3)], "700"
    assert got["virtual"] == [
        str(2 << 20), "0", "0", "0", *mapped, taken, *written, *again, in_use, *launched, fault,
    ]  # fmt: skip
    assert ran.kinds() == {"launch-config", "copy-overflow", "bad-free", "fault"}


def test_a_kernel_that_only_a_file_has_is_refused_by_name(run, side):
    ran = run("driver.cpp", "transpose")
    call = "cuModuleGetFunction" if side[0] == "cuda" else "muModuleGetFunction"
    assert ran.status == 70
    last = ran.findings[-1]
    assert (last["kind"], call in last["message"]) == ("unsupported", True)
    assert "transpose of the module fill.ptx" in last["message"]


def test_the_run_time_api_makes_the_primary_context_current(run):
    assert run("driver_after_runtime.cpp").out == "3 0 0 1\n"
