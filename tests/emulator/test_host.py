"""Host calls of both sides: what each returns, and what it leaves behind."""

import pytest


@pytest.fixture
def lines(run):
    ran = run("host.cpp")
    assert ran.status == 0, ran.err
    assert ran.findings == []
    return {line.split()[0]: line.split()[1:] for line in ran.out.splitlines()}


def test_pitched_memory_and_launches_by_pointers(lines):
    # allocated, pitch a multiple of 512, copied, launched, copied back, right; a pitch smaller than a row is error 12
    assert lines["pitch"] == ["0", "0", "0", "0", "0", "1", "12"]


def test_kinds_of_memory(lines):
    device, managed, host, unknown = "2", "3", "1", "0"
    assert lines["managed"] == ["5", "1", "9", device, managed, host, unknown]
    assert lines["symbol"] == ["0", "4", "11", "11"]


def test_memory_is_counted_and_runs_out(lines, side):
    assert lines["memory"] == ["0", "1000000", "2", f"{side[0]}ErrorMemoryAllocation"]


def test_no_place_for_an_address_is_an_error_and_the_c_functions_have_addresses(lines):
    assert lines["null"] == ["1"] * 7 + ["0", "1"]


def test_streams_and_events(lines):
    # not recorded, recorded, made without a time, none at all
    assert lines["stream"] == ["1", "0", "0", "0", "400", "0", "400", "400", "1", "invalid", "resource", "handle"]


def test_the_device_and_its_limits(lines, side):
    block, grid, blocks, count, device, lanes, sms, shared, optin, no_such, threads, too_much = lines["device"]
    assert (block, grid, count, device, lanes) == ("256", "1", "1", "0", "1")
    assert (sms, shared, optin, no_such, threads, too_much) == ("4", "49152", "1", "101", "1024", "1")
    assert int(blocks) == (1 if side[1] == 128 else 4)  # by shared memory: 72 KiB or 164 and 192 KiB an SM


def test_versions_and_texts(lines, side):
    version = "12080" if side[0] == "cuda" else "50200"
    assert lines["version"] == [version, version, f"{side[0]}Success", "unrecognized", "error", "code"]
