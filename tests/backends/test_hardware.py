"""When a run counts as one on a GPU: only where the program, the kernel of the machine and the driver agree."""

import pytest

from musify_ai.backends.hardware import DeviceReport, Maker, nodes_of, read_report, why_no_gpu
from musify_ai.backends.machines import Probe

S4000 = DeviceReport("MTT S4000", 2, 2, 128, 50200, 50200, False, ("/dev/mtgpu.0",))
H200 = DeviceReport("NVIDIA H200", 9, 0, 32, 13000, 13000, False, ("/dev/nvidiactl", "/dev/nvidia0"))
MUSA = Probe(frozenset({"0x8086", "0x1ed5"}), ("/dev/mtgpu.0", "/dev/dri/renderD128"))
CUDA = Probe(frozenset({"0x10de"}), ("/dev/nvidia0", "/dev/nvidiactl"))


@pytest.mark.parametrize(("maker", "report", "probe"), [("Moore Threads", S4000, MUSA), ("NVIDIA", H200, CUDA)])
def test_a_gpu(maker: Maker, report: DeviceReport, probe: Probe) -> None:
    assert why_no_gpu(maker, report, probe) == ""


@pytest.mark.parametrize(
    ("maker", "report", "probe", "why"),
    [
        ("Moore Threads", None, MUSA, "no device reported itself"),
        ("Moore Threads", S4000._replace(emulated=True), MUSA, "built for the CPU"),
        ("Moore Threads", S4000, CUDA, "no PCI device of Moore Threads"),
        ("Moore Threads", S4000, Probe(), "no PCI device of Moore Threads"),
        ("Moore Threads", S4000._replace(files=()), MUSA, "no device of Moore Threads's driver open"),
        ("Moore Threads", H200, MUSA, "no device of Moore Threads's driver open"),
        ("NVIDIA", S4000, CUDA, "no device of NVIDIA's driver open"),
        ("NVIDIA", H200, MUSA, "no PCI device of NVIDIA"),
        ("NVIDIA", H200._replace(files=("/dev/null",)), CUDA, "no device of NVIDIA's driver open"),
    ],
)
def test_no_gpu(maker: Maker, report: DeviceReport | None, probe: Probe, why: str) -> None:
    assert why in why_no_gpu(maker, report, probe)


def test_what_a_program_says_of_its_device() -> None:
    line = (
        '{"device": "MTT S4000", "major": 2, "minor": 2, "lanes": 128, "driver": 50200, "runtime": 50200,'
        ' "emulated": false, "files": ["/dev/mtgpu.0"]}'
    )
    assert read_report(line) == S4000
    assert S4000.arch == "mp_22"
    # Whatever is not the plain word false counts as emulated.
    report = read_report(line.replace("false", "0"))
    assert report is not None
    assert report.emulated
    assert read_report('{"shape": 0}') is None
    assert read_report("cut of") is None


def test_only_the_maker_s_devices_are_shown() -> None:
    both = Probe(frozenset(), ("/dev/nvidia0", "/dev/mtgpu.0", "/dev/dri/renderD128"))
    assert nodes_of("NVIDIA", both) == ("/dev/nvidia0",)
    assert nodes_of("Moore Threads", both) == ("/dev/mtgpu.0", "/dev/dri/renderD128")
