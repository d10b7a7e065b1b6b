"""What a kernel's scalar parameters are likely to mean, told from their names, and values that go together.

Sizes are no multiples of 32, 64 or 128, their product stays inside the buffers, and no two scalars share a value, so
that exchanged arguments show. A bad guess ends in a fault or in nothing written, and the next choice is tried.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_WORDS = (
    r"n|nn|len|length|size|sz|count|cnt|total|numel|width|w|height|h|rows?|cols?|columns?|dim|dims|channels?|batch"
    r"|batches|heads?|nx|ny|nz|bins?|points?|samples?|items?|elements?|elems?|vertices|edges|nodes|classes|features"
    r"|hidden|vocab|tokens?|seq|particles?|bodies|entries|vectors?|nrows?|ncols?|limit|end|hi|high|last|capacity"
    r"|segments?"
)
_SIZE = re.compile(
    rf"^(?:(?:.*_)?(?:{_WORDS})(?:_.*)?|(?:num|n|size|len|max)_?[A-Z].*|n_.*|num.*"
    r"|.*(?:Size|Len|Length|Count|Width|Height|Rows|Cols|Num|Dim|Elements|Elems)"
    r"|(?:dim|size|len|n|d|l|s)[0-9]|[NMKLCHWTBDVPQRS]|OC|IC|NH|HS|BT|NX|NY|NZ|dim[XYZ])$"
)
_STRIDE = re.compile(r"^(?:ld[a-z]{0,2}|LD[A-Z]?|.*(?:stride|pitch|step_size|leading).*)$", re.IGNORECASE)
_START = re.compile(r"^(?:.*_)?(?:start|begin|first|offset|off|lo|low|base|origin|shift0)(?:_.*)?$", re.IGNORECASE)
_BLOCK = re.compile(r"^(?:block_?(?:size|dim)|threads?(?:_?per_?block)?|n_?threads|num_?threads)$", re.IGNORECASE)
_HEADS = re.compile(r"^(?:NH|n_?heads?|num_?heads?|heads?|groups?|num_?groups?)$", re.IGNORECASE)
_CHANNELS = re.compile(r"^(?:O?C|c|.*channels?.*|.*hidden.*|.*embd?.*|d_model|.*dim)$")
_EPSILON = re.compile(r"eps", re.IGNORECASE)
_TRIPLE = ({"m", "n", "k"}, {"w", "h"})

# Sizes by how many of them a kernel takes, from roomy to tight; the product of a row stays under `ELEMENTS`.
_CHOICES: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1000,), (203,), (37,), (512,), (64,), (13,)),
    2: ((75, 53), (37, 29), (70, 19), (13, 11), (64, 32), (12, 768), (128, 128)),
    3: ((37, 29, 23), (13, 11, 19), (7, 5, 37), (32, 16, 64), (3, 5, 1024)),
    4: ((7, 13, 11, 19), (3, 5, 11, 37), (2, 4, 8, 64), (2, 3, 768, 5)),
    5: ((3, 7, 5, 11, 13), (2, 3, 4, 8, 32)),
}
ELEMENTS = 65536


class Scalar(NamedTuple):
    """An integer parameter's likely role (``size``, ``stride``, ``start`` or ``other``) by its place in the list."""

    name: str
    role: str


def last_name(name: str) -> str:
    """What a member is called by itself: ``rows`` for ``params.rows``, ``range`` for ``params.range.3``."""
    parts = name.split(".")
    while len(parts) > 2 and parts[-1].isdigit():
        parts.pop()
    return name if len(parts) < 2 or parts[-1].isdigit() else parts[-1]


def roles_of(names: Sequence[str]) -> list[Scalar]:
    """The roles of a kernel's integer parameters."""
    lower = {last_name(name).lower() for name in names}
    out = []
    for whole in names:
        name = last_name(whole)
        if _STRIDE.match(name):
            role = "stride"
        elif _START.match(name):
            role = "start"
        elif _SIZE.match(name) or any(name.lower() in group and group <= lower for group in _TRIPLE):
            role = "size"
        else:
            role = "other"
        out.append(Scalar(whole, role))
    if out and not any(each.role == "size" for each in out) and len(out) == 1 and out[0].role == "other":
        return [Scalar(out[0].name, "size")]
    return out


