"""The TOML files of ``rules/`` as rows: one a name, with everything that the file says of it."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from musify_ai.rules.treatments import RENAMED, TREATMENTS, Treatment
from musify_ai.source.patterns import late_pattern

FOLDERS = ("names", "unchanged", "headers")


class Row(NamedTuple):
    """A name (or an include token, of kind ``header``) and what is known of it.

    ``musa`` is empty where there is no counterpart. ``source`` says where the evidence comes from. ``code`` is the
    finding that a library's names raise, where the whole library has one. The row is for SDKs from ``since`` on and
    below ``until``; ``outside`` is what the file says of all its names where they are out of range.
    """

    name: str
    musa: str
    treatment: Treatment
    kind: str
    library: str
    source: str = ""
    note: str = ""
    code: str = ""
    since: str = ""
    until: str = ""
    file: str = ""
    outside: str = ""


class RulesInvalid(Exception):
    """A rules file that cannot be read as rows."""


def files(folder: Path, parts: tuple[str, ...] = FOLDERS) -> list[Path]:
    """The TOML files of some parts of the rules, in a fixed order."""
    return sorted(path for part in parts for path in (folder / part).glob("*.toml"))


def read_file(path: Path) -> Iterator[Row]:
    """The rows of one file, in its order. Raises `RulesInvalid` for a file of another form."""
    import tomllib

    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesInvalid(f"{path}: {error}") from error
    library = document.get("library")
    if not isinstance(library, str) or not library:
        raise RulesInvalid(f"{path}: no library at the top")
    folder = path.parent.name
    shared = {key: str(document.get(key, "")) for key in ("note", "code", "since", "until")}
    sources: Mapping[str, str] = document.get("sources", {})
    for section, body in document.items():
        if section in ("library", "sources", *shared):
            continue
        treatment = "unchanged" if folder == "unchanged" and section == "seen" else section
        if treatment not in TREATMENTS or not isinstance(body, dict):
            raise RulesInvalid(f"{path}: unknown section [{section}]; known are {', '.join(TREATMENTS)}")
        kinds = {"header": body} if folder == "headers" else {"": body} if treatment == "left-out" else body
        for kind, entries in kinds.items():
            if not isinstance(entries, dict):
                raise RulesInvalid(f"{path}: [{section}] needs a kind, as in [{section}.function]")
            for name, value in entries.items():
                # A name that changed between SDKs has a list of rows, one a range.
                for each in value if isinstance(value, list) else (value,):
                    yield _row(path, library, treatment, kind, name, each, shared, sources)


def _row(
    path: Path,
    library: str,
    treatment: Treatment,
    kind: str,
    name: str,
    value: Any,
    shared: Mapping[str, str],
    sources: Mapping[str, str],
) -> Row:
    detail: dict[str, str] = {}
    if isinstance(value, str):
        if treatment in ("unchanged", "unproven"):
            detail = {"musa": name, "source": value}
        elif treatment in ("none", "left-out"):
            detail = {"note": value}
        else:
            detail = {"musa": value}
    elif isinstance(value, dict) and all(isinstance(part, str) for part in value.values()):
        detail = {str(key): part for key, part in value.items()}
    else:
        raise RulesInvalid(f"{path}: {name}: a string or a table of strings is wanted")
    unknown = detail.keys() - {"musa", "source", "note", "since", "until"}
    if unknown:
        raise RulesInvalid(f"{path}: {name}: unknown key {sorted(unknown)[0]}")
    if treatment in RENAMED and not detail.get("musa"):
        raise RulesInvalid(f"{path}: {name}: no MUSA name")
    return Row(
        name,
        detail.get("musa", ""),
        treatment,
        kind,
        library,
        detail.get("source") or sources.get(treatment, ""),
        detail.get("note", ""),
        shared["code"],
        detail.get("since") or shared["since"],
        detail.get("until") or shared["until"],
        path.name,
        shared["note"],
    )


def read(folder: Path, parts: tuple[str, ...] = FOLDERS) -> list[Row]:
    """All rows of some parts of the rules."""
    return [row for path in files(folder, parts) for row in read_file(path)]


_KEY = late_pattern(r'^(?:"([^"]+)"|([A-Za-z0-9_-]+)) = ', re.MULTILINE)


def keys_by_section(path: Path) -> dict[str, list[str]]:
    """The keys of each section of a file in the order written, which TOML parsing alone does not promise to keep."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif (match := _KEY.match(line)) and section not in ("", "sources"):
            found.setdefault(section, []).append(match[1] or match[2])
    return found
