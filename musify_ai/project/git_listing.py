"""What git says of the files of a tree: which it ignores, and which are another repository's."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from musify_ai.project.discovery import Entry

# A repository's own settings may name a program to be run for each question; nothing of a tree is run to look at it.
GIT = ("git", "-c", "core.fsmonitor=false")


def ignored_files(source: Path, entries: Iterable[Entry] = ()) -> frozenset[str]:
    """The files under a directory that git ignores, relative to it with ``/``, those of the repositories among
    ``entries`` included: they are made by a build or a person's own, and changes to them could not be taken back by
    git. None outside git, and none where git cannot be asked."""
    found = set(_ignored(source, "")) if _is_in_git(source) else set()
    for entry in entries:
        if entry.repository:
            found.update(_ignored(source / entry.path, entry.path + "/"))
    return frozenset(found)


def commit_of(source: Path) -> str:
    """The commit that a tree is checked out at; empty outside git, before the first commit, and where git is not."""
    import subprocess

    if not _is_in_git(source):
        return ""
    try:
        command = [*GIT, "-C", str(source), "rev-parse", "--verify", "--quiet", "HEAD"]
        answer = subprocess.run(command, capture_output=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.decode("ascii", "replace").strip()


def _is_in_git(source: Path) -> bool:
    return any((parent / ".git").exists() for parent in (source.resolve(), *source.resolve().parents))


def _ignored(folder: Path, prefix: str) -> list[str]:
    import subprocess

    command = [*GIT, "-C", str(folder), "ls-files", "-z", "--others", "--ignored", "--exclude-standard"]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [prefix + os.fsdecode(name) for name in answer.stdout.split(b"\0") if name]


class Others:
    """The parts of a tree that are other people's, by what the tree itself says: repositories in it, paths in
    ``.gitmodules``, and what ``.gitattributes`` marks ``linguist-vendored`` or ``linguist-generated``."""

    def __init__(self, root: Path, entries: Sequence[Entry]) -> None:
        self._folders = {entry.path: "in a submodule" for entry in entries if entry.repository}
        self._patterns: list[tuple[re.Pattern[str], str]] = []
        for entry in entries:
            name = entry.path.rpartition("/")[2]
            if entry.kind == "file" and name in (".gitmodules", ".gitattributes"):
                self._read(root, entry.path, name)

    def __bool__(self) -> bool:
        return bool(self._folders or self._patterns)

    def reason(self, path: str) -> str | None:
        """Why a file is other people's, or a program's; None where the tree says nothing of it."""
        parts = path.split("/")
        for end in range(1, len(parts)):
            if (found := self._folders.get("/".join(parts[:end]))) is not None:
                return found
        return next((why for pattern, why in self._patterns if pattern.match(path)), None)

    def _read(self, root: Path, path: str, name: str) -> None:
        try:
            text = (root / path).read_bytes().decode("utf-8", "surrogateescape")
        except OSError:
            return
        folder = path[: -len(name)]
        if name == ".gitmodules":
            for found in re.findall(r"^\s*path\s*=\s*(.+?)\s*$", text, re.MULTILINE):
                self._folders[folder + found.strip('"').strip("/")] = "in a submodule"
            return
        for line in text.splitlines():
            words = line.split()
            for attribute, why in (("linguist-vendored", "marked as other people's"),
                                   ("linguist-generated", "marked as generated")):  # fmt: skip
                if words[1:] and not words[0].startswith("#") and {attribute, attribute + "=true"} & set(words[1:]):
                    self._patterns.append((_pattern(folder, words[0]), f"{why} in .gitattributes"))


def _pattern(folder: str, glob: str) -> re.Pattern[str]:
    """A pattern of ``.gitattributes`` over paths below the root: without a ``/`` it speaks of names in any folder."""
    anchored = "/" in glob.rstrip("/")
    glob = glob.lstrip("/")
    parts = re.split(r"(\*\*/?|\*|\?)", glob)
    table = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    body = "".join(table.get(part, re.escape(part)) for part in parts)
    return re.compile(re.escape(folder) + ("" if anchored else "(?:.*/)?") + body + r"(?:/.*)?\Z", re.DOTALL)
