"""Names by which edits, findings and kernels of one run are spoken of: readable, and each given once."""

from collections import Counter
from collections.abc import Iterable

from musify_ai.records import Verdict


def identifiers(places: Iterable[tuple[str, int, str]]) -> list[str]:
    """``path:start:rule`` for each place, with ``#2``, ``#3`` after what would be given twice."""
    return _each_once(f"{path}:{start}:{rule}" for path, start, rule in places)


def kernel_identifiers(verdicts: Iterable[Verdict]) -> list[str]:
    """``path:name<arguments>`` for each kernel."""
    return _each_once(f"{v.path}:{v.name}" + (f"<{v.instantiation}>" if v.instantiation else "") for v in verdicts)


def _each_once(names: Iterable[str]) -> list[str]:
    seen: Counter[str] = Counter()
    out = []
    for name in names:
        readable = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        seen[readable] += 1
        out.append(readable if seen[readable] == 1 else f"{readable}#{seen[readable]}")
    return out
