"""The folder of generated headers that a style's output needs beside it."""

import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from musify_ai.pipeline import Processed
from musify_ai.project.discovery import Entry
from musify_ai.project.refusals import Refused
from musify_ai.project.treating import Manner, Treated
from musify_ai.records import Edit, FileResult, Options
from musify_ai.records.runs import Status
from musify_ai.styles import LEAVING_NAMES, Use, compat
from musify_ai.styles.marking import is_compat

WRITTEN = frozenset(("alias", "dual"))
"""The styles that put the folder into the tree. For `semantic` the SDK's compiler does what it is for."""


def uses_of(treated: Iterable[Treated]) -> list[Use]:
    """What the files of a run leave to aliases."""
    return [use for each in treated for use in each.processed.uses]


def clashing(treated: Sequence[Treated]) -> frozenset[bytes]:
    """Names that some file uses as the API's and some file of the run defines itself: no macro can serve both."""
    owned = frozenset().union(*(each.processed.owned for each in treated))
    return owned & {use.old for use in uses_of(treated) if not use.is_header} if owned else owned


def for_checking(treated: Sequence[Treated], options: Options) -> dict[str, bytes]:
    """The folder's files by name below it, whether or not they are written: what the checker builds with."""
    return compat.files(uses_of(treated), options) if options.style in LEAVING_NAMES else {}


def with_companions(treated: Sequence[Treated], root: Path, home: str, manner: Manner) -> list[Treated]:
    """The files of a run with those of the folder, which lies in ``home`` (relative to ``root``, with ``/``).

    What an earlier run left there is kept where this one looked at some files only. `Refused` where something else
    is in the way.
    """
    if manner.options.style not in WRITTEN:
        return list(treated)
    folder = f"{home}/{compat.FOLDER}" if home else compat.FOLDER
    made = compat.files(uses_of(treated), manner.options)
    existing = {name: text for name in made if (text := _read(root / folder / name)) is not None}
    for name, text in existing.items():
        if not is_compat(text):
            raise Refused(f"{root / folder / name} is not ours, and style {manner.options.style!r} writes a file there")
    if manner.way in ("fix", "check") and made:
        header = _read(root / folder / compat.HEADER)
        made = compat.merged({compat.HEADER: header, **existing} if header else existing, made, manner.options)
    paths = {f"{folder}/{name}": name for name in made}
    others = [each for each in treated if each.entry.path not in paths]
    return [*others, *(_generated(path, existing.get(name), made[name], manner) for path, name in paths.items())]


def home_of(paths: Sequence[Path]) -> str:
    """Where the folder of single files lies: the root of the repository that they are in, else the folder that has
    them all; relative to where we stand, with ``/``."""
    folders = [path.absolute() if path.is_dir() else path.absolute().parent for path in paths]
    common = Path(os.path.commonpath(folders))
    root = next((each for each in (common, *common.parents) if (each / ".git").exists()), common)
    name = Path(os.path.relpath(root)).as_posix()
    return "" if name == "." else name


def _generated(path: str, before: bytes | None, text: bytes, manner: Manner) -> Treated:
    """A file of ours, as one edit over all of it; unchanged where it is there as it should be."""
    old = before or b""
    write = manner.way != "check"
    changed = old != text
    reason = (
        f"generated; a build for MUSA needs {compat.flags(path.rpartition('/')[0])}"
        if path.endswith(compat.HEADER)
        else "generated"
    )
    edit = Edit(
        0, len(old), old, text, f"style.{manner.options.style}", "rule", "safe", applied=write, line=1, column=1
    )
    status: Status = "changed" if changed and write else "copied" if manner.way == "out" else "unchanged"
    result = FileResult(
        path=path,
        output=None,
        status=status,
        reason=reason,
        encoding="ascii",
        sha256_before=sha256(old).hexdigest() if before is not None else "",
        sha256_after=sha256(text).hexdigest() if write else None,
        edits=(edit,) if changed else (),
    )
    return Treated(Entry(path, "file", "other", len(old)), before, Processed(result, text))


def _read(place: Path) -> bytes | None:
    try:
        return place.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise Refused(f"cannot read {place}: {problem.strerror}") from None
