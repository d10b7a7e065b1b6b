"""Many repositories migrated by one command: each by a process of its own, so that none can end the run.

What came of each is kept in a file of its own beside the trees. A fleet that was ended goes on with the others; a
repository is done again where its commit, its files or the options have changed since.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from musify_ai import __version__
from musify_ai.project.destination import digest_of
from musify_ai.project.git_listing import GIT, commit_of
from musify_ai.project.in_place import write_whole
from musify_ai.project.refusals import Refused
from musify_ai.project.scheduling import Progress
from musify_ai.source.patterns import late_pattern

OWN_OPTIONS = ("--out", "--in-place", "--diff", "--report", "--format", "--split")
"""The options of ``migrate`` that a fleet gives itself."""

_NAME = late_pattern(r"[\w.+-]+(?:/[\w.+-]+)*")
_REPORTS, _STATES = "reports", "state"
_KEPT = (_REPORTS, _STATES)


class Repository(NamedTuple):
    """A repository of a fleet: its name, which is also that of its folder in the output, where it is checked out, and
    further options of ``migrate`` for it."""

    name: str
    path: Path
    options: tuple[str, ...] = ()


class Fared(NamedTuple):
    """How a repository fared. ``error`` is empty where it was migrated; then the figures are those of its report:
    findings by severity and code, effort is the count of them by effort, kernels by headline."""

    name: str
    error: str
    seconds: float
    files: int = 0
    changed: int = 0
    failed: int = 0
    edits: int = 0
    residue: int = 0
    findings: Mapping[str, int] = MappingProxyType({})
    severities: Mapping[str, int] = MappingProxyType({})
    efforts: Mapping[str, int] = MappingProxyType({})
    kernels: Mapping[str, int] = MappingProxyType({})

    def told(self) -> dict[str, Any]:
        """The row as plain JSON values."""
        return {name: dict(value) if isinstance(value, Mapping) else value for name, value in self._asdict().items()}


def read_fleet(file: Path) -> list[Repository]:
    """The repositories that a TOML file lists in ``[[repo]]`` tables of ``path``, and if wanted ``name`` and
    ``options``; paths are relative to the file. `Refused` for a file that is none."""
    import tomllib

    try:
        table: Any = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise Refused(f"cannot read {file}: {problem.strerror}") from None
    except ValueError as problem:
        raise Refused(f"{file}: not valid TOML: {problem}") from None
    rows = table.get("repo")
    if not isinstance(rows, list) or not rows or set(table) - {"repo"}:
        raise Refused(f"{file}: it holds [[repo]] tables, each with a path, and nothing else")
    found: dict[str, Repository] = {}
    for number, row in enumerate(rows, 1):
        where = f"{file}: repo {number}"
        if not isinstance(row, dict) or set(row) - {"name", "path", "options"} or not isinstance(row.get("path"), str):
            raise Refused(f"{where} wants a path, and may have a name and options")
        path = file.parent / Path(row["path"]).expanduser()
        name, options = row.get("name", path.name), row.get("options", [])
        if not isinstance(name, str) or not _NAME.fullmatch(name) or {".", ".."} & set(name.split("/")):
            raise Refused(f"{where}: {name!r} cannot be the name of a folder for its output")
        if name.split("/")[0] in _KEPT:
            raise Refused(f"{where}: {name!r} cannot be a name: the fleet keeps {' and '.join(_KEPT)} beside the trees")
        if not isinstance(options, list) or not all(isinstance(each, str) for each in options):
            raise Refused(f"{where}: options is a list of strings, as they stand after `migrate`")
        if any(each.split("=")[0] in OWN_OPTIONS for each in options):
            raise Refused(f"{where}: where a repository goes is for the fleet to say ({', '.join(OWN_OPTIONS)})")
        if name in found:
            raise Refused(f"{where}: {name} is there already; give one of them another name")
        nested = [each for each in found if f"{each}/".startswith(f"{name}/") or name.startswith(f"{each}/")]
        if nested:
            raise Refused(
                f"{where}: the trees of {name} and {nested[0]} would lie in each other; give one another name"
            )
        found[name] = Repository(name, path, tuple(options))
    return list(found.values())


def migrate_fleet(
    fleet: Sequence[Repository],
    out: Path,
    options: Sequence[str],
    *,
    at_once: int = 1,
    progress: Progress | None = None,
) -> list[Fared]:
    """Migrate each repository into a folder of its name under ``out``; ``options`` are those of ``migrate`` for all.

    Comes back in the order given. `Refused` where ``out`` cannot be written.
    """
    from concurrent.futures import ThreadPoolExecutor

    try:
        for name in _KEPT:
            (out / name).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise Refused(f"cannot write {out}: {problem.strerror}") from None
    done = 0
    found: list[Fared] = []
    with ThreadPoolExecutor(at_once) as pool:
        for fared in pool.map(lambda each: _migrated(each, out, (*options, *each.options)), fleet):
            done += 1
            found.append(fared)
            if progress is not None:
                progress(f"migrating {done}/{len(fleet)} {fared.name}")
    return found


def _migrated(repository: Repository, out: Path, options: Sequence[str]) -> Fared:
    state = out / _STATES / f"{repository.name}.json"
    key = _key(repository, options)
    if key and (kept := _kept(state, key)) is not None and (out / repository.name).is_dir():
        return kept
    report = out / _REPORTS / repository.name
    state.parent.mkdir(parents=True, exist_ok=True)
    (report / "report.json").unlink(missing_ok=True)
    command = [sys.executable, "-m", "musify_ai", "migrate", str(repository.path), "--out", str(out / repository.name)]
    begin = time.monotonic()
    try:
        ended = subprocess.run(
            [*command, "--report", str(report), "-q", *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False,
        )  # fmt: skip
    except OSError as problem:
        return Fared(repository.name, problem.strerror or type(problem).__name__, 0.0)
    seconds = round(time.monotonic() - begin, 3)
    if ended.returncode not in (0, 1) or not (report / "report.json").is_file():
        said = ended.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1].removeprefix("musify-ai: ") if said else f"migrate ended with status {ended.returncode}"
        return Fared(repository.name, why, seconds)
    fared = _fared(repository.name, seconds, json.loads((report / "report.json").read_bytes()))
    write_whole(state, json.dumps({"key": key, "fared": fared.told()}, indent=1).encode("ascii"))
    return fared


def _fared(name: str, seconds: float, document: Any) -> Fared:
    summary, findings = document["summary"], document["findings"]
    return Fared(
        name,
        "",
        seconds,
        summary["files"],
        summary["changed"],
        summary["failed"],
        sum(summary["edits"]["by_evidence"].values()),
        summary["residue"],
        dict(sorted(summary["findings"].items())),
        dict(sorted(Counter(each["severity"] for each in findings).items())),
        dict(sorted(Counter(each["effort"] for each in findings if each["severity"] != "note").items())),
        dict(sorted(summary["kernels"].items())),
    )


def _kept(state: Path, key: str) -> Fared | None:
    try:
        document = json.loads(state.read_bytes())
        return Fared(**document["fared"]) if document["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _key(repository: Repository, options: Sequence[str]) -> str:
    """What a result holds for: options, the files that they name, and commit. Empty where the tree is in no git, or not
    as it was committed."""
    commit = commit_of(repository.path) if repository.path.is_dir() else ""
    if not commit:
        return ""
    command = [*GIT, "-C", str(repository.path), "status", "--porcelain", "--", "."]
    if subprocess.run(command, capture_output=True, check=False).stdout:
        return ""
    told = [digest_of(Path(word.partition("=")[2] or word)) for word in options]  # of files of rules and the like
    return sha256(repr((__version__, _version(), commit, tuple(options), told)).encode()).hexdigest()


def _version() -> str:
    from musify_ai.project.keeping import translator_digest

    return translator_digest()


def totals(rows: Sequence[Fared]) -> Iterator[tuple[str, int]]:
    """The sums of a fleet's figures, by what they are of."""
    for name in ("files", "changed", "failed", "edits", "residue"):
        yield name, sum(getattr(row, name) for row in rows)
