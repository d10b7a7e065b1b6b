"""Streams: the same results whether work is done at the call or as late as may be; who looks too early is told of."""

import pytest


@pytest.fixture
def ran(run, monkeypatch):
    def call(streams):
        return run("streams.cpp", environment={"MUSIFY_EMU_STREAMS": streams})

    return call


def lines(ran):
    assert ran.status == 0, ran.err
    return {line.split()[0]: line.split()[1:] for line in ran.out.splitlines()}


def line_of(device, mark):
    text = (device.data / "streams.cpp").read_text().splitlines()
    return next(number for number, line in enumerate(text, 1) if line.rstrip().endswith(f"// {mark}"))


@pytest.mark.parametrize("streams", ["at-once", "late", "late-reverse"])
def test_what_a_program_waits_for_is_there(ran, streams):
    found = lines(ran(streams))
    assert found["copied"] == ["3", "3"]
    assert found["pipeline"] == ["2", "62"]
    assert found["pageable"] == ["1", "63"]
    assert found["by-event"].index("1") < found["by-event"].index("2")
    assert found["legacy"].index("3") > max(found["legacy"].index("1"), found["legacy"].index("2"))
    assert found["legacy"][-1] == "4"
    assert sorted(found["apart-then"]) == ["1", "2"]
    assert found["refused"] == ["1", "9"]


def test_at_once_all_is_done_in_the_order_of_the_calls(ran):
    done = ran("at-once")
    found = lines(done)
    no_wait, called, callback = "0", "1", "10"
    assert found["events"] == ["1", "0", no_wait, "0", called, callback, "0", "1"]
    assert found["turns"] == ["1", "2", "3", "4", "5"]
    assert found["apart"] == ["1", "2"]
    assert {"unsynchronised", "never-waited-for"}.isdisjoint(done.kinds())


def test_late_work_is_done_in_turns_by_priority(ran):
    found = lines(ran("late"))
    not_called, not_ready, waits_for_five = "0", "600", "5"
    assert found["events"] == [not_called, not_ready, waits_for_five, "0", "1", "10", "0", "1"]
    assert found["by-event"] in (["1", "2", "3"], ["1", "3", "2"])
    assert found["turns"] == ["5", "1", "3", "2", "4"]
    assert found["apart"] == ["2"]  # nobody has waited for the stream apart
    assert found["waited"] == ["7"]


def test_the_latest_stream_may_come_first(ran):
    found = lines(ran("late-reverse"))
    assert found["turns"] == ["5", "3", "4", "1", "2"]
    assert found["waited"] == ["7"]


def test_who_looks_too_early_is_told_of_by_line(ran, device):
    done = ran("late")
    early = [(f["line"], f["message"]) for f in done.findings if f["kind"] == "unsynchronised"]
    assert [line for line, _ in early] == [line_of(device, "LOOKS"), line_of(device, "CHANGES")]
    assert "reads memory that" in early[0][1] and "has still to fill" in early[0][1]
    assert "writes to memory that" in early[1][1] and "has still to read" in early[1][1]
    left = [f for f in done.findings if f["kind"] == "never-waited-for"]
    assert [f["line"] for f in left] == [line_of(device, "LEFT")]
    assert "1 pieces of work, the first of them add" in left[0]["message"]
