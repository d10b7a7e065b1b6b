"""What a built driver says of its kernels and device variables: parameters taken apart into places to fill."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Leaf = tuple[int, int, str]


class Slot(NamedTuple):
    """A place to fill: a scalar inside a parameter, or a pointer inside one and the layout of what it points at.

    ``parameter`` is the parameter's index (-1 for a device variable), ``size`` the bytes of the scalar or element,
    ``member`` the name of the member that it is, where a class told it.
    """

    parameter: int
    offset: int
    pointer: bool
    const: bool
    type: str
    size: int
    leaves: tuple[Leaf, ...]
    member: str = ""

    @property
    def kinds(self) -> str:
        """The kinds of its leaves, one letter each."""
        return "".join(leaf[2] for leaf in self.leaves)


class DescribedKernel(NamedTuple):
    """A kernel by the id it was registered under: the types of its parameters, and its slots."""

    types: tuple[str, ...]
    slots: tuple[Slot, ...]


class Symbol(NamedTuple):
    """A device variable: its name, bytes, whether it is constant memory and whether its definition gives it a value."""

    name: str
    bytes: int
    constant: bool
    initialized: bool
    slot: Slot


class Description(NamedTuple):
    """Everything one program can run."""

    kernels: Mapping[str, DescribedKernel]
    symbols: tuple[Symbol, ...]


def read_description(lines: Sequence[str]) -> Description:
    """The description that a driver wrote, one JSON object a line."""
    kernels: dict[str, DescribedKernel] = {}
    symbols: list[Symbol] = []
    for line in lines:
        row = json.loads(line)
        if "kernel" in row:
            types = tuple(each["type"] for each in row["parameters"])
            kernels[row["kernel"]] = DescribedKernel(types, tuple(_slot(each) for each in row["slots"]))
        else:
            symbols.append(Symbol(row["symbol"], row["bytes"], row["constant"], row["initialized"], _slot(row["slot"])))
    return Description(kernels, tuple(symbols))


def _slot(row: Mapping[str, Any]) -> Slot:
    leaves = tuple((offset, size, kind) for offset, size, kind in row["leaves"])
    return Slot(
        row["parameter"],
        row["offset"],
        row["pointer"],
        row["const"],
        row["type"],
        row["size"],
        leaves,
        row.get("member", ""),
    )
