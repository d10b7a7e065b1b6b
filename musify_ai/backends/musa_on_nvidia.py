"""The translation on an NVIDIA GPU: nvcc takes it with MUSA's names as aliases of CUDA's.

The aliases are the CPU device's own pairs (`musify_ai.emulator.aliases`). A warp has 32 lanes there, whatever the arch
that ``__MUSA_ARCH__`` names: for a target of 128 lanes such a run says little.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from musify_ai.backends.device_programs import Compiler
from musify_ai.backends.diagnostics import Diagnostic
from musify_ai.backends.emulated import Side, Unit
from musify_ai.backends.hardware import Maker
from musify_ai.backends.machines import Machine, Session
from musify_ai.backends.nvcc import NvccGpu, find_nvcc, read_errors, unit_command
from musify_ai.emulator.aliases import alias_headers
from musify_ai.records import Arch

_FOLDER = "musify_aliases"


class MusaOnNvidia(NamedTuple):
    """nvcc with aliases, and an NVIDIA GPU."""

    key: str = "musa-on-nvidia"
    side: Side = "musa"
    maker: Maker = "NVIDIA"

    def detect(self, session: Session, machine: Machine) -> Compiler:
        """nvcc of a machine, which says that it sees aliases."""
        found = find_nvcc(session, machine)
        return found._replace(version=f"{found.version}, names as aliases")

    def headers(self, arch: Arch) -> Mapping[str, bytes]:
        """MUSA's headers, each forwarding to CUDA's."""
        return {f"{_FOLDER}/{name}": text.encode() for name, text in alias_headers(arch.macro).items()}

    def arch_of(self, arch: Arch) -> str:
        """Both archs: the CUDA one is built for, the MUSA one is what guards see."""
        return f"{arch.cuda} as {arch.name}"

    def compile_unit(self, compiler: Compiler, unit: Unit, arch: Arch) -> list[str]:
        """The unit, with the aliases before it."""
        return unit_command(compiler, unit, arch, (f"-I../{_FOLDER}", "-include", "musa_runtime.h"))

    def compile_driver(self, compiler: Compiler, sources: Sequence[str]) -> list[str]:
        """The harness is CUDA's."""
        return NvccGpu().compile_driver(compiler, sources)

    def link(self, compiler: Compiler, objects: Sequence[str], program: str) -> list[str]:
        """As any CUDA program."""
        return NvccGpu().link(compiler, objects, program)

    def read_errors(self, stderr: bytes) -> list[Diagnostic]:
        """As nvcc's."""
        return read_errors(stderr)
