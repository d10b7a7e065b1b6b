"""Inputs that a person gives, or a run of the program: a small TOML file, or a launch log.

    [kernels.spmv]
    grid = [8, 1, 1]
    block = [128, 1, 1]
    shared = 0
    values = { rows = 100, alpha = [0.5, 1.5] }

    [kernels.spmv.buffers]
    row_offsets = { elements = 101, fill = "monotone", below = 500 }

Everything may be left out; what is left out is chosen as without the file. A kernel is named as ``verify`` names it, in
all its instantiations.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

NAME = "musify-inputs.toml"
FILLS = ("random", "positive", "monotone", "zero")
MOST_ELEMENTS = 1 << 24

Dim = tuple[int, int, int]


class GivenError(Exception):
    """The file is no file of inputs; the message says where and what to do."""


class GivenBuffer(NamedTuple):
    """A buffer's elements, how it is filled, and what its integers stay below; each as otherwise where 0 or empty."""

    elements: int = 0
    fill: str = ""
    below: int = 0


class Given(NamedTuple):
    """The inputs of a kernel. ``values`` are integers by parameter, ``ranges`` floats' bounds. ``learnt`` from a run:
    tried first, while what a person gives is all that is tried."""

    grid: Dim | None = None
    block: Dim | None = None
    shared: int | None = None
    values: Mapping[str, int] = {}
    ranges: Mapping[str, tuple[float, float]] = {}
    buffers: Mapping[str, GivenBuffer] = {}
    learnt: bool = False


def read(file: Path) -> dict[str, Given]:
    """The inputs by kernel of a TOML file. Raises `GivenError`."""
    import tomllib

    try:
        table: Any = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as problem:
        raise GivenError(f"{file}: {problem}") from None
    return parse(table, str(file))


def parse(table: Mapping[str, Any], where: str) -> dict[str, Given]:
    """The inputs by kernel of a file's table. Raises `GivenError`."""
    _known(table, ("kernels",), where)
    kernels = _table(table.get("kernels", {}), f"{where}: kernels")
    return {
        name: _given(_table(row, f"{where}: kernels.{name}"), f"{where}: kernels.{name}")
        for name, row in kernels.items()
    }


def _given(row: Mapping[str, Any], where: str) -> Given:
    _known(row, ("grid", "block", "shared", "values", "buffers"), where)
    values: dict[str, int] = {}
    ranges: dict[str, tuple[float, float]] = {}
    for name, value in _table(row.get("values", {}), f"{where}.values").items():
        if isinstance(value, int) and not isinstance(value, bool):
            values[name] = value
        elif isinstance(value, list) and len(value) == 2 and all(isinstance(each, int | float) for each in value):
            ranges[name] = (float(value[0]), float(value[1]))
        elif isinstance(value, float):
            ranges[name] = (value, value)
        else:
            raise GivenError(f"{where}.values.{name}: a whole number, a number, or [lowest, highest], not {value!r}")
    shared = row.get("shared")
    if shared is not None and (not isinstance(shared, int) or not 0 <= shared <= 1 << 20):
        raise GivenError(f"{where}.shared: bytes, from 0 to 1048576, not {shared!r}")
    buffers = {
        name: _buffer(_table(value, f"{where}.buffers.{name}"), f"{where}.buffers.{name}")
        for name, value in _table(row.get("buffers", {}), f"{where}.buffers").items()
    }
    return Given(_dim(row, "grid", where), _dim(row, "block", where), shared, values, ranges, buffers)


def _buffer(row: Mapping[str, Any], where: str) -> GivenBuffer:
    _known(row, ("elements", "fill", "below"), where)
    elements, fill, below = row.get("elements", 0), row.get("fill", ""), row.get("below", 0)
    if not isinstance(elements, int) or not 0 <= elements <= MOST_ELEMENTS:
        raise GivenError(f"{where}.elements: a number up to {MOST_ELEMENTS}, not {elements!r}")
    if fill and fill not in FILLS:
        raise GivenError(f"{where}.fill: one of {', '.join(FILLS)}, not {fill!r}")
    if not isinstance(below, int) or below < 0:
        raise GivenError(f"{where}.below: a whole number that integers stay below, not {below!r}")
    return GivenBuffer(elements, fill, below)


