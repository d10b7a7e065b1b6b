"""What must hold of the rules' data before anything is compiled from it; run by the tests and by whoever edits it."""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

from musify_ai.rules.reading import Row, files, keys_by_section, read
from musify_ai.rules.sdks import CURRENT, SDKS, in_range
from musify_ai.rules.treatments import RENAMED
from musify_ai.source.patterns import late_pattern

_IDENTIFIER = late_pattern(r"[A-Za-z_]\w*\Z")
# Prefixes alone are no names: renaming `cu` or `cuda` as a word would touch namespaces and variables. `curand` is not
# among them: it is a function besides, which the name tier renames only where it is called.
_BARE = """
    cu CU cuda CUDA cublas CUBLAS cudnn CUDNN cufft CUFFT CURAND cusparse CUSPARSE cusolver CUSOLVER nccl NCCL
    cupti CUPTI nvml NVML npp NPP nvjpeg NVJPEG nvrtc NVRTC nvtx NVTX nvshmem cutlass CUTLASS cute cub thrust
"""
BARE_PREFIXES = frozenset(_BARE.split())


def lint(folder: Path) -> list[str]:
    """Every fault of the rules in a folder, a line each; empty where there is none."""
    rows = read(folder)
    bulk = read(folder, ("bulk",))
    return [
        *_unsorted(folder),
        *_misnamed(rows + bulk),
        *_twice(rows, bulk),
        *_targets(rows + bulk),
    ]


def _unsorted(folder: Path) -> list[str]:
    found = []
    for path in files(folder, ("names", "unchanged", "headers", "bulk")):
        for section, keys in keys_by_section(path).items():
            for before, after in pairwise(keys):
                if before >= after:
                    found.append(f"{path.name} [{section}]: {after} does not sort after {before}")
    return found


def _misnamed(rows: list[Row]) -> list[str]:
    found = []
    for row in rows:
        where = f"{row.file}: {row.name}"
        if row.kind == "header":
            if row.since or row.until:
                found.append(f"{where}: include tokens have no range of SDKs")
            continue
        if not _IDENTIFIER.match(row.name):
            found.append(f"{where}: no identifier")
        if row.name in BARE_PREFIXES and row.treatment in RENAMED:
            found.append(f"{where}: a bare prefix, not a name")
        if row.treatment in RENAMED and not _IDENTIFIER.match(row.musa):
            found.append(f"{where}: its MUSA name {row.musa} is no identifier")
        if row.treatment in RENAMED and row.musa == row.name:
            found.append(f"{where}: renamed to itself; it belongs in unchanged/")
        if row.treatment == "seen" and not row.source:
            found.append(f"{where}: seen, but not where")
        if "\t" in row.note + row.source or "\n" in row.note + row.source:
            found.append(f"{where}: a tab or newline in its text")
    return found


def _twice(rows: list[Row], bulk: list[Row]) -> list[str]:
    """A name has one row for an SDK; the bulk part repeats none of the main part (a dead row)."""
    found = []
    seen: dict[tuple[str, bool], list[Row]] = defaultdict(list)
    for row in rows + bulk:
        earlier = seen[row.name, row.kind == "header"]
        for other in earlier:
            if any(in_range(sdk, *_range(row)) and in_range(sdk, *_range(other)) for sdk in SDKS):
                found.append(f"{row.file}: {row.name} is also in {other.file}")
        if not any(in_range(sdk, *_range(row)) for sdk in SDKS):
            found.append(f"{row.file}: {row.name} is for no SDK that is known")
        earlier.append(row)
    return found


def _range(row: Row) -> tuple[str, str]:
    return row.since, row.until


def _targets(rows: list[Row]) -> list[str]:
    """No target is itself renamed (a second run would change it), and two names with one target say so."""
    found = []
    for header in (False, True):
        renamed = [
            row
            for row in rows
            if row.treatment in RENAMED and (row.kind == "header") == header and in_range(CURRENT, *_range(row))
        ]
        keys = {row.name for row in renamed}
        by_target: dict[str, list[Row]] = defaultdict(list)
        for row in renamed:
            if row.musa in keys:
                found.append(f"{row.file}: {row.name} becomes {row.musa}, which is renamed itself")
            by_target[row.musa].append(row)
        if header:
            continue  # two headers may well become one
        for target, sharing in by_target.items():
            if len(sharing) > 1 and not any("same target" in row.note for row in sharing):
                names = ", ".join(row.name for row in sharing)
                found.append(f"{sharing[0].file}: {names} all become {target}; one must say so in its note")
    return found
