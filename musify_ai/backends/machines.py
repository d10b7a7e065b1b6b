"""Where a real backend runs: this machine, or another over ssh (`musify_ai.backends.remote`). A session is a scratch
folder there: files are put into it, commands run in it under limits, results are brought back, and it goes away.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from musify_ai.backends.limits import Completed, Limits, clean_environment, run_limited, scratch
from musify_ai.backends.sandbox import Access

# What chooses a device or says where an SDK is; a program needs it, and it holds no secret.
PASSED_ON = (
    "CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "MUSA_HOME", "MUSA_PATH", "MUSA_VISIBLE_DEVICES",
    "MTHREADS_VISIBLE_DEVICES",
)  # fmt: skip

# One script for every machine, so that what it says is compared alike. PCI vendors come from the kernel.
PROBE = """
for f in /sys/bus/pci/devices/*/vendor; do [ -r "$f" ] && sed 's/^/pci /' "$f"; done | sort -u
for f in /dev/nvidia* /dev/mtgpu* /dev/dri/renderD*; do [ -c "$f" ] && echo "node $f"; done
exit 0
"""


class MachineError(RuntimeError):
    """A machine cannot be used, or not any more; the message says what failed and what to do."""


class BackendError(ValueError):
    """A backend's or a machine's name that is none; the message says which there are."""


class Probe(NamedTuple):
    """What the kernel of a machine knows of GPUs: PCI vendors as ``0x10de``, and the files of its devices."""

    vendors: frozenset[str] = frozenset()
    nodes: tuple[str, ...] = ()


class Session(Protocol):
    """A scratch folder on a machine. Every method raises `MachineError` where the machine fails, which is no word on
    what was run."""

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write files below the folder."""

    def run(
        self, command: Sequence[str], *, within: str, limits: Limits, read: Sequence[str] = (),
        nodes: Sequence[str] = (), env: Mapping[str, str] | None = None,
    ) -> Completed:  # fmt: skip
        """Run a command in a folder below, which may see ``read`` besides and use the devices ``nodes``."""

    def fetch(self, paths: Sequence[str]) -> dict[str, bytes]:
        """The contents of files below the folder; those that are not there are left out."""

    def ask(self, script: str) -> Completed:
        """Run a shell script of ours, which looks at the machine and touches no file of a user's project."""


class Machine(Protocol):
    """A machine by the name that evidence rows give it."""

    @property
    def name(self) -> str:
        """Empty for this machine, else as the user named it."""

    def session(self) -> AbstractContextManager[Session]:
        """A session; the folder is gone afterwards."""


class Here(NamedTuple):
    """This machine."""

    name: str = ""

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session in a folder for temporary files; what runs in it is confined where bubblewrap is."""
        with scratch() as root:
            yield _LocalSession(root)


class _LocalSession:
    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, files: Mapping[str, bytes]) -> None:
        for name, data in files.items():
            path = self.root / name
            if not Path(os.path.normpath(path)).is_relative_to(self.root):
                raise MachineError(f"{name}: outside the scratch folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def run(
        self, command: Sequence[str], *, within: str, limits: Limits, read: Sequence[str] = (),
        nodes: Sequence[str] = (), env: Mapping[str, str] | None = None,
    ) -> Completed:  # fmt: skip
        access = Access(tuple(map(Path, read)), (self.root,), tuple(map(Path, nodes)))
        passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return run_limited(
            list(command), cwd=self.root / within, limits=limits,
            env=clean_environment(self.root, {**passed, **(env or {})}), access=access,
        )  # fmt: skip

    def fetch(self, paths: Sequence[str]) -> dict[str, bytes]:
        found = {}
        for name in paths:
            path = self.root / name
            # A program may have laid a link there, to be followed by us with our rights.
            if path.is_file() and not path.is_symlink() and path.resolve().is_relative_to(self.root.resolve()):
                found[name] = path.read_bytes()
        return found

    def ask(self, script: str) -> Completed:
        passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return run_limited(
            ["/bin/sh", "-c", script], cwd=self.root, limits=Limits(cpu=20, wall=60),
            env=clean_environment(self.root, passed),
        )  # fmt: skip


def probe(session: Session) -> Probe:
    """What a machine's kernel knows of GPUs."""
    done = session.ask(PROBE)
    lines = [line.split(" ", 1) for line in done.stdout.decode("utf-8", "replace").splitlines() if " " in line]
    vendors = frozenset(value.strip().lower() for kind, value in lines if kind == "pci")
    return Probe(vendors, tuple(value.strip() for kind, value in lines if kind == "node"))
