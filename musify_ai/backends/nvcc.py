"""The original on an NVIDIA GPU: built by nvcc, in CUDA's own words."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from musify_ai.backends.device_programs import Compiler, options_of
from musify_ai.backends.diagnostics import Diagnostic
from musify_ai.backends.diagnostics import parse as parse_clang
from musify_ai.backends.emulated import MAIN, Side, Unit
from musify_ai.backends.hardware import Maker
from musify_ai.backends.machines import Machine, MachineError, Session
from musify_ai.backends.nvidia import ERROR, NO_NVCC, Nvcc
from musify_ai.records import Arch

# CUDA's compiler of a machine that is not this one, by where it is looked for.
_FIND = """
for each in "$(command -v nvcc)" "$CUDA_HOME/bin/nvcc" "$CUDA_PATH/bin/nvcc" /usr/local/cuda/bin/nvcc; do
  [ -x "$each" ] && { echo "$each"; "$each" --version; exit 0; }
done
exit 1
"""

_FLAGS = ("-std=c++17", "-O2", "-w")
_DEVICE_FLAGS = ("--expt-relaxed-constexpr", "--expt-extended-lambda", "-DMUSIFY_CHECK_DEVICE")


class NvccGpu(NamedTuple):
    """nvcc and an NVIDIA GPU."""

    key: str = "nvcc"
    side: Side = "cuda"
    maker: Maker = "NVIDIA"

    def detect(self, session: Session, machine: Machine) -> Compiler:
        """nvcc of a machine; of this one also that of NVIDIA's wheels."""
        return find_nvcc(session, machine)

    def headers(self, arch: Arch) -> Mapping[str, bytes]:
        """None of its own."""
        return {}

    def arch_of(self, arch: Arch) -> str:
        """The CUDA arch that stands for a MUSA one (`ARCHS`)."""
        return arch.cuda

    def compile_unit(self, compiler: Compiler, unit: Unit, arch: Arch) -> list[str]:
        """The unit, with the harness's header before it."""
        return unit_command(compiler, unit, arch, ())

    def compile_driver(self, compiler: Compiler, sources: Sequence[str]) -> list[str]:
        """Files of the harness, by nvcc's host compiler."""
        return [compiler.program, *_FLAGS, *(f"-I{each}" for each in compiler.includes), "-c", *sources]

    def link(self, compiler: Compiler, objects: Sequence[str], program: str) -> list[str]:
        """With the static runtime, as nvcc does by itself."""
        return [compiler.program, *objects, "-o", program, *(f"-L{each}" for each in compiler.libraries)]

    def read_errors(self, stderr: bytes) -> list[Diagnostic]:
        """nvcc's own errors and those of its host compiler."""
        return read_errors(stderr)


def find_nvcc(session: Session, machine: Machine) -> Compiler:
    """nvcc of a machine. Raises `MachineError` where there is none."""
    if not machine.name:
        found = Nvcc.detect()
        if found is None:
            raise MachineError(NO_NVCC)
        root = found.program.resolve().parent.parent
        libraries = tuple(str(each) for each in sorted(root.glob("lib*")) if each.is_dir())
        roots = (str(root), *through_wrapper(found.program.read_bytes()[:4096]), *map(str, found.includes))
        return Compiler(str(found.program), found.name, roots, tuple(map(str, found.includes)), libraries)
    done = session.ask(_FIND)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if not done.ok or not lines:
        raise MachineError(f"{machine.name} has no nvcc on its PATH, under CUDA_HOME or in /usr/local/cuda")
    release = re.search(r"release \d+\.\d+, V([\d.]+)", "\n".join(lines))
    return Compiler(lines[0], f"nvcc {release[1]}" if release else "nvcc of unknown version")


def through_wrapper(head: bytes) -> tuple[str, ...]:
    """The toolkit behind a shell script that calls it by its path, from the beginning of the script."""
    if not head.startswith(b"#!"):
        return ()
    for line in head.decode("utf-8", "replace").splitlines()[1:]:
        words = shlex.split(line, comments=True) if line.count('"') % 2 == 0 and line.count("'") % 2 == 0 else []
        for word in words:
            if word.startswith("/") and word.endswith("/bin/nvcc"):
                return (word.removesuffix("/bin/nvcc"),)
    return ()


def unit_command(compiler: Compiler, unit: Unit, arch: Arch, first: Sequence[str]) -> list[str]:
    """The command that compiles a unit; ``first`` are options that come before those of the unit."""
    forced = [word for header in unit.forced for word in ("-include", header)]
    return [
        compiler.program, f"-arch={arch.cuda}", *_FLAGS, *_DEVICE_FLAGS, *options_of(unit), *first,
        "-include", "musify_check.h", *forced, *(f"-I{each}" for each in unit.include_dirs), "-I.", "-I../../harness",
        *(f"-I{each}" for each in compiler.includes), "-x", "cu", "-c", MAIN, "-o", "../unit.o",
    ]  # fmt: skip


def read_errors(stderr: bytes) -> list[Diagnostic]:
    """The errors among what nvcc and its host compiler printed, each once, in order."""
    found = []
    for match in ERROR.finditer(stderr.decode("utf-8", "replace")):
        file, line, text = (match[1], match[2], match[3]) if match[1] else (match[4], match[5], match[6])
        found.append(Diagnostic(file.removeprefix("./"), int(line), text))
    return list(dict.fromkeys(found)) or parse_clang(stderr)
