"""The harness by the real nvcc: both backends for an NVIDIA GPU compile and link a gallery kernel's unit. No GPU is
needed: a program says what it holds without one, and where it cannot run it says why."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from musify_ai.backends.device_programs import Builder, Loaded, OnDevice
from musify_ai.backends.emulated import BuildFailure, Built, Emulated, Side, Unit
from musify_ai.backends.machines import Here, MachineError
from musify_ai.backends.musa_on_nvidia import MusaOnNvidia
from musify_ai.backends.nvcc import NvccGpu, through_wrapper
from musify_ai.backends.nvidia import NO_NVCC, Nvcc
from musify_ai.backends.toolchain import Toolchain
from musify_ai.records import ARCHS
from musify_ai.verify.building import Registration, SideSource, main_text
from musify_ai.verify.closures import Sources
from musify_ai.verify.described import read_description
from musify_ai.verify.patches import FileParts
from musify_ai.verify.running import describe

ROOT = Path(__file__).parents[2]
NVCC = Nvcc.detect()
needs_nvcc = pytest.mark.skipif(NVCC is None, reason=NO_NVCC)

MP_31 = ARCHS["mp_31"]


def unit_of(side: Side, extra: bytes = b"") -> Unit:
    """A unit of the gallery, on a side, with all of its kernels that are no templates."""
    root = ROOT / "corpus" / ("gallery" if side == "cuda" else "gallery-musa")
    listed = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*")) if path.suffix in (".cu", ".cuh")]
    sources = Sources(root, listed)
    unit = next(path for path in listed if b"__global__ void block_sum" in (sources.read(path) or b""))
    closure = sources.closure(unit)
    texts: Mapping[str, bytes] = {path: (sources.read(path) or b"") + extra * (path == unit) for path in closure.files}
    source = SideSource(unit, {path: FileParts(path, src) for path, src in texts.items()}, closure.include_dirs)
    text, _ = main_text(source, [Registration("block_sum", "block_sum", "&block_sum")])
    return Unit(texts, text, closure.include_dirs)


@needs_nvcc
@pytest.mark.parametrize("builder", [NvccGpu(), MusaOnNvidia()], ids=lambda each: each.key)
def test_a_gallery_kernel_builds_and_says_what_it_holds(builder: Builder) -> None:
    with Here().session() as session:
        on = OnDevice(builder, Here(), session)
        program = on.build(unit_of(builder.side), MP_31)
        assert isinstance(program, Loaded), program.text
        assert on.build(unit_of(builder.side), MP_31) is program, "built once"
        described = read_description(on.describe(program))
        toolchain = Toolchain.detect()
        if toolchain is not None:
            backend = Emulated(toolchain)
            built = backend.build(unit_of(builder.side), builder.side, MP_31.macro)
            assert isinstance(built, Built)
            ours = describe(backend, built)
            slots = [(s.pointer, s.size, s.kinds, s.const) for s in ours.kernels["block_sum"].slots]
            theirs = [(s.pointer, s.size, s.kinds, s.const) for s in described.kernels["block_sum"].slots]
            assert slots == theirs, "the same places to fill as on the CPU device"
        if not on.probe.nodes:
            done = on.run(program, ["kernel block_sum", "seed 1 small", "schedule forward", "poison 255"])
            assert "no device answers" in done.trouble
            assert on.why_no_gpu(done.report) == "no device reported itself"
        if builder.side == "musa":
            unit = unit_of("musa", b"\nvoid more() { musaNoSuchFunction(); }\n")
            failure = on.build(unit, MP_31)
            assert isinstance(failure, BuildFailure)
            (error,) = failure.diagnostics
            assert "musaNoSuchFunction" in error.message
            text = unit.sources[error.file]
            assert text.splitlines()[error.line - 1] == b"void more() { musaNoSuchFunction(); }"


def test_no_nvcc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nvcc, "detect", staticmethod(lambda: None))
    with Here().session() as session, pytest.raises(MachineError, match="no nvcc was found"):
        OnDevice(NvccGpu(), Here(), session)


def test_a_wrapper_leads_to_its_toolkit() -> None:
    assert through_wrapper(b'#!/bin/sh\nexec /opt/cuda-13/bin/nvcc "$@"\n') == ("/opt/cuda-13",)
    assert through_wrapper(b"#!/bin/sh\n# nvcc's \"home\nexec nvcc\n") == ()
    assert through_wrapper(b"\x7fELF /opt/cuda-13/bin/nvcc") == ()
