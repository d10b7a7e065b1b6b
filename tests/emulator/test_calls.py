"""Calls of the driver, graph and run-time APIs that no other program makes: each gives what its documentation says, or
ends the program by name where it cannot be done here."""

from pathlib import Path
from typing import Any

import pytest

from musify_ai.emulator.headers import Side
from tests.emulator.conftest import Device, Ran

sides = pytest.mark.parametrize("side", ["cuda", "musa"])


def good(ran: Ran, checks: int) -> Ran:
    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == []
    assert len(lines) == checks
    return ran


@sides
@pytest.mark.parametrize("streams", ["at-once", "late"])
def test_driver(device: Device, side: Side, streams: str) -> None:
    ran = device.run("driver_calls.cpp", side, 32, environment={"MUSIFY_EMU_STREAMS": streams})
    good(ran, 48 if side == "cuda" else 45)
    refused = {"launch-config"} if side == "cuda" else set()
    assert ran.kinds() == {"copy-overflow", "bad-free"} | refused


@sides
@pytest.mark.parametrize("streams", ["at-once", "late", "late-reverse"])
def test_graphs(device: Device, side: Side, streams: str, tmp_path: Path) -> None:
    drawing = str(tmp_path / "graph.dot")
    ran = device.run("graph_calls.cpp", side, 32, drawing, environment={"MUSIFY_EMU_STREAMS": streams})
    assert good(ran, 45 if side == "cuda" else 42).findings == []


@sides
def test_run_time(device: Device, side: Side) -> None:
    ran = device.run("runtime_calls.cpp", side, 32, environment={"MUSIFY_EMU_DEVICES": "2"})
    good(ran, 39 if side == "cuda" else 32)
    assert ran.kinds() == {"copy-overflow", "launch-config", "assumption", "trap"}
    assert ran.assumptions() == {"texture-weights"}


@sides
@pytest.mark.parametrize(
    ("program", "prefix", "calls"),
    [
        ("driver_calls.cpp", {"cuda": "cu", "musa": "mu"}, [
            "ModuleGetGlobal", "MemExportToShareableHandle", "MemImportFromShareableHandle",
        ]),
        ("runtime_calls.cpp", {"cuda": "cuda", "musa": "musa"}, [
            "IpcGetMemHandle", "IpcOpenMemHandle", "IpcCloseMemHandle", "IpcGetEventHandle", "IpcOpenEventHandle",
        ]),
        ("libraries/settings.cpp", {"cuda": "curand", "musa": "murand"}, [
            "GeneratePoisson", "SetGeneratorOrdering", "SetGeneratorOrdering to seeded",
        ]),
    ],
)  # fmt: skip
def test_what_cannot_be_done_ends_the_program_by_name(
    device: Device, side: Side, program: str, prefix: dict[str, str], calls: list[str]
) -> None:
    for call in calls:
        ran: Any = device.run(program, side, 32, call)
        assert ran.status == 70
        messages = [str(f["message"]) for f in ran.findings if f["kind"] == "unsupported"]
        assert len(messages) == 1
        assert messages[0].startswith(prefix[side] + call.split()[0])
        assert messages[0].endswith("not emulated")