def values_of(scalars: Sequence[Scalar], learnt: Mapping[str, int]) -> list[dict[str, int]]:
    """Values for the integer parameters, several choices in order of preference.

    ``learnt`` are values that the host code gives; they serve for what is no size at once, for sizes last.
    """
    sizes = [each for each in scalars if each.role == "size"]
    count = len(sizes)
    if count in _CHOICES:
        rows = list(_CHOICES[count])
    elif count == 0:
        rows = [()]
    else:
        rows = [tuple((2, 3, 5)[i % 3] if i >= 3 else (5, 7, 3)[i] for i in range(count)), (2,) * count]
    out: list[dict[str, int]] = []
    for row in rows:
        out.append(filled(scalars, dict(zip((each.name for each in sizes), row, strict=True)), learnt))
    known = {each.name: learnt[each.name] for each in sizes if each.name in learnt}
    if known and all(0 < value <= 4096 for value in known.values()):
        product = 1
        for value in known.values():
            product *= value
        if product <= ELEMENTS:
            rest = dict(zip((each.name for each in sizes), rows[0], strict=True))
            out.insert(min(2, len(out)), filled(scalars, {**rest, **known}, learnt))
    # What divides something, or must itself be divided by two, is no odd number: last, for the others tell more apart.
    plain = {each.name for each in scalars if each.role == "other" and each.name not in learnt}
    if plain:
        out += [
            {name: value * 2 if name in plain else value for name, value in out[at].items()}
            for at in (0, len(rows) - 1)
        ]
    unique: list[dict[str, int]] = []
    for each in out:
        if each not in unique:
            unique.append(each)
    return unique


def filled(scalars: Sequence[Scalar], sizes: Mapping[str, int], learnt: Mapping[str, int]) -> dict[str, int]:
    """Values for all integer parameters, given those of the sizes by name."""
    sizes = dict(sizes)
    heads = [name for name in sizes if _HEADS.match(last_name(name))]
    for name in heads if len(sizes) > len(heads) else ():
        # Heads or groups divide the channels.
        sizes[name] = 3
        for other in sizes:
            if _CHANNELS.match(last_name(other)) and other not in heads:
                sizes[other] = max(sizes[other] // 3, 2) * 3
    values: dict[str, int] = {}
    widest = max(sizes.values(), default=64)
    small = 3
    for each in scalars:
        if each.role == "size":
            values[each.name] = sizes[each.name]
        elif each.role != "stride" and each.name in learnt and -4096 <= learnt[each.name] <= 4096:
            values[each.name] = learnt[each.name]
        elif each.role == "stride":
            values[each.name] = widest
        elif each.role == "start":
            values[each.name] = 0
        else:
            values[each.name] = small
            small += 2
    return values


def is_block_size(name: str) -> bool:
    """Whether a parameter tells the kernel how many threads its block has."""
    return bool(_BLOCK.match(name))


def is_epsilon(name: str) -> bool:
    """Whether a floating parameter is likely a small guard against division by zero."""
    return bool(_EPSILON.search(last_name(name)))


_LOW = re.compile(r"^(?:.*_)?(?:min|lo|low|lower)(?:[A-Z_].*|val(?:ue)?|bound)?$")
_HIGH = re.compile(r"^(?:.*_)?(?:max|hi|high|upper)(?:[A-Z_].*|val(?:ue)?|bound)?$")


def float_range(name: str) -> tuple[float, float]:
    """Where a floating parameter's values are taken from: bounds of a range so that most inputs lie within it."""
    if is_epsilon(name):
        return 1e-5, 2e-5
    if _LOW.match(name):
        return -1.0, -0.75
    if _HIGH.match(name):
        return 0.75, 1.0
    return 0.25, 1.25


_ZERO = re.compile(r"lock|mutex|semaphore|sem$|flag|barrier|counter|^count$|^cnt$|_count$|ticket|done", re.IGNORECASE)
_MONOTONE = re.compile(
    r"row_?ptrs?|rowptr|indptr|row_?offsets?|offsets?$|row_?start|seg(?:ment)?_?(?:start|ptr|off)|cu_?seqlens|csr",
    re.IGNORECASE,
)
_POSITIVE = re.compile(r"var|sigma|std|radius|weight_sum|norm|denom|^v$|mass|prob", re.IGNORECASE)


def fill_of(name: str, kinds: str, *, const: bool) -> str:
    """How a buffer is filled: ``zero`` for locks and counters, ``monotone`` for offsets, ``positive``, ``random``."""
    integers = bool(kinds) and set(kinds) <= set("iu")
    if integers and not const and _ZERO.search(name):
        return "zero"
    if integers and const and _MONOTONE.search(name):
        return "monotone"
    if _POSITIVE.search(name) and set(kinds) & set("fhb"):
        return "positive"
    return "random"