def _dim(row: Mapping[str, Any], key: str, where: str) -> Dim | None:
    value = row.get(key)
    if value is None:
        return None
    parts = [value] if isinstance(value, int) else value
    if not isinstance(parts, list) or not 1 <= len(parts) <= 3 or not all(isinstance(p, int) and p > 0 for p in parts):
        raise GivenError(f"{where}.{key}: one to three numbers above 0, not {value!r}")
    x, y, z = [*parts, 1, 1][:3]
    return x, y, z


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise GivenError(f"{where}: a table, not {value!r}")
    return value


def _known(table: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    for key in table:
        if key not in keys:
            raise GivenError(f"{where}: unknown key {key!r}; there is {', '.join(keys)}")


def from_log(lines: Iterable[str], parameters: Mapping[str, Sequence[str]]) -> dict[str, Given]:
    """The inputs by kernel of a launch log (``musify-ai run --launches FILE``), each kernel's first launch that went
    well. ``parameters`` are the parameters' names of each kernel. Lines that are none are passed over."""
    found: dict[str, Given] = {}
    for line in lines:
        try:
            row = json.loads(line)
            name = str(row["kernel"]).split("<", 1)[0].rsplit("::", 1)[-1]
            names = parameters.get(name, ())
            if row.get("error") or name in found or len(names) != len(row["arguments"]):
                continue
            found[name] = _logged(row, names)
        except (ValueError, KeyError, TypeError):
            continue
    return found


def _logged(row: Mapping[str, Any], names: Sequence[str]) -> Given:
    values: dict[str, int] = {}
    ranges: dict[str, tuple[float, float]] = {}
    buffers: dict[str, GivenBuffer] = {}
    for name, argument in zip(names, row["arguments"], strict=True):
        value = argument.get("value")
        if argument["kind"] in ("int", "uint") and isinstance(value, int):
            values[name] = value
        elif argument["kind"] in ("float", "half", "bfloat16") and isinstance(value, float | int):
            ranges[name] = (float(value), float(value))
        elif argument["kind"] == "pointer" and isinstance(argument.get("allocation"), int):
            # Elements are counted when the kernel's types are known: bytes as a negative number until then.
            room = argument["allocation"] - int(argument.get("offset", 0))
            buffers[name] = GivenBuffer(-room)
    grid, block = tuple(row["grid"]), tuple(row["block"])
    return Given(
        (grid[0], grid[1], grid[2]),
        (block[0], block[1], block[2]),
        int(row["shared"]),
        values,
        ranges,
        buffers,
        learnt=True,
    )


def written(kernels: Mapping[str, Given], reasons: Mapping[str, str]) -> str:
    """A TOML file of inputs, to be changed by hand; kernels without any stand there with the reason."""
    out = [
        "# Inputs that musify-ai verify runs each kernel with; change what you know better and leave out the rest.",
        f"# fill: {', '.join(FILLS)}; below: what integers stay below. Other sizes are tried besides.",
    ]
    for name in sorted({*kernels, *reasons}):
        out.append("")
        if name in reasons:
            out.append(f"# {' '.join(reasons[name].split())}")
        out.append(f"[kernels.{_key(name)}]")
        given = kernels.get(name)
        if given is None:
            continue
        for key in ("grid", "block"):
            value = getattr(given, key)
            if value is not None:
                out.append(f"{key} = {list(value)}")
        if given.shared is not None:
            out.append(f"shared = {given.shared}")
        pairs = [f"{_key(key)} = {value}" for key, value in given.values.items()]
        pairs += [f"{_key(key)} = [{low!r}, {high!r}]" for key, (low, high) in given.ranges.items()]
        if pairs:
            out.append(f"values = {{ {', '.join(pairs)} }}")
        if given.buffers:
            out += [f"[kernels.{_key(name)}.buffers]"]
        for buffer, (elements, fill, below) in given.buffers.items():
            texts = [f"elements = {elements}"] if elements else []
            texts += [f'fill = "{fill}"'] if fill else []
            texts += [f"below = {below}"] if below else []
            out.append(f"{_key(buffer)} = {{ {', '.join(texts)} }}")
    return "\n".join(out) + "\n"


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "a").isalnum() else json.dumps(name)
