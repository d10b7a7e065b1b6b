"""Confining a command with bubblewrap: no network, a read-only system, and of the disk only what the command needs.

What is confined is the compiler too: a source file makes it read other files (``#include``, ``.incbin``) and quote
them in its errors. Paths are the same inside as outside, so nothing that is built depends on the sandbox.

bubblewrap (https://github.com/containers/bubblewrap) needs user namespaces; where it is not installed, or the system
forbids them, there are limits only (`musify_ai.backends.limits`), and `missing` says so in a sentence.
"""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

SWITCH = "MUSIFY_AI_SANDBOX"
"""The environment variable: ``off`` runs without a sandbox, ``require`` runs nothing without one."""

# The system, as far as a compiler, the dynamic linker and Python need it; no home, no /etc but for these.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
_NOBODY = "65534"
_TMP = "/tmp"  # noqa: S108 (the folder inside the sandbox, where nobody else is)


class Access(NamedTuple):
    """What a command may see besides the system and its own directory, which it may write. ``devices`` are device
    files that it may use: with one, it sees /sys too, where drivers look for their device."""

    read: tuple[Path, ...] = ()
    write: tuple[Path, ...] = ()
    devices: tuple[Path, ...] = ()


class SandboxRequired(RuntimeError):
    """A sandbox was demanded, and there is none here."""


def wrap(
    program: str, command: Sequence[str], *, cwd: Path | None, access: Access, env: Mapping[str, str], scratch: int
) -> list[str]:
    """The command line that runs ``command`` confined.

    ``program`` is bubblewrap's path; ``scratch`` is the size in bytes of the temporary folder inside. The command
    sees its own processes only, has no network (not even the machine's own addresses), no rights of its user and no
    environment but ``env``. It may write its directory ``cwd``, if it is given one.
    """
    line = [
        program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
        "--uid", _NOBODY, "--gid", _NOBODY, "--hostname", "sandbox", "--clearenv",
    ]  # fmt: skip
    for key, value in env.items():
        line += ["--setenv", key, value]
    for place in _SYSTEM:
        path = Path(place)
        line += ["--symlink", str(path.readlink()), place] if path.is_symlink() else ["--ro-bind-try", place, place]
    for place in _SETTINGS:
        line += ["--ro-bind-try", place, place]
    line += ["--proc", "/proc", "--dev", "/dev", "--size", str(scratch), "--tmpfs", _TMP]
    # A folder above another is bound before it, so that the narrower right holds.
    bound = {str(path): "--ro-bind" for path in (*_owned(command[0]), *access.read)}
    bound |= {str(path): "--bind" for path in (*access.write, *([cwd] if cwd else []))}
    for place, how in sorted(bound.items()):
        line += [how, place, place]
    for path in access.devices:
        line += ["--dev-bind-try", str(path), str(path)]
    line += ["--ro-bind-try", "/sys", "/sys"] if access.devices else []
    return [*line, "--chdir", str(cwd or "/"), "--", *command]


def _owned(program: str) -> list[Path]:
    """The folders of a program that is not part of the system: a compiler or a Python in a place of its own."""
    found = shutil.which(program)
    if found is None:
        return []
    places = []
    for path in (Path(found).absolute(), Path(found).resolve()):
        if not _of_system(path):
            prefix = path.parent.parent if path.parent.name == "bin" else path.parent
            places.append(prefix if not _holds_home(prefix) else path)
    return places


def _of_system(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in _SYSTEM)


def _holds_home(folder: Path) -> bool:
    """Whether somebody's home lies in a folder, or is it: such a folder is never shown whole."""
    homes = [Path("~").expanduser(), Path("/home"), Path("/root")]
    return any(home.is_relative_to(folder) for home in homes)


def python_folders() -> tuple[Path, ...]:
    """What this Python reads to run: its installation, and the folders it imports from."""
    folders = {sys.prefix, sys.base_prefix, *(each for each in sys.path if each)}
    return tuple(sorted(path for path in map(Path, folders) if path.is_dir() and not _of_system(path)))


def detect() -> str | None:
    """bubblewrap's path where it works and is not switched off; None where commands run under limits only."""
    if os.environ.get(SWITCH, "") == "off":
        return None
    return _working(os.environ.get("PATH", ""))


def required() -> bool:
    """Whether the user wants nothing to run without a sandbox."""
    return os.environ.get(SWITCH, "") == "require"


def missing() -> str:
    """Why there is no sandbox, and what to do, as a sentence; empty where there is one."""
    if detect() is not None:
        return ""
    if os.environ.get(SWITCH, "") == "off":
        return f"{SWITCH}=off: what is built and run is held by limits only"
    if shutil.which("bwrap") is None:
        return (
            "no sandbox: what is built and run is held by limits of time, memory and output only"
            " (install bubblewrap to confine it)"
        )
    return "no sandbox: bwrap is here but may not make namespaces on this system; limits only"


@cache
def _working(_path: str) -> str | None:
    import subprocess

    program = shutil.which("bwrap")
    if program is None:
        return None
    trial = wrap(program, ["true"], cwd=None, access=Access(), env={}, scratch=1 << 20)
    try:
        done = subprocess.run(trial, capture_output=True, timeout=20, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return program if done.returncode == 0 else None
