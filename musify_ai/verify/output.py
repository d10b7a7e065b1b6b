"""Standard output as it is compared: without times, rates, addresses and the name of the device.

What is taken out is a time or a rate by its unit or by the words beside it, an address by its look, and the device's
name by being exactly what the device calls itself: the two sides run on devices of different names.
"""

import re
from collections.abc import Collection

_ADDRESS = re.compile(rb"\b0x[0-9a-fA-F]{5,}\b")
_NUMBER = rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_TIMED = re.compile(
    _NUMBER + rb"\s*\(?(?:[mun\xc2\xb5]?s(?:ec(?:onds?)?)?|milliseconds?|microseconds?|[KMGT]i?B/s|[KMGT]?FLOPS?(?:/s)?"
    rb"|[KMGT]?flops?(?:/s)?|fps|Hz|[KMG]Hz)\b\)?",
)
_TIME_WORDS = re.compile(
    rb"(?i)\b(?:(?:run ?)?time|elapsed|took|bandwidth|throughput|speed ?up|gflops|perf\w*|duration|latency)\b"
)
_DEVICE = re.compile(rb"\bemulated (?:sm|mp)_\d\d\b")
_NUMBERS = re.compile(_NUMBER)
_BLANKS = re.compile(rb"[ \t]+")


def mask(stdout: bytes) -> list[bytes]:
    """The lines of an output with times, rates, addresses and the device's name taken out."""
    out: list[bytes] = []
    headed = False
    for line in stdout.splitlines():
        plain = _TIMED.sub(b"<time>", _ADDRESS.sub(b"<address>", _DEVICE.sub(b"<device>", line)))
        timed = _TIME_WORDS.search(plain) is not None
        # A heading that announces a time has it on the next line, alone.
        if timed or (headed and _NUMBERS.fullmatch(plain.strip())):
            plain = _NUMBERS.sub(b"<number>", plain)
        headed = timed and plain.rstrip().endswith(b":")
        # A number's width moves the blanks beside it.
        out.append((_BLANKS.sub(b" ", plain) if plain != line else plain).rstrip())
    return out


def without_numbers(stdout: bytes, lines: Collection[int]) -> list[bytes]:
    """As `mask`, and without the numbers of some lines, by index."""
    plain = mask(stdout)
    return [_BLANKS.sub(b" ", _NUMBERS.sub(b"<number>", line)) if i in lines else line for i, line in enumerate(plain)]


def passed_over(mine: bytes, theirs: bytes) -> list[str]:
    """What is to be said of lines that agree only because `mask` took something away."""
    raw = zip(mine.splitlines(), theirs.splitlines(), mask(mine), mask(theirs), strict=False)
    count = sum(left != right and a == b for left, right, a, b in raw)
    lines = "a line" if count == 1 else f"{count} lines"
    return [f"without the times, rates, addresses and device names in {lines} of stdout, which differ"] if count else []
