"""How a migration grows with the number of files, and what a second run of an unchanged tree costs.

    python -m benchmarks.growth [--files 100,1000,10000] [--jobs N]

A tree of so many files is made from this repository's gallery (its sources, build files and Python, each copy under a
name of its own, with a line of its own). It is migrated without checks by a process of its own, then once more as it
is, then with one file in a hundred changed, then with a file edited by hand. Printed are seconds of wall time and of
processors, files a second, and the most memory that any process of the run held.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
_KINDS = (".cu", ".cuh", ".h", ".cpp", ".py", ".cmake")
_NAMES = ("Makefile", "CMakeLists.txt")
_FOLDER = 50  # files in a folder


class Cost(NamedTuple):
    """What a run took: seconds on the wall and of processors, and the largest process's memory in MiB."""

    wall: float
    cpu: float
    memory: float


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", default="100,1000,10000")
    parser.add_argument("--jobs", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _row(Path(folder), 1, 1)  # so that the byte code is there
    print("files   MB     first: s   CPU s  files/s   MiB | again: s   CPU s  part  MiB | 1 % changed: s | edited: s")
    for count in map(int, arguments.files.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            print(_row(Path(folder), count, arguments.jobs), flush=True)


def _row(folder: Path, count: int, jobs: int) -> str:
    source, out = folder / "src", folder / "out"
    places = grow(source, count)
    size = sum(place.stat().st_size for place in places) / 1e6
    first, again = run(source, out, jobs), run(source, out, jobs)
    for place in places[::100]:
        place.write_bytes(place.read_bytes() + b"\n")
    some = run(source, out, jobs)
    edited = out / places[0].relative_to(source)
    edited.write_bytes(b"\n" + edited.read_bytes())
    by_hand = run(source, out, jobs)
    return (
        f"{count:6} {size:5.1f} {first.wall:10.2f} {first.cpu:8.2f} {count / first.wall:8.0f} {first.memory:6.0f} |"
        f" {again.wall:7.2f} {again.cpu:7.2f} {again.cpu / first.cpu:5.2f} {again.memory:5.0f} | {some.wall:8.2f}"
        f" | {by_hand.wall:8.2f}"
    )


def grow(root: Path, count: int) -> list[Path]:
    """Make a tree of so many files out of the gallery."""
    places = []
    for number, (name, text) in enumerate(islice(cycle(_gallery()), count)):
        folder = root / f"part{number // _FOLDER:04}"
        folder.mkdir(parents=True, exist_ok=True)
        stem, dot, suffix = name.partition(".")
        place = folder / f"{stem}_{number}{dot}{suffix}" if dot else folder / f"d{number}" / name
        place.parent.mkdir(exist_ok=True)
        mark = "#" if suffix in ("py", "cmake", "txt") or not dot else "//"
        place.write_bytes(text + f"\n{mark} {number}\n".encode())
        places.append(place)
    return places


def _gallery() -> list[tuple[str, bytes]]:
    return [(place.name, place.read_bytes()) for place in sorted(_files())]


def _files() -> Iterator[Path]:
    for place in (ROOT / "corpus").rglob("*"):
        if "llm" not in place.parts and (place.suffix in _KINDS or place.name in _NAMES):
            yield place


def run(source: Path, out: Path, jobs: int) -> Cost:
    """Migrate in a process of its own."""
    # Installed packages come with their byte code; this checkout is to write its own.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "musify_ai", "migrate", str(source), "--out", str(out), "--no-verify", "-q"]
    begin = time.perf_counter()
    process = subprocess.Popen([*command, "-j", str(jobs)], cwd=ROOT, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    wall = time.perf_counter() - begin
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
