"""The translation on a Moore Threads GPU: built by mcc, MUSA's own compiler.

Where it is and what it takes, from public builds for MUSA: the SDK's root is ``MUSA_HOME`` or ``MUSA_PATH``, else
``/usr/local/musa`` (tutorial_on_musa, torch_musa); a file of any suffix is MUSA source after ``-x musa``, the arch is
``--offload-arch=`` (ggml, torch_musa), the runtime is ``-lmusart``. mcc is a clang, and its errors read like clang's.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from musify_ai.backends.device_programs import Compiler, options_of
from musify_ai.backends.diagnostics import Diagnostic, parse
from musify_ai.backends.emulated import MAIN, Side, Unit
from musify_ai.backends.hardware import Maker
from musify_ai.backends.machines import Machine, MachineError, Session
from musify_ai.records import Arch

NO_MCC = (
    "no mcc was found: install the MUSA SDK and set MUSA_HOME to its root (usually /usr/local/musa), or name a machine"
    " that has it with --remote user@host"
)

_FIND = """
for each in "$MUSA_HOME/bin/mcc" "$MUSA_PATH/bin/mcc" "$(command -v mcc)" /usr/local/musa/bin/mcc /opt/musa/bin/mcc; do
  [ -x "$each" ] && { echo "$each"; "$each" --version; exit 0; }
done
exit 1
"""
_FLAGS = ("-std=c++17", "-O2", "-w")


class MccGpu(NamedTuple):
    """mcc and a Moore Threads GPU."""

    key: str = "mcc"
    side: Side = "musa"
    maker: Maker = "Moore Threads"

    def detect(self, session: Session, machine: Machine) -> Compiler:
        """mcc of a machine."""
        done = session.ask(_FIND)
        lines = done.stdout.decode("utf-8", "replace").splitlines()
        if not done.ok or not lines:
            raise MachineError(f"{machine.name}: {NO_MCC}" if machine.name else NO_MCC)
        version = next((line.strip() for line in lines[1:] if "mcc version" in line), "mcc of unknown version")
        version = version[version.index("mcc ") :].replace("mcc version", "mcc")
        root = lines[0].removesuffix("/bin/mcc")
        return Compiler(
            lines[0], version, (root,), (f"{root}/include",), (f"{root}/lib",),
            (("MUSA_HOME", root), ("LD_LIBRARY_PATH", f"{root}/lib")),
        )  # fmt: skip

    def headers(self, arch: Arch) -> Mapping[str, bytes]:
        """None of its own."""
        return {}

    def arch_of(self, arch: Arch) -> str:
        """The arch itself."""
        return arch.name

    def compile_unit(self, compiler: Compiler, unit: Unit, arch: Arch) -> list[str]:
        """The unit as MUSA source, with the harness's header before it."""
        forced = [word for header in unit.forced for word in ("-include", header)]
        return [
            compiler.program, "-x", "musa", f"--offload-arch={arch.name}", *_FLAGS, "-DMUSIFY_CHECK_DEVICE",
            "-DMUSIFY_CHECK_MUSA", *options_of(unit), "-include", "musify_check.h", *forced,
            *(f"-I{each}" for each in unit.include_dirs), "-I.", "-I../../harness", "-c", MAIN, "-o", "../unit.o",
        ]  # fmt: skip

    def compile_driver(self, compiler: Compiler, sources: Sequence[str]) -> list[str]:
        """Files of the harness as plain C++."""
        includes = [f"-I{each}" for each in compiler.includes]
        return [compiler.program, *_FLAGS, "-DMUSIFY_CHECK_MUSA", *includes, "-c", *sources]

    def link(self, compiler: Compiler, objects: Sequence[str], program: str) -> list[str]:
        """With the shared runtime (a static one inside a shared library does not launch, by CV-CUDA's port)."""
        return [compiler.program, *objects, *(f"-L{each}" for each in compiler.libraries), "-lmusart", "-o", program]

    def read_errors(self, stderr: bytes) -> list[Diagnostic]:
        """As clang's."""
        return parse(stderr)
