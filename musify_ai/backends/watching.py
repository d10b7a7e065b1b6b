"""What a command and all that it starts take together: memory, processes, disk.

The kernel's limits hold for each process alone, or for all of a user, and for root not even that. So the tree of
processes is looked at a few times a second, while its output is read. With a sandbox nothing leaves that tree: whoever
is left behind by its parent becomes a child of the sandbox's first process.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

Ended = Literal["exit", "signal", "timeout", "output", "missing", "memory", "tasks", "disk"]

_EVERY = 0.15  # seconds between two looks
_DISK_EVERY = 1.0
# Of a machine's memory, what a command may hold at most, whatever its own limit says.
_SHARE = 0.75
# An entry of a folder takes room too, though its size is 0.
_ENTRY = 1024


class Watch:
    """Looks after the tree of processes under ``root`` and the folder ``place``; limits in MiB and in tasks.

    A ``scratch`` of 0 says that the folder is not the command's own: what lies in it is not counted then.
    Without Linux's /proc only the folder is looked at.
    """

    def __init__(self, root: int, place: Path, *, memory: int, tasks: int, scratch: int) -> None:
        self.root = root
        self.place = place
        self.memory = min(memory << 20, int(_machine_memory() * _SHARE))
        self.tasks = tasks
        self.scratch = scratch << 20
        self._next = time.monotonic() + _EVERY
        self._next_disk = self._next

    def look(self) -> Ended | None:
        """What has been taken too much of, if anything; most calls only look at the clock."""
        now = time.monotonic()
        if now < self._next:
            return None
        self._next = now + _EVERY
        resident = tasks = 0
        for pid in _tree(self.root, self.tasks):
            count, size = _taken(pid)
            tasks += count
            resident += size
        if tasks > self.tasks:
            return "tasks"
        if resident > self.memory:
            return "memory"
        if self.scratch and now >= self._next_disk:
            size = _written(self.place, self.scratch)
            # A large tree takes long to look at: not more than a tenth of the time goes there.
            self._next_disk = time.monotonic() + max(_DISK_EVERY, 10 * (time.monotonic() - now))
            if size > self.scratch:
                return "disk"
        return None


def _tree(root: int, most: int) -> Iterator[int]:
    """A process and its descendants; stops a little above ``most``."""
    queue, seen = [root], 0
    while queue and seen <= most + 1:
        pid = queue.pop()
        seen += 1
        yield pid
        with suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                with suppress(OSError, ValueError):
                    queue.extend(map(int, (task / "children").read_bytes().split()))


def _taken(pid: int) -> tuple[int, int]:
    """The threads of a process, and the bytes it holds (those it shares are counted for each that shares them)."""
    try:
        resident = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
        return sum(1 for _ in Path(f"/proc/{pid}/task").iterdir()), resident * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 1, 0


def _written(place: Path, most: int) -> int:
    """The bytes below a folder; stops once they are more than ``most``."""
    total, folders = 0, [str(place)]
    while folders and total <= most:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                with suppress(OSError):
                    total += _ENTRY + entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                if total > most:
                    break
    return total


def _machine_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return 1 << 40
