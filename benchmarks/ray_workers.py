"""A migration on a Ray cluster of two workers of this machine, of which one is killed: the same tree, the same ledger.

    python -m benchmarks.ray_workers [--files N]

Needs the extra [ray]. A tree is made as `benchmarks.growth` makes it, migrated by local processes, then on Ray, then
on Ray while a worker is killed with SIGKILL twice. Prints times, how many workers were killed, and whether tree and
ledger are equal.
"""

import argparse
import os
import signal
import sqlite3
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.growth import grow
from musify_ai.project import migrate
from musify_ai.project.ledger import FILE, FOLDER
from musify_ai.records import Options


def main() -> int:
    """Print what came of each run; 1 where one differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=2000)
    count = parser.parse_args().files
    with tempfile.TemporaryDirectory() as name:
        source = Path(name, "src")
        grow(source, count)
        wanted, faults = None, 0
        for title, executor, kills in (("local", "local", 0), ("ray", "ray", 0), ("ray, killed", "ray", 2)):
            out = Path(name, title.replace(", ", "-"))
            killer = Killer(kills)
            begin = time.perf_counter()
            outcome = migrate(source, out, Options(verify=False, jobs=2, executor=executor), progress=killer)
            passed = time.perf_counter() - begin
            found = state_of(out)
            wanted = wanted or found
            faults += found != wanted or bool(outcome.run.failed)
            print(
                f"{title:12} {passed:6.1f} s, {len(killer.killed)} workers killed, equal: {found == wanted}", flush=True
            )
    return 1 if faults else 0


class Killer:
    """Progress that kills a Ray worker at a third and at two thirds of the files."""

    def __init__(self, kills: int) -> None:
        self.left, self.killed = kills, list[int]()

    def __call__(self, text: str) -> None:
        words = text.split()
        if not self.left or words[0] != "translating":
            return
        done, of = map(int, words[1].split("/"))
        if done * 3 >= of * (len(self.killed) + 1):
            self.left -= 1
            threading.Thread(target=self._kill).start()
            self.killed.append(done)

    def _kill(self) -> None:
        ours = _descendants(os.getpid())
        workers = [pid for pid, command in ours if command.startswith("ray::treat_task")]
        if workers:
            os.kill(workers[0], signal.SIGKILL)
        else:
            self.killed.pop()


def _descendants(root: int) -> list[tuple[int, str]]:
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            commands[int(place.name)] = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
    found, pending = [], [root]
    while pending:
        here = pending.pop()
        children = [pid for pid, parent in parents.items() if parent == here]
        found += [(pid, commands[pid]) for pid in children]
        pending += children
    return found


def state_of(out: Path) -> tuple[object, ...]:
    """The files of a tree and what its ledger says of them."""
    files = {p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file() and FOLDER not in p.parts}
    with sqlite3.connect(out / FOLDER / FILE) as connection:
        tables = [sorted(connection.execute(f"SELECT * FROM {name}")) for name in ("files", "outputs", "tallies")]
    return files, tables


if __name__ == "__main__":
    raise SystemExit(main())
