"""A control group for a command's processes: the kernel's own limit on how many there are, and a way to end them all.

The limit on processes that a shell can set does not hold for root, and counts all of a user's otherwise. Where this
process may make control groups (root, or a delegated subtree; versions 1 and 2), a command gets one of its own:
https://docs.kernel.org/admin-guide/cgroup-v1/pids.html, https://docs.kernel.org/admin-guide/cgroup-v2.html#pid.
Elsewhere `musify_ai.backends.watching` counts, a few times a second.
"""

import itertools
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_numbers = itertools.count()


class TaskGroup:
    """A control group under its folder ``place``."""

    def __init__(self, place: Path) -> None:
        self.place = place

    @property
    def entrance(self) -> Path:
        """The file to which a process writes its number to enter."""
        return self.place / "cgroup.procs"

    def was_full(self) -> bool:
        """Whether a process was refused."""
        with suppress(OSError, ValueError, IndexError):
            return int((self.place / "pids.events").read_text().split()[1]) > 0
        return False

    def end(self) -> None:
        """Kill what is in it, and take it away."""
        import signal

        for _ in range(100):
            with suppress(OSError):
                for pid in self.entrance.read_text().split():
                    with suppress(OSError):
                        os.kill(int(pid), signal.SIGKILL)
                self.place.rmdir()
                return
            time.sleep(0.01)


@contextmanager
def task_group(most: int) -> Iterator[TaskGroup | None]:
    """A control group that holds at most so many processes and threads; None where we may not make one."""
    base = _base()
    group = None
    if base is not None:
        group = TaskGroup(base / f"musify-ai-{os.getpid()}-{next(_numbers)}")
        try:
            group.place.mkdir()
            (group.place / "pids.max").write_text(str(most))
        except OSError:
            group.end()
            group = None
    try:
        yield group
    finally:
        if group is not None:
            group.end()


@cache
def _base() -> Path | None:
    """Our own control group of those that count processes, if we may make others in it."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if "pids" in controllers.split(","):
            place = _ROOT / "pids" / path.lstrip("/")
        elif number == "0" and not controllers:
            place = _ROOT / path.lstrip("/")
            with suppress(OSError):
                if "pids" not in (place / "cgroup.subtree_control").read_text().split():
                    continue
        else:
            continue
        trial = place / f"musify-ai-{os.getpid()}-trial"
        with suppress(OSError):
            trial.mkdir()
            usable = (trial / "pids.max").exists()
            trial.rmdir()
            if usable:
                _clear(place)
                return place
    return None


def _clear(base: Path) -> None:
    """Take away what those of us left who were killed: empty groups of processes that are no more."""
    for place in base.glob("musify-ai-*-*"):
        with suppress(OSError):
            if not Path("/proc", place.name.split("-")[2]).exists():
                place.rmdir()
