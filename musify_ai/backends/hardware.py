"""Whether a GPU ran: what the runtime says of itself is not enough, since a stand-in may say anything.

Three things have to agree: the program was not built for the CPU device; the kernel of the machine has a PCI device of
the maker; and the process that ran the kernels had a device file of that maker's driver open. A headline of a GPU's
needs all three, and says which is missing.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from musify_ai.backends.machines import Probe

Maker = Literal["NVIDIA", "Moore Threads"]

# PCI vendor ids (https://pci-ids.ucw.cz), and how the files of the drivers' devices begin.
_PCI: dict[Maker, str] = {"NVIDIA": "0x10de", "Moore Threads": "0x1ed5"}
_NODES: dict[Maker, tuple[str, ...]] = {
    "NVIDIA": ("/dev/nvidia",),
    "Moore Threads": ("/dev/mtgpu", "/dev/dri/renderD"),
}


class DeviceReport(NamedTuple):
    """What a program that was run on a device says of it. ``files`` are the device files that it had open."""

    name: str
    major: int
    minor: int
    lanes: int
    driver: int
    runtime: int
    emulated: bool
    files: tuple[str, ...]

    @property
    def arch(self) -> str:
        """The MUSA arch of its capability: ``mp_22`` for 2.2."""
        return f"mp_{self.major}{self.minor}"


def read_report(line: str) -> DeviceReport | None:
    """The report in a line of a driver's, None where it is another line."""
    try:
        row: Mapping[str, Any] = json.loads(line)
    except json.JSONDecodeError:
        return None
    if "device" not in row:
        return None
    return DeviceReport(
        str(row["device"]), int(row["major"]), int(row["minor"]), int(row["lanes"]), int(row["driver"]),
        int(row["runtime"]), row["emulated"] is not False, tuple(map(str, row["files"])),
    )  # fmt: skip


def why_no_gpu(maker: Maker, report: DeviceReport | None, probe: Probe) -> str:
    """Why a run is no run on a GPU of a maker, in a phrase; empty where it is one."""
    if report is None:
        return "no device reported itself"
    if report.emulated:
        return f"{report.name} is no GPU: the program was built for the CPU"
    if _PCI[maker] not in probe.vendors:
        return f"the machine has no PCI device of {maker} (vendor {_PCI[maker]})"
    if not any(file.startswith(_NODES[maker]) for file in report.files):
        return f"the program had no device of {maker}'s driver open"
    return ""


def nodes_of(maker: Maker, probe: Probe) -> tuple[str, ...]:
    """The device files that a program for a maker's GPU may use."""
    return tuple(node for node in probe.nodes if node.startswith(_NODES[maker]))


def makers(found: Probe) -> list[Maker]:
    """Whose GPUs a machine has."""
    return [maker for maker, vendor in _PCI.items() if vendor in found.vendors]
