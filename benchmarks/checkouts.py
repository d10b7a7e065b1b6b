"""Programs of public projects in local checkouts: which there are (``programs.toml``), and copies of them made smaller.

A checkout is known by what is in it. Nothing is written into one: a program is copied, with the other files that it
includes, to a scratch tree in which each file keeps its path, and constants that would keep an emulator busy for hours
are made smaller there.
"""

import shutil
import struct
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

MARKS = {
    "NVIDIA/cuda-samples": "Common/helper_cuda.h",
    "karpathy/llm.c": "dev/cuda/common.h",
    "sgrauerg/polybenchGpu": "CUDA/3MM",
    "vetter/shoc": "src/cuda/level1",
    "yuhc/gpu-rodinia": "cuda/gaussian",
    "zjin-lcf/HeCBench": "src/vote-cuda",
}
"""What tells a repository's checkout from others: a path in it."""

TABLE = Path(__file__).with_name("programs.toml")


class Case(NamedTuple):
    """A program: a file or a folder of a repository. ``arguments`` to run it, None for its kernels alone.

    ``others`` are patterns of files from elsewhere in the checkout that it includes or links, ``units`` the files to
    compile where not all are, ``data`` a folder of the checkout that stands beside the running program, ``made``
    files that a configure step would write, ``smaller`` texts to replace, everywhere in a file: file, old, new.

    ``tier`` is how much of CUDA it takes: A kernels and copies; B warps, managed memory and device libraries (``+lib``:
    the host's); C textures, graphs, tensor cores and launches by kernels; X what no one machine has. ``moved`` says
    why it is another than in the list that the program came from.
    """

    name: str
    repository: str
    path: str
    tier: str
    arguments: tuple[str, ...] | None = None
    smaller: tuple[tuple[str, str, str], ...] = ()
    others: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    data: str = ""
    made: tuple[tuple[str, str], ...] = ()
    moved: str = ""


def table(path: Path = TABLE) -> tuple[Case, ...]:
    """The programs, in the table's order. `ValueError` where a row has a key that means nothing."""
    rows = tomllib.loads(path.read_text("utf-8"))["program"]
    cases = []
    for row in rows:
        unknown = row.keys() - set(Case._fields)
        if unknown:
            raise ValueError(f"{path.name}: {row.get('name')}: unknown key {', '.join(sorted(unknown))}")
        row["arguments"] = tuple(row.get("arguments", "").split())
        row["smaller"] = tuple((file, old, new) for file, old, new in row.get("smaller", ()))
        row["made"] = tuple((file, text) for file, text in row.get("made", ()))
        for key in ("others", "units", "defines"):
            row[key] = tuple(row.get(key, ()))
        cases.append(Case(**row))
    return tuple(cases)


def known(checkouts: Sequence[Path]) -> dict[str, Path]:
    """The repositories that some checkouts are of; ends the program where one is none that is known."""
    found: dict[str, Path] = {}
    for checkout in checkouts:
        names = [name for name, mark in MARKS.items() if (checkout / mark).exists()]
        if not names:
            sys.exit(f"{checkout}: no checkout that this benchmark knows")
        found[names[0]] = checkout.resolve()
    return found


def copy(checkout: Path, case: Case, place: Path) -> str:
    """Copy a program into a tree at ``place``; what is wrong with it, or nothing."""
    source, target = checkout / case.path, place / case.path
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    elif source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    else:
        return f"{case.path} is not in the checkout"
    for pattern in case.others:
        files = sorted(each for each in checkout.glob(pattern) if each.is_file())
        if not files:
            return f"{pattern} is not in the checkout"
        for each in files:
            (place / each.relative_to(checkout)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(each, place / each.relative_to(checkout))
    for file, text in case.made:
        (place / file).write_text(text, "utf-8")
    folder = target if target.is_dir() else target.parent
    for file, old, new in case.smaller:
        whole = (folder / file).read_bytes()
        if old.encode() not in whole:
            return f"{file} does not hold {old!r}"
        (folder / file).write_bytes(whole.replace(old.encode(), new.encode()))
    return ""


def given(checkout: Path, case: Case, place: Path) -> str:
    """Fill the folder that the program runs in: its data and, for an argument like ``graph.egr``, data made here.

    What is wrong, or nothing.
    """
    place.mkdir(parents=True, exist_ok=True)
    if case.data:
        if not (checkout / case.data).is_dir():
            return f"{case.data} is not in the checkout"
        shutil.copytree(checkout / case.data, place / Path(case.data).name)
    for word in case.arguments or ():
        if word.endswith(".egr"):
            graph(place / word)
    return ""


def graph(path: Path, nodes: int = 600) -> None:
    """A graph file of rings with chords, in the format that the connected-components program reads."""
    ring = nodes // 3
    near: list[Iterable[int]] = [
        sorted({(v + d) % ring + v // ring * ring for d in (1, -1, 7, -7)} - {v}) for v in range(nodes)
    ]
    near[0] = sorted({*range(1, ring), *near[0]})  # one of high degree, which another kernel takes
    for v in range(1, ring):
        near[v] = sorted({*near[v], 0})
    starts = [0]
    flat: list[int] = []
    for each in near:
        flat += each
        starts.append(len(flat))
    numbers = [nodes, len(flat), *starts, *flat]
    path.write_bytes(struct.pack(f"<{len(numbers)}i", *numbers))
