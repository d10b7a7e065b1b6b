"""``musify-ai doctor``: what is on this machine, and what each missing thing costs."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator

import click

from musify_ai import __version__
from musify_ai.cli.output import put

# Program, and what it is for.
PROGRAMS = (
    ("g++", "builds both sides of a kernel for checking"),
    ("clang++", "does so where there is no g++"),
    ("zig", "does so where there is neither: pip install ziglang"),
    ("git", "tells --in-place whether a tree is clean"),
    ("bwrap", "bubblewrap: confines what is built and run"),
    ("ssh", "verify --remote: runs real backends on another machine"),
)
MODULES = (
    ("tree_sitter", "tree-sitter", "structure: launches, kernels"),
    ("tree_sitter_cuda", "tree-sitter-cuda", "its CUDA grammar"),
    ("clang.cindex", "libclang", "canonical types of signatures; without it: pip install 'libclang<19'"),
)


@click.command()
def doctor() -> int:
    """Print which compilers, libraries and folders musify-ai finds here. Always exits 0.

    \b
    Example: musify-ai doctor
    """
    rows = [
        ("musify-ai", __version__, ""),
        ("python", platform.python_version(), sys.executable),
        ("rules", _rules(), "names and constructs it knows"),
        *_programs(),
        *_backends(),
        *_modules(),
        ("kernels", _checkable(), ""),
        ("sandbox", *_sandbox()),
        ("cache", _cache(), "built programs; may be removed at any time"),
    ]
    width = max(len(name) for name, _, _ in rows)
    found = max(len(value) for _, value, _ in rows)
    text = "".join(f"{name:<{width}}  {value:<{found}}  {use}".rstrip() + "\n" for name, value, use in rows)
    put(text.encode("utf-8", "replace"))
    return 0


def _programs() -> Iterator[tuple[str, str, str]]:
    named = os.environ.get("CXX", "").strip()
    if named:
        yield "CXX", _version(named.split()[0]), f"{named}: used before any other compiler"
    for program, use in PROGRAMS:
        yield program, _zig() if program == "zig" else _version(program), use


def _zig() -> str:
    """zig's version, whether it is the wheel's or a program of its own."""
    from musify_ai.backends import zig

    command = zig.command_here()
    return (zig.version_of(command[0]) if command else None) or "not found"


def _backends() -> Iterator[tuple[str, str, str]]:
    """The real compilers, where checking looks for them, and the GPUs that the system knows of."""
    from musify_ai.backends.hardware import makers
    from musify_ai.backends.machines import Here, MachineError, Session, probe
    from musify_ai.backends.mcc import MccGpu
    from musify_ai.backends.nvcc import NvccGpu

    def version(builder: MccGpu | NvccGpu, session: Session) -> str:
        try:
            found = builder.detect(session, Here())
        except MachineError:
            return "not found"
        return found.version.removeprefix(builder.key).strip()

    with Here().session() as session:
        yield "nvcc", version(NvccGpu(), session), "CUDA's compiler: --ptx-identity, --backend nvcc and musa-on-nvidia"
        yield "mcc", version(MccGpu(), session), "MUSA's compiler: --backend mcc (MUSA_HOME says where its SDK is)"
        found = makers(probe(session))
        yield "GPUs", ", ".join(found) or "none", "of NVIDIA or Moore Threads, by their PCI ids: what --backend runs on"


def _version(program: str) -> str:
    """The first line that a program says of its version, shortened to the number where there is one."""
    import re
    import subprocess

    if shutil.which(program) is None:
        return "not found"
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "found, but does not answer"
    text = (done.stdout or done.stderr).decode("utf-8", "replace")
    numbers = re.findall(r"\b\d+\.\d+(?:\.\d+)*", text)
    return numbers[0] if numbers else "found"


def _modules() -> Iterator[tuple[str, str, str]]:
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    for module, package, use in MODULES:
        try:
            there = find_spec(module) is not None
        except ModuleNotFoundError:
            there = False
        if not there:
            yield package, "not found", use
            continue
        try:
            yield package, version(package), use
        except PackageNotFoundError:
            yield package, "found", use


def _rules() -> str:
    from musify_ai.rules import load

    try:
        rules = load()
    except Exception as problem:  # a broken installation is just what this command is asked about
        return f"cannot be read: {problem}"
    return f"{len(rules.names)} names, {rules.version[:12]}"


def _checkable() -> str:
    from musify_ai.backends.toolchain import Toolchain

    toolchain = Toolchain.detect()
    return f"can be checked here, with {toolchain.name}" if toolchain else "cannot be checked here: no C++ compiler"


def _sandbox() -> tuple[str, str]:
    from musify_ai.backends.sandbox import missing

    why = missing()
    return ("off", why) if why else ("on", "no network, a read-only system, no home for what is built and run")


def _cache() -> str:
    from musify_ai.backends.cache import default_root

    return str(default_root())
