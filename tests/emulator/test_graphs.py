"""Graphs and stream capture, pools, managed and registered memory, devices and peers: what each call gives."""

import os
import subprocess

import pytest


def results(ran):
    assert ran.status == 0, ran.err
    assert ran.kinds() <= {"copy-unknown-pointer"}
    return {line.split()[0]: line.split()[1:] for line in ran.out.splitlines()}


@pytest.fixture
def lines(run):
    return results(run("graphs.cpp"))


def test_a_capture_notes_and_replays(lines):
    # begun, joined stream active, ended; 5 nodes, 5 edges, 1 root; nothing has run yet
    assert lines["capture"][:8] == ["0", "1", "0", "5", "5", "1", "1", "0"]
    # instantiated; (1 + 4) * 3, the last element set to 0, the copy of 1 + 4, one call; then (15 + 4) * 3, two calls
    assert lines["capture"][8:] == ["0", "15", "0", "5", "1", "57", "0", "2"]


def test_what_a_capture_forbids(lines):
    unsupported, invalidated, unjoined, implicit = "900", "901", "904", "906"
    assert lines["forbidden"] == [
        unsupported, invalidated, invalidated, "1", unjoined, implicit, invalidated, unsupported,
    ]  # fmt: skip


def test_graphs_made_node_by_node(lines):
    made, added, graph_kind, dependencies = ["0"] * 3, "0", "4", "1"
    assert lines["nodes"][:6] == [*made, added, graph_kind, dependencies]
    # fill 0x0102 by halfwords, add 5, copy; calls: 2 before, its own and the inner graph's
    assert lines["nodes"][6:8] == ["0x1020107", "4"]
    assert lines["nodes"][8:10] == ["0", "0x1030102"]  # other values for this instance
    assert lines["nodes"][10:12] == ["5", "32"]  # the graph keeps its own
    assert lines["nodes"][12:] == ["0", "0x505050a", "910", "2"]  # updated; another topology is refused
    assert lines["circle"] == ["1"]


def test_pools_count_what_they_hold(lines):
    assert lines["pool"] == ["6000", "10000", "10000", "5000", "0", "0", "0", "100", "0", "0"]


def test_managed_and_registered_memory(lines):
    not_managed, twice, not_there = "1", "712", "713"
    assert lines["managed"] == ["0", "0", "0", not_managed, "0", twice, "0", "1", "0", not_there]


def test_forms_of_cuda_13(lines, side):
    if side[0] == "musa":
        assert "forms" not in lines  # MUSA has those of before only
    else:
        added, removed, not_supported, one_neighbour, one_edge = "0", "0", "801", ["0", "1", "0", "1"], ["0", "1"]
        assert lines["forms"] == [added, removed, not_supported, "0", *one_neighbour, *one_edge, "0", "0"]


def test_peers(device, side):
    assert results(device.run("graphs.cpp", *side))["devices"] == ["1", "101"]
    program = device.program("graphs.cpp", *side)
    environment = {**os.environ, "MUSIFY_EMU_DEVICES": "2", "MUSIFY_EMU_LANES": str(side[1])}
    done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=120)
    last = next(line.split() for line in done.stdout.splitlines() if line.startswith("devices"))
    # current and owner; reachable, enabled, enabled twice; copied; disabled, disabled twice
    assert last == ["devices", "2", "101", "1", "1", "1", "0", "704", "0", "3", "0", "705"]
